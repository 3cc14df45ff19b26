/* Options of the benchmark `routine_models`: the kernels, their ranges of sizes, and the options of
 * the Modeler (docs/models/kernel_models.md#modeler).
 */
#ifndef FR_MODELING_H
#define FR_MODELING_H

#include <stdbool.h>

#include "calibrations/calibrate/core/option.h"
#include "engine/blocked/modeler.h"

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

#endif
