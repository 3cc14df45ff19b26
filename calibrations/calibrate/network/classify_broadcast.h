/* Derives the rows of `network.broadcast` from times: the algorithm closest to that of the MPI
 * library. */
#ifndef FR_CLASSIFY_BROADCAST_H
#define FR_CLASSIFY_BROADCAST_H

#include "engine/calibration/calibration.h"

enum { FR_CLASSIFY_MAX = 3, FR_CLASSIFY_SIZES = 96 };

struct fr_broadcast_time {
    double message_bytes;
    double own_s, algorithm_s[FR_CLASSIFY_MAX]; /* > 0 */
};

/* `times`: at least one, in rising order of size.  A single deviating size between two that agree
 * is noise.  If the algorithm of the previous size is equally close, it continues.  A limit is the
 * last size measured before a change.  The last row has no limit, HUGE_VAL.
 * Returns the number of rows; `*error` gets the median
 * relative difference between the MPI library and the chosen algorithm. */
int fr_classify_broadcast(const struct fr_broadcast_time *times, int count, int algorithms,
                          struct fr_broadcast_choice rows[FR_CLASSIFY_SIZES], double *error);

#endif
