/* The table of benchmarks (list.h), in the order in which they run. */
#ifndef FR_BENCHES_H
#define FR_BENCHES_H

#include <stdbool.h>

#include "calibrations/calibrate/core/bench.h"

enum { FR_BENCHES_MAX = 64 };

extern const struct fr_bench *const fr_benches[]; /* ends with NULL */
extern const int fr_bench_count;

/* Marks the benchmarks that the options select, and those that they need. */
void fr_benches_choose(const struct fr_calibrate_options *options, bool *chosen);
/* Whether a benchmark uses what the other one measures. */
bool fr_bench_needs(const struct fr_bench *bench, const struct fr_bench *other);
/* Whether the job has the ranks and the cores that it needs. */
bool fr_bench_can_run(const struct fr_context *context, const struct fr_bench *bench);

#endif
