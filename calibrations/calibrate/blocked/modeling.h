/* What routine models are made of which kernels, and how: the options of the benchmark
 * `routine_models` (blocked.md 6).
 */
#ifndef FR_MODELING_H
#define FR_MODELING_H

#include <argp.h>
#include <stdbool.h>

#include "engine/blocked/modeler.h"

enum { FR_KERNELS_MAX = 64, FR_BOXES_MAX = 3, FR_MODELING_KEY = 512 };

struct fr_modeling {
    const char *kernels;        /* "trinv,sylv,dtrsm:LLNN" */
    int size, block;            /* matrices up to size, blocks up to block; 0: the default */
    bool is_warm, is_cold;      /* which localities */
    const char *samples;        /* a file of samples to go on from and to add to, or NULL */
    double budget_s;            /* HUGE_VAL: none */
    struct blocked_build build; /* what was given; the rest is each kernel's default */
    bool has_strategy, has_direction, has_split, has_grid, has_measure, has_reference;
    bool is_absolute;
    bool has_size, has_block;
    uint64_t given; /* which options: a bit for each, FR_MODELING_KEY the lowest */
    int oversampling[BLOCKED_MAX_SIZES]; /* 0: the default */
    int degree_extra;                    /* -1: the default */
};

/* What is modelled of one kernel. */
struct fr_domain {
    struct blocked_kernel kernel;
    struct blocked_box box[FR_BOXES_MAX];
    size_t boxes;
    int alpha; /* of the calls sampled: that of most calls in the algorithms */
};

/* Parses into a struct fr_modeling (argp's input). */
extern const struct argp fr_modeling_argp;
struct fr_modeling fr_modeling_default(void);

/* What was left open becomes what is made in seconds: to try things, not to use. */
void fr_modeling_hurry(struct fr_modeling *modeling);

/* All that decides which models come out, in short: what a job must share with an earlier one. */
void fr_modeling_print(const struct fr_modeling *modeling, char *out, size_t size);

/* The domains of `kernels`, those that take longest last.  Returns how many, or -1 with a sentence
 * in `why`. */
int fr_domains_find(const struct fr_modeling *modeling, struct fr_domain domain[FR_KERNELS_MAX],
                    char why[160]);
/* The kernel's default with what was given in its place. */
struct blocked_build fr_modeling_build(const struct fr_modeling *modeling,
                                       const struct blocked_kernel *kernel);
extern const char *const fr_strategy_names[],
    *const fr_direction_names[], *const fr_split_names[], *const fr_grid_names[],
                                                              *const fr_measure_names[],
                                                                  *const fr_statistic_names[];

#endif
