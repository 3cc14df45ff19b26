/* Rows of `network.broadcast` from times: which of several algorithms the MPI's own is nearest to.
 */
#ifndef FR_CLASSIFY_BROADCAST_H
#define FR_CLASSIFY_BROADCAST_H

enum { FR_CLASSIFY_MAX = 3, FR_CLASSIFY_SIZES = 96 };

struct fr_broadcast_time {
    double message_bytes;
    double own_s, algorithm_s[FR_CLASSIFY_MAX]; /* > 0 */
};

struct fr_broadcast_row {
    double max_message_bytes; /* HUGE_VAL for the last */
    int algorithm;
};

/* `times` in rising order of size, at least one.  A lone size between two that agree is taken for
 * noise; where times are as near to the algorithm of the size before, that one goes on.  A limit is
 * the last size measured before the change.  Returns the number of rows; `*error` gets the
 * relative difference between the MPI and the algorithm chosen for it, by the median. */
int fr_classify_broadcast(const struct fr_broadcast_time *times, int count, int algorithms,
                          struct fr_broadcast_row rows[FR_CLASSIFY_SIZES], double *error);

#endif
