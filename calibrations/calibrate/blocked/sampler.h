/* The Sampler: times of kernel calls, one batch after another (blocked.md 4; Peise and Bientinesi,
 * "Performance Modeling for Dense Linear Algebra").
 *
 * Who uses it sets the threads of the BLAS and binds them to cores.
 */
#ifndef FR_SAMPLER_H
#define FR_SAMPLER_H

#include "calibrations/calibrate/blocked/cold.h"
#include "calibrations/calibrate/blocked/counters.h"
#include "calibrations/calibrate/blocked/operands.h"
#include "calibrations/calibrate/core/sample.h"

enum { FR_SAMPLER_REPETITIONS = 10, FR_SAMPLER_REPETITIONS_MAX = 999 };
#define FR_SAMPLER_TOLERANCE 0.01

/* Times of one call; all 0 for a call with an empty operand, which is not executed. */
struct fr_sampled {
    double min_s, median_s, mean_s, max_s, std_s; /* std: n - 1; 0 for one repetition */
    int repetitions;
    double metric[FR_METRICS]; /* medians; NAN: not there */
};

struct fr_sampler {
    struct fr_operand_memory memory;
    struct fr_cold cold;
    struct fr_counters counters;
    struct fr_random random;
    int64_t overhead_ns; /* of an empty measurement */
    double overhead[FR_METRICS];

    /* May be changed between batches. */
    bool is_cold;      /* operands out of every cache, or in them as far as they fit */
    int repetitions;   /* of a call at most, 1 to FR_SAMPLER_REPETITIONS_MAX */
    double tolerance;  /* below it a median is settled (sampler.c); 0: all repetitions */
    double deadline_s; /* by fr_sampler_clock_s: no repetition begins after it; HUGE_VAL: none */
    bool (*is_over)(void); /* likewise once this is true; NULL: never */
};

/* Room for the calls of `extent`, and for those with no larger operands; the default repetitions
 * and tolerance, warm, no deadline.  `metrics` may be NULL: none.  Returns 0, or -1 with a sentence
 * in `why`. */
int fr_sampler_open(struct fr_sampler *sampler, const struct fr_extent *extent,
                    const bool metrics[FR_METRICS], char why[BLOCKED_WHY_BYTES]);
void fr_sampler_close(struct fr_sampler *sampler);

/* Seconds of a monotonic clock. */
double fr_sampler_clock_s(void);

/* Measures calls, all of them by turns and in random order.  Returns how many, from the first, have
 * one repetition at least: fewer than `count` where the deadline has passed (there may be more
 * behind them; the others have 0 repetitions) or memory ran out (then none). */
size_t fr_sampler_take(struct fr_sampler *sampler, const struct blocked_call *call,
                       struct fr_sampled *out, size_t count);
/* The same with a layout for each call; NULL: the default for all. */
size_t fr_sampler_take_as(struct fr_sampler *sampler, const struct blocked_call *call,
                          const struct fr_layout *layout, struct fr_sampled *out, size_t count);

#endif
