/* Tics of an axis of time. */
#ifndef FR_PLOT_DATES_H
#define FR_PLOT_DATES_H

#include <stddef.h>

enum { FR_MOST_DATES = 24 };

struct fr_date_tic {
    double value; /* seconds since 1970, UTC */
    char label[24];
};

/* The tics between two times (seconds since 1970, the years 0 to 9999), of the smallest step whose
 * labels fit into so many characters side by side.  Returns their number, which may be 0. */
size_t fr_dates_find(double low, double high, double characters,
                     struct fr_date_tic out[FR_MOST_DATES]);

#endif
