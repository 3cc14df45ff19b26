/* Repetitions are made in rounds, each through all calls in a new random order, so that a
 * disturbance of seconds affects a few repetitions of many calls instead of all repetitions of a
 * few.
 *
 * A call leaves the rounds when its median is settled
 * (docs/models/kernel_models.md#decision-a-settled-median-needs-no-more-repetitions).  The left
 * side of that condition is about half the standard error of a median under normal noise.
 */
#include "calibrations/calibrate/blocked/sampler.h"

#include <assert.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SETTLED_MIN = 3, EMPTY_MEASUREMENTS = 2000, FIRST_ORDER = 64 };
static const uint64_t seed = UINT64_C(0x9E3779B97F4A7C15);

/* A call of a batch and its repetitions. */
struct job {
    struct fr_execution execution;
    const struct fr_layout *layout;
    bool is_done; /* its median is settled, or it is empty */
    int taken;
    double *time_s; /* of all repetitions; then the same of each metric */
};

/* One timed execution; reading the counters takes long and is not timed. */
static int64_t run_timed(struct fr_sampler *sampler, const struct fr_execution *execution,
                         double metric[FR_METRICS])
{
    int64_t began, ended;

    fr_counters_begin(&sampler->counters);
    began = sampler->clock_ns();
    sampler->run(execution);
    ended = sampler->clock_ns();
    fr_counters_end(&sampler->counters, metric);
    return ended - began;
}

/* The call of run_first. */
static struct blocked_call first_call(void)
{
    return (struct blocked_call){ .kernel = { blocked_routine_find("dgemm"), "NN" },
                                  .size = { FIRST_ORDER, FIRST_ORDER, FIRST_ORDER },
                                  .alpha = 1 };
}

static void run_nothing(const struct fr_execution *execution)
{
    (void)execution;
}

static void find_overhead(struct fr_sampler *sampler)
{
    static const struct fr_executor nothing = { .run = run_nothing };
    const struct fr_execution execution = { .executor = &nothing };

    sampler->overhead_ns = INT64_MAX;
    for (int k = 0; k < FR_METRICS; k++)
        sampler->overhead[k] = HUGE_VAL;
    for (int i = 0; i < EMPTY_MEASUREMENTS; i++) {
        double metric[FR_METRICS];
        const int64_t time_ns = run_timed(sampler, &execution, metric);

        sampler->overhead_ns = blocked_smaller(sampler->overhead_ns, time_ns);
        for (int k = 0; k < FR_METRICS; k++)
            sampler->overhead[k] = fmin(sampler->overhead[k], metric[k]); /* ignores NAN */
    }
}

int fr_sampler_open(struct fr_sampler *sampler, const struct fr_extent *extent,
                    const bool metrics[FR_METRICS], char why[BLOCKED_WHY_BYTES])
{
    static const bool none[FR_METRICS] = { false };
    const struct blocked_call first = first_call();
    struct fr_extent room = *extent;

    fr_extent_add(&room, &first, NULL);
    *sampler = (struct fr_sampler){ .random = { seed },
                                    .repetitions = FR_SAMPLER_REPETITIONS,
                                    .tolerance = FR_SAMPLER_TOLERANCE,
                                    .deadline_s = HUGE_VAL,
                                    .clock_ns = fr_stopwatch_ns,
                                    .run = fr_execution_run };
    if (fr_operand_memory_open(&sampler->memory, &room, why))
        return -1;
    if (fr_cold_open(&sampler->cold, fr_cold_has_lines())) {
        fr_operand_memory_close(&sampler->memory);
        snprintf(why, BLOCKED_WHY_BYTES, "no memory of several times the last-level cache");
        return -1;
    }
    fr_counters_open(&sampler->counters, metrics ? metrics : none);
    find_overhead(sampler);
    return 0;
}

void fr_sampler_close(struct fr_sampler *sampler)
{
    fr_counters_close(&sampler->counters);
    fr_cold_close(&sampler->cold);
    fr_operand_memory_close(&sampler->memory);
}

/* Makes the library start its threads before anything is timed, because the first call is an order
 * of magnitude slower. */
static void run_first(struct fr_sampler *sampler)
{
    const struct blocked_call call = first_call();
    struct fr_execution execution = fr_execution_of(&call);

    fr_operand_memory_place(&sampler->memory, NULL, &execution);
    fr_operand_memory_refresh(&sampler->memory, &execution);
    fr_execution_run(&execution);
}

/* Makes one repetition.  The overwritten operand is refreshed, so that its elements neither
 * overflow nor become denormal; between the two executions only if the routine needs it. */
static void repeat(struct fr_sampler *sampler, struct job *job)
{
    struct fr_execution *execution = &job->execution;
    double metric[FR_METRICS];
    int64_t time_ns;

    fr_operand_memory_place(&sampler->memory, job->layout, execution);
    fr_operand_memory_refresh(&sampler->memory, execution);
    /* Out of cache, one untimed execution loads the code; the operands become cold afterwards. */
    if (!sampler->is_cold || !job->taken) {
        sampler->run(execution);
        if (execution->executor->uses_up)
            fr_operand_memory_refresh(&sampler->memory, execution);
    }
    if (sampler->is_cold)
        fr_cold_make(&sampler->cold, execution);
    time_ns = run_timed(sampler, execution, metric) - sampler->overhead_ns;
    job->time_s[job->taken] = (double)(time_ns > 0 ? time_ns : 1) / 1e9;
    for (int k = 0; k < FR_METRICS; k++)
        job->time_s[(k + 1) * sampler->repetitions + job->taken] =
            fmax(metric[k] - sampler->overhead[k], isnan(metric[k]) ? NAN : 0);
    job->taken++;
}

static bool is_settled(const struct fr_sampler *sampler, const struct job *job)
{
    double sorted[FR_SAMPLER_REPETITIONS_MAX];

    if (job->taken >= sampler->repetitions)
        return true;
    if (sampler->tolerance <= 0 || job->taken < SETTLED_MIN)
        return false;
    /* A copy is sorted: the repetitions keep their order. */
    memcpy(sorted, job->time_s, (size_t)job->taken * sizeof *sorted);
    return fr_sample_spread(sorted, job->taken) / 2 <= sampler->tolerance * sqrt(job->taken);
}

/* With a deadline, the first round keeps the order of the calls, so that the measured calls are the
 * first ones. */
static void choose_order(struct fr_sampler *sampler, int round, int *order, int count)
{
    if (round || isinf(sampler->deadline_s)) {
        fr_random_order(&sampler->random, order, count);
        return;
    }
    for (int i = 0; i < count; i++)
        order[i] = i;
}

/* Returns whether any call needs more repetitions. */
static bool run_round(struct fr_sampler *sampler, struct job *job, const int *order, int count)
{
    bool is_more = false;

    for (int i = 0; i < count; i++) {
        struct job *next = &job[order[i]];

        if (next->is_done)
            continue;
        if (1e-9 * (double)sampler->clock_ns() >= sampler->deadline_s ||
            (sampler->is_over && sampler->is_over()))
            return false;
        repeat(sampler, next);
        next->is_done = is_settled(sampler, next);
        is_more = is_more || !next->is_done;
    }
    return is_more;
}

/* Median of the values that are not NAN; NAN without any. */
static double median_of(double *values, int count)
{
    int counted = 0;

    for (int i = 0; i < count; i++)
        if (!isnan(values[i]))
            values[counted++] = values[i];
    return counted ? fr_sample_median(values, counted) : NAN;
}

static struct fr_sampled measured_by(const struct job *job, int repetitions)
{
    struct fr_sampled out = { .repetitions = job->taken };
    double *time_s = job->time_s, squares = 0;

    if (!job->taken)
        return out;
    out.median_s = fr_sample_median(time_s, job->taken); /* sorts */
    out.min_s = time_s[0];
    out.max_s = time_s[job->taken - 1];
    for (int i = 0; i < job->taken; i++)
        out.mean_s += time_s[i] / job->taken;
    for (int i = 0; i < job->taken; i++)
        squares += (time_s[i] - out.mean_s) * (time_s[i] - out.mean_s);
    out.std_s = job->taken > 1 ? sqrt(squares / (job->taken - 1)) : 0;
    for (int k = 0; k < FR_METRICS; k++)
        out.metric[k] = median_of(time_s + (k + 1) * repetitions, job->taken);
    return out;
}

static void begin(const struct fr_sampler *sampler, const struct blocked_call *call,
                  const struct fr_layout *layout, struct job *job, double *values, int count)
{
    for (int i = 0; i < count; i++)
        job[i] = (struct job){ .execution = fr_execution_of(&call[i]),
                               .layout = layout ? &layout[i] : NULL,
                               .is_done = blocked_call_is_empty(&call[i]),
                               .time_s = values + (size_t)i * (FR_METRICS + 1) *
                                                      (size_t)sampler->repetitions };
}

/* Writes the results; returns the number of leading calls that were measured. */
static size_t end(const struct fr_sampler *sampler, const struct blocked_call *call,
                  const struct job *job, struct fr_sampled *out, int count)
{
    size_t first_missing = (size_t)count;

    for (int i = count - 1; i >= 0; i--) {
        if (sampler->each_s) /* before they are sorted */
            memcpy(sampler->each_s + (size_t)i * (size_t)sampler->repetitions, job[i].time_s,
                   (size_t)job[i].taken * sizeof(double));
        out[i] = measured_by(&job[i], sampler->repetitions);
        if (!job[i].taken && !blocked_call_is_empty(&call[i]))
            first_missing = (size_t)i;
    }
    return first_missing;
}

size_t fr_sampler_take(struct fr_sampler *sampler, const struct blocked_call *call,
                       const struct fr_layout *layout, struct fr_sampled *out, size_t count)
{
    const size_t each = (FR_METRICS + 1) * (size_t)sampler->repetitions;
    struct job *job = count <= INT_MAX ? calloc(count, sizeof *job) : NULL;
    double *values = job ? calloc(count, each * sizeof *values) : NULL;
    int *order = values ? calloc(count, sizeof *order) : NULL;
    size_t done = 0;

    assert(sampler->repetitions >= 1 && sampler->repetitions <= FR_SAMPLER_REPETITIONS_MAX);
    if (order) {
        const int jobs = (int)count;
        bool is_more = true;

        begin(sampler, call, layout, job, values, jobs);
        run_first(sampler);
        for (int round = 0; is_more; round++) {
            choose_order(sampler, round, order, jobs);
            is_more = run_round(sampler, job, order, jobs);
        }
        done = end(sampler, call, job, out, jobs);
    }
    free(job);
    free(values);
    free(order);
    return done;
}
