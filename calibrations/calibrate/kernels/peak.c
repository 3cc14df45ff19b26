/* The peak of a node: the rate of all its cores together in a multiply-add loop.  One process of
 * each node starts a thread on each core.  All threads begin each sample together, so that the
 * processor runs at the clock of a fully loaded node.  The peak of a core is its best sample,
 * because disturbances can only slow it down. */
#include <math.h>
#include <stdlib.h>

#include "calibrations/calibrate/core/bench.h"

typedef double vector2 __attribute__((vector_size(16)));
#if defined(__x86_64__)
typedef double vector4 __attribute__((vector_size(32)));
typedef double vector8 __attribute__((vector_size(64)));
#endif

/* A loop has independent chains: enough to hide the latency of a fused multiply-add on all its
 * units, and few enough that they and two operands fit the registers (16 registers up to AVX2, 32
 * elsewhere). */
#define CHAINS_12(DO) DO(0) DO(1) DO(2) DO(3) DO(4) DO(5) DO(6) DO(7) DO(8) DO(9) DO(10) DO(11)
#define CHAINS_16(DO) CHAINS_12(DO) DO(12) DO(13) DO(14) DO(15)
#define DECLARE(i) x##i = factor + 0.01 * i,
#define STEP(i) x##i = x##i * factor + term;
#define SUM(i) sum += x##i;

/* x = 0.5 x + 0.5 converges to 1: no overflow, no denormals.  The empty asm hides the constants. */
#define LOOP(function, vector, EACH_CHAIN)                         \
    function(long passes)                                          \
    {                                                              \
        double half = 0.5, total = 0;                              \
        vector factor = { 0 };                                     \
                                                                   \
        __asm__ volatile("" : "+m"(half));                         \
        factor += half;                                            \
        const vector term = factor;                                \
        vector EACH_CHAIN(DECLARE) sum = { 0 };                    \
        for (long i = 0; i < passes; i++) {                        \
            EACH_CHAIN(STEP)                                       \
        }                                                          \
        EACH_CHAIN(SUM)                                            \
        for (unsigned i = 0; i < sizeof sum / sizeof(double); i++) \
            total += sum[i];                                       \
        return total;                                              \
    }

#if defined(__x86_64__)
#define CHAINS_PLAIN 12
static double LOOP(run_plain, vector2, CHAINS_12)
#else
#define CHAINS_PLAIN 16
static double LOOP(run_plain, vector2, CHAINS_16)
#endif

    static bool always(void)
{
    return true;
}

#if defined(__x86_64__)
/* GCC uses vectors of half the width on some processors unless this option forbids it.  Clang does
 * not know the option, and would ignore the whole attribute. */
#if defined(__clang__)
#define AVX512 "avx512f"
#else
#define AVX512 "avx512f,prefer-vector-width=512"
#endif
__attribute__((target("avx2,fma"))) static double LOOP(run_avx2, vector4, CHAINS_12)
    __attribute__((target(AVX512))) static double LOOP(run_avx512, vector8, CHAINS_16)

        static bool has_avx2(void)
{
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
}

static bool has_avx512(void)
{
    return __builtin_cpu_supports("avx512f");
}
#endif

struct loop {
    const char *name;
    int flops_per_pass; /* over all lanes and chains */
    bool (*is_supported)(void);
    /* Returns a value that depends on every result, so that the compiler removes nothing. */
    double (*run)(long passes);
};

/* One loop for each vector length of the processor. */
static const struct loop loops[] = {
    { "128-bit vectors", 2 * 2 * CHAINS_PLAIN, always, run_plain },
#if defined(__x86_64__)
    { "256-bit vectors", 2 * 4 * 12, has_avx2, run_avx2 },
    { "512-bit vectors", 2 * 8 * 16, has_avx512, run_avx512 },
#endif
    { 0 },
};

enum { SAMPLES = 40, SAMPLES_QUICK = 8 };
static const double sample_s = 5e-3;

struct load {
    const struct loop *loop;
    long passes;
    double kept; /* sum of the results, so that the loops are not removed */
};

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

/* Finds by doubling the number of passes for a sample of the wanted length. */
static long choose_passes(const struct loop *loop)
{
    long passes = 1000;
    volatile double kept;

    while (passes < 1000000000) {
        const double began_s = fr_stopwatch_s();

        kept = loop->run(passes);
        if (fr_stopwatch_s() - began_s >= sample_s)
            break;
        passes *= 2;
    }
    (void)kept;
    return passes;
}

/* Sums the best rate of each core; the spread is over the samples of a typical core. */
static double run_loop(const struct fr_context *context, const struct loop *loop, int samples,
                       double *spread)
{
    const int count = context->cores->count;
    struct load load = { loop, choose_passes(loop), 0 };
    const struct fr_thread_team team = { .cores = context->cores,
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

    for (const struct loop *loop = loops; loop->name; loop++) {
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
    /* If --cores-per-node differs from the cores found, the peak scales with their number. */
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
    fr_document_source(
        context->document, "/node/peak_flops_per_s",
        fr_document_measured(own.samples, own.spread, "sum of the best of each core"),
        "fused multiply-add loop in registers, %s, on all cores at once%s", own.name,
        fr_nodes_text(&nodes, text));
    return nodes.median;
}

static void run(struct fr_context *context)
{
    double peak = context->options->peak_flops_per_s;

    if (!(peak > 0) && context->world->is_simulated) {
        fr_bench_missing(context, "peak", "a simulated cluster has none; give --peak-flops-per-s");
        return;
    }
    if (peak > 0)
        fr_document_source(context->document, "/node/peak_flops_per_s", fr_source_published,
                           "given on the command line");
    else
        peak = measure_nodes(context);
    context->core_peak_flops_per_s = peak / context->cores_per_node;
    context->document->found.node.peak_flops_per_s = peak;
    fr_bench_say(context, "peak: %.4g flop/s per node, %.4g per core", peak,
                 context->core_peak_flops_per_s);
}

static double expected_s(const struct fr_context *context)
{
    return context->options->peak_flops_per_s > 0 ? 0 : 1;
}

const struct fr_bench fr_bench_peak = {
    .name = "peak",
    .group = "node",
    .summary = "flops per second of all cores in a multiply-add loop",
    .needs_ranks = 1,
    .after = "node",
    .expected_s = expected_s,
    .run = run,
};
