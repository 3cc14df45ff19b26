/* Communication patterns: their time from messages, multiplied by the ratio that was measured
 * (docs/models/dense.md#communication-patterns). */
#include "engine/dense/refined.h"

#include <assert.h>
#include <math.h>

static struct cost shift(const struct dense *d, double words, double distance,
                         enum refined_statistic statistic)
{
    return refined_message(d, words, refined_factor(d, distance, statistic));
}

/* Every layer receives blocks of A and B; one process sends all copies of a block. */
static struct cost replicate_layers(const struct dense *d, double words,
                                    enum refined_statistic statistic)
{
    const double factor = refined_factor(d, (d->c - 1) * d->p / d->c, statistic);

    return cost_times(2, refined_message(d, words, fmax(d->c - 1, factor)));
}

static struct cost reduce_layers(const struct dense *d, double words,
                                 enum refined_statistic statistic)
{
    const double layer = d->p / d->c;

    return cost_plus(refined_scatter(d, d->c, words, layer, statistic),
                     refined_gather(d, d->c, words, layer, statistic));
}

/* As replicate_layers, skewed for the first step of Cannon; on one layer two shifts. */
static struct cost distribute(const struct dense *d, double words, enum refined_statistic statistic)
{
    if (d->c == 1)
        return cost_plus(shift(d, words, 1, statistic), shift(d, words, d->q, statistic));
    return replicate_layers(d, words, statistic);
}

/* All messages of Cannon. */
static struct cost cannon(const struct dense *d, double words, enum refined_statistic statistic)
{
    const double shifts = ceil(d->q / d->c) - 1;
    const struct cost row = shift(d, words, 1, statistic);
    const struct cost column = shift(d, words, d->q, statistic);

    return cost_plus(
        cost_plus(distribute(d, words, statistic), cost_times(shifts, cost_plus(row, column))),
        reduce_layers(d, words, statistic));
}

/* All messages of SUMMA with one block per process. */
static struct cost summa(const struct dense *d, double words, enum refined_statistic statistic)
{
    const struct cost row = refined_broadcast(d, d->q, words, 1, statistic);
    const struct cost column = refined_broadcast(d, d->q, words, d->q, statistic);
    const struct cost steps = cost_times(ceil(d->q / d->c), cost_plus(row, column));

    if (d->c == 1)
        return steps;
    return cost_plus(cost_plus(replicate_layers(d, words, statistic), steps),
                     reduce_layers(d, words, statistic));
}

/* A step of TRSM: blocks of U in the columns, and the layer's parts of blocks of X in the rows. */
static struct cost solve_step(const struct dense *d, double words, double blocks,
                              enum refined_statistic statistic)
{
    return cost_times(blocks, cost_plus(refined_broadcast(d, d->q, words, d->q, statistic),
                                        refined_broadcast(d, d->q, words / d->c, 1, statistic)));
}

/* A step of Cholesky: the diagonal block in its column, and parts of a panel in rows and columns.
 */
static struct cost factor_step(const struct dense *d, double words, double blocks,
                               enum refined_statistic statistic)
{
    const double part = words / d->c;

    return cost_plus(
        refined_broadcast_alone(d, d->q, words, d->q),
        cost_times(blocks, cost_plus(refined_broadcast(d, d->q, part, 1, statistic),
                                     refined_broadcast(d, d->q, part, d->q, statistic))));
}

static struct cost barrier(const struct dense *d)
{
    return cost_times(2 * ceil(log2(d->q)), refined_message(d, 0, 1));
}

/* The cost made of messages. */
static struct cost analytic(const struct dense *d, enum fr_pattern_kind pattern, double words,
                            enum refined_statistic statistic)
{
    const double layer = d->p / d->c;

    switch (pattern) {
    case FR_SHIFT_ROW:
        return shift(d, words, 1, statistic);
    case FR_SHIFT_COLUMN:
        return shift(d, words, d->q, statistic);
    case FR_SHIFT_PAIR:
        return cost_plus(shift(d, words, 1, statistic), shift(d, words, d->q, statistic));
    case FR_DISTRIBUTE:
        return distribute(d, words, statistic);
    case FR_REPLICATE_LAYERS:
        return replicate_layers(d, words, statistic);
    case FR_REDUCE_LAYERS:
        return reduce_layers(d, words, statistic);
    case FR_BROADCAST_LAYERS:
    case FR_BROADCAST_LAYERS_ALONE:
        return refined_broadcast(d, d->c, words, layer, statistic);
    case FR_SCATTER_LAYERS:
    case FR_REDUCE_SCATTER_LAYERS:
        return refined_scatter(d, d->c, words, layer, statistic);
    case FR_GATHER_LAYERS:
    case FR_ALLGATHER_LAYERS:
        return refined_gather(d, d->c, words, layer, statistic);
    case FR_BROADCAST_ROW:
    case FR_BROADCAST_ROW_ROTATING:
        return refined_broadcast(d, d->q, words, 1, statistic);
    case FR_BROADCAST_BOTH:
    case FR_BROADCAST_BOTH_AHEAD:
        return cost_plus(refined_broadcast(d, d->q, words, 1, statistic),
                         refined_broadcast(d, d->q, words, d->q, statistic));
    case FR_BROADCAST_ROW_ALONE:
        return refined_broadcast_alone(d, d->q, words, 1);
    case FR_BROADCAST_COLUMN_ALONE:
        return refined_broadcast_alone(d, d->q, words, d->q);
    case FR_BARRIER:
        return barrier(d);
    case FR_CANNON:
    case FR_CANNON_PAIRS:
    case FR_CANNON_HIDDEN:
        return cannon(d, words, statistic);
    case FR_SUMMA:
        return summa(d, words, statistic);
    case FR_SOLVE_STEPS:
    case FR_SOLVE_STEPS_AHEAD:
        return solve_step(d, words, 1, statistic);
    case FR_SOLVE_STEPS_FOUR:
        return solve_step(d, words, REFINED_STEP_BLOCKS, statistic);
    case FR_FACTOR_STEPS:
    case FR_FACTOR_STEPS_LATE:
    case FR_FACTOR_STEPS_AHEAD:
        return factor_step(d, words, 1, statistic);
    case FR_FACTOR_STEPS_FOUR:
    case FR_FACTOR_STEPS_AHEAD_FOUR:
        return factor_step(d, words, REFINED_STEP_BLOCKS, statistic);
    case FR_BROADCAST_COLUMN:
    case FR_BROADCAST_COLUMN_ROTATING:
    case FR_BROADCAST_COLUMN_DIAGONAL:
        return refined_broadcast(d, d->q, words, d->q, statistic);
    }
    assert(false && "unknown pattern");
    return (struct cost){ 0 };
}

/* Whether only one process takes part in each group. */
static bool is_empty(const struct dense *d, enum fr_pattern_kind pattern)
{
    if (fr_pattern_crosses_layers(pattern))
        return d->c == 1;
    return d->q == 1 && !(pattern == FR_DISTRIBUTE && d->c > 1);
}

struct measured {
    const struct dense *d;
    enum fr_pattern_kind pattern;
    enum refined_statistic statistic;
};

/* With one algorithm for broadcasts of any size, where the calibration names none: an assumed
 * switch between two measured sizes would make their ratios jump
 * (docs/models/dense.md#decision-ratios-are-interpolated-instead-of-times). */
static double reference_s(struct dense d, enum fr_pattern_kind pattern, double words,
                          enum refined_statistic statistic)
{
    d.has_one_broadcast = true;
    return analytic(&d, pattern, words, statistic).time_s;
}

/* The measured time of a row over the time made of messages, on the grid of that row. */
static double ratio(const void *context, const struct fr_timing *row)
{
    const struct measured *of = context;
    struct fr_evaluation run = fr_timing_run(of->d->run);
    struct dense there = *of->d;

    there.run = &run;
    there.p = row->key[FR_TIMING_PROCESSES];
    there.q = sqrt(there.p / there.c);
    there.idle_share = 0; /* all processes took part */
    return (of->statistic == REFINED_AVERAGE ? row->average_s : row->maximum_s) /
           reference_s(there, of->pattern, row->key[FR_TIMING_BYTES] / there.word_bytes,
                       of->statistic);
}

/* The reference of a time to be predicted.  Held-out checks of a pattern contain the error of its
 * extrapolated contention factors, which does not count again. */
static double expected_reference_s(const struct dense *d, enum fr_pattern_kind pattern,
                                   double words, enum refined_statistic statistic)
{
    struct fr_prediction *out = d->run->out;
    const struct fr_held_outs *erring_by = out->erring_by;
    double time_s;

    out->erring_by = NULL;
    time_s = reference_s(*d, pattern, words, statistic);
    out->erring_by = erring_by;
    return time_s;
}

bool refined_is_measured(const struct dense *d, enum fr_pattern_kind pattern)
{
    return d->has_contention && fr_timings_of(d->run->cal, pattern, (int64_t)d->c).count > 0;
}

struct cost refined_pattern(const struct dense *d, enum fr_pattern_kind pattern, double words,
                            enum refined_statistic statistic)
{
    static const char *const what[FR_TIMING_KEYS] = {
        "contention.patterns.processes",
        "contention.patterns.distance",
        "contention.patterns.message_bytes",
    };
    const struct measured measured = { d, pattern, statistic };
    const struct fr_timing_question question = {
        .run = d->run,
        .rows = fr_timings_of(d->run->cal, pattern, (int64_t)d->c),
        .at = { d->p, 1, d->word_bytes * words },
        .what = what,
        .ratio = ratio,
        .context = &measured,
    };
    struct cost cost;

    if (is_empty(d, pattern))
        return (struct cost){ 0 };
    cost = analytic(d, pattern, words, statistic);
    if (!d->has_contention)
        return cost;
    if (!question.rows.count) {
        fr_warn(d->run->out, FR_WARN_PATTERN, fr_pattern_names[pattern], 1, 1, 1);
        return cost;
    }
    d->run->out->used |= FR_USE(PATTERNS);
    cost.time_s = expected_reference_s(d, pattern, words, statistic) * fr_timing_ratio(&question);
    return cost;
}

struct cost refined_optional_pattern(const struct dense *d, enum fr_pattern_kind pattern,
                                     double words)
{
    if (refined_is_measured(d, pattern))
        return refined_pattern(d, pattern, words, REFINED_MAXIMUM);
    return is_empty(d, pattern) ? (struct cost){ 0 } : analytic(d, pattern, words, REFINED_MAXIMUM);
}

struct cost refined_panel(const struct dense *d, enum fr_pattern_kind pattern,
                          enum fr_pattern_kind alone, double words, double blocks)
{
    struct cost cost = refined_pattern(d, pattern, words, REFINED_MAXIMUM);
    const double groups = d->c * d->q;
    double fewer_s; /* what each of the last q broadcasts saves, on average */

    if (d->q == 1 || !refined_is_measured(d, FR_BROADCAST_ROW_ALONE))
        return cost;
    fewer_s = fmax(0, cost.time_s - refined_pattern(d, alone, words, REFINED_MAXIMUM).time_s);
    /* With g of the q rows of each layer the cost has (c g - 1)/(c q - 1) of the difference; the
     * mean of g is (q + 1)/2. */
    fewer_s *= 1 - (d->c * (d->q + 1) / 2 - 1) / (groups - 1);
    cost.time_s -= d->q / blocks * fewer_s;
    return cost;
}
