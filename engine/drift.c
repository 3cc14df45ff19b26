/* Whether the newest runs have left the interval of those before them, and since when. */
#include "forerun.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LEAST_NEW = 5, MOST_RUNS = 2000 };
/* All starts that are tried together raise a false alarm this seldom, or seldomer. */
static const double false_alarm = 0.005;

static int ascending(const void *left, const void *right)
{
    const double a = *(const double *)left, b = *(const double *)right;

    return (a > b) - (a < b);
}

/* What is looked at: logarithms of measured / predicted in the order of time. */
struct series {
    const double *ratio;
    size_t count;
    double *sorted;        /* room for as many */
    double *log_factorial; /* up to count */
};

static double log_choose(const struct series *series, size_t n, size_t k)
{
    return series->log_factorial[n] - series->log_factorial[k] - series->log_factorial[n - k];
}

/* The probability that k or more of `runs` new values exceed the rank-th largest of `earlier` ones,
 * all from one distribution: among the k + rank - 1 largest at least k are then new. */
static double tail(const struct series *series, size_t earlier, size_t runs, size_t rank, size_t k)
{
    const size_t top = k + rank - 1;
    double sum = 0;

    for (size_t new = k; new <= runs &&new <= top; new ++)
        if (top - new <= earlier)
            sum += exp(log_choose(series, runs, new) + log_choose(series, earlier, top - new) -
                       log_choose(series, earlier + runs, top));
    return sum;
}

/* The runs from `since` on against those before. */
struct split {
    size_t since, outside; /* beyond the interval of those before, to one side */
    double earlier;        /* median before */
    double chance;         /* how likely so many are where nothing has changed */
};

static struct split judge_split(const struct series *series, size_t since)
{
    const size_t runs = series->count - since;
    const size_t rank = (size_t)fmax(1, floor((double)(since + 1) * (1 - FR_COVERAGE) / 2));
    double *sorted = series->sorted;
    size_t above = 0, below = 0;
    struct split split = { .since = since };

    memcpy(sorted, series->ratio, since * sizeof *sorted);
    qsort(sorted, since, sizeof *sorted, ascending);
    for (size_t i = since; i < series->count; i++) {
        above += series->ratio[i] > sorted[since - rank];
        below += series->ratio[i] < sorted[rank - 1];
    }
    split.outside = above > below ? above : below;
    split.earlier = fr_quantile(sorted, since, 0.5);
    split.chance = 2 * tail(series, since, runs, rank, split.outside);
    return split;
}

/* Whether some start, of a few ever further back, sets the newest runs apart from those before. */
static bool is_alarm(const struct series *series)
{
    double least = INFINITY;
    size_t tried = 0;

    for (size_t runs = LEAST_NEW; runs + FR_LEAST_RUNS <= series->count; runs += 1 + runs / 4) {
        least = fmin(least, judge_split(series, series->count - runs).chance);
        tried++;
    }
    return least * (double)tried <= false_alarm;
}

/* Where the means before and after differ most, weighted by how many runs each is of: the start by
 * least squares. */
static size_t best_start(const struct series *series)
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

static bool prepare(struct series *series, const struct fr_residual *residual,
                    struct fr_arena *arena)
{
    double *ratio = fr_arena_zeroed(arena, series->count, sizeof *ratio);

    series->ratio = ratio;
    series->sorted = fr_arena_zeroed(arena, series->count, sizeof *series->sorted);
    series->log_factorial = fr_arena_zeroed(arena, series->count + 1, sizeof(double));
    if (!ratio || !series->sorted || !series->log_factorial)
        return false;
    for (size_t i = 0; i < series->count; i++) {
        ratio[i] = log(residual[i].measured / residual[i].predicted);
        series->log_factorial[i + 1] = series->log_factorial[i] + log((double)(i + 1));
    }
    return true;
}

bool fr_drift_find(const struct fr_residual *residual, size_t count, struct fr_arena *arena,
                   struct fr_drift *out)
{
    const size_t skipped = count > MOST_RUNS ? count - MOST_RUNS : 0;
    struct series series = { .count = count - skipped };
    struct split split;
    size_t runs;

    if (series.count < FR_LEAST_RUNS + LEAST_NEW || !prepare(&series, residual + skipped, arena) ||
        !is_alarm(&series))
        return false;
    split = judge_split(&series, best_start(&series));
    runs = series.count - split.since;
    if (2 * split.outside < runs) /* a few odd runs are no drift */
        return false;
    memcpy(series.sorted, series.ratio + split.since, runs * sizeof *series.sorted);
    qsort(series.sorted, runs, sizeof *series.sorted, ascending);
    *out = (struct fr_drift){
        .since = skipped + split.since,
        .runs = runs,
        .outside = split.outside,
        .slowdown = exp(fr_quantile(series.sorted, runs, 0.5) - split.earlier),
    };
    return true;
}
