/* Detects that the newest runs left the interval of the earlier ones, and since when; and stretches
 * of the past that did so (docs/saved_runs.md#drift). */
#include "engine/core/arena.h"
#include "engine/core/statistics.h"
#include "engine/runs/accuracy.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LEAST_NEW = 5, MOST_RUNS = 2000, MOST_TRIES = 8 };
/* Probability of a false alarm, over all starts that are tried. */
static const double false_alarm = 0.005;
/* Of a stretch of the past: days of a steady machine differ by less
 * (docs/saved_runs.md#drift-that-has-passed). */
static const double least_change = 0.05;
/* Between two runs, for a stretch to begin or end there: runs of one upload come closer. */
static const double least_gap_s = 1;

/* Logarithms of measured / predicted in the order of time. */
struct series {
    double *ratio;
    size_t *place; /* index of each among the residuals */
    size_t count;
    double *sorted;        /* scratch of `count` values */
    double *log_factorial; /* of 0 to count */
};

static double log_choose(const struct series *series, size_t n, size_t k)
{
    return series->log_factorial[n] - series->log_factorial[k] - series->log_factorial[n - k];
}

/* The probability that at least k of `runs` new values exceed the rank-th largest of `earlier`
 * values, all from one continuous distribution: at least k of the k + rank - 1 largest are new. */
static double tail(const struct series *series, size_t earlier, size_t runs, size_t rank, size_t k)
{
    const size_t top = k + rank - 1;
    double sum = 0;

    for (size_t fresh = k; fresh <= runs && fresh <= top; fresh++)
        if (top - fresh <= earlier)
            sum += exp(log_choose(series, runs, fresh) + log_choose(series, earlier, top - fresh) -
                       log_choose(series, earlier + runs, top));
    return sum;
}

/* The runs from `since` until before `end`, compared with all others: those before, where `end` is
 * that of the series. */
struct split {
    size_t since, end, runs, outside; /* beyond the interval of the others, on one side */
    double others, own;               /* medians */
    double chance;                    /* probability of so many if nothing changed */
};

/* Sorts the first values of `sorted` for it. */
static double median(const struct series *series, size_t count)
{
    fr_sort(series->sorted, count);
    return fr_quantile(series->sorted, count, 0.5);
}

static double median_of(const struct series *series, size_t first, size_t end)
{
    memcpy(series->sorted, series->ratio + first, (end - first) * sizeof *series->sorted);
    return median(series, end - first);
}

static struct split test_split(const struct series *series, size_t since, size_t end)
{
    const size_t runs = end - since, others = series->count - runs;
    const size_t rank = (size_t)fmax(1, floor((double)(others + 1) * (1 - FR_COVERAGE) / 2));
    double *sorted = series->sorted;
    size_t above = 0, below = 0;
    struct split split = { .since = since, .end = end, .runs = runs };

    split.own = median_of(series, since, end);
    memcpy(sorted, series->ratio, since * sizeof *sorted);
    memcpy(sorted + since, series->ratio + end, (series->count - end) * sizeof *sorted);
    split.others = median(series, others);
    for (size_t i = since; i < end; i++) {
        above += series->ratio[i] > sorted[others - rank];
        below += series->ratio[i] < sorted[rank - 1];
    }
    split.outside = above > below ? above : below;
    split.chance = 2 * tail(series, others, runs, rank, split.outside);
    return split;
}

/* Whether the runs after one of several starts, each further back, differ from those before. */
static bool is_alarm(const struct series *series)
{
    double least = INFINITY;
    size_t tried = 0;

    for (size_t runs = LEAST_NEW; runs + FR_LEAST_RUNS <= series->count; runs += 1 + runs / 4) {
        least = fmin(least, test_split(series, series->count - runs, series->count).chance);
        tried++;
    }
    return least * (double)tried <= false_alarm;
}

/* The split whose means before and after differ most, weighted as in least squares. */
static size_t best_split(const struct series *series)
{
    const double count = (double)series->count;
    double total = 0, before = 0, most = -1;
    size_t best = FR_LEAST_RUNS;

    for (size_t i = 0; i < series->count; i++)
        total += series->ratio[i];
    for (size_t i = 0; i + LEAST_NEW <= series->count; i++) {
        const double n = (double)i, m = count - n;

        if (i >= FR_LEAST_RUNS) {
            const double apart = fabs(before / n - (total - before) / m) * sqrt(n * m / count);

            if (apart > most) {
                most = apart;
                best = i;
            }
        }
        before += series->ratio[i];
    }
    return best;
}

/* The start of the change that lasts until the newest run: the maximum of a cumulative sum from the
 * newest run backwards, in which a run counts by how much nearer it lies to the new level than to
 * the old one, between -1 and 1.  The search ends where the sum has fallen by LEAST_NEW: earlier
 * changes have passed.  Returns series->count if the newest runs are at the old level. */
static size_t start_of(const struct series *series, const struct split *split)
{
    const double middle = (split->others + split->own) / 2;
    const double half = (split->own - split->others) / 2;
    size_t best = series->count;
    double sum = 0, most = 0;

    if (half == 0)
        return best;
    for (size_t i = series->count; i > FR_LEAST_RUNS && sum > most - LEAST_NEW; i--) {
        sum += fmax(-1, fmin(1, (series->ratio[i - 1] - middle) / half));
        if (sum > most) {
            most = sum;
            best = i - 1;
        }
    }
    return best;
}

/* The newest of the residuals; false: out of memory. */
static bool prepare(struct series *series, const struct fr_residual *residual, size_t all,
                    struct fr_arena *arena)
{
    const size_t first = all > MOST_RUNS ? all - MOST_RUNS : 0, count = all - first;
    double *ratio = fr_arena_zeroed(arena, count, sizeof *ratio);
    size_t *place = fr_arena_zeroed(arena, count, sizeof *place);

    *series = (struct series){
        .ratio = ratio,
        .place = place,
        .sorted = fr_arena_zeroed(arena, count, sizeof *series->sorted),
        .log_factorial = fr_arena_zeroed(arena, count + 1, sizeof *series->log_factorial),
    };
    if (!ratio || !place || !series->sorted || !series->log_factorial)
        return false;
    for (size_t i = first; i < all; i++) {
        ratio[series->count] = fr_log_ratio(&residual[i]);
        if (isnan(ratio[series->count]))
            continue;
        place[series->count++] = i;
    }
    for (size_t i = 0; i < series->count; i++)
        series->log_factorial[i + 1] = series->log_factorial[i] + log((double)(i + 1));
    return true;
}

static struct fr_drift drift_of(const struct series *series, const struct split *split)
{
    return (struct fr_drift){
        .since = series->place[split->since],
        .last = series->place[split->end - 1],
        .runs = split->runs,
        .outside = split->outside,
        .other_runs = series->count - split->runs,
        .other_ratio = exp(split->others),
        .ratio = exp(split->own),
        .slowdown = exp(split->own - split->others),
    };
}

/* The change that lasts until the newest run. */
static bool find_lasting(const struct series *series, struct split *out)
{
    size_t since;

    if (series->count < FR_LEAST_RUNS + LEAST_NEW || !is_alarm(series))
        return false;
    *out = test_split(series, best_split(series), series->count);
    since = start_of(series, out);
    if (since == series->count)
        return false;
    if (since + LEAST_NEW > series->count)
        since = series->count - LEAST_NEW;
    *out = test_split(series, since, series->count);
    return 2 * out->outside >= out->runs; /* a few outliers are not a drift */
}

bool fr_drift_find(const struct fr_residual *residual, size_t count, struct fr_arena *arena,
                   struct fr_drift *out)
{
    struct series series;
    struct split split;

    if (!prepare(&series, residual, count, arena) || !find_lasting(&series, &split))
        return false;
    *out = drift_of(&series, &split);
    return true;
}

/* A run within a stretch, or outside it. */
struct sided {
    uint64_t configuration;
    double ratio;
    bool is_within;
};

/* What stretches of the past are looked for in. */
struct past {
    struct series series;
    const struct fr_residual *residual;
    const double *started_s; /* of each residual */
    double usual;            /* median of all runs */
    struct sided *run;       /* scratch of all runs; so are these */
    double *side[2];
};

/* Whether a stretch may begin with this run, or end before it. */
static bool may_cut(const struct past *past, size_t at)
{
    const size_t *place = past->series.place;

    return past->started_s[place[at]] - past->started_s[place[at - 1]] > least_gap_s;
}

/* The stretch with runs before and after whose mean differs most from that of all others, weighted
 * as in least squares, among `tried`.  The others are at least as many. */
static struct split best_stretch(const struct past *past, size_t *tried)
{
    const struct series *series = &past->series;
    const size_t count = series->count;
    double *sum = series->sorted, total = 0, most = -1;
    struct split best = { .since = 0 };

    for (size_t i = 0; i < count; i++)
        sum[i] = total += series->ratio[i];
    *tried = 0;
    for (size_t since = LEAST_NEW; since + 2 * LEAST_NEW <= count; since++) {
        if (!may_cut(past, since))
            continue;
        for (size_t end = since + LEAST_NEW; end + LEAST_NEW <= count; end++) {
            const double runs = (double)(end - since), others = (double)count - runs;
            const double above = sum[end - 1] - sum[since - 1] - total * runs / (double)count;
            const double apart = above * above / (runs * others);

            if (others < fmax(runs, FR_LEAST_RUNS))
                break;
            if (!may_cut(past, end))
                continue;
            ++*tried;
            if (apart > most) {
                most = apart;
                best.since = since;
                best.end = end;
            }
        }
    }
    return best;
}

/* Whether a median is nearer to that of the other runs than to that of the stretch. */
static bool is_as_others(const struct split *split, double value)
{
    return fabs(value - split->others) < fabs(value - split->own);
}

static int by_configuration(const void *left, const void *right)
{
    const struct sided *a = left, *b = right;

    if (a->configuration != b->configuration)
        return a->configuration < b->configuration ? -1 : 1;
    return a->is_within - b->is_within;
}

/* The medians outside the stretch and within it, of the runs whose configurations occur on both
 * sides; NaN if they are few. */
static void find_shared(const struct past *past, const struct split *split, double of[2])
{
    const struct series *series = &past->series;
    struct sided *run = past->run;
    size_t shared[2] = { 0 };

    for (size_t i = 0; i < series->count; i++)
        run[i] = (struct sided){ past->residual[series->place[i]].configuration, series->ratio[i],
                                 i >= split->since && i < split->end };
    qsort(run, series->count, sizeof *run, by_configuration);
    for (size_t first = 0, end; first < series->count; first = end) {
        for (end = first + 1;
             end < series->count && run[end].configuration == run[first].configuration;)
            end++;
        for (size_t i = first; run[first].is_within != run[end - 1].is_within && i < end; i++)
            past->side[run[i].is_within][shared[run[i].is_within]++] = run[i].ratio;
    }
    for (int within = 0; within < 2; within++) {
        fr_sort(past->side[within], shared[within]);
        of[within] =
            shared[within] < LEAST_NEW ? NAN : fr_quantile(past->side[within], shared[within], 0.5);
    }
}

/* Whether runs of the same configurations differ as the stretch and the others do: else it may be
 * a configuration that is predicted worse. */
static bool differs_in_time(const struct past *past, const struct split *split)
{
    double of[2];

    find_shared(past, split, of);
    return !isnan(of[true]) && !is_as_others(split, of[true]) && is_as_others(split, of[false]);
}

/* Whether the stretch, the best of so many, was a change that had a beginning and an end. */
static bool has_passed(const struct past *past, const struct split *split, size_t tried)
{
    const struct series *series = &past->series;

    return split->chance * (double)tried <= false_alarm && 2 * split->outside >= split->runs &&
           fabs(split->own - split->others) >= log1p(least_change) &&
           is_as_others(split, past->usual) &&
           is_as_others(split, median_of(series, 0, split->since)) &&
           is_as_others(split, median_of(series, split->end, series->count)) &&
           differs_in_time(past, split);
}

static void keep_in_order(struct fr_drift *out, size_t count, struct fr_drift drift)
{
    for (; count > 0 && out[count - 1].since > drift.since; count--)
        out[count] = out[count - 1];
    out[count] = drift;
}

static void leave_out(struct series *series, const struct split *split)
{
    const size_t after = series->count - split->end;

    memmove(series->ratio + split->since, series->ratio + split->end, after * sizeof(double));
    memmove(series->place + split->since, series->place + split->end, after * sizeof(size_t));
    series->count -= split->runs;
}

size_t fr_past_drifts_find(const struct fr_residual *residual, const double *started_s,
                           size_t count, struct fr_arena *arena,
                           struct fr_drift out[FR_MOST_PASSED])
{
    struct past past = { .residual = residual, .started_s = started_s };
    size_t found = 0;

    if (!prepare(&past.series, residual, count, arena) ||
        !(past.run = fr_arena_zeroed(arena, past.series.count, sizeof *past.run)) ||
        !(past.side[0] = fr_arena_zeroed(arena, past.series.count, sizeof(double))) ||
        !(past.side[1] = fr_arena_zeroed(arena, past.series.count, sizeof(double))))
        return 0;
    past.usual = past.series.count ? median_of(&past.series, 0, past.series.count) : NAN;
    for (int i = 0; i < MOST_TRIES && found < FR_MOST_PASSED; i++) {
        size_t tried;
        struct split split = best_stretch(&past, &tried);

        if (!tried)
            break;
        split = test_split(&past.series, split.since, split.end);
        if (has_passed(&past, &split, tried))
            keep_in_order(out, found++, drift_of(&past.series, &split));
        leave_out(&past.series, &split);
    }
    return found;
}
