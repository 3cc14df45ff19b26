/* A walk through memory in which each load depends on the previous one. */
#ifndef FR_POINTER_CHASE_H
#define FR_POINTER_CHASE_H

#include "calibrations/calibrate/core/sample.h"

/* Links `count` lines into one ring: next[i] is the line after i.  Windows of `window` lines follow
 * one another, each in random order.  A window is thus entered again only after a whole round, and
 * only the pages of one window are in use at a time. */
void fr_pointer_chase_order(struct fr_random *random, int64_t count, int64_t window, int32_t *next);

#endif
