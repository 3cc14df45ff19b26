/* Models of routines, made from samples. */
#ifndef FR_MODELING_H
#define FR_MODELING_H

#include "calibrations/calibrate/core/options.h"
#include "engine/blocked/modeler.h"
#include "engine/calibration/calibration.h"

#include <stdio.h>

/* The weight of the out-of-cache models: in a blend, from whole runs of a blocked algorithm
 * (docs/models/blocked.md#prediction), and by the distance of a reuse. */

/* A run: its measured time, and its sums of the median times of its calls. */
struct fr_weight_run {
    double time_s, in_cache_s, out_of_cache_s;
};

/* Fills the sums of trinv of that variant from prepared models (blocked_prepare); returns false if
 * a model of a call is missing. */
bool fr_weight_predict(const struct fr_calibration *models, int threads, int variant, int n, int b,
                       struct fr_weight_run *out);

/* The weight with the least squares of relative errors of (1 - w) in cache + w out of cache, 0 to
 * 1, and the root mean square of those errors; NAN if the two sums are the same in every run. */
double fr_weight_fit(const struct fr_weight_run *run, int count, double *error);

/* The shares of the time between `warm_s` and `cold_s` that the times of `rows` distances reach, 0
 * to 1; a longer distance has no smaller share (docs/models/kernel_models.md#reuse). */
void fr_reuse_shares(const double *time_s, int rows, double warm_s, double cold_s, double *share);

/* Options of the benchmark `routine_models`: the kernels, their ranges of sizes, and the options of
 * the Modeler (docs/models/kernel_models.md#modeler).
 */

enum { FR_KERNELS_MAX = 64, FR_BOXES_MAX = 16 };

/* Defaults in brackets are those of each kernel. */
struct fr_modeling {
    const char *kernels; /* "trinv,sylv,dtrsm:LLNN" */
    int size, block;     /* matrices up to size, blocks up to block */
    bool has_size, has_block;
    int locality;          /* as given; is_warm and is_cold follow from it */
    bool is_warm, is_cold; /* the localities */
    const char *samples;   /* a file of samples to resume and to extend, or NULL */
    double budget_s;       /* time limit; HUGE_VAL: none */
    int strategy, direction, split, grid, measure, reference; /* enums of the Modeler [-1] */
    double eps;                                               /* [0] */
    int s_min, s_fine, s_ini;                                 /* [0] */
    int most_samples;                                         /* of a model [0] */
    int oversampling[BLOCKED_MAX_SIZES];                      /* [0] */
    int degree_extra;                                         /* [-1] */
    bool is_absolute;
};

/* A kernel and the sizes to model. */
struct fr_domain {
    struct blocked_kernel kernel;
    struct blocked_box box[FR_BOXES_MAX];
    size_t boxes;
    size_t most_samples; /* 0: no limit */
    int alpha;           /* of the sampled calls: the most frequent in the algorithms */
};

/* The options; their values are a struct fr_modeling. */
extern const struct fr_option fr_modeling_options[];
/* Completes the values after parsing.  Returns 0, or -1 with an error message in `why`. */
int fr_modeling_check(const struct fr_command_line *line, void *values,
                      char why[FR_OPTION_WHY_BYTES]);
struct fr_modeling fr_modeling_default(void);

/* Reduces the sizes that were not given to what takes seconds, for trials. */
void fr_modeling_hurry(struct fr_modeling *modeling);

/* Finds the domains of `kernels`, the slowest last.  Returns their number, or -1 with an error
 * message in `why`. */
int fr_domains_find(const struct fr_modeling *modeling, struct fr_domain domain[FR_KERNELS_MAX],
                    char why[160]);
/* Whether `kernels` may have this name. */
bool fr_domains_has(const char *name);
/* The default options of a kernel and locality, replaced by those given. */
struct blocked_build fr_modeling_build(const struct fr_modeling *modeling,
                                       const struct fr_domain *domain, bool is_cold);
/* Operations of the calls that a model should take, each once: as in the middles of the boxes. */
double fr_modeling_flops(const struct fr_modeling *modeling, const struct fr_domain *domain,
                         bool is_cold);
extern const char *const fr_strategy_names[],
    *const fr_direction_names[], *const fr_split_names[], *const fr_grid_names[],
                                                              *const fr_measure_names[],
                                                                  *const fr_statistic_names[];

/* Convergence of a routine model: its error by the number of samples, for charts. */

enum { FR_FIT_HISTORY_ROWS = 200 };

/* A long history is thinned evenly on a logarithmic axis of samples. */
struct fr_fit_history {
    struct fr_model_progress row[FR_FIT_HISTORY_ROWS];
    size_t rows;
};

/* Adds a report of the Modeler; ignores one without regions. */
void fr_fit_history_add(struct fr_fit_history *history, const struct blocked_progress *progress);

/* Names the regions of a routine model that missed their error bound. */

enum { FR_MISSED_BYTES = 280 };

/* Writes "2 of 5 regions missed the error bound of 8 %: m 8 to 64, n 8 to 128 (23 %); ...", the
 * largest errors first, as many as fit.  Returns the number of regions that missed it; 0: nothing
 * is written. */
size_t fr_missed_write(const struct blocked_routine *routine, const struct blocked_model *model,
                       double eps, char out[FR_MISSED_BYTES]);

/* The remaining time of a refinement, from the measured times and the points of the next batch. */

enum { FR_REMAINING_POINTS = 256 };

/* The last batch, thinned. */
struct fr_remaining {
    struct blocked_kernel kernel;
    struct blocked_sample point[FR_REMAINING_POINTS];
    size_t points;
    double batch_s; /* wall time of the batch */
    double sum_s;   /* of its median times, of all points */
};

/* Takes a batch that took `batch_s` seconds. */
void fr_remaining_take(struct fr_remaining *remaining, const struct blocked_kernel *kernel,
                       const struct blocked_sample *sample, size_t count, double batch_s);

/* Seconds that the planned points take: each has the rate of the nearest point of the last batch,
 * and the executions and overhead of that batch. */
double fr_remaining_planned_s(const struct fr_remaining *remaining,
                              const struct blocked_sample *planned, size_t count);

/* Seconds of the next batch and of those after it: each level is taken to grow or shrink as the
 * next one does, until no region can be split.  `most` is the number of samples that may still be
 * taken, 0: any. */
double fr_remaining_s(const struct fr_remaining *remaining, const struct blocked_progress *progress,
                      size_t most);

/* A routine model as a row of the calibration document
 * (docs/models/kernel_models.md#routine-models-in-the-calibration-document). */

struct fr_routine_made {
    const struct fr_domain *domain;
    const struct blocked_build *build;
    const struct blocked_model *model;
    const struct fr_fit_history *history;
    bool is_cold;
    int threads, repetitions, leading_dimension;
    double seconds; /* to build it; NAN: unknown, because samples were resumed */
};

/* Adds the row, with its build options and its convergence. */
void fr_routine_record(struct fr_document *document, const struct fr_routine_made *made);

/* A log of samples: one line of CSV for each, added when it is measured, so that an interrupted
 * calibration can be resumed. */

struct fr_sample_log {
    struct fr_journal journal;
    struct fr_sample_log_line *line;
    size_t lines, capacity;
    bool has_failed; /* a line could not be written; no more are tried */
};

/* As fr_journal_open; `path` may be NULL.  Returns 0, or -1 with an error message in `why`. */
int fr_sample_log_open(struct fr_sample_log *sample_log, const char *path, char why[160]);
void fr_sample_log_close(struct fr_sample_log *sample_log);
/* The samples of a kernel in an array that the caller frees, or NULL if there are none. */
struct blocked_sample *fr_sample_log_find(const struct fr_sample_log *sample_log,
                                          const struct blocked_kernel *kernel, int threads,
                                          bool is_cold, size_t *count);
/* Appends a sample.  Returns 0, or -1 with errno the first time that a line cannot be written. */
int fr_sample_log_add(struct fr_sample_log *sample_log, const struct blocked_kernel *kernel,
                      int threads, bool is_cold, const struct blocked_sample *sample);

/* Measures out_of_cache_weight. */

struct fr_context;

/* Runs trinv in three sizes and variants on rank 0, whose BLAS has these threads, and records the
 * weight by the models that the document has found; without models of the kernels of trinv in both
 * localities, reports that. */
void fr_weigh(struct fr_context *context, int threads, int leading);

#endif
