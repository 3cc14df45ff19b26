/* Walks two documents side by side, guided by the tables that describe their fields. */
#include "server/comparison/comparison.h"

#include <math.h>

static const struct fr_rows_head no_rows;

struct walk {
    struct fr_collector *to;
    struct fr_comparison_line path, pattern, pointer[FR_SIDES];
    bool is_condition;
};

/* The position of the walk before it entered a field or a row. */
struct mark {
    size_t path, pattern, pointer[FR_SIDES];
};

static struct mark mark_of(const struct walk *walk)
{
    return (struct mark){ walk->path.length,
                          walk->pattern.length,
                          { walk->pointer[FR_FROM].length, walk->pointer[FR_TO].length } };
}

static void cut(struct fr_comparison_line *line, size_t length)
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

    fr_line_append(&walk->path, "%s%s", walk->path.length ? "." : "", field->name);
    fr_line_append(&walk->pattern, "%s%s", walk->pattern.length ? "." : "", field->name);
    for (int side = 0; side < FR_SIDES; side++)
        fr_line_append(&walk->pointer[side], "/%s", field->name);
    return mark;
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

/* Compares by index, which has a meaning in a list (the dimensions of a network). */
static void compare_numbers(struct walk *walk, const struct fr_field *field,
                            const struct fr_rows_head *const table[FR_SIDES])
{
    const size_t most =
        table[FR_FROM]->count > table[FR_TO]->count ? table[FR_FROM]->count : table[FR_TO]->count;

    for (size_t i = 0; i < most; i++) {
        const struct mark mark = mark_of(walk);
        struct fr_found_side found[FR_SIDES];

        if (most > 1 || !(field->flags & FR_FIELD_LONE)) {
            fr_line_append(&walk->path, ".%zu", i);
            fr_line_append(&walk->pattern, ".*");
        }
        for (int side = 0; side < FR_SIDES; side++) {
            const double *row = table[side]->row;

            found[side] = fr_number_side(i < table[side]->count ? row[i] : NAN);
            if (table[side]->count > 1 || !(field->flags & FR_FIELD_LONE))
                fr_line_append(&walk->pointer[side], "/%zu", i);
        }
        collect(walk, field, found[FR_FROM], found[FR_TO]);
        leave(walk, mark);
    }
}

static void compare_fields(struct walk *walk, const struct fr_field *fields,
                           const char *const record[FR_SIDES], const struct fr_row_keys *keys);

/* Compares one row of either document or of both. */
static void compare_row(struct walk *walk, const struct fr_field *field,
                        const struct fr_keyed_row *from, const struct fr_keyed_row *to)
{
    const struct fr_keyed_row *const row[FR_SIDES] = { from, to };
    const char *const record[FR_SIDES] = { from ? from->record : NULL, to ? to->record : NULL };
    const struct mark mark = mark_of(walk);

    fr_row_label(&walk->path, to ? to : from);
    fr_line_append(&walk->pattern, ".*");
    for (int side = 0; side < FR_SIDES; side++)
        if (row[side])
            fr_line_append(&walk->pointer[side], "/%zu", row[side]->place);
    compare_fields(walk, field->fields, record, (to ? to : from)->keys);
    leave(walk, mark);
}

static void compare_rows(struct walk *walk, const struct fr_field *field,
                         const struct fr_rows_head *const table[FR_SIDES])
{
    const struct fr_arena_mark mark = fr_arena_mark(walk->to->arena);
    const struct fr_row_keys keys = fr_row_keys_of(field->fields);
    const struct fr_keyed_row *from =
        fr_rows_sorted(table[FR_FROM], field->size, &keys, walk->to->arena);
    const struct fr_keyed_row *to =
        fr_rows_sorted(table[FR_TO], field->size, &keys, walk->to->arena);
    const struct fr_keyed_row *from_end = from ? from + table[FR_FROM]->count : NULL;
    const struct fr_keyed_row *to_end = to ? to + table[FR_TO]->count : NULL;

    walk->to->is_out_of_memory = walk->to->is_out_of_memory || !from || !to;
    while (!walk->to->is_out_of_memory && (from < from_end || to < to_end)) {
        const int order = from == from_end ? 1 : to == to_end ? -1 : fr_rows_compare(from, to);

        compare_row(walk, field, order <= 0 ? from : NULL, order >= 0 ? to : NULL);
        from += order <= 0;
        to += order >= 0;
    }
    fr_arena_release(walk->to->arena, mark);
}

static void compare_tables(struct walk *walk, const struct fr_field *field,
                           const char *const record[FR_SIDES])
{
    const struct fr_calibration *const *cal = walk->to->out->cal;
    const struct fr_rows_head *table[FR_SIDES];

    for (int side = 0; side < FR_SIDES; side++)
        table[side] = record[side] ? (const void *)(record[side] + field->offset) : &no_rows;
    if (field->kind == FR_FIELD_NUMBERS)
        compare_numbers(walk, field, table);
    else if ((const void *)table[FR_FROM] == &cal[FR_FROM]->kernels.routine_models)
        fr_collect_routine_models(walk->to);
    else
        compare_rows(walk, field, table);
}

/* `keys` are columns known to be equal; may be NULL. */
static void compare_fields(struct walk *walk, const struct fr_field *fields,
                           const char *const record[FR_SIDES], const struct fr_row_keys *keys)
{
    for (const struct fr_field *field = fields; field->name; field++) {
        const char *const inside[FR_SIDES] = {
            record[FR_FROM] ? record[FR_FROM] + field->offset : NULL,
            record[FR_TO] ? record[FR_TO] + field->offset : NULL,
        };
        struct mark mark;

        if (field->flags & FR_FIELD_SHOWN || (keys && fr_is_row_key(keys, field)))
            continue;
        mark = enter_field(walk, field);
        if (field->kind == FR_FIELD_OBJECT)
            compare_fields(walk, field->fields, inside, NULL);
        else if (field->kind == FR_FIELD_TABLE || field->kind == FR_FIELD_NUMBERS)
            compare_tables(walk, field, record);
        else
            collect(walk, field, fr_side_of(field, record[FR_FROM]),
                    fr_side_of(field, record[FR_TO]));
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
