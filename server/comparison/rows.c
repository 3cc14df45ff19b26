/* Sorts and matches the rows of a table by the columns that identify them. */
#include "server/comparison/comparison.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void fr_line_append(struct fr_comparison_line *line, const char *format, ...)
{
    const size_t room = sizeof line->text - line->length;
    va_list arguments;
    int written;

    va_start(arguments, format);
    written = vsnprintf(line->text + line->length, room, format, arguments);
    va_end(arguments);
    if (written > 0)
        line->length += (size_t)written < room ? (size_t)written : room - 1;
}

struct fr_found_side fr_number_side(double number)
{
    return (struct fr_found_side){ .is_there = !isnan(number), .number = number };
}

static struct fr_found_side text_side(const char *text)
{
    return (struct fr_found_side){ .is_there = text != NULL, .number = NAN, .text = text };
}

struct fr_found_side fr_side_of(const struct fr_field *field, const char *record)
{
    const void *at = record ? record + field->offset : NULL;
    static const char *const truths[] = { "false", "true" };
    int choice;

    if (!at)
        return text_side(NULL);
    switch (field->kind) {
    case FR_FIELD_NUMBER:
        return fr_number_side(*(const double *)at);
    case FR_FIELD_COUNT:
        return fr_number_side(*(const int64_t *)at ? (double)*(const int64_t *)at : NAN);
    case FR_FIELD_TEXT:
        return text_side(*(const char *const *)at);
    case FR_FIELD_BOOL:
    case FR_FIELD_CHOICE:
        choice = *(const int *)at;
        return text_side(choice < 0                     ? NULL
                         : field->kind == FR_FIELD_BOOL ? truths[choice != 0]
                                                        : field->choices[choice]);
    case FR_FIELD_OBJECT:
    case FR_FIELD_TABLE:
    case FR_FIELD_NUMBERS:
    case FR_FIELD_TEXTS:
    case FR_FIELD_LISTS:
    case FR_FIELD_ANY:
        break;
    }
    return text_side(NULL);
}

bool fr_is_row_key(const struct fr_row_keys *keys, const struct fr_field *column)
{
    for (size_t i = 0; i < keys->count; i++)
        if (keys->column[i] == column)
            return true;
    return false;
}

static int compare_sides(const struct fr_found_side *a, const struct fr_found_side *b)
{
    if (!a->is_there || !b->is_there)
        return a->is_there - b->is_there;
    if (a->text)
        return strcmp(a->text, b->text);
    return (a->number > b->number) - (a->number < b->number);
}

int fr_rows_compare(const struct fr_keyed_row *a, const struct fr_keyed_row *b)
{
    int order = 0;

    for (size_t i = 0; i < a->keys->count && !order; i++) {
        const struct fr_found_side of_a = fr_side_of(a->keys->column[i], a->record);
        const struct fr_found_side of_b = fr_side_of(a->keys->column[i], b->record);

        order = compare_sides(&of_a, &of_b);
    }
    return order;
}

/* Rows with equal keys keep their document order. */
static int by_keys_and_place(const void *left, const void *right)
{
    const struct fr_keyed_row *a = left, *b = right;
    const int order = fr_rows_compare(a, b);

    return order ? order : (a->place > b->place) - (a->place < b->place);
}

struct fr_keyed_row *fr_rows_sorted(const struct fr_rows_head *table, size_t size,
                                    const struct fr_row_keys *keys, struct fr_arena *arena)
{
    struct fr_keyed_row *rows = fr_arena_zeroed(arena, table->count, sizeof *rows);

    if (!rows)
        return NULL;
    for (size_t i = 0; i < table->count; i++)
        rows[i] = (struct fr_keyed_row){ (const char *)table->row + i * size, i, keys };
    if (table->count)
        qsort(rows, table->count, sizeof *rows, by_keys_and_place);
    return rows;
}

void fr_row_label(struct fr_comparison_line *line, const struct fr_keyed_row *row)
{
    const char *before = "[";

    for (size_t i = 0; i < row->keys->count; i++) {
        const struct fr_field *column = row->keys->column[i];
        const struct fr_found_side key = fr_side_of(column, row->record);
        char number[40] = "null";

        if (!key.is_there)
            continue;
        if (isfinite(key.number))
            fr_number_text(key.number, number, sizeof number);
        if (column->flags & FR_FIELD_NAME) {
            fr_line_append(line, ".%.60s", key.text);
            return;
        }
        fr_line_append(line, "%s%s=%.60s", before, column->name, key.text ? key.text : number);
        before = ",";
    }
    fr_line_append(line, *before == ',' ? "]" : "[]");
}
