/* `forerun-calibrate --sample`: times of the calls of a file, without MPI and without models. */
#ifndef FR_SAMPLE_COMMAND_H
#define FR_SAMPLE_COMMAND_H

#include "calibrations/calibrate/core/options.h"

/* Returns the exit status; what went wrong has been said. */
int fr_sample_command(const struct fr_calibrate_options *options);

#endif
