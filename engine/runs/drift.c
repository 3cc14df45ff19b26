/* Detects that the newest runs left the interval of the earlier ones, and since when
 * (docs/saved_runs.md#drift). */
#include "engine/core/arena.h"
#include "engine/core/statistics.h"
#include "engine/runs/accuracy.h"

#include <math.h>
#include <string.h>

enum { LEAST_NEW = 5, MOST_RUNS = 2000 };
/* Probability of a false alarm, over all starts that are tried. */
static const double false_alarm = 0.005;

/* Logarithms of measured / predicted in the order of time. */
struct series {
    const double *ratio;
    const size_t *place; /* index of each among the residuals */
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

/* The runs from `since` on, compared with those before. */
struct split {
    size_t since, runs, outside; /* beyond the earlier interval, on one side */
    double earlier, newest;      /* medians before and after */
    double chance;               /* probability of so many if nothing changed */
};

static double median(const struct series *series, size_t first, size_t end)
{
    memcpy(series->sorted, series->ratio + first, (end - first) * sizeof *series->sorted);
    fr_sort(series->sorted, end - first);
    return fr_quantile(series->sorted, end - first, 0.5);
}

static struct split test_split(const struct series *series, size_t since)
{
    const size_t rank = (size_t)fmax(1, floor((double)(since + 1) * (1 - FR_COVERAGE) / 2));
    const double *sorted = series->sorted;
    size_t above = 0, below = 0;
    struct split split = { .since = since, .runs = series->count - since };

    split.newest = median(series, since, series->count);
    split.earlier = median(series, 0, since); /* leaves the earlier runs sorted */
    for (size_t i = since; i < series->count; i++) {
        above += series->ratio[i] > sorted[since - rank];
        below += series->ratio[i] < sorted[rank - 1];
    }
    split.outside = above > below ? above : below;
    split.chance = 2 * tail(series, since, split.runs, rank, split.outside);
    return split;
}

/* Whether the runs after one of several starts, each further back, differ from those before. */
static bool is_alarm(const struct series *series)
{
    double least = INFINITY;
    size_t tried = 0;

    for (size_t runs = LEAST_NEW; runs + FR_LEAST_RUNS <= series->count; runs += 1 + runs / 4) {
        least = fmin(least, test_split(series, series->count - runs).chance);
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
    const double middle = (split->earlier + split->newest) / 2;
    const double half = (split->newest - split->earlier) / 2;
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

static bool prepare(struct series *series, const struct fr_residual *residual, size_t count,
                    struct fr_arena *arena)
{
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
    for (size_t i = 0; i < count; i++) {
        ratio[series->count] = fr_log_ratio(&residual[i]);
        if (isnan(ratio[series->count]))
            continue;
        place[series->count++] = i;
    }
    for (size_t i = 0; i < series->count; i++)
        series->log_factorial[i + 1] = series->log_factorial[i] + log((double)(i + 1));
    return true;
}

bool fr_drift_find(const struct fr_residual *residual, size_t count, struct fr_arena *arena,
                   struct fr_drift *out)
{
    const size_t skipped = count > MOST_RUNS ? count - MOST_RUNS : 0;
    struct series series;
    struct split split;
    size_t since;

    if (!prepare(&series, residual + skipped, count - skipped, arena) ||
        series.count < FR_LEAST_RUNS + LEAST_NEW || !is_alarm(&series))
        return false;
    split = test_split(&series, best_split(&series));
    since = start_of(&series, &split);
    if (since == series.count)
        return false;
    if (since + LEAST_NEW > series.count)
        since = series.count - LEAST_NEW;
    split = test_split(&series, since);
    if (2 * split.outside < split.runs) /* a few outliers are not a drift */
        return false;
    *out = (struct fr_drift){
        .since = skipped + series.place[since],
        .runs = split.runs,
        .outside = split.outside,
        .earlier_runs = split.since,
        .earlier_ratio = exp(split.earlier),
        .ratio = exp(split.newest),
        .slowdown = exp(split.newest - split.earlier),
    };
    return true;
}
