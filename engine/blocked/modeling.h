/* State of the Modeler during a building: its samples and its regions.  Private to the Modeler.
 *
 * A building ends early when the sampler returns fewer samples than requested, when the limit of
 * samples is reached, or when a region has no usable time.  Then nothing more is sampled or split,
 * and the open regions are fitted to the existing samples.
 */
#ifndef FR_BLOCKED_MODELING_H
#define FR_BLOCKED_MODELING_H

#include "engine/blocked/modeler.h"

/* The highest degree is 5. */
enum { MODELING_MOST_OVERSAMPLING = 64, MODELING_MOST_POINTS = 6 + MODELING_MOST_OVERSAMPLING };

/* A set of samples, hashed by their coordinates. */
struct blocked_samples {
    struct blocked_sample *at;
    size_t count, room;
    size_t *slot; /* index + 1, 0 empty; open addressing */
    size_t slots; /* a power of two, at least twice `room` */
};

/* Returns 0, or -1 without memory.  A point that is present already stays unchanged. */
int blocked_samples_add(struct blocked_samples *samples, const struct blocked_sample *sample);
/* The sample at a point, or NULL. */
const struct blocked_sample *blocked_samples_find(const struct blocked_samples *samples,
                                                  const int64_t *at);
void blocked_samples_free(struct blocked_samples *samples);

struct modeling {
    const struct blocked_build *build;
    const struct blocked_sampler *sampler;
    const struct blocked_box *range;
    size_t ranges, dimensions, terms;
    int exponent[BLOCKED_MAX_TERMS][BLOCKED_MAX_SIZES];
    int degree[BLOCKED_MAX_SIZES];
    struct blocked_samples known;     /* of an earlier building, until a grid needs them */
    struct blocked_samples sample;    /* of this building */
    struct blocked_samples requested; /* the next batch */
    size_t *chosen;                   /* indices of the samples of the next fit */
    size_t chosen_count, chosen_room;
    struct blocked_piece *piece; /* the regions done; range_of: the range of each */
    size_t *range_of;
    size_t pieces, pieces_room;
    double volume, volume_done;     /* of the ranges and of the regions done, log2 */
    double error_done;              /* sum of error times newly covered volume */
    double volume_open, error_open; /* the same for fitted regions not done */
    size_t levels_after;            /* of a refinement, for the reports */
    bool has_new_batch;             /* a batch was taken since the last report */
    bool is_ended;
    const char *why; /* the error when a function returns -1 */
};

/* Functions that return an int return 0, or -1 with the error in `why`. */

/* The grid of a box; points are numbered with the last size fastest. */
struct modeling_grid {
    int64_t at[BLOCKED_MAX_SIZES][MODELING_MOST_POINTS];
    size_t points[BLOCKED_MAX_SIZES], count;
};
struct modeling_grid modeling_grid_of(const struct modeling *m, const struct blocked_box *box);
void modeling_grid_point(const struct modeling *m, const struct modeling_grid *grid, size_t i,
                         int64_t *at);
/* request_grid adds the points of a box's grid to the next batch; take measures the batch. */
int modeling_request_grid(struct modeling *m, const struct blocked_box *box);
int modeling_take(struct modeling *m);
/* Adds all known samples to the samples of this building. */
int modeling_add_known(struct modeling *m);

/* Chooses the samples of a box's grid, or all inside the box.  A grid is whole when every point was
 * measured and at least one has a usable time. */
int modeling_choose_grid(struct modeling *m, const struct blocked_box *box, bool *is_whole);
int modeling_choose_inside(struct modeling *m, const struct blocked_box *box);
/* Number of chosen samples with a usable time of the reference statistic. */
size_t modeling_usable(const struct modeling *m);
/* Whether the chosen samples span the box and are at least as many as the monomials. */
bool modeling_suffices(const struct modeling *m, const struct blocked_box *box);
/* Fits the reference statistic to the chosen samples on either side of `middle` apart.  *squares
 * gets the sum of the squared residuals, as the fit counts them
 * (docs/models/kernel_models.md#decision-the-side-that-explains-the-error-is-split). */
int modeling_try_split(const struct modeling *m, const struct blocked_box *box, size_t d,
                       int64_t middle, double *squares);
/* Fits all statistics to the chosen samples. */
int modeling_fit(struct modeling *m, const struct blocked_box *box, struct blocked_piece *out);
/* Fits a box whose grid is incomplete to the samples inside it or, if there are none, to all. */
int modeling_cover(struct modeling *m, const struct blocked_box *box, struct blocked_piece *out);

/* Volume of a box in log2 of the sizes, without the dimensions in which the range has one size. */
double modeling_volume(const struct blocked_box *range, const struct blocked_box *box,
                       size_t dimensions);
/* Adds a region to those done. */
int modeling_accept(struct modeling *m, size_t range, const struct blocked_piece *piece);
/* leave_open counts a fitted region that is not done in the mean error; close forgets all of them,
 * before they are split, extended or done. */
void modeling_leave_open(struct modeling *m, size_t range, const struct blocked_piece *piece);
void modeling_close(struct modeling *m);
/* Reports progress if a batch was taken. */
void modeling_report(struct modeling *m, size_t regions_open);

/* The strategies (docs/models/kernel_models.md#adaptive-refinement). */
int modeling_refine(struct modeling *m);
int modeling_expand(struct modeling *m);

/* Whether a fit can use a time: finite, not too large and, for relative residuals, not near 0. */
bool modeling_is_time(double time_s, bool is_relative);
/* Local coordinate of a point in a box, 0 to 1 inside it. */
double modeling_local(const struct blocked_box *box, size_t d, int64_t at);
double modeling_monomial(const double *local, const int *exponent, size_t dimensions);
/* The multiple of 8 nearest to numerator / denominator, half up. */
int64_t modeling_round(int64_t numerator, int64_t denominator);

#endif
