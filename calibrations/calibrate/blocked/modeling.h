/* Options of the benchmark `routine_models`: the kernels, their ranges of sizes, and the options of
 * the Modeler (docs/models/kernel_models.md#modeler).
 */
#ifndef FR_MODELING_H
#define FR_MODELING_H

#include <argp.h>
#include <stdbool.h>

#include "engine/blocked/modeler.h"

enum { FR_KERNELS_MAX = 64, FR_BOXES_MAX = 3, FR_MODELING_KEY = 512 };

struct fr_modeling {
    const char *kernels;   /* "trinv,sylv,dtrsm:LLNN" */
    int size, block;       /* matrices up to size, blocks up to block */
    int locality;          /* as given; is_warm and is_cold follow from it */
    bool is_warm, is_cold; /* the localities to model */
    const char *samples;   /* a file of samples to resume and to extend, or NULL */
    double budget_s;       /* time limit; HUGE_VAL: none */

    /* Options of struct blocked_build; -1, or 0 in the second line: the default of the kernel. */
    int strategy, direction, split, grid, measure, reference, degree_extra;
    int s_min, s_ini, oversampling[BLOCKED_MAX_SIZES];
    double eps;
    bool is_absolute;

    uint64_t given; /* a bit for each option that was given, the lowest for FR_MODELING_KEY */
};

/* A kernel and the sizes to model. */
struct fr_domain {
    struct blocked_kernel kernel;
    struct blocked_box box[FR_BOXES_MAX];
    size_t boxes;
    int alpha; /* of the sampled calls: the most frequent in the algorithms */
};

/* Parses into a struct fr_modeling, the input of argp. */
extern const struct argp fr_modeling_argp;
struct fr_modeling fr_modeling_default(void);

/* Reduces the sizes that were not given to what takes seconds, for trials. */
void fr_modeling_hurry(struct fr_modeling *modeling);

/* Writes all options that determine the models, to compare a resumed job with the earlier one. */
void fr_modeling_print(const struct fr_modeling *modeling, char *out, size_t size);

/* Finds the domains of `kernels`, the slowest last.  Returns their number, or -1 with an error
 * message in `why`. */
int fr_domains_find(const struct fr_modeling *modeling, struct fr_domain domain[FR_KERNELS_MAX],
                    char why[160]);
/* The default options of a kernel, replaced by those given. */
struct blocked_build fr_modeling_build(const struct fr_modeling *modeling,
                                       const struct blocked_kernel *kernel);
extern const char *const fr_strategy_names[],
    *const fr_direction_names[], *const fr_split_names[], *const fr_grid_names[],
                                                              *const fr_measure_names[],
                                                                  *const fr_statistic_names[];

#endif
