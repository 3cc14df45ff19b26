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
#include "server/questions/ask.h"
#include "server/store/store.h"

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

/* Collects the differences of two documents: counts and rates them, and keeps the largest. */

/* A value in each of the two documents. */
struct fr_found {
    const char *path, *pattern, *unit;
    bool is_condition; /* describes the document or the measurement */
    struct fr_found_side {
        bool is_there;
        double number; /* NaN for a text; infinite for null (no limit) */
        const char *text, *pointer;
    } side[FR_SIDES];
};

struct fr_collector {
    struct fr_comparison *out;
    struct fr_arena *arena;
    size_t limit, places;
    size_t field; /* index of the field counted last */
    bool is_out_of_memory;
};
/* Begins a collection in `out`, whose two calibrations the caller has set.  Returns FR_OK or
 * FR_NOMEM. */
int fr_collector_begin(struct fr_collector *collector, struct fr_comparison *out, size_t limit,
                       struct fr_arena *arena);
void fr_collect(struct fr_collector *collector, const struct fr_found *found);
/* Sorts the differences kept. */
void fr_collector_end(struct fr_collector *collector);

/* Compares the tables of kernels.routine_models (models.c). */
void fr_collect_routine_models(struct fr_collector *collector);

/* A request to compare two calibrations, and the predictions with both for the same questions. */

/* One question and its two answers. */
struct fr_effect {
    const char *name;
    const struct fr_model *model;
    const void *values; /* bound, not resolved */
    uint64_t given;
    bool is_asked;           /* by the request, not a standard question */
    double time_s[FR_SIDES]; /* NaN if it cannot be computed */
    bool is_extrapolated;    /* at least one lies outside the measured range */
    const char *reason;      /* why a time is NaN; NULL if none is */
};
struct fr_effects {
    struct fr_effect *row;
    size_t count;
};

enum { FR_MOST_EFFECTS = 32 };

/* Predicts with both calibrations, without saved runs: first the question of the request, then a
 * few standard questions for each model.  Returns FR_TOO_MANY_POINTS with a fault if the request
 * has more than FR_MOST_EFFECTS questions. */
int fr_effects_predict(struct fr_request *rq, struct fr_loaded *const loaded[FR_SIDES],
                       const struct fr_question *asked, struct fr_effects *out,
                       struct fr_faults *faults);

/* The tables of a comparison. */
enum fr_comparison_table {
    FR_TABLE_CHANGES,
    FR_TABLE_FIELDS,
    FR_TABLE_EFFECTS,
    FR_TABLE_CONDITIONS
};
extern const char *const fr_comparison_tables[];

struct fr_comparison_options {
    int64_t limit;
    int table;                     /* enum fr_comparison_table */
    const char *from, *to, *model; /* as given; NULL if absent */
};

/* A parsed request.  End it with fr_comparison_question_end. */
struct fr_comparison_question {
    struct fr_comparison_options options;
    struct fr_stored_calibration stored[FR_SIDES];
    struct fr_loaded *loaded[FR_SIDES]; /* shared references */
    /* Beside the standard questions; its model is NULL if there is none. */
    struct fr_question asked;
};
extern const char *const fr_side_names[FR_SIDES];

/* Reads the query and finds the two calibrations.  Returns an enum fr_store_result and appends all
 * faults. */
int fr_comparison_ask(struct fr_request *rq, const struct fr_machine *machine,
                      struct fr_comparison_question *out, struct fr_faults *faults);
void fr_comparison_question_end(struct fr_comparison_question *question);

/* Rows of a table in two documents and their keys. */

/* A text that can be appended to and truncated. */
struct fr_comparison_line {
    char text[FR_VALUE_PATH_BYTES];
    size_t length;
};
void fr_line_append(struct fr_comparison_line *line, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Returns the value of a field that is neither object nor table.  `record` may be NULL. */
struct fr_found_side fr_side_of(const struct fr_field *field, const char *record);
struct fr_found_side fr_number_side(double number);

bool fr_is_row_key(const struct fr_row_keys *keys, const struct fr_field *column);

struct fr_keyed_row {
    const char *record;
    size_t place; /* index in the document */
    const struct fr_row_keys *keys;
};
/* Returns the rows sorted by their keys, then in document order; NULL if memory is short. */
struct fr_keyed_row *fr_rows_sorted(const struct fr_rows_head *table, size_t size,
                                    const struct fr_row_keys *keys, struct fr_arena *arena);
int fr_rows_compare(const struct fr_keyed_row *a, const struct fr_keyed_row *b);
/* Appends a label such as `.eager` or `[processes=64,distance=4]`. */
void fr_row_label(struct fr_comparison_line *line, const struct fr_keyed_row *row);

#endif
