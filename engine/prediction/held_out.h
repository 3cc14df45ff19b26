/* How wrong look-ups were at measured values that were left out of their table
 * (docs/calibration.md#held-out-checks).  Errors are |log(looked up / measured)|. */
#ifndef FR_PREDICTION_HELD_OUT_H
#define FR_PREDICTION_HELD_OUT_H

#include <stddef.h>

/* The rows at `to` were looked up in those from the other end of the table up to `from`, the
 * nearest value that was kept. */
struct fr_held_out_step {
    double from, to;
    double error; /* the 90th percentile over the rows */
    size_t rows;
};
/* The checks of one key of a table. */
struct fr_held_out {
    const char *what; /* as in warnings: contention.patterns.processes; static */
    const struct fr_held_out_step *step;
    size_t steps;
    /* The 90th percentile over rows that were left out one value at a time, between others; NaN:
     * there are none. */
    double between_error;
    size_t between_rows;
};
/* All keys that were checked; immutable. */
struct fr_held_outs {
    const struct fr_held_out *of;
    size_t count;
};

/* The checks of a key; NULL if there are none. */
const struct fr_held_out *fr_held_out_of(const struct fr_held_outs *all, const char *what);
/* The error to be expected at a value outside the measured [low, high]
 * (docs/calibration.md#expected-errors); NaN: too few values were checked in this direction, or
 * they are wrong by more than a factor of 10^6. */
double fr_held_out_error(const struct fr_held_out *of, double value, double low, double high);

#endif
