/* The walk through two documents side by side, by the tables that describe their fields. */
#include "comparison/collect.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The common head of all FR_TABLEs. */
struct table {
    const void *row;
    size_t count;
};
static const struct table no_rows;

/* A text that grows and is cut back. */
struct line {
    char text[FR_VALUE_PATH_BYTES];
    size_t length;
};

struct walk {
    struct fr_collector *to;
    struct line path, pattern, pointer[FR_SIDES];
    bool is_condition;
};

static void append(struct line *line, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static void append(struct line *line, const char *format, ...)
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

/* Where the walk was before it went into a field or a row. */
struct mark {
    size_t path, pattern, pointer[FR_SIDES];
};

static struct mark mark_of(const struct walk *walk)
{
    return (struct mark){ walk->path.length,
                          walk->pattern.length,
                          { walk->pointer[FR_FROM].length, walk->pointer[FR_TO].length } };
}

static void cut(struct line *line, size_t length)
{
    line->text[length] = '\0';
    line->length = length;
}

static void leave(struct walk *walk, struct mark mark)
{
    cut(&walk->path, mark.path);
    cut(&walk->pattern, mark.pattern);
    for (int side = 0; side < FR_SIDES; side++)
        cut(&walk->pointer[side], mark.pointer[side]);
}

static struct mark enter_field(struct walk *walk, const struct fr_field *field)
{
    const struct mark mark = mark_of(walk);

    append(&walk->path, "%s%s", walk->path.length ? "." : "", field->name);
    append(&walk->pattern, "%s%s", walk->pattern.length ? "." : "", field->name);
    for (int side = 0; side < FR_SIDES; side++)
        append(&walk->pointer[side], "/%s", field->name);
    return mark;
}

/* ---- values ------------------------------------------------------------------------------- */

static struct fr_found_side number_side(double number)
{
    return (struct fr_found_side){ .is_there = !isnan(number), .number = number };
}

static struct fr_found_side text_side(const char *text)
{
    return (struct fr_found_side){ .is_there = text != NULL, .number = NAN, .text = text };
}

static struct fr_found_side side_of(const struct fr_field *field, const char *record)
{
    const void *at = record ? record + field->offset : NULL;
    static const char *const truths[] = { "false", "true" };
    int choice;

    if (!at)
        return text_side(NULL);
    switch (field->kind) {
    case FR_FIELD_NUMBER:
        return number_side(*(const double *)at);
    case FR_FIELD_COUNT:
        return number_side(*(const int64_t *)at ? (double)*(const int64_t *)at : NAN);
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

static void collect(struct walk *walk, const struct fr_field *field, struct fr_found_side from,
                    struct fr_found_side to)
{
    struct fr_found found = {
        .path = walk->path.text,
        .pattern = walk->pattern.text,
        .unit = field->unit,
        .is_condition = walk->is_condition,
        .side = { from, to },
    };

    for (int side = 0; side < FR_SIDES; side++)
        found.side[side].pointer = walk->pointer[side].text;
    fr_collect(walk->to, &found);
}

/* By place, which in a list has a meaning: the dimensions of a network. */
static void compare_numbers(struct walk *walk, const struct fr_field *field,
                            const struct table *const table[FR_SIDES])
{
    const size_t most =
        table[FR_FROM]->count > table[FR_TO]->count ? table[FR_FROM]->count : table[FR_TO]->count;

    for (size_t i = 0; i < most; i++) {
        const struct mark mark = mark_of(walk);
        struct fr_found_side found[FR_SIDES];

        if (most > 1 || !(field->flags & FR_FIELD_LONE)) {
            append(&walk->path, ".%zu", i);
            append(&walk->pattern, ".*");
        }
        for (int side = 0; side < FR_SIDES; side++) {
            const double *row = table[side]->row;

            found[side] = number_side(i < table[side]->count ? row[i] : NAN);
            if (table[side]->count > 1 || !(field->flags & FR_FIELD_LONE))
                append(&walk->pointer[side], "/%zu", i);
        }
        collect(walk, field, found[FR_FROM], found[FR_TO]);
        leave(walk, mark);
    }
}

/* ---- rows by their keys ------------------------------------------------------------------- */

enum { MOST_KEYS = 8 };

struct keys {
    const struct fr_field *column[MOST_KEYS];
    size_t count;
};

struct row {
    const char *record;
    size_t place;
    const struct keys *keys;
};

/* A row is known by its name; else by what no factor touches: abscissae, counts, texts. */
static struct keys keys_of(const struct fr_field *fields)
{
    struct keys keys = { .count = 0 };

    for (const struct fr_field *column = fields; column->name; column++)
        if (column->flags & FR_FIELD_NAME)
            return (struct keys){ { column }, 1 };
    for (const struct fr_field *column = fields; column->name && keys.count < MOST_KEYS; column++)
        if (column->kind == FR_FIELD_TEXT ||
            ((column->kind == FR_FIELD_COUNT || column->kind == FR_FIELD_NUMBER) &&
             column->scaling == FR_SCALE_NOT))
            keys.column[keys.count++] = column;
    return keys;
}

static bool is_key(const struct keys *keys, const struct fr_field *column)
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

static int compare_keys(const struct row *a, const struct row *b)
{
    int order = 0;

    for (size_t i = 0; i < a->keys->count && !order; i++) {
        const struct fr_found_side of_a = side_of(a->keys->column[i], a->record);
        const struct fr_found_side of_b = side_of(a->keys->column[i], b->record);

        order = compare_sides(&of_a, &of_b);
    }
    return order;
}

/* Rows of equal keys stay in the order of the document. */
static int by_keys_and_place(const void *left, const void *right)
{
    const struct row *a = left, *b = right;
    const int order = compare_keys(a, b);

    return order ? order : (a->place > b->place) - (a->place < b->place);
}

static struct row *sorted_rows(struct walk *walk, const struct table *table, size_t size,
                               const struct keys *keys)
{
    struct row *rows = fr_arena_zeroed(walk->to->arena, table->count, sizeof *rows);

    if (!rows) {
        walk->to->is_out_of_memory = true;
        return NULL;
    }
    for (size_t i = 0; i < table->count; i++)
        rows[i] = (struct row){ (const char *)table->row + i * size, i, keys };
    if (table->count)
        qsort(rows, table->count, sizeof *rows, by_keys_and_place);
    return rows;
}

/* `.eager`, or `[processes=64,distance=4]`. */
static void append_keys(struct line *line, const struct row *row)
{
    const char *before = "[";

    for (size_t i = 0; i < row->keys->count; i++) {
        const struct fr_field *column = row->keys->column[i];
        const struct fr_found_side key = side_of(column, row->record);
        char number[40] = "null";

        if (!key.is_there)
            continue;
        if (isfinite(key.number))
            fr_number_text(key.number, number, sizeof number);
        if (column->flags & FR_FIELD_NAME) {
            append(line, ".%.60s", key.text);
            return;
        }
        append(line, "%s%s=%.60s", before, column->name, key.text ? key.text : number);
        before = ",";
    }
    append(line, *before == ',' ? "]" : "[]");
}

static void compare_fields(struct walk *walk, const struct fr_field *fields,
                           const char *const record[FR_SIDES], const struct keys *keys);

/* One row of either document, or of both. */
static void compare_row(struct walk *walk, const struct fr_field *field, const struct row *from,
                        const struct row *to)
{
    const struct row *const row[FR_SIDES] = { from, to };
    const char *const record[FR_SIDES] = { from ? from->record : NULL, to ? to->record : NULL };
    const struct mark mark = mark_of(walk);

    append_keys(&walk->path, to ? to : from);
    append(&walk->pattern, ".*");
    for (int side = 0; side < FR_SIDES; side++)
        if (row[side])
            append(&walk->pointer[side], "/%zu", row[side]->place);
    compare_fields(walk, field->fields, record, (to ? to : from)->keys);
    leave(walk, mark);
}

static void compare_rows(struct walk *walk, const struct fr_field *field,
                         const struct table *const table[FR_SIDES])
{
    const struct fr_arena_mark mark = fr_arena_mark(walk->to->arena);
    const struct keys keys = keys_of(field->fields);
    const struct row *from = sorted_rows(walk, table[FR_FROM], field->size, &keys);
    const struct row *to = sorted_rows(walk, table[FR_TO], field->size, &keys);
    const struct row *from_end = from ? from + table[FR_FROM]->count : NULL;
    const struct row *to_end = to ? to + table[FR_TO]->count : NULL;

    while (!walk->to->is_out_of_memory && (from < from_end || to < to_end)) {
        const int order = from == from_end ? 1 : to == to_end ? -1 : compare_keys(from, to);

        compare_row(walk, field, order <= 0 ? from : NULL, order >= 0 ? to : NULL);
        from += order <= 0;
        to += order >= 0;
    }
    fr_arena_release(walk->to->arena, mark);
}

/* ---- the walk ----------------------------------------------------------------------------- */

static void compare_tables(struct walk *walk, const struct fr_field *field,
                           const char *const record[FR_SIDES])
{
    const struct fr_calibration *const *cal = walk->to->out->cal;
    const struct table *table[FR_SIDES];

    for (int side = 0; side < FR_SIDES; side++)
        table[side] = record[side] ? (const void *)(record[side] + field->offset) : &no_rows;
    if (field->kind == FR_FIELD_NUMBERS)
        compare_numbers(walk, field, table);
    else if ((const void *)table[FR_FROM] == &cal[FR_FROM]->kernels.routine_models)
        fr_collect_routine_models(walk->to);
    else
        compare_rows(walk, field, table);
}

/* `keys`, or NULL: columns that are known to be the same. */
static void compare_fields(struct walk *walk, const struct fr_field *fields,
                           const char *const record[FR_SIDES], const struct keys *keys)
{
    for (const struct fr_field *field = fields; field->name; field++) {
        const char *const inside[FR_SIDES] = {
            record[FR_FROM] ? record[FR_FROM] + field->offset : NULL,
            record[FR_TO] ? record[FR_TO] + field->offset : NULL,
        };
        struct mark mark;

        if (keys && is_key(keys, field))
            continue;
        mark = enter_field(walk, field);
        if (field->kind == FR_FIELD_OBJECT)
            compare_fields(walk, field->fields, inside, NULL);
        else if (field->kind == FR_FIELD_TABLE || field->kind == FR_FIELD_NUMBERS)
            compare_tables(walk, field, record);
        else
            collect(walk, field, side_of(field, record[FR_FROM]), side_of(field, record[FR_TO]));
        leave(walk, mark);
    }
}

int fr_compare(const struct fr_calibration *from, const struct fr_calibration *to, size_t limit,
               struct fr_arena *arena, struct fr_comparison *out, struct fr_faults *faults)
{
    struct fr_comparison comparison = { .cal = { from, to } };
    struct fr_collector collector;
    struct walk walk = { .to = &collector };

    if (fr_collector_begin(&collector, &comparison, limit, arena) != FR_OK)
        return fr_fault(faults, FR_NOMEM, "", "the documents are too large to compare");
    for (const struct fr_field *field = fr_calibration_fields; field->name; field++) {
        const struct fr_field only[] = { *field, { .name = NULL } };

        walk.is_condition = !field->group;
        compare_fields(&walk, only, (const char *const[]){ (const char *)from, (const char *)to },
                       NULL);
    }
    if (collector.is_out_of_memory)
        return fr_fault(faults, FR_NOMEM, "", "the documents are too large to compare");
    fr_collector_end(&collector);
    *out = comparison;
    return FR_OK;
}
