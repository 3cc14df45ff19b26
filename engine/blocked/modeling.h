/* What the parts of the Modeler share: a building in progress, its samples and its regions.
 *
 * A building ends early when the sampler gives up, when the limit of samples is reached, or when a
 * region has not one usable time.  Then nothing is sampled or split any more, and what is still
 * open is covered from the samples that are there.
 */
#ifndef FR_BLOCKED_MODELING_H
#define FR_BLOCKED_MODELING_H

#include "engine/blocked/modeler.h"

/* The highest degree is 5. */
enum { MODELING_MOST_OVERSAMPLING = 64, MODELING_MOST_POINTS = 6 + MODELING_MOST_OVERSAMPLING };

/* Points, each once, found by a hash of their coordinates. */
struct blocked_samples {
    struct blocked_sample *at;
    size_t count, room;
    size_t *slot; /* index + 1, 0 empty; open addressing */
    size_t slots; /* a power of two, at least twice `room` */
};

/* 0, or -1: memory.  A point that is there already stays as it is. */
int blocked_samples_add(struct blocked_samples *samples, const struct blocked_sample *sample);
/* NULL: not there. */
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
    struct blocked_samples known;  /* of an earlier building; each counts once a grid wants it */
    struct blocked_samples sample; /* of this one */
    struct blocked_samples wanted; /* the next batch */
    size_t *chosen;                /* indices of samples: those of the fit that comes next */
    size_t chosen_count, chosen_room;
    struct blocked_piece *piece; /* the regions done, with the range of each */
    size_t *range_of;
    size_t pieces, pieces_room;
    double volume, volume_done;     /* of the ranges, in log2 of the sizes */
    double error_done;              /* errors of the regions done, each times its new volume */
    double volume_open, error_open; /* the same of fitted regions that are not done */
    bool has_news;                  /* a batch was taken and not told of */
    bool is_ended;
    const char *why; /* set where a function returns -1 */
};

/* What returns an int returns 0, or -1: `why`. */

/* The sample points of a box, the last size fastest. */
struct modeling_grid {
    int64_t at[BLOCKED_MAX_SIZES][MODELING_MOST_POINTS];
    size_t points[BLOCKED_MAX_SIZES], count;
};
struct modeling_grid modeling_grid_of(const struct modeling *m, const struct blocked_box *box);
void modeling_grid_point(const struct modeling *m, const struct modeling_grid *grid, size_t i,
                         int64_t *at);
/* Wants the points of a box's grid; takes all that is wanted in one batch. */
int modeling_want_grid(struct modeling *m, const struct blocked_box *box);
int modeling_take(struct modeling *m);
/* All known samples become samples of this building. */
int modeling_admit_known(struct modeling *m);

/* Chooses the samples of a box's grid, or all that lie inside it.  A grid is whole when each of
 * its points was measured, and a time came of at least one. */
int modeling_choose_grid(struct modeling *m, const struct blocked_box *box, bool *is_whole);
int modeling_choose_inside(struct modeling *m, const struct blocked_box *box);
/* The chosen samples that have a time to be judged by. */
size_t modeling_usable(const struct modeling *m);
/* Whether the chosen samples determine a polynomial of the box without extrapolation. */
bool modeling_suffices(const struct modeling *m, const struct blocked_box *box);
/* Fits all statistics to the chosen samples. */
int modeling_fit(struct modeling *m, const struct blocked_box *box, struct blocked_piece *out);
/* The best that can be said of a box from the samples that happen to be there, in it or, if there
 * is none, anywhere. */
int modeling_cover(struct modeling *m, const struct blocked_box *box, struct blocked_piece *out);

/* A box's volume in log2 of the sizes; a range of one size does not count. */
double modeling_volume(const struct blocked_box *range, const struct blocked_box *box,
                       size_t dimensions);
/* Lists a region that is done. */
int modeling_accept(struct modeling *m, size_t range, const struct blocked_piece *piece);
/* A region that is fitted and not done counts as what there is of the model, until they are closed:
 * by being listed, or split, or larger. */
void modeling_leave_open(struct modeling *m, size_t range, const struct blocked_piece *piece);
void modeling_close(struct modeling *m);
/* Tells of the progress after a batch. */
void modeling_tell(struct modeling *m, size_t regions_open);

/* The strategies. */
int modeling_refine(struct modeling *m);
int modeling_expand(struct modeling *m);

/* Where a singular value counts as zero, beside the largest one: columns have norm 1, so that it is
 * far above rounding and far below what a fit of degree 5 needs. */
#define MODELING_ROUNDING 1e-13
/* blocked_fit, where singular values below `cutoff` times the largest count as zero. */
int modeling_fit_values(const struct blocked_box *box, size_t dimensions,
                        int (*exponent)[BLOCKED_MAX_SIZES], size_t terms,
                        int64_t (*at)[BLOCKED_MAX_SIZES], const double *value, size_t count,
                        bool is_relative, double cutoff, double *coef);
/* A time that a fit can use: neither missing nor, where it divides by it, as good as zero. */
bool modeling_is_time(double time_s, bool is_relative);
/* The place of a point in a box: 0 to 1 inside it. */
double modeling_local(const struct blocked_box *box, size_t d, int64_t at);
double modeling_monomial(const double *local, const int *exponent, size_t dimensions);
/* The nearest multiple of 8, half up, of numerator / denominator. */
int64_t modeling_round(int64_t numerator, int64_t denominator);

#endif
