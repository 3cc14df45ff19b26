/* A walk through memory in which each load waits for the one before it. */
#ifndef FR_POINTER_CHASE_H
#define FR_POINTER_CHASE_H

#include <stdint.h>

#include "calibrations/calibrate/core/sample.h"

/* Links `count` lines to one ring: next[i] is the line after i.  Windows of `window` lines follow
 * one another, within each the order is random: the last load before a window is entered again is a
 * whole round ago, and no more pages are in use at a time than a window has. */
void fr_pointer_chase_order(struct fr_random *random, int64_t count, int64_t window, int32_t *next);

#endif
