/* Tables of measured patterns: sorted once by their keys, searched by bisection, interpolated key
 * by key. */
#include "engine/lookup/lookup.h"

#include <math.h>
#include <stdlib.h>

static struct fr_timing timing(double processes, double distance, double bytes)
{
    return (struct fr_timing){
        .key = { processes, distance, bytes },
        .x = { log2(processes), log2(distance), log2(fmax(1, bytes)) },
    };
}

static int by_keys(const void *left, const void *right)
{
    const struct fr_timing *a = left, *b = right;

    if (a->pattern != b->pattern)
        return a->pattern < b->pattern ? -1 : 1;
    if (a->layers != b->layers)
        return a->layers < b->layers ? -1 : 1;
    for (size_t i = 0; i < FR_TIMING_KEYS; i++)
        if (a->key[i] != b->key[i])
            return a->key[i] < b->key[i] ? -1 : 1;
    return 0;
}

bool fr_pattern_crosses_layers(enum fr_pattern_kind pattern)
{
    switch ((int)pattern) {
    case FR_REPLICATE_LAYERS:
    case FR_REDUCE_LAYERS:
    case FR_BROADCAST_LAYERS:
    case FR_BROADCAST_LAYERS_ALONE:
    case FR_SCATTER_LAYERS:
    case FR_GATHER_LAYERS:
    case FR_REDUCE_SCATTER_LAYERS:
    case FR_ALLGATHER_LAYERS:
        return true;
    default:
        return false;
    }
}

bool fr_pattern_is_possible(enum fr_pattern_kind pattern, int64_t processes, int64_t layers)
{
    const int64_t q = llround(sqrt((double)processes / (double)layers));

    if (processes % layers || q * q != processes / layers)
        return false;
    if (fr_pattern_crosses_layers(pattern))
        return layers > 1;
    return q > 1 || (pattern == FR_DISTRIBUTE && layers > 1);
}

static bool take_pattern(const struct fr_calibration *cal, size_t i, struct fr_timing *out)
{
    const struct fr_pattern *from = &cal->contention.patterns.row[i];

    *out = timing((double)from->processes, 1, from->message_bytes);
    out->pattern = from->pattern;
    out->layers = from->layers;
    out->average_s = from->average_s;
    out->maximum_s = from->maximum_s;
    return fr_pattern_is_possible((enum fr_pattern_kind)from->pattern, from->processes,
                                  from->layers);
}

static bool take_exchange(const struct fr_calibration *cal, size_t i, struct fr_timing *out)
{
    const struct fr_exchange *from = &cal->contention.exchange.row[i];

    *out = timing((double)from->processes, (double)from->distance, from->message_bytes);
    out->average_s = from->average_s;
    out->maximum_s = isnan(from->maximum_s) ? from->average_s : from->maximum_s;
    return true;
}

static bool take_fold(const struct fr_calibration *cal, size_t i, struct fr_timing *out)
{
    const struct fr_fold *from = &cal->contention.fold.row[i];

    *out = timing((double)from->processes, 1, from->message_bytes);
    out->average_s = from->message_s;
    return true;
}

static bool take_burst(const struct fr_calibration *cal, size_t i, struct fr_timing *out)
{
    const struct fr_burst *from = &cal->contention.burst.row[i];

    *out = timing((double)from->processes, 1, from->message_bytes);
    out->average_s = from->gap_s;
    return true;
}

/* A table whose row i `take` returns; false: it is left out. */
static struct fr_timings prepare(const struct fr_calibration *cal, size_t count, const char *table,
                                 bool (*take)(const struct fr_calibration *cal, size_t i,
                                              struct fr_timing *out),
                                 struct fr_arena *arena, struct fr_faults *faults)
{
    struct fr_timing *row = count ? fr_arena_zeroed(arena, count, sizeof *row) : NULL;
    size_t kept = 0;

    if (count && !row)
        fr_fault(faults, FR_NOMEM, table, "too large to index");
    for (size_t i = 0; row && i < count; i++)
        kept += take(cal, i, &row[kept]);
    if (kept)
        qsort(row, kept, sizeof *row, by_keys);
    return (struct fr_timings){ row, kept };
}

void fr_timings_prepare(struct fr_calibration *cal, struct fr_arena *arena,
                        struct fr_faults *faults)
{
    cal->patterns = prepare(cal, cal->contention.patterns.count, "/contention/patterns",
                            take_pattern, arena, faults);
    cal->exchange = prepare(cal, cal->contention.exchange.count, "/contention/exchange",
                            take_exchange, arena, faults);
    cal->fold =
        prepare(cal, cal->contention.fold.count, "/contention/fold", take_fold, arena, faults);
    cal->burst =
        prepare(cal, cal->contention.burst.count, "/contention/burst", take_burst, arena, faults);
}

/* The index of the first row not before (pattern, layers). */
static size_t first_of(const struct fr_timings *table, int pattern, int64_t layers)
{
    size_t low = 0, high = table->count;

    while (low < high) {
        const size_t middle = (low + high) / 2;
        const struct fr_timing *row = &table->row[middle];

        if (row->pattern < pattern || (row->pattern == pattern && row->layers < layers))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

struct fr_timings fr_timings_of(const struct fr_calibration *cal, enum fr_pattern_kind pattern,
                                int64_t layers)
{
    const size_t first = first_of(&cal->patterns, (int)pattern, layers);
    const size_t end = first_of(&cal->patterns, (int)pattern, layers + 1);

    return (struct fr_timings){ first < end ? &cal->patterns.row[first] : NULL, end - first };
}

/* The index of the first row whose key is at least x, or with `is_beyond` above x. */
static size_t first_at(const struct fr_timings *rows, enum fr_timing_key key, double x,
                       bool is_beyond)
{
    size_t low = 0, high = rows->count;

    while (low < high) {
        const size_t middle = (low + high) / 2;
        const double here = rows->row[middle].x[key];

        if (here < x || (is_beyond && here == x))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The rows with the same key as the one at `index`. */
static struct fr_timings alike(const struct fr_timings *rows, enum fr_timing_key key, size_t index)
{
    const double x = rows->row[index].x[key];
    const size_t first = first_at(rows, key, x, false);

    return (struct fr_timings){ rows->row + first, first_at(rows, key, x, true) - first };
}

static double ratio_over(const struct fr_timing_question *question, struct fr_timings rows,
                         enum fr_timing_key key);

/* The ratio at one measured value of the key. */
static double ratio_at(const struct fr_timing_question *question, const struct fr_timings *rows,
                       enum fr_timing_key key, size_t index)
{
    if (key + 1 == FR_TIMING_KEYS)
        return question->ratio(question->context, &rows->row[index]);
    return ratio_over(question, alike(rows, key, index), key + 1);
}

/* Interpolates along one key, and within it along the following keys. */
static double ratio_over(const struct fr_timing_question *question, struct fr_timings rows,
                         enum fr_timing_key key)
{
    const double at = fmax(1, question->at[key]), x = log2(at);
    const size_t last = rows.count - 1, above = first_at(&rows, key, x, false);

    if (above <= last && rows.row[above].x[key] == x)
        return ratio_at(question, &rows, key, above);
    if (above == 0 || above > last) {
        const double weight =
            fr_extrapolate(question->run->out, question->what[key], at,
                           fmax(1, rows.row[0].key[key]), fmax(1, rows.row[last].key[key]));

        return weight * ratio_at(question, &rows, key, above ? last : 0);
    }
    return fr_interpolate(x, rows.row[above - 1].x[key], ratio_at(question, &rows, key, above - 1),
                          rows.row[above].x[key], ratio_at(question, &rows, key, above));
}

struct fr_evaluation fr_timing_run(const struct fr_evaluation *run)
{
    struct fr_evaluation there = *run;

    if (run->cal->as_measured)
        there.cal = run->cal->as_measured;
    return there;
}

double fr_timing_ratio(const struct fr_timing_question *question)
{
    return ratio_over(question, question->rows, 0);
}
