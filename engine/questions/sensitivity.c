/* Sensitivity: predicts again with one what-if at a time. */
#include "engine/questions/answer.h"

#include "engine/calibration/calibration.h"
#include "engine/core/arena.h"
#include "engine/core/fault.h"
#include "engine/document/document.h"
#include "engine/prediction/prediction.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Smaller relative changes are rounding. */
static const double least_change = 1e-12;

struct search {
    const struct fr_model *model;
    const void *values;
    const struct fr_run_source *source;
    const struct fr_calibration *cal;
    double factor;
    struct fr_arena *arena;
    struct fr_sensitivity *out;
    bool is_over; /* the work of the question is used up */
};

/* The time on this machine; NaN with faults. */
static double time_on(struct search *search, const struct fr_calibration *cal,
                      struct fr_faults *faults)
{
    const struct fr_model *model = search->model;
    void *values = fr_arena_zeroed(search->arena, 1, model->values_size);
    struct fr_prediction *prediction = fr_arena_zeroed(search->arena, 1, sizeof *prediction);
    struct fr_spread spread;
    int code;

    if (!values || !prediction) {
        search->is_over = true;
        fr_fault(faults, FR_NOMEM, "", "memory for one request is used up; ask for less");
        return NAN;
    }
    memcpy(values, search->values, model->values_size);
    code = fr_model_answer(model, values, search->source, cal, search->arena, prediction, &spread,
                           faults);
    search->is_over |= code == FR_NOMEM;
    return code == FR_OK ? prediction->time_s : NAN;
}

/* The time with the value at `path` times `factor`; *exists becomes whether there is one. */
static double changed_s(struct search *search, const char *path, double factor, bool *exists)
{
    const struct fr_arena_mark mark = fr_arena_mark(search->arena);
    struct fr_faults *faults = fr_arena_zeroed(search->arena, 1, sizeof *faults);
    const struct fr_calibration *changed = NULL;
    char value[32];
    double time_s = NAN;

    snprintf(value, sizeof value, "*%.17g", factor);
    if (faults)
        changed =
            fr_what_if(search->cal, &(struct fr_change){ path, value }, 1, search->arena, faults);
    else
        search->is_over = true;
    if (changed) {
        *exists = true;
        time_s = time_on(search, changed, faults);
    }
    fr_arena_release(search->arena, mark);
    return time_s;
}

static void try(struct search *search, const char *path)
{
    struct fr_sensitivity *out = search->out;
    struct fr_influence influence;
    bool exists = false;
    double low, high;

    if (search->is_over || out->count == FR_MOST_INFLUENCES)
        return;
    snprintf(influence.path, sizeof influence.path, "%s", path);
    influence.multiplied_s = changed_s(search, path, search->factor, &exists);
    influence.divided_s = changed_s(search, path, 1 / search->factor, &exists);
    out->tried += exists;
    low = fmin(out->time_s, fmin(influence.multiplied_s, influence.divided_s));
    high = fmax(out->time_s, fmax(influence.multiplied_s, influence.divided_s));
    influence.width_s = high - low;
    if (influence.width_s > least_change * out->time_s)
        out->row[out->count++] = influence;
}

/* Tries the kernels: a routine as its rate, the others as a whole. */
static void try_kernels(struct search *search, const struct fr_field *fields)
{
    char path[FR_INFLUENCE_BYTES];

    for (; fields->name; fields++) {
        if (fields->kind != FR_FIELD_OBJECT && fields->kind != FR_FIELD_TABLE)
            continue;
        snprintf(path, sizeof path, "kernels.%s%s", fields->name,
                 fields->kind == FR_FIELD_OBJECT ? ".rate" : "");
        try(search, path);
    }
}

/* Tries each value of a group; of the network those that are neither a bandwidth nor a latency. */
static void try_group(struct search *search, const struct fr_field *group)
{
    const bool is_network = strcmp(group->name, "network") == 0;
    char path[FR_INFLUENCE_BYTES];

    for (const struct fr_field *field = group->fields; field->name; field++) {
        const bool is_number = field->kind == FR_FIELD_NUMBER && field->scaling != FR_SCALE_NOT &&
                               !(is_network && field->scaling >= FR_SCALE_BANDWIDTH);
        const bool is_whole = field->kind == FR_FIELD_OBJECT || field->kind == FR_FIELD_TABLE ||
                              field->kind == FR_FIELD_NUMBERS;

        if (!is_number && !(is_whole && !is_network))
            continue;
        snprintf(path, sizeof path, "%s.%s", group->name, field->name);
        try(search, path);
    }
}

static int by_width(const void *left, const void *right)
{
    const struct fr_influence *a = left, *b = right;

    if (a->width_s != b->width_s)
        return a->width_s > b->width_s ? -1 : 1;
    return strcmp(a->path, b->path);
}

int fr_sensitivity_find(const struct fr_model *model, const void *values,
                        const struct fr_run_source *source, const struct fr_calibration *cal,
                        double factor, struct fr_arena *arena, struct fr_sensitivity *out,
                        struct fr_faults *faults)
{
    struct search search = { model, values, source, cal, factor, arena, out, false };
    const struct fr_arena_mark mark = fr_arena_mark(arena);

    out->tried = out->count = 0;
    out->time_s = time_on(&search, cal, faults);
    fr_arena_release(arena, mark);
    if (faults->count)
        return FR_RELATION;
    try(&search, "network.bandwidth");
    try(&search, "network.latency");
    for (const struct fr_field *group = fr_calibration_fields; group->name; group++) {
        if (!group->group || !group->fields)
            continue;
        if (strcmp(group->name, "kernels") == 0)
            try_kernels(&search, group->fields);
        else if (strcmp(group->name, "contention") == 0)
            try(&search, "contention");
        else
            try_group(&search, group);
    }
    if (search.is_over)
        return fr_fault(faults, FR_NOMEM, "",
                        "the predictions for all values are too much work for one question; ask "
                        "for a smaller problem, or change single values with what_if");
    qsort(out->row, out->count, sizeof *out->row, by_width);
    return FR_OK;
}
