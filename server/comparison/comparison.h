/* Two calibrations of one machine, value by value: what was added, removed or changed, by how much,
 * and whether by more than their measurements spread.
 *
 * Rows of a table are matched by what they are of (a name; processes and distance; sizes), wherever
 * they stand.  Routine models are compared by the times that they give: their polynomials are of
 * regions that each calibration chooses anew, so that a coefficient alone means nothing.
 * network.hop_ping, which no model reads, is left out.
 */
#ifndef FR_COMPARISON_H
#define FR_COMPARISON_H

#include "engine/forerun.h"

enum fr_side { FR_FROM, FR_TO, FR_SIDES };
enum fr_difference_kind { FR_CHANGED, FR_ADDED, FR_REMOVED };

enum { FR_VALUE_PATH_BYTES = 240, FR_CONDITIONS = 64, FR_COMPARED_FIELDS = 256 };

/* One value on one side; without number and text it is absent, or null. */
struct fr_compared {
    double number;                /* NaN: none */
    const char *text;             /* or NULL */
    const char *source;           /* or NULL: unstated */
    char pointer[FR_WHERE_BYTES]; /* JSON pointer; empty where there is no value */
};

struct fr_difference {
    enum fr_difference_kind kind;
    char path[FR_VALUE_PATH_BYTES]; /* contention.maximum[processes=64,distance=4].factor */
    const char *unit;               /* or NULL */
    struct fr_compared side[FR_SIDES];
    double ratio; /* of the second to the first; NaN: none */
    bool is_spread_known, is_within_spread;
    double weight; /* of two, the one with the larger stands first */
    size_t place;  /* in the walk through the document */
};

/* Values counted, of a field or of all. */
struct fr_change_counts {
    size_t compared; /* there on both sides */
    size_t changed, within_spread, added, removed;
    /* of the ratios, the unchanged values' among them */
    size_t rated;
    double log_sum, least, greatest;
};

struct fr_field_tally {
    char path[FR_VALUE_PATH_BYTES]; /* contention.maximum.*.factor, as /api/v1/fields names it */
    const char *unit;
    struct fr_change_counts tally;
};

struct fr_comparison {
    const struct fr_calibration *cal[FR_SIDES];
    struct fr_difference *row; /* of calibrated values, the largest first */
    size_t count, left_out;    /* kept, and beyond the limit */
    struct fr_change_counts total;
    struct fr_field_tally *field; /* in the order of the document */
    size_t fields;
    struct fr_difference *condition; /* of what is said about the document and its measuring */
    size_t conditions;
};

/* Keeps the `limit` largest differences; all that it makes lives in `arena`.  FR_NOMEM with a
 * fault. */
int fr_compare(const struct fr_calibration *from, const struct fr_calibration *to, size_t limit,
               struct fr_arena *arena, struct fr_comparison *out, struct fr_faults *faults);

/* The geometric mean of the ratios; NaN where there are none. */
double fr_tally_mean(const struct fr_change_counts *tally);

#endif
