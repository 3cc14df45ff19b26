/* `forerun-calibrate --sample`: times the calls of a file, without MPI and without models. */
#ifndef FR_SAMPLE_COMMAND_H
#define FR_SAMPLE_COMMAND_H

#include "calibrations/calibrate/core/options.h"

/* Measures the calls in `file`, or on standard input if it is NULL.  Returns the exit status;
 * errors have been reported on standard error. */
int fr_sample_command(const struct fr_calibrate_options *options, const char *file);

#endif
