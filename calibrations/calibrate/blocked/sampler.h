/* The Sampler: measures the times of kernel calls in batches
 * (docs/models/kernel_models.md#sampler).
 *
 * The caller sets the threads of the BLAS and binds them to cores.
 */
#ifndef FR_SAMPLER_H
#define FR_SAMPLER_H

#include "calibrations/calibrate/blocked/cold.h"
#include "calibrations/calibrate/blocked/counters.h"
#include "calibrations/calibrate/blocked/operands.h"
#include "calibrations/calibrate/core/sample.h"

enum { FR_SAMPLER_REPETITIONS = 10, FR_SAMPLER_REPETITIONS_MAX = 999 };
#define FR_SAMPLER_TOLERANCE 0.01

/* Times of one call in seconds; all 0 for a call with an empty operand, which is not executed. */
struct fr_sampled {
    double min_s, median_s, mean_s, max_s, std_s; /* std: of a sample; 0 for one repetition */
    int repetitions;
    double metric[FR_METRICS]; /* medians; NAN: not counted */
};

struct fr_sampler {
    struct fr_operand_memory memory;
    struct fr_cold cold;
    struct fr_counters counters;
    struct fr_random random;
    int64_t overhead_ns; /* of an empty measurement */
    double overhead[FR_METRICS];

    /* May be changed between batches. */
    bool is_cold;          /* whether operands are removed from the caches */
    int repetitions;       /* maximum for a call, 1 to FR_SAMPLER_REPETITIONS_MAX */
    double tolerance;      /* of a settled median (sampler.c); 0: all repetitions */
    double *each_s;        /* times of every call in their order, `repetitions` apart; or NULL */
    double deadline_s;     /* on the clock, for the start of a repetition; HUGE_VAL: none */
    bool (*is_over)(void); /* if true, no repetition starts; NULL: never */
    int64_t (*clock_ns)(void);                         /* fr_stopwatch_ns */
    void (*run)(const struct fr_execution *execution); /* fr_execution_run */
};

/* Opens a sampler for the calls of `extent` and all with smaller operands, with the default
 * repetitions and tolerance, in cache, without a deadline.  `metrics` may be NULL.  Returns 0, or
 * -1 with an error message in `why`; fr_sampler_close frees what it holds. */
int fr_sampler_open(struct fr_sampler *sampler, const struct fr_extent *extent,
                    const bool metrics[FR_METRICS], char why[BLOCKED_WHY_BYTES]);
void fr_sampler_close(struct fr_sampler *sampler);

/* Measures calls, interleaved in random order.  Returns the number of calls, counted from the
 * first, with at least one repetition: fewer than `count` if the deadline passed (later calls may
 * be measured too; those that are not have 0 repetitions), 0 without memory. */
size_t fr_sampler_take(struct fr_sampler *sampler, const struct blocked_call *call,
                       struct fr_sampled *out, size_t count);
/* The same with a layout for each call; NULL: the default layout. */
size_t fr_sampler_take_as(struct fr_sampler *sampler, const struct blocked_call *call,
                          const struct fr_layout *layout, struct fr_sampled *out, size_t count);

#endif
