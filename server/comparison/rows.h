/* Rows of a table in two documents and their keys. */
#ifndef FR_COMPARISON_ROWS_H
#define FR_COMPARISON_ROWS_H

#include "server/comparison/collect.h"

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
