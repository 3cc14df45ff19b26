/* Measurements of Extra-P: what its formats share (extrap.c), and the two that are not read line by
 * line, text (extrap_text.c) and JSON (extrap_json.c). */
#ifndef FR_IMPORT_EXTRAP_H
#define FR_IMPORT_EXTRAP_H

#include "server/json/value.h"
#include "server/runs/imports/filter.h"

/* One value; equal keys mean equal parameters. */
struct extrap_value {
    const char *key; /* the parameters as a JSON object */
    size_t line, parameters_line;
    size_t order;
    double value;
};

struct extrap {
    struct fr_filter *filter;
    struct extrap_value *row; /* in the arena of the filter */
    size_t count, capacity;
    /* the current measurement */
    size_t first;             /* its first value */
    struct fr_import_run run; /* its parameters */
    char metric[FR_IMPORT_TEXT_BYTES], callpath[FR_IMPORT_TEXT_BYTES];
    bool is_wrong;
    bool has_others; /* members that are not Extra-P's */
    /* of the accepted measurements */
    bool has_taken;
    char taken_metric[FR_IMPORT_TEXT_BYTES], taken_callpath[FR_IMPORT_TEXT_BYTES];
    char other_metric[FR_IMPORT_TEXT_BYTES]; /* one that was ignored */
};

/* A fault of the current line; the measurement is not taken. */
void extrap_wrong(struct extrap *reading, enum fr_code code, const char *format, ...)
    FR_PRINTF(3, 4);
/* A measurement begins, of the metric and callpath that are set; then its parameters and values,
 * and it ends. */
void extrap_begin(struct extrap *reading);
void extrap_parameter(struct extrap *reading, const struct fr_json_leaf *leaf);
void extrap_value(struct extrap *reading, const struct fr_json_leaf *leaf);
void extrap_end(struct extrap *reading, size_t parameters_line);

bool extrap_is_text(struct fr_slice line);
/* Reads the text from this line on. */
void extrap_read_text(struct extrap *reading, struct fr_slice line);
/* Reads the rest of the text, which begins in the current line, as a JSON document; false where it
 * has an object on each line. */
bool extrap_read_json(struct extrap *reading, struct fr_slice text, struct fr_slice line);

#endif
