/* Caches and memory as one core sees them: sizes from the system, and latencies from pointer
 * chases, in which each load depends on the previous one.  A window of the chase has few enough
 * pages for the TLB. Memory is measured twice: in windows, and in an order that changes the page
 * with nearly every load, without huge pages. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "calibrations/calibrate/core/bench.h"
#include "calibrations/calibrate/memory/pointer_chase.h"

enum { ROUNDS_MAX = 99, PAGES_OF_WINDOW = 32, LINES_MAX = 1 << 24 };
static const int64_t least_memory_bytes = INT64_C(128) << 20, most_memory_bytes = INT64_C(1) << 30;

struct walk {
    int64_t bytes, window_bytes;
    void **at; /* the next sample continues here */
    int samples;
    double latency_s[ROUNDS_MAX];
    struct fr_nodes nodes; /* best latency of each node */
};

struct memory {
    struct fr_cache_levels cache;
    char *region;
    int64_t region_bytes;
    int32_t *next;           /* successor of each line, during the setup of a walk */
    struct fr_random random; /* a copy: the other ranks do not draw */
};

/* Much larger than the last cache, so that few loads hit it: the cache of a virtual machine is
 * often larger than the system reports. */
static int64_t memory_bytes(const struct memory *memory)
{
    const int64_t free_bytes = (int64_t)fr_system_free_bytes();
    int64_t bytes = 16 * memory->cache.level[memory->cache.count - 1].capacity_bytes;

    bytes = bytes < least_memory_bytes ? least_memory_bytes : bytes;
    bytes = bytes > most_memory_bytes ? most_memory_bytes : bytes;
    bytes = bytes > free_bytes / 4 ? free_bytes / 4 : bytes;
    if (bytes / memory->cache.level[0].line_bytes > LINES_MAX)
        bytes = LINES_MAX * memory->cache.level[0].line_bytes;
    return bytes / (PAGES_OF_WINDOW * 4096) * (PAGES_OF_WINDOW * 4096);
}

static void **lay(struct memory *memory, const struct walk *walk)
{
    const int64_t line = memory->cache.level[0].line_bytes, lines = walk->bytes / line;

    fr_pointer_chase_order(&memory->random, lines, walk->window_bytes / line, memory->next);
    for (int64_t i = 0; i < lines; i++)
        *(void **)(void *)(memory->region + i * line) = memory->region + memory->next[i] * line;
    return (void **)(void *)memory->region;
}

static double sample(struct walk *walk, int64_t loads)
{
    void **at = walk->at;
    const double began_s = MPI_Wtime();

    for (int64_t i = 0; i < loads; i++)
        at = *at;
    walk->at = at;
    /* Keeps the compiler from removing the loads. */
    __asm__ volatile("" : : "r"(at) : "memory");
    return (MPI_Wtime() - began_s) / (double)loads;
}

static int64_t loads_of(const struct fr_context *context)
{
    return context->options->is_quick ? 100000 : 1000000;
}

/* Measures in rounds, so that a process that evicts a shared cache for a second affects only a few
 * samples of each level. */
static void measure_caches(struct fr_context *context, struct memory *memory, struct walk *walk,
                           struct fr_progress *progress)
{
    for (int i = 0; i < context->options->repetitions; i++)
        for (int q = 0; q < memory->cache.count; q++) {
            if (fr_bench_is_late(context, MPI_COMM_SELF))
                return;
            walk[q].at = lay(memory, &walk[q]);
            sample(&walk[q], 2 * walk[q].bytes / memory->cache.level[0].line_bytes);
            walk[q].latency_s[walk[q].samples++] = sample(&walk[q], loads_of(context));
            fr_progress_add(progress, 1);
        }
}

static void measure_memory(struct fr_context *context, struct memory *memory, struct walk *walk,
                           struct fr_progress *progress)
{
    walk->at = lay(memory, walk);
    for (int i = 0; i < context->options->repetitions; i++) {
        if (fr_bench_is_late(context, MPI_COMM_SELF))
            return;
        walk->latency_s[walk->samples++] = sample(walk, loads_of(context));
        fr_progress_add(progress, 1);
    }
}

/* The walk of the first level has half its capacity.  That of a later level has the geometric mean
 * of its capacity and that of the previous level, but at most half its own. */
static struct walk walk_of(const struct memory *memory, int q)
{
    const double capacity = (double)memory->cache.level[q].capacity_bytes;
    const double line = (double)memory->cache.level[0].line_bytes;
    const double bytes =
        q ? fmin(sqrt(capacity * (double)memory->cache.level[q - 1].capacity_bytes), capacity / 2)
          : capacity / 2;

    return (struct walk){ .bytes = (int64_t)(floor(bytes / line) * line),
                          .window_bytes = PAGES_OF_WINDOW * 4096 };
}

/* The best sample, because other users of the machine can only delay a load. */
static double best(const struct walk *walk)
{
    double least_s = NAN;

    for (int i = 0; i < walk->samples; i++)
        least_s = fmin(least_s, walk->latency_s[i]); /* ignores NAN */
    return least_s;
}

static double record_latency(struct fr_context *context, const char *pointer, struct walk *walk,
                             const char *how)
{
    const double spread = fr_sample_spread(walk->latency_s, walk->samples);
    char text[FR_NODES_TEXT_BYTES];

    fr_document_source(context->document, pointer,
                       fr_document_measured(walk->samples, spread, "best"),
                       "each load depends on the previous one, over %.4g MiB%s%s",
                       (double)walk->bytes / 0x1p20, how, fr_nodes_text(&walk->nodes, text));
    return walk->nodes.median;
}

static void record_caches(struct fr_context *context, const struct memory *memory,
                          struct walk *walk)
{
    struct fr_document *document = context->document;

    fr_document_source(
        context->document, "/memory/caches", fr_source_counted,
        "capacity and line of a data cache as %s reports them; a shared cache has its full "
        "capacity",
        memory->cache.told_by);
    for (int q = 0; q < memory->cache.count; q++) {
        const struct fr_data_cache *level = &memory->cache.level[q];
        char latency[48], policy[48];

        snprintf(latency, sizeof latency, "/memory/caches/%d/latency_s", q);
        snprintf(policy, sizeof policy, "/memory/caches/%d/policy", q);
        *FR_ADD_ROW(document, document->found.memory.caches) = (struct fr_cache_level){
            .name = fr_document_text(document, level->name),
            .capacity_bytes = (double)level->capacity_bytes,
            .line_bytes = (double)level->line_bytes,
            .policy = 0, /* lru */
            .latency_s =
                record_latency(context, latency, &walk[q], ", random within windows of 32 pages"),
        };
        fr_document_source(document, policy, fr_source_assumed,
                           "processors approximate LRU; the policy is not documented");
    }
}

static void record(struct fr_context *context, const struct memory *memory, struct walk *walk)
{
    struct walk *tlb_hit = &walk[memory->cache.count], *tlb_miss = tlb_hit + 1;
    struct fr_calibration *found = &context->document->found;

    for (int q = 0; q < memory->cache.count + 2; q++)
        if (!walk[q].samples) {
            fr_bench_missing(context, "caches", "the time limit was reached before the last one");
            return;
        }
    record_caches(context, memory, walk);
    found->memory.memory_latency_s = record_latency(context, "/memory/memory_latency_s", tlb_hit,
                                                    ", random within windows of 32 pages");
    found->memory.memory_latency_tlb_miss_s =
        record_latency(context, "/memory/memory_latency_tlb_miss_s", tlb_miss,
                       " without huge pages, in random order over all of it");
}

static void measure_all(struct fr_context *context, struct memory *memory, struct walk *walk)
{
    const int walks = memory->cache.count + 2;
    struct fr_progress progress =
        fr_progress_begin(context, "caches", (double)walks * context->options->repetitions);

    for (int q = 0; q < memory->cache.count; q++)
        walk[q] = walk_of(memory, q);
    measure_caches(context, memory, walk, &progress);
    walk[walks - 2] =
        (struct walk){ .bytes = memory->region_bytes, .window_bytes = PAGES_OF_WINDOW * 4096 };
    walk[walks - 1] =
        (struct walk){ .bytes = memory->region_bytes, .window_bytes = memory->region_bytes };
    measure_memory(context, memory, &walk[walks - 2], &progress);
    measure_memory(context, memory, &walk[walks - 1], &progress);
    fr_progress_end(&progress);
}

/* Runs on the first rank of each node, because nodes may have different caches. */
static void run_alone(struct fr_context *context, struct memory *memory, struct walk *walk)
{
    if (fr_cache_levels_find(&memory->cache)) {
        fr_bench_missing(
            context, "caches",
            "the %d levels that the system reports are no hierarchy with one line size",
            memory->cache.count);
        memory->cache.count = 0;
        return;
    }
    memory->region_bytes = memory_bytes(memory);
    memory->next = malloc((size_t)(memory->region_bytes / memory->cache.level[0].line_bytes) *
                          sizeof *memory->next);
    memory->region = mmap(NULL, (size_t)memory->region_bytes, PROT_READ | PROT_WRITE,
                          MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (!memory->next || memory->region == MAP_FAILED)
        fr_world_out_of_memory();
    /* Fails harmlessly in a kernel without huge pages. */
    madvise(memory->region, (size_t)memory->region_bytes, MADV_NOHUGEPAGE);
    if (memory->region_bytes < 2 * memory->cache.level[memory->cache.count - 1].capacity_bytes) {
        fr_bench_missing(context, "caches", "too little memory is free to measure its latency");
        memory->cache.count = 0;
    } else {
        measure_all(context, memory, walk);
    }
    munmap(memory->region, (size_t)memory->region_bytes);
    free(memory->next);
}

/* Compares the nodes that have as many levels as the first. */
static void compare_nodes(struct fr_context *context, const struct memory *memory,
                          struct walk *walk)
{
    int levels = memory->cache.count;

    MPI_Bcast(&levels, 1, MPI_INT, 0, MPI_COMM_WORLD);
    for (int q = 0; levels && q < levels + 2; q++) {
        walk[q].nodes =
            fr_nodes_gather(context, memory->cache.count == levels ? best(&walk[q]) : NAN);
        fr_nodes_check(context, "caches", &walk[q].nodes);
    }
}

static void run(struct fr_context *context)
{
    const bool works = context->world->node_rank == 0;
    struct memory memory = { .random = context->random };
    struct walk walk[FR_CACHE_LEVELS_MAX + 2] = { { 0 } };
    struct fr_team team;

    team = fr_team_begin(context->world, works);
    if (works) {
        fr_binding_set(context->cores, 0, 1);
        run_alone(context, &memory, walk);
        fr_binding_restore(context->cores);
    }
    fr_team_end(context->world, &team);
    compare_nodes(context, &memory, walk);
    if (context->world->rank == 0 && memory.cache.count)
        record(context, &memory, walk);
}

/* Most of it orders the elements of a region in memory. */
static double expected_s(const struct fr_context *context)
{
    return 4 + 0.4 * context->options->repetitions;
}

const struct fr_bench fr_bench_caches = {
    .name = "caches",
    .group = "memory",
    .summary = "capacity and latency of caches, latency of memory",
    .needs_ranks = 1,
    .is_timing_cores = true,
    .expected_s = expected_s,
    .run = run,
};
