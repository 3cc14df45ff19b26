/* The peak of a node: what its cores reach together in a loop that only multiplies and adds.
 *
 * One process of each node starts a thread on each core; all begin each sample together, so
 * that the clock is the one of a fully loaded node.  A core's peak is its best sample: whatever
 * disturbs it can only make it slower.
 */
#include <math.h>
#include <stdlib.h>
#include <time.h>

#include "calibrations/calibrate/core/bench.h"
#include "calibrations/calibrate/core/nodes.h"
#include "calibrations/calibrate/core/thread_team.h"
#include "calibrations/calibrate/kernels/fma.h"

enum { SAMPLES = 40, SAMPLES_QUICK = 8 };
static const double sample_s = 5e-3;

struct load {
    const struct fr_fma *loop;
    long passes;
    double kept; /* the loops' result, so that they have to be run */
};

static double now_s(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void *begin(void *shared, int index)
{
    struct load *own = malloc(sizeof *own);

    (void)index;
    if (own)
        *own = *(const struct load *)shared;
    return own;
}

static void work(void *own)
{
    struct load *load = own;

    load->kept += load->loop->run(load->passes);
}

/* Passes for a sample of the length wanted, found by doubling. */
static long choose_passes(const struct fr_fma *loop)
{
    long passes = 1000;
    volatile double kept = 0;

    while (passes < 1000000000) {
        const double began_s = now_s();

        kept += loop->run(passes);
        if (now_s() - began_s >= sample_s)
            break;
        passes *= 2;
    }
    return passes;
}

/* The sum over cores of each one's best rate, and the spread over samples of a typical core. */
static double run_loop(const struct fr_context *context, const struct fr_fma *loop, int samples,
                       double *spread)
{
    const int count = context->cores->count;
    struct load load = { loop, choose_passes(loop), 0 };
    const struct fr_thread_team team = { .cores = context->cores,
                                         .may_pin = !context->options->is_unpinned,
                                         .count = count,
                                         .samples = samples,
                                         .shared = &load,
                                         .begin = begin,
                                         .work = work,
                                         .end = free };
    double *time_s = calloc((size_t)count * samples, sizeof *time_s), sum = 0;

    if (!time_s)
        fr_world_out_of_memory();
    fr_thread_team_run(&team, time_s);
    *spread = fr_sample_spread(time_s, samples);
    for (int i = 0; i < count; i++) {
        double best_s = HUGE_VAL;

        for (int k = 0; k < samples; k++)
            best_s = fmin(best_s, time_s[i * samples + k]);
        if (best_s > 0)
            sum += (double)load.passes * loop->flops_per_pass / best_s;
    }
    free(time_s);
    return sum;
}

struct measured {
    double peak_flops_per_s, spread;
    const char *name;
    int samples;
};

static struct measured measure(const struct fr_context *context)
{
    struct measured best = { 0, 0, "", context->options->is_quick ? SAMPLES_QUICK : SAMPLES };

    for (const struct fr_fma *loop = fr_fma_loops; loop->name; loop++) {
        double spread, rate;

        if (!loop->is_supported())
            continue;
        rate = run_loop(context, loop, best.samples, &spread);
        if (rate > best.peak_flops_per_s) {
            best.peak_flops_per_s = rate;
            best.spread = spread;
            best.name = loop->name;
        }
    }
    /* The cores stated may be others than those there: the peak stays that of those measured,
     * one for one. */
    best.peak_flops_per_s *= (double)context->cores_per_node / context->cores->count;
    return best;
}

static double measure_nodes(struct fr_context *context)
{
    const bool works = context->world->node_rank == 0;
    struct fr_team team = fr_team_begin(context->world, works);
    struct measured own = { NAN, 0, "", 0 };
    char text[FR_NODES_TEXT_BYTES];
    struct fr_nodes nodes;

    if (works)
        own = measure(context);
    fr_team_end(context->world, &team);
    nodes = fr_nodes_gather(context, own.peak_flops_per_s);
    fr_nodes_check(context, "/node/peak_flops_per_s", &nodes);
    fr_document_source(context->document, "/node/peak_flops_per_s",
                       "measured: fused multiply-add loop in registers, %s, on every core at once, "
                       "sum of each core's best%s (%d samples, spread %.1f %%)",
                       own.name, fr_nodes_text(&nodes, text), own.samples, 100 * own.spread);
    return nodes.median;
}

static void run(struct fr_context *context)
{
    double peak = context->options->peak_flops_per_s;

    if (!(peak > 0) && context->world->is_simulated) {
        fr_bench_missing(context, "peak",
                         "a simulated cluster has none; --peak-flops-per-s states it");
        return;
    }
    if (peak > 0)
        fr_document_source(context->document, "/node/peak_flops_per_s",
                           "published: given on the command line");
    else
        peak = measure_nodes(context);
    context->core_peak_flops_per_s = peak / context->cores_per_node;
    fr_document_number(context->document, "/node/peak_flops_per_s", peak);
    fr_bench_say(context, "peak: %.4g flop/s a node, %.4g a core", peak,
                 context->core_peak_flops_per_s);
}

const struct fr_bench fr_bench_peak = {
    .name = "peak",
    .group = "node",
    .summary = "flops per second of all cores in a multiply-add loop",
    .needs_ranks = 1,
    .after = "node",
    .run = run,
};
