/* Times small products of which nothing was touched in between, of which so many bytes were, and
 * that are in no cache. */
#include "calibrations/calibrate/blocked/reuse.h"

#include <sys/mman.h>

#include "calibrations/calibrate/blocked/modeling.h"
#include "calibrations/calibrate/core/sample.h"

/* Distances of 4 KiB to 64 MiB; beyond, a difference to memory is no longer seen. */
enum { PROBES = 3, RUNS = 9, ROWS = 15, WARM = ROWS, COLD, TIMES, LINE = 64 };
static const size_t shortest = (size_t)4 << 10;

static const int64_t shape[PROBES][BLOCKED_MAX_SIZES] = { { 8, 120, 8 },
                                                          { 120, 8, 32 },
                                                          { 64, 64, 32 } };

struct probing {
    struct fr_sampler *sampler;
    unsigned char *buffer;
    struct fr_execution execution;
    double time_s[TIMES][RUNS];
};

static size_t distance_of(int row)
{
    return shortest << row;
}

/* Executes, touches what `kind` says, and times the second execution. */
static double time_of(struct probing *p, int kind)
{
    double began_s;

    fr_operand_memory_refresh(&p->sampler->memory, &p->execution);
    fr_execution_run(&p->execution);
    if (kind == COLD)
        fr_cold_make(&p->sampler->cold, &p->execution);
    for (size_t at = 0; kind < ROWS && at < distance_of(kind); at += LINE)
        p->buffer[at]++;
    began_s = fr_stopwatch_s();
    fr_execution_run(&p->execution);
    return fr_stopwatch_s() - began_s;
}

static struct blocked_call call_of(int probe)
{
    return (struct blocked_call){ .kernel = { blocked_routine_find("dgemm"), "NN" },
                                  .size = { shape[probe][0], shape[probe][1], shape[probe][2] },
                                  .alpha = -1 };
}

void fr_reuse_add(struct fr_extent *extent)
{
    for (int probe = 0; probe < PROBES; probe++) {
        const struct blocked_call call = call_of(probe);

        fr_extent_add(extent, &call, NULL);
    }
}

static void place(struct probing *p, int probe)
{
    const struct blocked_call call = call_of(probe);

    p->execution = fr_execution_of(&call);
    fr_operand_memory_place(&p->sampler->memory, NULL, &p->execution);
}

/* Shares by row and probe, and the spread of the times of each. */
static void measure(struct probing *p, double share[ROWS][PROBES], double *spread)
{
    for (int probe = 0; probe < PROBES; probe++) {
        double median_s[TIMES], of_probe[ROWS];

        place(p, probe);
        for (int run = -1; run < RUNS; run++)
            for (int kind = 0; kind < TIMES; kind++) {
                const double time_s = time_of(p, kind);

                if (run >= 0)
                    p->time_s[kind][run] = time_s;
            }
        for (int kind = 0; kind < TIMES; kind++) {
            spread[probe * TIMES + kind] = fr_sample_spread(p->time_s[kind], RUNS);
            median_s[kind] = fr_sample_median(p->time_s[kind], RUNS);
        }
        fr_reuse_shares(median_s, ROWS, median_s[WARM], median_s[COLD], of_probe);
        for (int row = 0; row < ROWS; row++)
            share[row][probe] = of_probe[row];
    }
}

static void record(struct fr_context *context, double share[ROWS][PROBES], double *spread)
{
    for (int row = 0; row < ROWS; row++)
        *FR_ADD_ROW(context->document, context->document->found.kernels.reuse) =
            (struct fr_reuse){ (double)distance_of(row), fr_sample_median(share[row], PROBES) };
    fr_document_source(
        context->document, "/kernels/reuse",
        fr_document_measured(PROBES * TIMES * RUNS, fr_sample_median(spread, PROBES * TIMES),
                             "median"),
        "%d small products after so many other bytes were read and written, between their times "
        "in cache and out of cache",
        PROBES);
}

void fr_reuse_measure(struct fr_context *context, struct fr_sampler *sampler)
{
    const size_t bytes = distance_of(ROWS - 1);
    struct probing p = { .sampler = sampler };
    double share[ROWS][PROBES], spread[PROBES * TIMES];
    void *buffer = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    if (buffer == MAP_FAILED) {
        fr_bench_missing(context, "reuse", "no memory of %zu bytes", bytes);
        return;
    }
    p.buffer = buffer;
    measure(&p, share, spread);
    record(context, share, spread);
    munmap(buffer, bytes);
}
