/* How far predictions lie from measured times. */
#ifndef FR_RUNS_ACCURACY_H
#define FR_RUNS_ACCURACY_H

#include <stddef.h>
#include <stdint.h>

struct fr_arena;

/* One run beside its prediction, in the same unit.  `problem` is the same for runs that differ in
 * their tunables alone, `configuration` for repetitions. */
struct fr_residual {
    double measured, predicted;
    uint64_t problem, configuration;
};

/* Errors are |predicted - measured| / measured, the bias is the mean of that without the bars. What
 * was measured as 0 (no message was sent) has none, and is left out of all that follows.  Fractions
 * are NaN where nothing was to be judged. */
struct fr_accuracy {
    size_t count; /* judged */
    double median_error_fraction, p90_error_fraction, worst_error_fraction, bias_fraction;
    double within_5_percent_fraction, within_10_percent_fraction;
    double within_20_percent_fraction, within_30_percent_fraction;
    /* Over problems that were run in several configurations: pairs of them in the right order (a
     * tie in the predictions counts half), problems whose best was predicted, and how much slower
     * the predicted best was than the true one (where several tie for it, the mean over them).
     * Repetitions count once, by their median. */
    size_t problems, pairs;
    double pairs_right_fraction, best_right_fraction;
    double median_regret_fraction, worst_regret_fraction;
};
/* FR_OK, or FR_NOMEM. */
int fr_accuracy(const struct fr_residual *residual, size_t count, struct fr_arena *arena,
                struct fr_accuracy *out);
/* Places of the largest errors, largest first, at most `most`; returns how many. */
size_t fr_worst_residuals(const struct fr_residual *residual, size_t count, size_t *worst,
                          size_t most);

#endif
