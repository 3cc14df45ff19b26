/* Held-out checks: rows are left out of a table and looked up in the rest, as models would. */
#include "engine/questions/answer.h"

#include "engine/core/statistics.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Checks of one key of one table, about 1 us each. */
enum { MOST_CHECKS = 8192 };
/* Values left out at each end of a table, and the gaps in doublings, at most. */
enum { OUTER_VALUES = 4, MOST_GAP = 4 };
/* Values between others that are left out of rows with the same leading keys; each costs a copy of
 * these rows. */
enum { MOST_BETWEEN = 64 };
enum { MOST_STEPS = 256 };
enum { SCRATCH_BYTES = 256 << 20 };
static const double share = 0.9; /* of the rows, whose errors are no larger */

/* A row that was left out; `from` is NaN where it lies between others. */
struct checked {
    double from, to, error;
};

/* The checks of one key of one table. */
struct study {
    struct fr_calibration *cal;
    const struct held_out_table *table;
    enum fr_timing_key key;
    struct fr_arena *arena;
    struct fr_calibration *narrowed;
    struct fr_prediction *scratch;
    struct fr_timings rows; /* of the table */
    double *log_value;      /* of each row, by the whole table; NaN: not looked up yet */
    struct fr_timing *kept; /* scratch for all rows */
    struct checked *checked;
    double *errors; /* scratch of MOST_CHECKS */
    size_t count;
};

/* The checks of all keys. */
struct results {
    struct fr_held_out *of; /* room for MOST_RESULTS */
    size_t count;
    struct fr_arena *arena;
};
enum { MOST_RESULTS = HELD_OUT_TABLES * FR_TIMING_KEYS };

static double look_up(const struct study *study, const struct fr_calibration *cal,
                      const struct fr_timing *row)
{
    struct fr_faults faults;
    struct fr_evaluation run = {
        .cal = cal, .arena = study->arena, .out = study->scratch, .faults = &faults
    };

    faults.count = 0;
    fr_prediction_clear(study->scratch);
    return study->table->value(study->table, &run, row);
}

/* A row is left out many times, by each of its keys. */
static double log_value_of(struct study *study, const struct fr_timing *row)
{
    double *known = &study->log_value[row - study->rows.row];

    if (isnan(*known))
        *known = log(look_up(study, study->cal, row));
    return *known;
}

/* The extent of the keys after the one that is checked. */
struct extent {
    double low[FR_TIMING_KEYS], high[FR_TIMING_KEYS];
};

static struct extent extent_of(struct fr_timings rows)
{
    struct extent extent;

    for (enum fr_timing_key key = 0; key < FR_TIMING_KEYS; key++) {
        extent.low[key] = INFINITY;
        extent.high[key] = -INFINITY;
        for (size_t i = 0; i < rows.count; i++) {
            extent.low[key] = fmin(extent.low[key], rows.row[i].key[key]);
            extent.high[key] = fmax(extent.high[key], rows.row[i].key[key]);
        }
    }
    return extent;
}

/* A row that is outside by another key as well would be checked for both at once. */
static bool is_outside(const struct extent *extent, const struct fr_timing *row,
                       enum fr_timing_key after)
{
    for (enum fr_timing_key key = after + 1; key < FR_TIMING_KEYS; key++)
        if (row->key[key] < extent->low[key] || row->key[key] > extent->high[key])
            return true;
    return false;
}

/* Keeps the curves of these process counts. */
static void narrow_factors(struct fr_curves *factors, double least, double most)
{
    size_t first = 0, end = factors->count;

    while (first < end && (double)factors->key[first] < least)
        first++;
    while (end > first && (double)factors->key[end - 1] > most)
        end--;
    if (end > first)
        *factors = (struct fr_curves){ factors->key + first, factors->log2_key + first,
                                       factors->curve + first, end - first };
}

/* The calibration without the rows that are left out.  Patterns are measured together with
 * contention factors, which a smaller job would not have had either. */
static bool narrow(struct study *study, struct fr_timings kept, const struct extent *extent,
                   bool is_between)
{
    *study->narrowed = *study->cal;
    if (study->table->timings && study->key == FR_TIMING_PROCESSES && !is_between) {
        narrow_factors(&study->narrowed->maximum, extent->low[0], extent->high[0]);
        narrow_factors(&study->narrowed->averages, extent->low[0], extent->high[0]);
    }
    return held_out_narrow(study->table, kept, study->arena, study->narrowed);
}

static void check(struct study *study, struct fr_timings kept, struct fr_timings left_out,
                  double from)
{
    const struct fr_arena_mark mark = fr_arena_mark(study->arena);
    const struct extent extent = extent_of(kept);

    if (narrow(study, kept, &extent, isnan(from)))
        for (size_t i = 0; i < left_out.count && study->count < MOST_CHECKS; i++) {
            const struct fr_timing *row = &left_out.row[i];
            double error;

            if (is_outside(&extent, row, study->key))
                continue;
            error = fabs(log(look_up(study, study->narrowed, row)) - log_value_of(study, row));
            if (isfinite(error))
                study->checked[study->count++] =
                    (struct checked){ from, row->key[study->key], error };
        }
    fr_arena_release(study->arena, mark);
}

/* The number of rows from the first one on with the same leading keys, `keys` of them. */
static size_t count_alike(struct fr_timings rows, size_t keys)
{
    const struct fr_timing *first = rows.row;
    size_t count = 1;

    for (; count < rows.count; count++) {
        const struct fr_timing *row = &rows.row[count];

        if (row->pattern != first->pattern || row->layers != first->layers)
            break;
        for (size_t key = 0; key < keys; key++)
            if (row->key[key] != first->key[key])
                return count;
    }
    return count;
}

static struct fr_timings slice(struct fr_timings rows, size_t first, size_t end)
{
    return (struct fr_timings){ rows.row + first, end - first };
}

/* The rows of each value of the key: value v has the rows from start[v] to before start[v + 1]. */
struct values {
    struct fr_timings rows;
    const size_t *start;
    size_t count;
};

static double value_of(const struct study *study, const struct values *values, size_t v)
{
    return values->rows.row[values->start[v]].key[study->key];
}

/* Leaves out the rows of value v, and with it those before it on the way to the other end, once for
 * each number of doublings between v and the nearest value that is kept. */
static void check_outer(struct study *study, const struct values *values, size_t v, bool is_above)
{
    const struct fr_timings left_out = slice(values->rows, values->start[v], values->start[v + 1]);
    const double to = value_of(study, values, v);
    const size_t others = is_above ? v : values->count - 1 - v;
    double last = -1;

    for (size_t i = 1; i <= others; i++) {
        const size_t k = is_above ? v - i : v + i;
        const double from = value_of(study, values, k);
        const double gap = floor(fabs(log2(fmax(1, to) / fmax(1, from))));

        if (gap == last)
            continue;
        if (gap > MOST_GAP)
            return;
        last = gap;
        check(study,
              is_above ? slice(values->rows, 0, values->start[k + 1])
                       : slice(values->rows, values->start[k], values->rows.count),
              left_out, from);
    }
}

/* Leaves out the rows of value v, between others. */
static void check_between(struct study *study, const struct values *values, size_t v)
{
    const struct fr_timings all = values->rows;
    const size_t first = values->start[v], end = values->start[v + 1];

    memcpy(study->kept, all.row, first * sizeof *all.row);
    memcpy(study->kept + first, all.row + end, (all.count - end) * sizeof *all.row);
    check(study, (struct fr_timings){ study->kept, first + all.count - end },
          slice(all, first, end), NAN);
}

/* Checks rows whose keys before the one that is checked are the same. */
static void check_group(struct study *study, struct fr_timings rows)
{
    const struct fr_arena_mark mark = fr_arena_mark(study->arena);
    size_t *start = fr_arena_zeroed(study->arena, rows.count + 1, sizeof *start);
    struct values values = { rows, start, 0 };
    size_t stride;

    for (size_t at = 0; start && at < rows.count; values.count++) {
        at += count_alike(slice(rows, at, rows.count), study->key + 1);
        start[values.count + 1] = at;
    }
    stride = values.count / MOST_BETWEEN + 1;
    for (size_t v = 0; v < values.count && study->count < MOST_CHECKS; v++) {
        if (v + OUTER_VALUES >= values.count)
            check_outer(study, &values, v, true);
        if (v < OUTER_VALUES)
            check_outer(study, &values, v, false);
        if (v > 0 && v + 1 < values.count && v % stride == 0)
            check_between(study, &values, v);
    }
    fr_arena_release(study->arena, mark);
}

/* Ascending by step, then by error; those between others last. */
static int by_step(const void *left, const void *right)
{
    const struct checked *a = left, *b = right;

    if (isnan(a->from) != isnan(b->from))
        return isnan(a->from) ? 1 : -1;
    if (!isnan(a->from) && a->from != b->from)
        return a->from < b->from ? -1 : 1;
    if (!isnan(a->from) && a->to != b->to)
        return a->to < b->to ? -1 : 1;
    return (a->error > b->error) - (a->error < b->error);
}

static bool is_same_step(const struct checked *a, const struct checked *b)
{
    return isnan(a->from) ? isnan(b->from) : a->from == b->from && a->to == b->to;
}

/* Fills `step` and the other members of *out from checks in the order of by_step. */
static void summarize(const struct study *study, struct fr_held_out_step step[MOST_STEPS],
                      struct fr_held_out *out)
{
    const struct checked *checked = study->checked;

    for (size_t first = 0, end; first < study->count; first = end) {
        double error;

        for (end = first; end < study->count && is_same_step(&checked[first], &checked[end]); end++)
            study->errors[end - first] = checked[end].error;
        error = fr_quantile(study->errors, end - first, share);
        if (isnan(checked[first].from)) {
            out->between_error = error;
            out->between_rows = end - first;
        } else if (out->steps < MOST_STEPS) {
            step[out->steps++] = (struct fr_held_out_step){ checked[first].from, checked[first].to,
                                                            error, end - first };
        }
    }
}

/* Checks one key of a table, and adds what was found. */
static int study_key(struct study *study, struct fr_timings rows, struct results *to)
{
    struct fr_held_out_step step[MOST_STEPS], *kept;
    struct fr_held_out *out = &to->of[to->count];

    study->count = 0;
    for (size_t at = 0, end; at < rows.count; at = end) {
        end = at + count_alike(slice(rows, at, rows.count), study->key);
        check_group(study, slice(rows, at, end));
    }
    if (!study->count)
        return FR_OK;
    qsort(study->checked, study->count, sizeof *study->checked, by_step);
    *out = (struct fr_held_out){ .what = study->table->what[study->key], .between_error = NAN };
    summarize(study, step, out);
    kept = fr_arena_zeroed(to->arena, out->steps, sizeof *kept);
    if (!kept)
        return FR_NOMEM;
    memcpy(kept, step, out->steps * sizeof *kept);
    out->step = kept;
    to->count++;
    return FR_OK;
}

/* Whether the calibration has what a look-up outside the table reads. */
static bool can_look_up(const struct held_out_table *table, const struct fr_calibration *cal)
{
    return (!table->timings || cal->network.protocols.count) &&
           (!table->reads_factors || (cal->average.count && cal->maximum.count));
}

/* Checks all keys of a table. */
static int study_table(struct study *study, struct results *to)
{
    const struct fr_arena_mark mark = fr_arena_mark(study->arena);
    const struct fr_timings rows = held_out_rows(study->table, study->cal, study->arena);
    int code = FR_OK;

    study->rows = rows;
    study->kept = fr_arena_zeroed(study->arena, rows.count, sizeof *study->kept);
    study->log_value = fr_arena_zeroed(study->arena, rows.count, sizeof *study->log_value);
    if (!study->kept || !study->log_value)
        code = FR_NOMEM;
    for (size_t i = 0; i < rows.count && code == FR_OK; i++)
        study->log_value[i] = NAN;
    for (study->key = 0; study->key < FR_TIMING_KEYS && code == FR_OK; study->key++)
        if (study->table->what[study->key])
            code = study_key(study, rows, to);
    fr_arena_release(study->arena, mark);
    return code;
}

/* Allocates what all tables need. */
static bool prepare(struct study *study)
{
    study->narrowed = fr_arena_zeroed(study->arena, 1, sizeof *study->narrowed);
    study->scratch = fr_arena_zeroed(study->arena, 1, sizeof *study->scratch);
    study->checked = fr_arena_zeroed(study->arena, MOST_CHECKS, sizeof *study->checked);
    study->errors = fr_arena_zeroed(study->arena, MOST_CHECKS, sizeof *study->errors);
    return study->narrowed && study->scratch && study->checked && study->errors;
}

int fr_held_outs_find(struct fr_calibration *cal, struct fr_arena *arena, struct fr_faults *faults)
{
    struct fr_held_outs *all = fr_arena_zeroed(arena, 1, sizeof *all);
    struct results to = { fr_arena_zeroed(arena, MOST_RESULTS, sizeof *to.of), 0, arena };
    struct study study = { .cal = cal, .arena = fr_arena_new(SCRATCH_BYTES) };
    int code = all && to.of && study.arena && prepare(&study) ? FR_OK : FR_NOMEM;

    for (size_t i = 0; code == FR_OK && i < HELD_OUT_TABLES; i++) {
        study.table = &held_out_tables[i];
        if (can_look_up(study.table, cal))
            code = study_table(&study, &to);
    }
    fr_arena_free(study.arena);
    if (code != FR_OK)
        return fr_fault(faults, code, "", "too large for held-out checks");
    *all = (struct fr_held_outs){ to.of, to.count };
    cal->held_outs = all;
    return FR_OK;
}
