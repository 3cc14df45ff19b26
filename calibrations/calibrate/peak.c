/* The peak of a node: what its cores reach together in a loop that only multiplies and adds.
 *
 * One process of the first node starts a thread on each core; all begin each sample together, so
 * that the clock is the one of a fully loaded node.  A core's peak is its best sample: whatever
 * disturbs it can only make it slower.
 */
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

#include "bench.h"
#include "fma.h"

enum { SAMPLES = 40, SAMPLES_QUICK = 8 };
static const double sample_s = 5e-3;

struct core {
    const struct fr_cores *cores;
    pthread_barrier_t *start;
    const struct fr_fma *loop;
    int index, samples;
    bool may_pin;
    long passes;
    double rate_flops_per_s[SAMPLES];
    double kept; /* the loops' result, so that they have to be run */
};

static double now_s(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void *run_core(void *argument)
{
    struct core *core = argument;

    if (core->may_pin)
        fr_binding_set_thread(core->cores, core->index);
    for (int i = 0; i < core->samples; i++) {
        double began_s, took_s;

        pthread_barrier_wait(core->start);
        began_s = now_s();
        core->kept += core->loop->run(core->passes);
        took_s = now_s() - began_s;
        core->rate_flops_per_s[i] =
            took_s > 0 ? (double)core->passes * core->loop->flops_per_pass / took_s : 0;
    }
    return NULL;
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
    struct core *core = calloc((size_t)count, sizeof *core);
    pthread_t *thread = calloc((size_t)count, sizeof *thread);
    pthread_barrier_t start;
    const long passes = choose_passes(loop);
    double sum = 0;

    if (!core || !thread || pthread_barrier_init(&start, NULL, (unsigned)count))
        fr_world_out_of_memory();
    for (int i = 0; i < count; i++) {
        core[i] = (struct core){ .cores = context->cores,
                                 .start = &start,
                                 .loop = loop,
                                 .index = i,
                                 .samples = samples,
                                 .may_pin = !context->options->is_unpinned,
                                 .passes = passes };
        /* Threads already started wait for all at the barrier: there is no way back. */
        if (pthread_create(&thread[i], NULL, run_core, &core[i]))
            fr_world_out_of_memory();
    }
    for (int i = 0; i < count; i++)
        pthread_join(thread[i], NULL);
    *spread = fr_sample_spread(core[0].rate_flops_per_s, samples);
    for (int i = 0; i < count; i++) {
        double best = 0;

        for (int k = 0; k < samples; k++)
            if (core[i].rate_flops_per_s[k] > best)
                best = core[i].rate_flops_per_s[k];
        sum += best;
    }
    pthread_barrier_destroy(&start);
    free(core);
    free(thread);
    return sum;
}

static void measure(struct fr_context *context, double *peak)
{
    const int samples = context->options->is_quick ? SAMPLES_QUICK : SAMPLES;
    const char *name = "";
    double spread = 0;

    for (const struct fr_fma *loop = fr_fma_loops; loop->name; loop++) {
        double loop_spread, rate;

        if (!loop->is_supported())
            continue;
        rate = run_loop(context, loop, samples, &loop_spread);
        if (rate > *peak) {
            *peak = rate;
            spread = loop_spread;
            name = loop->name;
        }
    }
    /* The cores stated may be others than those there: the peak stays that of those measured,
     * one for one. */
    *peak *= (double)context->cores_per_node / context->cores->count;
    fr_document_source(context->document, "/node/peak_flops_per_s",
                       "measured: fused multiply-add loop in registers, %s, on every core at once, "
                       "sum of each core's best (%d samples, spread %.1f %%)",
                       name, samples, 100 * spread);
}

static void run(struct fr_context *context)
{
    double peak = context->options->peak_flops_per_s;
    struct fr_team team = fr_team_begin(context->world, context->world->rank == 0);

    if (context->world->rank == 0 && peak > 0)
        fr_document_source(context->document, "/node/peak_flops_per_s",
                           "published: given on the command line");
    else if (context->world->rank == 0)
        measure(context, &peak);
    fr_team_end(context->world, &team);
    MPI_Bcast(&peak, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
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
