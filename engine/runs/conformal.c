/* Prediction intervals from the residuals of past runs. */
#include "engine/runs/conformal.h"
#include "engine/core/arena.h"
#include "engine/core/fault.h"
#include "engine/runs/accuracy.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A decade speaks for itself from here on; with fewer runs of its own it would be too wide. */
enum { LEAST_OF_CLASS = 30 };
/* From here on each side is taken by itself, which follows a bias; with fewer runs the two
 * roundings would cost more width than that gains. */
enum { LEAST_OF_SIDES = 99 };

static int ascending(const void *left, const void *right)
{
    const double a = *(const double *)left, b = *(const double *)right;

    return (a > b) - (a < b);
}

const char *fr_interval_basis_name(enum fr_interval_basis basis)
{
    return basis == FR_BASIS_SIZE_CLASS ? "residuals_of_runs_of_this_size"
                                        : "residuals_of_runs_of_this_model";
}

static bool has_ratio(const struct fr_residual *residual)
{
    return residual->measured > 0 && residual->measured < INFINITY && residual->predicted > 0 &&
           residual->predicted < INFINITY;
}

static double log_ratio(const struct fr_residual *residual)
{
    return log(residual->measured / residual->predicted);
}

/* The k-th smallest |ratio| of ascending ratios, k from 1: what is nearest to 0 comes first. */
static double smallest_score(const double *ratio, size_t count, size_t k)
{
    size_t low = 0, high = count; /* the k smallest lie within some window; grow it from 0 */
    size_t left, right;

    while (low < high) {
        const size_t middle = (low + high) / 2;

        if (ratio[middle] < 0)
            low = middle + 1;
        else
            high = middle;
    }
    left = right = low; /* [left, right) */
    while (right - left < k) {
        const bool takes_right = left == 0 || (right < count && ratio[right] <= -ratio[left - 1]);

        if (takes_right)
            right++;
        else
            left--;
    }
    return fmax(left < low ? -ratio[left] : 0, right > low ? ratio[right - 1] : 0);
}

/* The rank of the score that covers a new run with at least this probability. */
static size_t rank_of(size_t count, double coverage)
{
    return (size_t)ceil((double)(count + 1) * coverage - 1e-9);
}

static int decade_of(double predicted)
{
    return (int)floor(log10(predicted));
}

/* All that a double can be: 633, and some to spare. */
enum { MOST_DECADES = 700 };

/* Runs that are being divided into decades: what the struct fr_conformal points to, for writing. */
struct division {
    struct fr_conformal_class *decade;
    double *all, **own; /* room for the ratios of all runs, and of each decade's */
};

static size_t place_of(const struct division *division, struct fr_conformal *conformal,
                       double predicted)
{
    const int decade = decade_of(predicted);

    for (size_t k = 0; k < conformal->decades; k++)
        if (division->decade[k].decade == decade)
            return k;
    division->decade[conformal->decades].decade = decade;
    return conformal->decades++;
}

/* Makes room for the runs, decade by decade; none of them is in it yet. */
static int divide(struct division *division, const struct fr_residual *residual, size_t count,
                  struct fr_arena *arena, struct fr_conformal *out)
{
    double *room = fr_arena_zeroed(arena, count, sizeof *room);

    *out = (struct fr_conformal){ .decades = 0 };
    division->decade = fr_arena_zeroed(arena, MOST_DECADES, sizeof *division->decade);
    division->own = fr_arena_zeroed(arena, MOST_DECADES, sizeof *division->own);
    division->all = fr_arena_zeroed(arena, count, sizeof *division->all);
    if (!room || !division->decade || !division->own || !division->all)
        return FR_NOMEM;
    out->decade = division->decade;
    out->all.ratio = division->all;
    for (size_t i = 0; i < count; i++)
        if (has_ratio(&residual[i]))
            division->decade[place_of(division, out, residual[i].predicted)].count++;
    for (size_t k = 0; k < out->decades; k++) {
        division->own[k] = room;
        division->decade[k].ratio = room;
        room += division->decade[k].count;
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
        size_t k;

        if (!has_ratio(&residual[i]))
            continue;
        k = place_of(&division, out, residual[i].predicted);
        division.all[out->all.count++] = log_ratio(&residual[i]);
        division.own[k][division.decade[k].count++] = log_ratio(&residual[i]);
    }
    qsort(division.all, out->all.count, sizeof *division.all, ascending);
    for (size_t k = 0; k < out->decades; k++)
        qsort(division.own[k], division.decade[k].count, sizeof **division.own, ascending);
    return FR_OK;
}

/* The interval of the logarithm that ascending ratios give, of which there are enough. */
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

/* The runs that speak for such a prediction; NULL where there are too few of them. */
static const struct fr_conformal_class *speaking_for(const struct fr_conformal *conformal,
                                                     double predicted)
{
    if (!(predicted > 0 && predicted < INFINITY) || conformal->all.count < FR_LEAST_RUNS)
        return NULL;
    for (size_t i = 0; i < conformal->decades; i++)
        if (conformal->decade[i].decade == decade_of(predicted) &&
            conformal->decade[i].count >= LEAST_OF_CLASS)
            return &conformal->decade[i];
    return &conformal->all;
}

bool fr_conformal_interval(const struct fr_conformal *conformal, double predicted_s,
                           struct fr_interval *out)
{
    const struct fr_conformal_class *class = speaking_for(conformal, predicted_s);
    double low, high;

    if (!class)
        return false;
    limits_of(class->ratio, class->count, &low, &high);
    *out = (struct fr_interval){
        .low_s = predicted_s * exp(low),
        .high_s = predicted_s * exp(high),
        .coverage_fraction = FR_COVERAGE,
        .runs = class->count,
        .basis = class == &conformal->all ? FR_BASIS_MODEL : FR_BASIS_SIZE_CLASS,
    };
    return true;
}

/* Puts a value into ascending ones. */
static void insert(double *sorted, size_t count, double value)
{
    size_t low = 0, high = count;

    while (low < high) {
        const size_t middle = (low + high) / 2;

        if (sorted[middle] < value)
            low = middle + 1;
        else
            high = middle;
    }
    memmove(sorted + low + 1, sorted + low, (count - low) * sizeof *sorted);
    sorted[low] = value;
}

/* Compares logarithms: the limits are runs themselves, and exp(log(x)) need not be x. */
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
        const double predicted = residual[i].predicted;
        const struct fr_conformal_class *class;
        double ratio, low, high;
        size_t k;

        if (!has_ratio(&residual[i]))
            continue;
        ratio = log_ratio(&residual[i]);
        class = speaking_for(&before, predicted);
        if (class) {
            limits_of(class->ratio, class->count, &low, &high);
            covered += ratio >= low && ratio <= high;
            ++*tested;
        }
        k = place_of(&division, &before, predicted);
        insert(division.all, before.all.count++, ratio);
        insert(division.own[k], division.decade[k].count++, ratio);
    }
    return *tested ? (double)covered / (double)*tested : NAN;
}
