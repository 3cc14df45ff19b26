/* What if: a copy of the calibration with some values changed, found by their path.
 *
 * A path walks the field table: `network.protocols.eager.off_node.latency_s`.  Rows are addressed
 * by name or index.  A single value takes `=VALUE` or `=*FACTOR`, a whole table or object only a
 * factor.  Everything on the path is copied before it is written.
 */
#include "engine/calibration/calibration.h"
#include "engine/core/arena.h"
#include "engine/core/fault.h"
#include "engine/core/number.h"
#include "engine/document/document.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct fr_alias fr_aliases[] = {
    { "network.bandwidth",
      "All bandwidths of the network times the factor, inverse bandwidths divided by it." },
    { "network.latency", "All latencies of the network times the factor." },
    { "kernels.ROUTINE.rate",
      "Efficiencies and rates of a routine times the factor; its times, also of its routine "
      "models, divided by it." },
    { NULL, NULL },
};

/* The state of one change. */
struct change {
    struct fr_calibration *cal;
    struct fr_arena *arena;
    struct fr_faults *faults;
    char where[FR_WHERE_BYTES]; /* what_if.PATH */
    bool is_factor;
    double value;
    size_t touched; /* values that a factor reached */
    bool is_out_of_memory, is_out_of_range;
};

/* The exponent of the factor for each kind of value: 1 multiplies, -1 divides, 0 leaves unchanged.
 */
typedef int reach(enum fr_scaling scaling);

static int reach_all(enum fr_scaling scaling)
{
    return scaling == FR_SCALE_NOT ? 0 : scaling == FR_SCALE_RATE_TIME ? -1 : 1;
}

static int reach_bandwidth(enum fr_scaling scaling)
{
    return scaling == FR_SCALE_BANDWIDTH ? 1 : scaling == FR_SCALE_INVERSE_BANDWIDTH ? -1 : 0;
}

static int reach_latency(enum fr_scaling scaling)
{
    return scaling == FR_SCALE_LATENCY;
}

/* The members that all FR_TABLEs share. */
struct table {
    void *row;
    size_t count;
};

static void own_rows(struct change *change, struct table *table, size_t size)
{
    void *copy = fr_arena_zeroed(change->arena, table->count, size);

    if (!copy)
        change->is_out_of_memory = true;
    else if (table->count)
        memcpy(copy, table->row, table->count * size);
    if (copy)
        table->row = copy;
}

static bool is_in_range(double value)
{
    return value >= FR_LEAST && value <= FR_GREATEST;
}

static bool is_out_of_range(double value)
{
    return !isnan(value) && !is_in_range(value);
}

static void scale_number(struct change *change, double *number, int direction)
{
    double now;

    if (!direction || isnan(*number))
        return;
    now = direction > 0 ? *number * change->value : *number / change->value;
    change->touched++;
    if (*number > 0 && isfinite(*number) && !is_in_range(now))
        change->is_out_of_range = true;
    *number = now;
}

static void scale_fields(struct change *change, const struct fr_field *fields, char *record,
                         reach *how)
{
    for (; fields->name && !change->is_out_of_memory; fields++) {
        char *at = record + fields->offset;
        struct table *table = (struct table *)(void *)at;

        if (fields->kind == FR_FIELD_NUMBER) {
            scale_number(change, (double *)(void *)at, how(fields->scaling));
        } else if (fields->kind == FR_FIELD_OBJECT) {
            scale_fields(change, fields->fields, at, how);
        } else if (fields->kind == FR_FIELD_TABLE) {
            own_rows(change, table, fields->size);
            for (size_t i = 0; i < table->count; i++)
                scale_fields(change, fields->fields, (char *)table->row + i * fields->size, how);
        } else if (fields->kind == FR_FIELD_NUMBERS && how(fields->scaling)) {
            own_rows(change, table, sizeof(double));
            for (size_t i = 0; i < table->count; i++)
                scale_number(change, (double *)table->row + i, how(fields->scaling));
        }
    }
}

/* The fault, if any, after values were multiplied. */
static int judge_scaling(struct change *change)
{
    if (change->is_out_of_memory)
        return fr_fault(change->faults, FR_NOMEM, change->where, "too large to change");
    if (change->is_out_of_range)
        return fr_fault(change->faults, FR_RANGE, change->where, "takes a value outside %g to %g",
                        FR_LEAST, FR_GREATEST);
    if (!change->touched)
        return fr_fault(change->faults, FR_NOT_FOUND, change->where,
                        "the calibration has no values there to multiply");
    return FR_OK;
}

static int scale_whole(struct change *change, const struct fr_field *field, char *record,
                       reach *how)
{
    struct fr_field only[2] = { *field, { .name = NULL } };

    if (!change->is_factor)
        return fr_fault(change->faults, FR_RELATION, change->where,
                        "many values take only a factor: write *2");
    if (field->kind == FR_FIELD_NUMBERS && only[0].scaling == FR_SCALE_NOT)
        only[0].scaling = FR_SCALE_VALUE;
    scale_fields(change, only, record, how);
    return judge_scaling(change);
}

static int set_number(struct change *change, const struct fr_field *field, char *at)
{
    double *number = (double *)(void *)at;
    int64_t *count = (int64_t *)(void *)at;
    const bool is_count = field->kind == FR_FIELD_COUNT;
    const double old = is_count ? (*count ? (double)*count : NAN) : *number;
    const double now = change->is_factor ? old * change->value : change->value;

    if (change->is_factor && (isnan(old) || isinf(old)))
        return fr_fault(change->faults, FR_NOT_FOUND, change->where,
                        "the calibration has no value there to multiply; set one");
    if (!is_in_range(now) && !(now == 0 && field->flags & FR_FIELD_ZERO))
        return fr_fault(change->faults, FR_RANGE, change->where, "%g is outside %g to %g", now,
                        FR_LEAST, FR_GREATEST);
    if (is_count && (now != floor(now) || now > 9e15))
        return fr_fault(change->faults, FR_TYPE, change->where, "%g is not a whole number", now);
    if (is_count)
        *count = (int64_t)now;
    else
        *number = now;
    return FR_OK;
}

static bool is_legal_here(const struct fr_field *field, const struct fr_field *siblings,
                          const char *record)
{
    if (!field->when)
        return true;
    for (; siblings->name; siblings++)
        if (siblings->flags & FR_FIELD_SELECTS) {
            const int choice = *(const int *)(const void *)(record + siblings->offset);

            return choice >= 0 && field->when & 1u << choice;
        }
    return true;
}

static const struct fr_field *find_field(const struct fr_field *fields, const char *record,
                                         const char *name, size_t length)
{
    for (const struct fr_field *field = fields; field->name; field++)
        if (strncmp(field->name, name, length) == 0 && !field->name[length] &&
            is_legal_here(field, fields, record))
            return field;
    return NULL;
}

/* Finds the row by name, or else by index; NULL if there is none. */
static char *find_row(const struct fr_field *field, const struct table *table, const char *key,
                      size_t length)
{
    const size_t digits = strspn(key, "0123456789");
    unsigned long place;

    for (const struct fr_field *column = field->fields; column->name; column++) {
        if (!(column->flags & FR_FIELD_NAME))
            continue;
        for (size_t i = 0; i < table->count; i++) {
            char *row = (char *)table->row + i * field->size;
            const char *name = *(const char *const *)(const void *)(row + column->offset);

            if (name && strncmp(name, key, length) == 0 && !name[length])
                return row;
        }
    }
    place = strtoul(key, NULL, 10);
    return length && digits == length && place < table->count
               ? (char *)table->row + place * field->size
               : NULL;
}

const char *fr_what_if_form(const struct fr_field *field)
{
    switch (field->kind) {
    case FR_FIELD_NUMBER:
    case FR_FIELD_COUNT:
        return "value or *factor";
    case FR_FIELD_OBJECT:
        return field->is_about_document ? NULL : "*factor";
    case FR_FIELD_TABLE:
    case FR_FIELD_NUMBERS:
        return "*factor";
    case FR_FIELD_TEXT:
    case FR_FIELD_BOOL:
    case FR_FIELD_CHOICE:
    case FR_FIELD_TEXTS:
    case FR_FIELD_LISTS:
    case FR_FIELD_ANY:
        break;
    }
    return NULL;
}

static int no_such(struct change *change, const struct fr_field *fields, const char *at,
                   size_t length)
{
    char name[64];
    struct fr_nearest nearest = { .name = name };

    snprintf(name, sizeof name, "%.*s", (int)(length < 63 ? length : 63), at);
    for (const struct fr_alias *alias = fr_aliases; alias->path; alias++)
        if (fr_text_distance(change->where + strlen("what_if."), alias->path) <= 2)
            return fr_fault(change->faults, FR_UNKNOWN_PARAMETER, change->where,
                            "the calibration has no '%s' there; did you mean %s", name,
                            alias->path);
    for (; fields->name; fields++)
        if (fr_what_if_form(fields))
            fr_nearest_consider(&nearest, fields->name);
    if (nearest.found)
        return fr_fault(change->faults, FR_UNKNOWN_PARAMETER, change->where,
                        "the calibration has no '%s' there; did you mean %s", name, nearest.found);
    return fr_fault(change->faults, FR_UNKNOWN_PARAMETER, change->where,
                    "the calibration has no '%s' there; /api/v1/fields lists the paths", name);
}

/* Follows `path` through a record with these fields and changes the value at its end. */
static int walk(struct change *change, const struct fr_field *fields, char *record,
                const char *path)
{
    for (;;) {
        size_t length = strcspn(path, ".");
        const struct fr_field *field = find_field(fields, record, path, length);
        struct table *table;

        if (!field || (field->kind == FR_FIELD_OBJECT && !fr_what_if_form(field)))
            return no_such(change, fields, path, length);
        if (field->group)
            change->cal->groups |= field->group;
        if (field->kind == FR_FIELD_NUMBER || field->kind == FR_FIELD_COUNT) {
            if (path[length])
                return no_such(change, fields, path, strlen(path));
            return set_number(change, field, record + field->offset);
        }
        if (field->kind != FR_FIELD_OBJECT && field->kind != FR_FIELD_TABLE &&
            field->kind != FR_FIELD_NUMBERS)
            return fr_fault(change->faults, FR_TYPE, change->where, "is not a number");
        if (!path[length])
            return scale_whole(change, field, record, reach_all);
        path += length + 1;
        if (field->kind == FR_FIELD_OBJECT) {
            record += field->offset;
            fields = field->fields;
            continue;
        }
        if (field->kind == FR_FIELD_NUMBERS)
            return fr_fault(change->faults, FR_TYPE, change->where,
                            "a list of numbers takes only a factor as a whole");
        table = (struct table *)(void *)(record + field->offset);
        own_rows(change, table, field->size);
        length = strcspn(path, ".");
        record = change->is_out_of_memory ? NULL : find_row(field, table, path, length);
        if (!record)
            return fr_fault(change->faults, FR_NOT_FOUND, change->where,
                            "the table has no row '%.*s'; it has %zu rows, from 0", (int)length,
                            path, table->count);
        if (!path[length])
            return fr_fault(change->faults, FR_TYPE, change->where,
                            "names a row; add the value's name behind it");
        path += length + 1;
        fields = field->fields;
    }
}

static const struct fr_field *kernels_field(struct fr_calibration *cal, const char *name)
{
    char *record = (char *)cal;
    const struct fr_field *group = find_field(fr_calibration_fields, record, "kernels", 7);

    return find_field(group->fields, record, name, strlen(name));
}

static bool is_call_of(const struct fr_call_cost *cost, const char *routine)
{
    const char *const name = fr_blas_call_names[cost->call];
    const size_t length = strcspn(name, "_"); /* dtrsm of dtrsm_LLN */

    return strlen(routine) == length && strncmp(name, routine, length) == 0;
}

/* Whether the routine has a table of rates, or models or costs of its calls. */
static bool is_routine(struct fr_calibration *cal, const char *routine)
{
    const struct fr_field *field = kernels_field(cal, routine);

    for (size_t i = 0; i < cal->kernels.routine_models.count; i++)
        if (strcmp(cal->kernels.routine_models.row[i].routine, routine) == 0)
            return true;
    for (size_t i = 0; i < cal->kernels.calls.count; i++)
        if (is_call_of(&cal->kernels.calls.row[i], routine))
            return true;
    return field && field->kind == FR_FIELD_OBJECT;
}

/* Scales every table of the rate of one routine. */
static int scale_routine(struct change *change, const char *routine)
{
    char *record = (char *)change->cal;
    const struct fr_field *own = kernels_field(change->cal, routine);
    const struct fr_field *models = kernels_field(change->cal, "routine_models");
    const struct fr_field *calls = kernels_field(change->cal, "calls");
    struct table *table = (struct table *)(void *)(record + models->offset);
    struct table *costs = (struct table *)(void *)(record + calls->offset);

    if (!change->is_factor)
        return fr_fault(change->faults, FR_RELATION, change->where,
                        "many values take only a factor: write *2");
    own_rows(change, table, models->size);
    for (size_t i = 0; i < table->count && !change->is_out_of_memory; i++)
        if (strcmp(change->cal->kernels.routine_models.row[i].routine, routine) == 0)
            scale_fields(change, models->fields, (char *)table->row + i * models->size, reach_all);
    own_rows(change, costs, calls->size);
    for (size_t i = 0; i < costs->count && !change->is_out_of_memory; i++)
        if (is_call_of(&change->cal->kernels.calls.row[i], routine))
            scale_fields(change, calls->fields, (char *)costs->row + i * calls->size, reach_all);
    if (own && own->kind == FR_FIELD_OBJECT)
        scale_fields(change, (const struct fr_field[]){ *own, { .name = NULL } }, record,
                     reach_all);
    return judge_scaling(change);
}

static int apply_path(struct change *change, const char *path)
{
    char *record = (char *)change->cal;
    const struct fr_field *group;
    char routine[32];
    int length = 0; /* of the alias, if all of it matches */

    if (strcmp(path, "network.bandwidth") == 0 || strcmp(path, "network.latency") == 0) {
        group = find_field(fr_calibration_fields, record, "network", 7);
        return scale_whole(change, group, record, path[8] == 'b' ? reach_bandwidth : reach_latency);
    }
    if (sscanf(path, "kernels.%31[a-z0-9_].rate%n", routine, &length) == 1 && length &&
        !path[length] && is_routine(change->cal, routine))
        return scale_routine(change, routine);
    return walk(change, fr_calibration_fields, record, path);
}

static int apply(struct change *change, const struct fr_change *asked)
{
    struct fr_faults check = { 0 };
    const char *text = asked->value;

    snprintf(change->where, sizeof change->where, "what_if.%s", asked->path);
    change->is_factor = *text == '*';
    change->touched = 0;
    change->is_out_of_range = false;
    if (!fr_number_parse(text + change->is_factor, &change->value))
        return fr_fault(change->faults, FR_SYNTAX, change->where,
                        "'%.40s' is neither a number nor *FACTOR", text);
    if (!isfinite(change->value) || change->value < 0 || (change->is_factor && change->value == 0))
        return fr_fault(change->faults, FR_RANGE, change->where, "'%.40s' must be positive", text);
    if (apply_path(change, asked->path) != FR_OK)
        return FR_RELATION;
    if (fr_calibration_check(change->cal, change->arena, &check) != FR_OK)
        return fr_fault(change->faults, FR_RELATION, change->where, "%s: %s", check.fault[0].where,
                        check.fault[0].message);
    return FR_OK;
}

/* Whether a change names the value or a group that contains it. */
static bool is_asked(const char *path, const struct fr_change *change, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const size_t length = strlen(change[i].path);

        if (strncmp(change[i].path, path, length) == 0 && (!path[length] || path[length] == '.'))
            return true;
    }
    return false;
}

/* 1 where one of both is not known. */
static double ratio_of(double now, double before)
{
    return now > 0 && before > 0 ? now / before : 1;
}

/* A core does as much in a cycle as before, unless the request gives the peak; the peak in single
 * precision and that of cnc keep their ratio to it.  What the owner states of the node, which
 * bounds what fits, is changed with the node. */
static void follow(struct change *change, const struct fr_calibration *before,
                   const struct fr_change *asked, size_t count)
{
    struct fr_calibration *cal = change->cal;
    const double cores =
        ratio_of((double)cal->node.cores_per_node, (double)before->node.cores_per_node);
    double *const peak = &cal->node.peak_flops_per_s;
    double *const single = &cal->node.peak_single_flops_per_s;
    double *const of_cnc = &cal->cnc.peak_flops_per_core_per_s;
    double ratio = cores * ratio_of(cal->node.clock_hz, before->node.clock_hz);

    if (before->facts.cores_per_node && cal->node.cores_per_node != before->node.cores_per_node)
        cal->facts.cores_per_node = cal->node.cores_per_node;
    if (!isnan(before->facts.memory_bytes_per_node) && is_asked("node.memory_bytes", asked, count))
        cal->facts.memory_bytes_per_node = cal->node.memory_bytes;
    if (!is_asked("node.peak_flops_per_s", asked, count))
        *peak *= ratio;
    else if (before->node.peak_flops_per_s > 0)
        ratio = *peak / before->node.peak_flops_per_s;
    if (!is_asked("node.peak_single_flops_per_s", asked, count))
        *single *= ratio;
    if (!is_asked("cnc.peak_flops_per_core_per_s", asked, count))
        *of_cnc *= ratio / cores;
    if (is_out_of_range(*peak) || is_out_of_range(*single) || is_out_of_range(*of_cnc))
        fr_fault(change->faults, FR_RANGE, "what_if.node",
                 "the peaks follow the cores, the clock and the peak of a node, and one of them "
                 "would be outside %g to %g",
                 FR_LEAST, FR_GREATEST);
}

const struct fr_calibration *fr_what_if(const struct fr_calibration *cal,
                                        const struct fr_change *change, size_t count,
                                        struct fr_arena *arena, struct fr_faults *faults)
{
    const size_t before = faults->count;
    struct fr_calibration *copy = fr_arena_zeroed(arena, 1, sizeof *copy);
    struct change under_way = { .cal = copy, .arena = arena, .faults = faults };

    if (!copy) {
        fr_fault(faults, FR_NOMEM, "what_if", "too large to change");
        return NULL;
    }
    *copy = *cal;
    copy->as_measured = cal->as_measured ? cal->as_measured : cal;
    for (size_t i = 0; i < count; i++)
        apply(&under_way, &change[i]);
    follow(&under_way, cal, change, count);
    if (faults->count == before)
        fr_calibration_prepare(copy, arena, faults);
    return faults->count > before ? NULL : copy;
}
