/* JSON, CSV and txt of the same rows: a handler emits rows of (name, value) and never formats.
 *
 * JSON: each row an object (inside an array the caller opened, or alone).  CSV (RFC 4180): a header
 * from the first row's names, CRLF; null is an empty field.  txt: `name=value` lines safe to eval
 * in sh; the first row's names have no prefix, those of row k (from 2) have `row_k_`; null is
 * `null`.
 */
#ifndef FR_FORMATS_H
#define FR_FORMATS_H

#include "server/http/http.h"

struct fr_rows {
    struct fr_writer *w;
    enum fr_format format;
    size_t count;            /* rows so far */
    size_t column;           /* of the current row */
    char object[96];         /* CSV, txt: the prefix of the names of its values */
    struct fr_writer header; /* CSV: the names of the first row */
    size_t body_start;       /* CSV: where the first row began */
};

void fr_rows_begin(struct fr_rows *rows, struct fr_writer *w, enum fr_format format);
void fr_row_begin(struct fr_rows *rows);
void fr_row_text(struct fr_rows *rows, const char *name, const char *text);
void fr_row_number(struct fr_rows *rows, const char *name, double value); /* NaN: null */
void fr_row_integer(struct fr_rows *rows, const char *name, int64_t value);
void fr_row_bool(struct fr_rows *rows, const char *name, bool value);
/* Several texts: an array in JSON, joined by `;` in CSV, by `+` in txt. */
void fr_row_texts(struct fr_rows *rows, const char *name, const char *const *texts, size_t count);
/* `null` if it has no extents. */
void fr_row_vector(struct fr_rows *rows, const char *name, const struct fr_vector *vector);
/* A value with its parameter's kind: number, true/false or the choice's name. */
void fr_row_param(struct fr_rows *rows, const struct fr_param *param, const void *values);
/* An object among the values of a row, in JSON; elsewhere the names of its values begin with
 * `name_`.  NULL: an element of an array that the caller opened in JSON.  Only JSON nests them. */
void fr_row_object(struct fr_rows *rows, const char *name);
void fr_row_object_end(struct fr_rows *rows);
void fr_row_end(struct fr_rows *rows);
/* Frees the memory of the rows. */
void fr_rows_end(struct fr_rows *rows);

#endif
