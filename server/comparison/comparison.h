/* Compares two calibrations of one machine value by value: which values were added, removed or
 * changed, by how much, and whether the change exceeds the spread of the measurements.
 *
 * Rows of a table are matched by their keys (a name; processes and distance; sizes), independent of
 * their order.  Routine models are compared by predicted times: each calibration chooses its own
 * regions for the polynomials, so single coefficients cannot be compared.  What no model reads
 * (FR_FIELD_SHOWN) is left out.
 */
#ifndef FR_COMPARISON_H
#define FR_COMPARISON_H

#include "engine/forerun.h"

enum fr_side { FR_FROM, FR_TO, FR_SIDES };
enum fr_difference_kind { FR_CHANGED, FR_ADDED, FR_REMOVED };

enum { FR_VALUE_PATH_BYTES = 240, FR_CONDITIONS = 64, FR_COMPARED_FIELDS = 256 };

/* One value on one side.  It is absent or null if it has neither number nor text. */
struct fr_compared {
    double number;                  /* NaN if none */
    const char *text;               /* or NULL */
    const struct fr_source *source; /* NULL if unstated */
    char pointer[FR_WHERE_BYTES];   /* JSON pointer; empty if there is no value */
};

struct fr_difference {
    enum fr_difference_kind kind;
    char path[FR_VALUE_PATH_BYTES]; /* contention.maximum[processes=64,distance=4].factor */
    const char *unit;               /* or NULL */
    struct fr_compared side[FR_SIDES];
    double ratio; /* second to first; NaN if undefined */
    bool is_spread_known, is_within_spread;
    double weight; /* sort key: larger weights first */
    size_t place;  /* position in document order */
};

/* Counts of values, for one field or for all. */
struct fr_change_counts {
    size_t compared; /* present on both sides */
    size_t changed, within_spread, added, removed;
    /* statistics of the ratios, unchanged values included */
    size_t rated;
    double log_sum, least, greatest;
};

struct fr_field_changes {
    char path[FR_VALUE_PATH_BYTES]; /* contention.maximum.*.factor, as /api/v1/fields names it */
    const char *unit;
    struct fr_change_counts counts;
};

struct fr_comparison {
    const struct fr_calibration *cal[FR_SIDES];
    struct fr_difference *row; /* of calibrated values, the largest first */
    size_t count, left_out;    /* differences kept and dropped */
    struct fr_change_counts total;
    struct fr_field_changes *field; /* in the order of the document */
    size_t fields;
    struct fr_difference *condition; /* differences in metadata */
    size_t conditions;
};

/* Compares and keeps the `limit` largest differences.  The results live in `arena`.  Returns FR_OK,
 * or FR_NOMEM with a fault. */
int fr_compare(const struct fr_calibration *from, const struct fr_calibration *to, size_t limit,
               struct fr_arena *arena, struct fr_comparison *out, struct fr_faults *faults);

/* Returns the geometric mean of the ratios; NaN if there are none. */
double fr_change_counts_mean(const struct fr_change_counts *counts);

#endif
