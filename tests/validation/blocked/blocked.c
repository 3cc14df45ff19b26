/* Times the blocked algorithms and writes saved runs, one per line.
 *
 *     blocked --operation trinv --n 150,333 --block-size 64,96 >runs.ndjson
 *
 * Before a (variant, n, block size) is timed, its result and its calls are checked: the calls must
 * be those that forerun adds up.  A repetition executes twice on fresh copies and keeps the second
 * time. Repetitions of all algorithms are interleaved in random order.
 */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "calibrations/calibrate/core/blas.h"
#include "calibrations/calibrate/core/sample.h"
#include "tests/validation/blocked/algorithms.h"
#include "tests/validation/blocked/calls.h"
#include "tests/validation/blocked/operands.h"
#include "tests/validation/blocked/options.h"

static const double tolerance = 1e-11;

struct point {
    int variant, n, block_size;
    int times;
    double time_s[REPETITIONS_MAX];
};

struct plan {
    const struct options *options;
    int points;
    struct point *point;
    struct operands operands;
};

static double now_s(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void *allocate(size_t count, size_t size)
{
    void *memory = calloc(count, size);

    if (!memory) {
        fputs("blocked: out of memory; use fewer or smaller orders\n", stderr);
        exit(1);
    }
    return memory;
}

/* Executes once on a fresh copy; returns the seconds. */
static double execute(struct plan *plan, const struct point *point)
{
    struct operands *o = &plan->operands;
    double began_s;

    if (plan->options->is_sylv) {
        operands_fresh_c(o, point->n);
        began_s = now_s();
        sylv_blocked(point->variant, plan->options->has_own_leaf, point->n, point->n,
                     point->block_size, o->l, o->u, o->x, o->ld);
    } else {
        operands_fresh_l(o, point->n);
        began_s = now_s();
        trinv_blocked(point->variant, point->n, point->block_size, o->x, o->ld);
    }
    return now_s() - began_s;
}

struct question {
    const struct options *options;
    const struct point *point;
};

static bool list_predicted(const void *arguments, blocked_visit *visit, void *context)
{
    const struct question *question = arguments;
    const struct point *point = question->point;

    if (question->options->is_sylv)
        return sylv_calls(point->variant, point->n, point->n, point->block_size,
                          question->options->has_own_leaf ? SYLV_LEAF_OWN : SYLV_LEAF_COMMON, visit,
                          context);
    return trinv_calls(point->variant, point->n, point->block_size, visit, context);
}

/* Ends the program if the result or a call is wrong. */
static void check(struct plan *plan, const struct point *point)
{
    const struct question question = { plan->options, point };
    struct calls calls = { 0 };
    char why[300] = "";
    bool is_predicted;
    double residual;

    calls_record(&calls);
    execute(plan, point);
    calls_record(NULL);
    is_predicted = calls_agree(&calls, list_predicted, &question, why, sizeof why);
    free(calls.call);
    residual = plan->options->is_sylv ? operands_sylv_residual(&plan->operands, point->n)
                                      : operands_inverse_residual(&plan->operands, point->n);
    if (is_predicted && residual < tolerance)
        return;
    fprintf(stderr, "blocked: variant %d, n = %d, block size %d: residual %g; %s\n", point->variant,
            point->n, point->block_size, residual, is_predicted ? "calls as predicted" : why);
    exit(1);
}

static void repeat(struct plan *plan, struct point *point)
{
    if (!point->times)
        check(plan, point);
    execute(plan, point);
    point->time_s[point->times++] = execute(plan, point);
}

static struct plan plan_new(const struct options *options)
{
    const struct fr_list *variants = &options->variants, *n = &options->n;
    const struct fr_list *block_sizes = &options->block_sizes;
    struct plan plan = { .options = options };
    int n_max = 1;

    plan.point = allocate((size_t)variants->count * (size_t)n->count * (size_t)block_sizes->count,
                          sizeof *plan.point);
    for (int i = 0; i < n->count; i++)
        for (int j = 0; j < variants->count; j++)
            for (int k = 0; k < block_sizes->count; k++)
                plan.point[plan.points++] =
                    (struct point){ .variant = (int)variants->value[j],
                                    .n = (int)n->value[i],
                                    .block_size = (int)block_sizes->value[k] };
    for (int i = 0; i < n->count; i++)
        n_max = n->value[i] > n_max ? (int)n->value[i] : n_max;
    plan.operands = operands_new(n_max);
    return plan;
}

static void measure(struct plan *plan)
{
    const int count = plan->points * plan->options->repetitions;
    int *order = allocate((size_t)count, sizeof *order);
    const double began_s = now_s();
    struct fr_random random = { 1 };
    int done = 0;

    fr_random_order(&random, order, count);
    while (done < count && now_s() - began_s < plan->options->time_limit_s)
        repeat(plan, &plan->point[order[done++] % plan->points]);
    fprintf(stderr, "blocked: %d of %d repetitions of %d algorithms in %.1f s\n", done, count,
            plan->points, now_s() - began_s);
    free(order);
}

static void write_point(const struct options *options, const char *started_at, struct point *point)
{
    printf("{\"schema\":\"forerun-run-1\",\"model\":\"%s\",\"parameters\":{",
           options->is_sylv ? "sylv" : "trinv");
    if (options->is_sylv)
        printf("\"m\":%d,\"leaf\":\"%s\",", point->n, options->has_own_leaf ? "own" : "common");
    printf("\"n\":%d,\"variant\":%d,\"block_size\":%d,\"threads\":%d,\"locality\":\"in_cache\"},",
           point->n, point->variant, point->block_size, options->threads);
    printf("\"started_at\":\"%s\",\"repetitions\":[", started_at);
    for (int i = 0; i < point->times; i++)
        printf("%s%.6e", i ? "," : "", point->time_s[i]);
    printf("],\"time_s\":%.6e}\n", fr_sample_median(point->time_s, point->times));
}

int main(int argc, char **argv)
{
    const time_t started = time(NULL);
    struct options options;
    struct plan plan;
    char started_at[32];
    struct tm utc;

    options_parse(argc, argv, &options);
    if (!fr_blas_set_threads(options.threads)) {
        fprintf(stderr, "blocked: this BLAS cannot be set to %d threads; OMP_NUM_THREADS may\n",
                options.threads);
        return 1;
    }
    strftime(started_at, sizeof started_at, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&started, &utc));
    plan = plan_new(&options);
    measure(&plan);
    for (int i = 0; i < plan.points; i++)
        if (plan.point[i].times)
            write_point(&options, started_at, &plan.point[i]);
    operands_free(&plan.operands);
    free(plan.point);
    if (fflush(stdout) == 0 && !ferror(stdout))
        return 0;
    fputs("blocked: not all runs could be written\n", stderr);
    return 1;
}
