/* Counts the differences between two calibrations for each field and keeps the largest. */
#include "server/comparison/comparison.h"

#include "server/core/utf8.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int fr_collector_begin(struct fr_collector *collector, struct fr_comparison *out, size_t limit,
                       struct fr_arena *arena)
{
    *collector = (struct fr_collector){ .out = out, .arena = arena, .limit = limit };
    /* Twice the limit: a full array is sorted and its smaller half dropped. */
    out->row = fr_arena_zeroed(arena, 2 * limit, sizeof *out->row);
    out->field = fr_arena_zeroed(arena, FR_COMPARED_FIELDS, sizeof *out->field);
    out->condition = fr_arena_zeroed(arena, FR_CONDITIONS, sizeof *out->condition);
    return out->row && out->field && out->condition ? FR_OK : FR_NOMEM;
}

static bool is_equal(const struct fr_found_side *a, const struct fr_found_side *b)
{
    if (a->text || b->text)
        return a->text && b->text && strcmp(a->text, b->text) == 0;
    return a->number == b->number;
}

static double ratio_of(const struct fr_found_side *from, const struct fr_found_side *to)
{
    if (!from->is_there || !to->is_there || !isfinite(from->number) || !isfinite(to->number))
        return NAN;
    if (from->number == to->number)
        return 1;
    return from->number > 0 && to->number > 0 ? to->number / from->number : NAN;
}

/* Sets whether the interquartile ranges overlap; each is assumed symmetric about its value. */
static void compare_spread(struct fr_difference *difference)
{
    const struct fr_compared *from = &difference->side[FR_FROM], *to = &difference->side[FR_TO];
    const double from_spread = from->source ? from->source->spread_fraction : NAN;
    const double to_spread = to->source ? to->source->spread_fraction : NAN;

    if (isnan(from_spread) || isnan(to_spread) || isnan(difference->ratio))
        return;
    difference->is_spread_known = true;
    difference->is_within_spread = fabs(to->number - from->number) <=
                                   (from_spread * from->number + to_spread * to->number) / 2;
}

static void make(struct fr_collector *collector, const struct fr_found *found, double ratio,
                 struct fr_difference *out)
{
    const bool is_added = !found->side[FR_FROM].is_there;
    const bool is_removed = !found->side[FR_TO].is_there;

    *out = (struct fr_difference){
        .kind = is_added     ? FR_ADDED
                : is_removed ? FR_REMOVED
                             : FR_CHANGED,
        .unit = found->unit,
        .ratio = ratio,
        .place = collector->places++,
    };
    /* Changes without a ratio come first, additions and removals last. */
    out->weight = is_added || is_removed ? -1 : isnan(ratio) ? INFINITY : fabs(log(ratio));
    snprintf(out->path, sizeof out->path, "%s", found->path);
    fr_utf8_sanitize(out->path); /* the name of a row may be truncated */
    for (int i = 0; i < FR_SIDES; i++) {
        const struct fr_found_side *side = &found->side[i];

        out->side[i].number = side->is_there && isfinite(side->number) ? side->number : NAN;
        if (!side->is_there)
            continue;
        out->side[i].text = side->text;
        snprintf(out->side[i].pointer, sizeof out->side[i].pointer, "%s", side->pointer);
        out->side[i].source = fr_source_of(collector->out->cal[i], side->pointer);
    }
    compare_spread(out);
}

/* Columns of a table alternate, so the search begins at the column counted last. */
static struct fr_change_counts *counts_of(struct fr_collector *collector,
                                          const struct fr_found *found)
{
    struct fr_comparison *out = collector->out;

    for (size_t i = 0; i < out->fields; i++) {
        const size_t place = (collector->field + i) % out->fields;

        if (strcmp(out->field[place].path, found->pattern) == 0) {
            collector->field = place;
            return &out->field[place].counts;
        }
    }
    assert(out->fields < FR_COMPARED_FIELDS); /* the field tables bound the count */
    collector->field = out->fields++;
    out->field[collector->field].unit = found->unit;
    snprintf(out->field[collector->field].path, FR_VALUE_PATH_BYTES, "%s", found->pattern);
    return &out->field[collector->field].counts;
}

/* `difference` is NULL for an unchanged value. */
static void count(struct fr_change_counts *counts, const struct fr_difference *difference,
                  double ratio)
{
    if (difference && difference->kind != FR_CHANGED) {
        counts->added += difference->kind == FR_ADDED;
        counts->removed += difference->kind == FR_REMOVED;
        return;
    }
    counts->compared++;
    counts->changed += difference != NULL;
    counts->within_spread += difference && difference->is_within_spread;
    if (isnan(ratio))
        return;
    counts->least = counts->rated ? fmin(counts->least, ratio) : ratio;
    counts->greatest = fmax(counts->greatest, ratio);
    counts->log_sum += log(ratio);
    counts->rated++;
}

static int by_weight(const void *left, const void *right)
{
    const struct fr_difference *a = left, *b = right;

    if (a->weight != b->weight)
        return a->weight > b->weight ? -1 : 1;
    return (a->place > b->place) - (a->place < b->place);
}

static void trim(struct fr_collector *collector)
{
    struct fr_comparison *out = collector->out;

    if (out->count)
        qsort(out->row, out->count, sizeof *out->row, by_weight);
    if (out->count > collector->limit) {
        out->left_out += out->count - collector->limit;
        out->count = collector->limit;
    }
}

void fr_collect(struct fr_collector *collector, const struct fr_found *found)
{
    struct fr_comparison *out = collector->out;
    const struct fr_found_side *from = &found->side[FR_FROM], *to = &found->side[FR_TO];
    const bool is_same = from->is_there && to->is_there && is_equal(from, to);
    const double ratio = ratio_of(from, to);
    struct fr_difference difference;
    struct fr_change_counts *counts;

    if (!from->is_there && !to->is_there)
        return;
    if (!is_same)
        make(collector, found, ratio, &difference);
    if (found->is_condition) {
        if (!is_same && out->conditions < FR_CONDITIONS)
            out->condition[out->conditions++] = difference;
        return;
    }
    counts = counts_of(collector, found);
    count(counts, is_same ? NULL : &difference, ratio);
    count(&out->total, is_same ? NULL : &difference, ratio);
    if (is_same)
        return;
    if (out->count == 2 * collector->limit)
        trim(collector);
    out->row[out->count++] = difference;
}

void fr_collector_end(struct fr_collector *collector)
{
    trim(collector);
}

double fr_change_counts_mean(const struct fr_change_counts *counts)
{
    return counts->rated ? exp(counts->log_sum / (double)counts->rated) : NAN;
}
