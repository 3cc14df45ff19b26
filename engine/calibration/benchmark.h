/* The benchmarks of forerun-calibrate that measure the parts of a calibration. */
#ifndef FR_CALIBRATION_BENCHMARK_H
#define FR_CALIBRATION_BENCHMARK_H

#include "engine/calibration/provenance.h"

struct fr_benchmark {
    const char *name;   /* of forerun-calibrate --only; NULL ends the table */
    fr_uses measures;   /* enum fr_use bits */
    bool is_of_job;     /* on all nodes that are to be predicted for; else one node suffices */
    const char *option; /* that it needs, whose value only the user knows; or NULL */
};
/* In the order in which forerun-calibrate runs them. */
extern const struct fr_benchmark fr_benchmarks[];

/* The benchmark that measures this part (one bit); NULL if none does. */
const struct fr_benchmark *fr_benchmark_of(fr_uses part);

#endif
