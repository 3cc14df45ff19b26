/* The table of benchmarks, and its execution. */
#ifndef FR_RUN_H
#define FR_RUN_H

#include "calibrations/calibrate/core/bench.h"
#include "calibrations/calibrate/core/option.h"

enum { FR_BENCHES_MAX = 64 };

/* Ends with NULL. */
extern const struct fr_bench *const fr_benches[];

/* Marks the benchmarks that the options select, and those that they need. */
void fr_run_choose(const struct fr_calibrate_options *options, bool *chosen);
/* Collective: checks the options, reads the checkpoint, runs the remaining benchmarks and writes
 * the document.  Returns the exit status. */
int fr_run_benchmarks(struct fr_context *context, const struct fr_command_line *line,
                      const char *command, const bool *chosen);

#endif
