/* Prediction intervals from the residuals of past runs
 * (docs/saved_runs.md#prediction-intervals). */
#include "engine/core/arena.h"
#include "engine/core/fault.h"
#include "engine/core/statistics.h"
#include "engine/runs/accuracy.h"

#include <math.h>
#include <string.h>

/* The fewest runs of a decade that are used alone; fewer would give wider intervals. */
enum { LEAST_OF_CLASS = 30 };
/* The fewest runs whose two sides are bounded separately
 * (docs/saved_runs.md#decision-one-half-width-below-99-runs). */
enum { LEAST_OF_SIDES = 99 };

const char *fr_interval_basis_name(enum fr_interval_basis basis)
{
    static const char *const names[] = {
        [FR_BASIS_MODEL] = "residuals_of_runs_of_this_model",
        [FR_BASIS_SIZE_CLASS] = "residuals_of_runs_of_this_size",
        [FR_BASIS_TRANSFER] = "transfer",
        [FR_BASIS_VARIABILITY] = "variability",
    };

    return names[basis];
}

/* The number of ascending values below `value`. */
static size_t count_below(const double *sorted, size_t count, double value)
{
    size_t low = 0, high = count;

    while (low < high) {
        const size_t middle = (low + high) / 2;

        if (sorted[middle] < value)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The k-th smallest |ratio| of ascending ratios, k from 1. */
static double smallest_score(const double *ratio, size_t count, size_t k)
{
    const size_t low = count_below(ratio, count, 0);
    size_t left = low, right = low; /* [left, right) holds the smallest scores; it grows from 0 */

    while (right - left < k) {
        const bool takes_right = left == 0 || (right < count && ratio[right] <= -ratio[left - 1]);

        if (takes_right)
            right++;
        else
            left--;
    }
    return fmax(left < low ? -ratio[left] : 0, right > low ? ratio[right - 1] : 0);
}

/* The rank of the score that covers a new run with probability `coverage` or more. */
static size_t rank_of(size_t count, double coverage)
{
    return (size_t)ceil((double)(count + 1) * coverage - 1e-9);
}

static int decade_of(double predicted)
{
    return (int)floor(log10(predicted));
}

/* Doubles span 633 decades. */
enum { MOST_DECADES = 700 };

/* Writable views of the arrays of a struct fr_conformal under construction. */
struct division {
    struct fr_conformal_class *decade;
    double *all, **own; /* ratios of all runs, and of each decade */
};

static size_t class_of(const struct division *division, struct fr_conformal *conformal,
                       double predicted)
{
    const int decade = decade_of(predicted);

    for (size_t k = 0; k < conformal->decades; k++)
        if (division->decade[k].decade == decade)
            return k;
    division->decade[conformal->decades].decade = decade;
    return conformal->decades++;
}

/* Allocates the classes of the runs, which are empty afterwards. */
static int divide(struct division *division, const struct fr_residual *residual, size_t count,
                  struct fr_arena *arena, struct fr_conformal *out)
{
    double *own = fr_arena_zeroed(arena, count, sizeof *own);

    *out = (struct fr_conformal){ .decades = 0 };
    division->decade = fr_arena_zeroed(arena, MOST_DECADES, sizeof *division->decade);
    division->own = fr_arena_zeroed(arena, MOST_DECADES, sizeof *division->own);
    division->all = fr_arena_zeroed(arena, count, sizeof *division->all);
    if (!own || !division->decade || !division->own || !division->all)
        return FR_NOMEM;
    out->decade = division->decade;
    out->all.ratio = division->all;
    for (size_t i = 0; i < count; i++)
        if (!isnan(fr_log_ratio(&residual[i])))
            division->decade[class_of(division, out, residual[i].predicted)].count++;
    for (size_t k = 0; k < out->decades; k++) {
        division->own[k] = own;
        division->decade[k].ratio = own;
        own += division->decade[k].count;
        division->decade[k].count = 0;
    }
    return FR_OK;
}

int fr_conformal_prepare(const struct fr_residual *residual, size_t count, struct fr_arena *arena,
                         struct fr_conformal *out)
{
    struct division division;

    if (divide(&division, residual, count, arena, out) != FR_OK)
        return FR_NOMEM;
    for (size_t i = 0; i < count; i++) {
        const double ratio = fr_log_ratio(&residual[i]);
        size_t k;

        if (isnan(ratio))
            continue;
        k = class_of(&division, out, residual[i].predicted);
        division.all[out->all.count++] = ratio;
        division.own[k][division.decade[k].count++] = ratio;
    }
    fr_sort(division.all, out->all.count);
    for (size_t k = 0; k < out->decades; k++)
        fr_sort(division.own[k], division.decade[k].count);
    return FR_OK;
}

/* The interval of the logarithm from at least FR_LEAST_RUNS ascending ratios. */
static void limits_of(const double *ratio, size_t count, double *low, double *high)
{
    const double tail = (1 - FR_COVERAGE) / 2;

    if (count >= LEAST_OF_SIDES) {
        *low = ratio[(size_t)floor((double)(count + 1) * tail + 1e-9) - 1];
        *high = ratio[rank_of(count, 1 - tail) - 1];
    } else {
        *high = smallest_score(ratio, count, rank_of(count, FR_COVERAGE));
        *low = -*high;
    }
}

/* The runs that are comparable with a prediction; NULL if there are fewer than `least`. */
static const struct fr_conformal_class *comparable_runs(const struct fr_conformal *conformal,
                                                        double predicted, size_t least)
{
    if (!(predicted > 0 && predicted < INFINITY) || conformal->all.count < least)
        return NULL;
    for (size_t i = 0; i < conformal->decades; i++)
        if (conformal->decade[i].decade == decade_of(predicted) &&
            conformal->decade[i].count >= LEAST_OF_CLASS && conformal->decade[i].count >= least)
            return &conformal->decade[i];
    return &conformal->all;
}

static enum fr_interval_basis basis_of(const struct fr_conformal *conformal,
                                       const struct fr_conformal_class *class)
{
    return class == &conformal->all ? FR_BASIS_MODEL : FR_BASIS_SIZE_CLASS;
}

bool fr_conformal_interval(const struct fr_conformal *conformal, double predicted_s,
                           struct fr_interval *out)
{
    const struct fr_conformal_class *class = comparable_runs(conformal, predicted_s, FR_LEAST_RUNS);
    double low, high;

    if (!class)
        return false;
    limits_of(class->ratio, class->count, &low, &high);
    *out = (struct fr_interval){
        .low_s = predicted_s * exp(low),
        .high_s = predicted_s * exp(high),
        .coverage_fraction = FR_COVERAGE,
        .runs = class->count,
        .basis = basis_of(conformal, class),
    };
    return true;
}

bool fr_conformal_range(const struct fr_conformal *conformal, double predicted_s,
                        struct fr_interval *out)
{
    const struct fr_conformal_class *all = &conformal->all;

    if (all->count < FR_LEAST_TRANSFERRED || all->count >= FR_LEAST_RUNS)
        return false;
    *out = (struct fr_interval){
        .low_s = predicted_s * exp(all->ratio[0]),
        .high_s = predicted_s * exp(all->ratio[all->count - 1]),
        .coverage_fraction = ((double)all->count - 1) / ((double)all->count + 1),
        .runs = all->count,
        .basis = FR_BASIS_TRANSFER,
    };
    return true;
}

size_t fr_conformal_least_runs(double share)
{
    const size_t least = (size_t)ceil(share / (1 - share) - 1e-9);

    return least > FR_LEAST_RUNS ? least : FR_LEAST_RUNS;
}

bool fr_conformal_limit(const struct fr_conformal *conformal, double predicted_s, double share,
                        struct fr_time_limit *out)
{
    const size_t least = fr_conformal_least_runs(share);
    const struct fr_conformal_class *class = comparable_runs(conformal, predicted_s, least);
    const bool is_enough = class;

    if (!is_enough)
        class = comparable_runs(conformal, predicted_s, 1);
    if (!class)
        return false;
    *out = (struct fr_time_limit){
        .time_s = predicted_s *
                  exp(class->ratio[(is_enough ? rank_of(class->count, share) : class->count) - 1]),
        .runs = class->count,
        .basis = basis_of(conformal, class),
        .is_guaranteed = is_enough,
    };
    return true;
}

/* Inserts a value into ascending values. */
static void insert(double *sorted, size_t count, double value)
{
    const size_t at = count_below(sorted, count, value);

    memmove(sorted + at + 1, sorted + at, (count - at) * sizeof *sorted);
    sorted[at] = value;
}

/* Compares logarithms: the limits are ratios of runs, and exp(log(x)) may differ from x. */
double fr_conformal_coverage(const struct fr_residual *residual, size_t count,
                             struct fr_arena *arena, size_t *tested)
{
    struct fr_conformal before;
    struct division division;
    size_t covered = 0;

    *tested = 0;
    if (divide(&division, residual, count, arena, &before) != FR_OK)
        return NAN;
    for (size_t i = 0; i < count; i++) {
        const double predicted = residual[i].predicted, ratio = fr_log_ratio(&residual[i]);
        const struct fr_conformal_class *class;
        double low, high;
        size_t k;

        if (isnan(ratio))
            continue;
        class = comparable_runs(&before, predicted, FR_LEAST_RUNS);
        if (class) {
            limits_of(class->ratio, class->count, &low, &high);
            covered += ratio >= low && ratio <= high;
            ++*tested;
        }
        k = class_of(&division, &before, predicted);
        insert(division.all, before.all.count++, ratio);
        insert(division.own[k], division.decade[k].count++, ratio);
    }
    return *tested ? (double)covered / (double)*tested : NAN;
}
