/* The execution of the chosen benchmarks. */
#ifndef FR_RUN_H
#define FR_RUN_H

#include "calibrations/calibrate/core/bench.h"
#include "calibrations/calibrate/core/option.h"

/* Collective: checks the options, reads the checkpoint, runs the remaining benchmarks and writes
 * the document.  Returns the exit status. */
int fr_run_benchmarks(struct fr_context *context, const struct fr_command_line *line,
                      const char *command, const bool *chosen);

#endif
