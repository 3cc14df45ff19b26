/* Errors of past predictions, and whether predictions order variants correctly
 * (docs/saved_runs.md#accuracy-of-past-predictions). */
#include "engine/runs/accuracy.h"
#include "engine/core/arena.h"
#include "engine/core/fault.h"
#include "engine/core/statistics.h"

#include <math.h>
#include <stdlib.h>

double fr_log_ratio(const struct fr_residual *residual)
{
    const bool has_ratio = residual->measured > 0 && residual->measured < INFINITY &&
                           residual->predicted > 0 && residual->predicted < INFINITY;

    return has_ratio ? log(residual->measured / residual->predicted) : NAN;
}

double fr_percent_points(double predicted, double measured, double at_peak)
{
    return measured > 0 ? 100 * at_peak * (1 / predicted - 1 / measured) : NAN;
}

void fr_accuracy_add_points(double *points, size_t count, struct fr_accuracy *accuracy)
{
    size_t known = 0;

    for (size_t i = 0; i < count; i++)
        if (!isnan(points[i]))
            points[known++] = fabs(points[i]);
    if (!known)
        return;
    fr_sort(points, known);
    accuracy->median_error_percent_points = fr_quantile(points, known, 0.5);
    accuracy->worst_error_percent_points = points[known - 1];
}

/* A measurement of 0 has no relative error. */
static bool has_error(const struct fr_residual *residual)
{
    return residual->measured > 0 && isfinite(residual->predicted);
}

static double error_of(const struct fr_residual *residual)
{
    return (residual->predicted - residual->measured) / residual->measured;
}

/* The share of ascending values up to a limit, with a tolerance for rounding. */
static double share_within(const double *sorted, size_t count, double limit)
{
    size_t within = 0;

    while (within < count && sorted[within] <= limit * (1 + 1e-12))
        within++;
    return (double)within / (double)count;
}

static int by_problem(const void *left, const void *right)
{
    const struct fr_residual *a = left, *b = right;

    if (a->problem != b->problem)
        return a->problem < b->problem ? -1 : 1;
    if (a->configuration != b->configuration)
        return a->configuration < b->configuration ? -1 : 1;
    if (a->measured != b->measured)
        return a->measured < b->measured ? -1 : 1;
    return (a->predicted > b->predicted) - (a->predicted < b->predicted);
}

/* Replaces the repetitions of a configuration by their median and its prediction, which differs
 * between repetitions if runs measured their own computation.  Returns the number of rows left. */
static size_t merge_repetitions(struct fr_residual *sorted, size_t count)
{
    size_t kept = 0;

    for (size_t first = 0, end; first < count; first = end) {
        const struct fr_residual *low, *high;

        for (end = first + 1; end < count && sorted[end].problem == sorted[first].problem &&
                              sorted[end].configuration == sorted[first].configuration;)
            end++;
        low = &sorted[first + (end - first - 1) / 2];
        high = &sorted[first + (end - first) / 2];
        sorted[kept] = (struct fr_residual){
            .measured = (low->measured + high->measured) / 2,
            .predicted = (low->predicted + high->predicted) / 2,
            .problem = low->problem,
            .configuration = low->configuration,
        };
        kept++;
    }
    return kept;
}

static int by_prediction(const void *left, const void *right)
{
    const struct fr_residual *a = left, *b = right;

    if (a->predicted != b->predicted)
        return a->predicted < b->predicted ? -1 : 1;
    return (a->measured > b->measured) - (a->measured < b->measured);
}

/* Sorts by measured time (merge sort) and returns the number of inversions; equal values are not
 * inverted. */
static double count_inversions(struct fr_residual *row, struct fr_residual *scratch, size_t count)
{
    const size_t half = count / 2;
    double inversions;
    size_t left = 0, right = half;

    if (count < 2)
        return 0;
    inversions =
        count_inversions(row, scratch, half) + count_inversions(row + half, scratch, count - half);
    for (size_t i = 0; i < count; i++) {
        if (left < half && (right == count || row[left].measured <= row[right].measured)) {
            scratch[i] = row[left++];
        } else {
            inversions += (double)(half - left);
            scratch[i] = row[right++];
        }
    }
    for (size_t i = 0; i < count; i++)
        row[i] = scratch[i];
    return inversions;
}

/* Pairs among `count` rows. */
static double pairs_of(size_t count)
{
    return (double)count * (double)(count - 1) / 2;
}

/* Sums over the problems. */
struct order {
    double pairs, right, best_right, *regret;
    size_t problems;
};

/* If several configurations tie for the best prediction, the mean over them counts; otherwise a
 * model that predicts the same for all would always be right. */
static void judge_best(const struct fr_residual *row, size_t count, double best,
                       struct order *order)
{
    double sum = 0;
    size_t tied = 0, right = 0;

    for (; tied < count && row[tied].predicted == row[0].predicted; tied++) {
        sum += row[tied].measured / best - 1;
        right += row[tied].measured == best;
    }
    order->best_right += (double)right / (double)tied;
    order->regret[order->problems++] = sum / (double)tied;
}

/* Configurations of one problem, sorted by prediction, then by measurement. */
static void judge_problem(struct fr_residual *row, struct fr_residual *scratch, size_t count,
                          struct order *order)
{
    double best = row[0].measured, tied = 0, same = 0, wrong;

    for (size_t first = 0, end; first < count; first = end) {
        for (end = first; end < count && row[end].predicted == row[first].predicted; end++)
            best = fmin(best, row[end].measured);
        tied += pairs_of(end - first);
        for (size_t i = first, next; i < end; i = next) {
            for (next = i; next < end && row[next].measured == row[i].measured;)
                next++;
            tied -= pairs_of(next - i); /* equal in both: not a pair */
        }
    }
    judge_best(row, count, best, order);
    wrong = count_inversions(row, scratch, count); /* sorts by measurement */
    for (size_t first = 0, end; first < count; first = end) {
        for (end = first; end < count && row[end].measured == row[first].measured;)
            end++;
        same += pairs_of(end - first);
    }
    order->pairs += pairs_of(count) - same;
    order->right += pairs_of(count) - same - wrong - tied / 2;
}

static int judge_order(struct fr_residual *row, size_t count, struct fr_arena *arena,
                       struct fr_accuracy *out)
{
    struct fr_residual *scratch = fr_arena_zeroed(arena, count, sizeof *scratch);
    struct order order = { .regret = fr_arena_zeroed(arena, count, sizeof *order.regret) };

    if (!scratch || !order.regret)
        return FR_NOMEM;
    qsort(row, count, sizeof *row, by_problem);
    count = merge_repetitions(row, count);
    for (size_t first = 0, end; first < count; first = end) {
        for (end = first; end < count && row[end].problem == row[first].problem;)
            end++;
        if (end - first < 2)
            continue;
        qsort(row + first, end - first, sizeof *row, by_prediction);
        judge_problem(row + first, scratch, end - first, &order);
    }
    out->problems = order.problems;
    out->pairs = (size_t)order.pairs;
    if (order.pairs > 0)
        out->pairs_right_fraction = order.right / order.pairs;
    if (!order.problems)
        return FR_OK;
    fr_sort(order.regret, order.problems);
    out->best_right_fraction = order.best_right / (double)order.problems;
    out->median_regret_fraction = fr_quantile(order.regret, order.problems, 0.5);
    out->worst_regret_fraction = order.regret[order.problems - 1];
    return FR_OK;
}

int fr_accuracy(const struct fr_residual *residual, size_t count, struct fr_arena *arena,
                struct fr_accuracy *out)
{
    struct fr_residual *row = fr_arena_zeroed(arena, count, sizeof *row);
    double *error = fr_arena_zeroed(arena, count, sizeof *error);
    double sum = 0;
    size_t judged = 0;

    *out = (struct fr_accuracy){ 0,   NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN,
                                 NAN, NAN, 0,   0,   NAN, NAN, NAN, NAN };
    if (!row || !error)
        return FR_NOMEM;
    for (size_t i = 0; i < count; i++) {
        if (!has_error(&residual[i]))
            continue;
        row[judged] = residual[i];
        error[judged++] = fabs(error_of(&residual[i]));
        sum += error_of(&residual[i]);
    }
    out->count = count = judged;
    if (!count)
        return FR_OK;
    fr_sort(error, count);
    out->median_error_fraction = fr_quantile(error, count, 0.5);
    out->p90_error_fraction = fr_quantile(error, count, 0.9);
    out->worst_error_fraction = error[count - 1];
    out->bias_fraction = sum / (double)count;
    out->within_5_percent_fraction = share_within(error, count, 0.05);
    out->within_10_percent_fraction = share_within(error, count, 0.1);
    out->within_20_percent_fraction = share_within(error, count, 0.2);
    out->within_30_percent_fraction = share_within(error, count, 0.3);
    return judge_order(row, count, arena, out);
}

size_t fr_worst_residuals(const struct fr_residual *residual, size_t count, size_t *worst,
                          size_t most)
{
    size_t kept = 0;

    for (size_t i = 0; i < count; i++) {
        const double error = has_error(&residual[i]) ? fabs(error_of(&residual[i])) : -1;
        size_t at = kept;

        while (at > 0 && fabs(error_of(&residual[worst[at - 1]])) < error)
            at--;
        if (at == most || error < 0)
            continue;
        kept += kept < most;
        for (size_t k = kept - 1; k > at; k--)
            worst[k] = worst[k - 1];
        worst[at] = i;
    }
    return kept;
}
