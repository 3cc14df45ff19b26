/* The step kernel of Concurrent Collections by block size: one block product per core on all cores
 * of a node, like the ranks of the model cnc_matmul. */
#include <math.h>
#include <stdlib.h>

#include "calibrations/calibrate/core/bench.h"
#include "calibrations/calibrate/kernels/stencil.h"

enum { SIZES = 6, SAMPLES = 9, SAMPLES_QUICK = 3 };
static const int sizes[SIZES] = { 50, 100, 200, 400, 800, 1600 };
static const int largest = 1600, largest_quick = 200;
static const double sample_s = 5e-3;
static const double size_s = 6; /* long samples of large blocks spread little: fewer do */
static const double assumed_flops_per_s = 2e9; /* of a core */

struct blocks {
    int size, products; /* products per sample */
    float *a, *b, *c;
};

struct measured {
    double rate_flops_per_s, spread;
};

static void *begin(void *shared, int index)
{
    const struct blocks *wanted = shared;
    const size_t elements = (size_t)wanted->size * wanted->size;
    struct blocks *blocks = malloc(sizeof *blocks);
    float *memory = malloc(3 * elements * sizeof *memory);

    if (!blocks || !memory) {
        free(blocks);
        free(memory);
        return NULL;
    }
    *blocks = (struct blocks){ wanted->size, wanted->products, memory, memory + elements,
                               memory + 2 * elements };
    for (size_t i = 0; i < elements; i++) {
        blocks->a[i] = (float)(1 + index % 2);
        blocks->b[i] = 1e-3F;
        blocks->c[i] = 0;
    }
    fr_cnc_multiply(blocks->size, blocks->a, blocks->b, blocks->c, NULL, NULL);
    return blocks;
}

static void work(void *own)
{
    struct blocks *blocks = own;

    for (int i = 0; i < blocks->products; i++)
        fr_cnc_multiply(blocks->size, blocks->a, blocks->b, blocks->c, NULL, NULL);
    __asm__ volatile("" : : "r"(blocks->c) : "memory");
}

static void end(void *own)
{
    struct blocks *blocks = own;

    free(blocks->a);
    free(blocks);
}

static double operations(int size)
{
    return 2 * pow(size, 3);
}

static double expected_sample_s(int size)
{
    return fmax(sample_s, operations(size) / assumed_flops_per_s);
}

static int samples_of(const struct fr_context *context, int size)
{
    return context->options->is_quick
               ? SAMPLES_QUICK
               : (int)fmax(SAMPLES_QUICK, fmin(SAMPLES, floor(size_s / expected_sample_s(size))));
}

/* Mean over the cores, median over the samples. */
static struct measured measure(const struct fr_context *context, int size)
{
    const int samples = samples_of(context, size);
    const int count = context->cores->count;
    /* A longer or shorter sample does no harm. */
    struct blocks wanted = { .size = size,
                             .products =
                                 (int)fmax(1, sample_s * assumed_flops_per_s / operations(size)) };
    const struct fr_thread_team team = { .cores = context->cores,
                                         .count = count,
                                         .samples = samples,
                                         .shared = &wanted,
                                         .begin = begin,
                                         .work = work,
                                         .end = end };
    double rate[SAMPLES];

    fr_thread_team_rates(&team, wanted.products * operations(size), FR_THREAD_TEAM_MEAN, rate);
    return (struct measured){ fr_sample_median(rate, samples), fr_sample_spread(rate, samples) };
}

/* A vector holds twice as many single-precision elements. */
static void record_peak(struct fr_context *context)
{
    if (!(context->core_peak_flops_per_s > 0))
        return;
    context->document->found.cnc.peak_flops_per_core_per_s = 2 * context->core_peak_flops_per_s;
    fr_document_source(context->document, "/cnc/peak_flops_per_core_per_s", fr_source_assumed,
                       "twice the double-precision peak, node.peak_flops_per_s divided by the "
                       "cores");
}

static void record(struct fr_context *context, const struct fr_nodes *nodes, int count,
                   double *spreads)
{
    int samples = 0;
    char text[FR_NODES_TEXT_BYTES];

    for (int i = 0; i < count; i++) {
        samples += samples_of(context, sizes[i]);
        *FR_ADD_ROW(context->document, context->document->found.cnc.step_kernel) =
            (struct fr_step_kernel){ .block_size = sizes[i],
                                     .rate_flops_per_s = nodes[i].median,
                                     .time_s = NAN,
                                     .precision = -1 };
    }
    fr_document_source(
        context->document, "/cnc/step_kernel",
        fr_document_measured(samples, fr_sample_median(spreads, count), "median"),
        "block product in single precision, tiled C compiled by gcc %s, on all cores at once%s",
        __VERSION__, fr_nodes_text(&nodes[count - 1], text));
    fr_nodes_check(context, "/cnc/step_kernel", &nodes[count - 1]);
    record_peak(context);
}

static void run(struct fr_context *context)
{
    const int most = context->options->is_quick ? largest_quick : largest;
    const bool works = context->world->node_rank == 0;
    struct fr_nodes nodes[SIZES];
    double spreads[SIZES];
    struct fr_progress progress;
    struct fr_team team;
    int count = 0;

    progress = fr_progress_begin(context, "step_kernel", 1.5 * pow(most, 3));
    for (int i = 0; i < SIZES && sizes[i] <= most; i++) {
        struct measured own = { NAN, 0 };

        if (fr_bench_is_late(context, MPI_COMM_WORLD))
            break;
        team = fr_team_begin(context->world, works);
        if (works)
            own = measure(context, sizes[i]);
        fr_team_end(context->world, &team);
        nodes[count] = fr_nodes_gather(context, own.rate_flops_per_s);
        spreads[count++] = own.spread;
        fr_progress_add(&progress, pow(sizes[i], 3));
    }
    fr_progress_end(&progress);
    if (count && context->world->rank == 0)
        record(context, nodes, count, spreads);
}

static double expected_s(const struct fr_context *context)
{
    const int most = context->options->is_quick ? largest_quick : largest;
    double sum_s = 0;

    for (int i = 0; i < SIZES && sizes[i] <= most; i++)
        sum_s += (1 + samples_of(context, sizes[i])) * expected_sample_s(sizes[i]);
    return sum_s;
}

const struct fr_bench fr_bench_step_kernel = {
    .name = "step_kernel",
    .group = "cnc",
    .summary = "block product in single precision, by block size",
    .needs_ranks = 1,
    .is_timing_cores = true,
    .after = "peak",
    .expected_s = expected_s,
    .run = run,
};
