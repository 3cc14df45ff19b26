/* Rows of `network.broadcast` from times: which of several algorithms the MPI's own is nearest to.
 */
#ifndef FR_NEAREST_H
#define FR_NEAREST_H

enum { FR_NEAREST_MAX = 3, FR_NEAREST_SIZES = 96 };

struct fr_classify_broadcast_time {
    double message_bytes;
    double own_s, algorithm_s[FR_NEAREST_MAX]; /* > 0 */
};

struct fr_classify_broadcast_row {
    double max_message_bytes; /* HUGE_VAL for the last */
    int algorithm;
};

/* `times` in rising order of size, at least one.  A lone size between two that agree is taken for
 * noise; where times are as near to the algorithm of the size before, that one goes on.  A limit is
 * the last size measured before the change.  Returns the number of rows; `*error` gets the
 * relative difference between the MPI and the algorithm chosen for it, by the median. */
int fr_classify_broadcast_find(const struct fr_classify_broadcast_time *times, int count,
                               int algorithms,
                               struct fr_classify_broadcast_row rows[FR_NEAREST_SIZES],
                               double *error);

#endif
