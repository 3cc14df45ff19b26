/* Memory bandwidth of a node with all cores busy, and of a single core.  The kernel is the triad a
 * = b + s c on vectors too long for the caches.  It counts 24 bytes per element: by convention, the
 * read that precedes the write of a cache line does not count.  One process of each node starts the
 * threads; all nodes are measured at once. */
#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#include "calibrations/calibrate/core/bench.h"

enum { SAMPLES = 15, SAMPLES_QUICK = 5, BYTES_OF_ELEMENT = 3 * sizeof(double) };
/* Bytes of the three vectors of one thread. */
static const double least_bytes = 96 * 0x1p20, most_bytes = 0x1p30;

struct triad {
    double *a, *b, *c;
    int64_t elements;
};

struct measured {
    double rate_bytes_per_s, spread;
    int threads, samples;
    double bytes; /* per thread */
};

/* Four times the last cache, even if cores share it, but at most a quarter of the free memory. */
static int64_t choose_elements(int threads, bool is_quick)
{
    const double cache = (double)sysconf(_SC_LEVEL3_CACHE_SIZE);
    const double free_bytes = fr_system_free_bytes();
    const double bytes = is_quick ? least_bytes : fmin(fmax(4 * cache, least_bytes), most_bytes);

    return (int64_t)(fmin(bytes, free_bytes / 4 / threads) / BYTES_OF_ELEMENT);
}

static void *begin(void *shared, int index)
{
    const int64_t elements = *(const int64_t *)shared;
    struct triad *triad = malloc(sizeof *triad);
    double *memory = malloc((size_t)elements * BYTES_OF_ELEMENT);

    if (!triad || !memory) {
        free(triad);
        free(memory);
        return NULL;
    }
    *triad = (struct triad){ memory, memory + elements, memory + 2 * elements, elements };
    for (int64_t i = 0; i < elements; i++) {
        triad->a[i] = 0;
        triad->b[i] = 1 + index;
        triad->c[i] = 2;
    }
    return triad;
}

static void work(void *own)
{
    struct triad *t = own;
    double *restrict a = t->a;
    const double *restrict b = t->b, *restrict c = t->c;

    for (int64_t i = 0; i < t->elements; i++)
        a[i] = b[i] + 0.5 * c[i];
    __asm__ volatile("" : : "r"(a) : "memory");
}

static void end(void *own)
{
    struct triad *triad = own;

    free(triad->a);
    free(triad);
}

/* All threads begin together, so the slowest one determines the time of all bytes. */
static struct measured measure(const struct fr_context *context, int threads)
{
    const int samples = context->options->is_quick ? SAMPLES_QUICK : SAMPLES;
    int64_t elements = choose_elements(threads, context->options->is_quick);
    const struct fr_thread_team team = { .cores = context->cores,
                                         .count = threads,
                                         .samples = samples,
                                         .shared = &elements,
                                         .begin = begin,
                                         .work = work,
                                         .end = end };
    const double bytes = (double)elements * BYTES_OF_ELEMENT;
    double rate[SAMPLES];

    fr_thread_team_rates(&team, threads * bytes, FR_THREAD_TEAM_SLOWEST, rate);
    return (struct measured){ fr_sample_median(rate, samples), fr_sample_spread(rate, samples),
                              threads, samples, bytes };
}

static double record(struct fr_context *context, const char *pointer, const char *what,
                     const struct measured *own)
{
    const struct fr_nodes nodes = fr_nodes_gather(context, own->rate_bytes_per_s);
    char text[FR_NODES_TEXT_BYTES];

    fr_nodes_check(context, pointer, &nodes);
    fr_document_source(
        context->document, pointer, fr_document_measured(own->samples, own->spread, "median"),
        "triad, 24 bytes per element, vectors of %.0f MiB in all for each thread, %s%s",
        own->bytes / 0x1p20, what, fr_nodes_text(&nodes, text));
    return nodes.median;
}

static void run(struct fr_context *context)
{
    const bool works = context->world->node_rank == 0;
    struct measured core = { 0 }, node = { 0 };
    struct fr_team team;

    team = fr_team_begin(context->world, works);
    if (works) {
        core = measure(context, 1);
        node = measure(context, context->cores->count);
    }
    fr_team_end(context->world, &team);
    context->memory.core_bytes_per_s =
        record(context, "/memory/core_bandwidth_bytes_per_s", "on a single core", &core);
    context->memory.node_bytes_per_s =
        record(context, "/memory/node_bandwidth_bytes_per_s", "on all cores at once", &node);
    context->document->found.memory.core_bandwidth_bytes_per_s = context->memory.core_bytes_per_s;
    context->document->found.memory.node_bandwidth_bytes_per_s = context->memory.node_bytes_per_s;
    context->memory.samples = node.samples;
    context->memory.spread = node.spread;
    fr_bench_say(context, "memory_bandwidth: %.4g bytes/s per node, %.4g on a single core",
                 context->memory.node_bytes_per_s, context->memory.core_bytes_per_s);
}

/* Most of it is the system's first touch of the vectors. */
static double expected_s(const struct fr_context *context)
{
    const double core = (double)choose_elements(1, context->options->is_quick);
    const double node = (double)choose_elements(context->cores->count, context->options->is_quick);

    return BYTES_OF_ELEMENT * (core + node) / 0.3e9;
}

const struct fr_bench fr_bench_memory_bandwidth = {
    .name = "memory_bandwidth",
    .group = "memory",
    .summary = "bytes per second of a triad, on all cores and on one",
    .needs_ranks = 1,
    .is_timing_cores = true,
    .after = "node",
    .expected_s = expected_s,
    .run = run,
};
