/* The command line of forerun-calibrate: the options of all rooms. */
#ifndef FR_COMMAND_H
#define FR_COMMAND_H

#include "calibrations/calibrate/blocked/modeling.h"
#include "calibrations/calibrate/core/option.h"
#include "calibrations/calibrate/core/options.h"
#include "calibrations/calibrate/core/world.h"
#include "calibrations/calibrate/network/networking.h"

struct fr_command {
    struct fr_calibrate_options options;
    struct fr_networking networking;
    struct fr_modeling modeling;
    struct fr_command_line line; /* refers to the members above */
};

/* Fills `command`, which must not move afterwards.  Ends the program with a message and status 64
 * if the command line is invalid, and after --help. */
void fr_command_parse(int argc, char **argv, struct fr_command *command);

/* Fills the options that were not given and whose default depends on the job. */
void fr_command_settle(struct fr_calibrate_options *options, const struct fr_world *world);

#endif
