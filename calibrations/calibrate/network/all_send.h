/* The time of a message while all processes send one, for plans. */
#ifndef FR_ALL_SEND_H
#define FR_ALL_SEND_H

#include "calibrations/calibrate/core/plan.h"

struct fr_context;

/* Collective over all ranks, some milliseconds; the same on every rank.  Zeros for one rank. */
struct fr_link fr_all_send(const struct fr_context *context);

#endif
