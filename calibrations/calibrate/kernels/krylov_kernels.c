/* Fractions of the memory bandwidth that the kernels of a Krylov solver reach, for the model cg.
 * Every core of a node works on its own grid.  A fraction is above 1 if the vectors of a process
 * stay in the cache. */
#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#include "calibrations/calibrate/core/bench.h"
#include "calibrations/calibrate/core/nodes.h"
#include "calibrations/calibrate/core/thread_team.h"
#include "calibrations/calibrate/kernels/stencil.h"
#include "server/json/writer.h"

enum { SIDE = 64, SIDE_QUICK = 40, SIDE_MIN = 8, SAMPLES = 11, SAMPLES_QUICK = 5 };

struct kernel {
    const char *pointer, *what;
    void (*work)(struct fr_stencil *stencil);
    double (*bytes)(const struct fr_stencil *stencil);
};

static const struct kernel kernels[] = {
    { "/kernels/sparse_matvec", "sparse matrix-vector product", fr_stencil_multiply,
      fr_stencil_multiply_bytes },
    { "/kernels/sparse_triangular_solve", "forward and backward solve", fr_stencil_solve,
      fr_stencil_solve_bytes },
    { "/kernels/vector", "two inner products and three updates", fr_stencil_update,
      fr_stencil_update_bytes },
};
enum { KERNELS = sizeof kernels / sizeof *kernels };

struct grid {
    const struct kernel *kernel;
    int side;
};

struct member {
    const struct kernel *kernel;
    struct fr_stencil *stencil;
};

struct measured {
    double rate_bytes_per_s, spread; /* of one process */
};

static void *begin(void *shared, int index)
{
    const struct grid *grid = shared;
    struct member *member = malloc(sizeof *member);

    (void)index;
    if (!member)
        return NULL;
    *member = (struct member){ grid->kernel, fr_stencil_new(grid->side) };
    if (!member->stencil) {
        free(member);
        return NULL;
    }
    member->kernel->work(member->stencil);
    return member;
}

static void work(void *own)
{
    struct member *member = own;

    member->kernel->work(member->stencil);
    __asm__ volatile("" : : "r"(member->stencil->y) : "memory");
}

static void end(void *own)
{
    struct member *member = own;

    fr_stencil_free(member->stencil);
    free(member);
}

static int choose_side(const struct fr_context *context)
{
    const double free_bytes = (double)sysconf(_SC_AVPHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
    int side = context->options->is_quick ? SIDE_QUICK : SIDE;

    while (side > SIDE_MIN &&
           fr_stencil_memory_bytes(side) * context->cores->count > free_bytes / 4)
        side /= 2;
    return side;
}

/* Mean over the cores, median over the samples. */
static struct measured measure(const struct fr_context *context, const struct kernel *kernel,
                               int side)
{
    const int samples = context->options->is_quick ? SAMPLES_QUICK : SAMPLES;
    const int count = context->cores->count;
    struct grid grid = { kernel, side };
    const struct fr_thread_team team = { .cores = context->cores,
                                         .may_pin = !context->options->is_unpinned,
                                         .count = count,
                                         .samples = samples,
                                         .shared = &grid,
                                         .begin = begin,
                                         .work = work,
                                         .end = end };
    struct fr_stencil *counted = fr_stencil_new(side);
    double rate[SAMPLES];

    if (!counted)
        fr_world_out_of_memory();
    fr_thread_team_rates(&team, kernel->bytes(counted), FR_THREAD_TEAM_MEAN, rate);
    fr_stencil_free(counted);
    return (struct measured){ fr_sample_median(rate, samples), fr_sample_spread(rate, samples) };
}

static void record(struct fr_context *context, const struct kernel *kernel, int side,
                   const struct measured *own, double share_bytes_per_s)
{
    const struct fr_nodes nodes = fr_nodes_gather(context, own->rate_bytes_per_s);
    char text[FR_NODES_TEXT_BYTES];
    struct fr_writer *out = fr_document_value(context->document, kernel->pointer);

    fr_nodes_check(context, kernel->pointer, &nodes);
    fr_json_object(out);
    fr_json_pair_number(out, "bandwidth_fraction", nodes.median / share_bytes_per_s);
    fr_json_object_end(out);
    fr_document_source(
        context->document, kernel->pointer,
        "measured: %s, 27-point stencil of %d cubed rows on all cores at once, relative to "
        "the triad's share of a core%s (%d samples, spread %.1f %%)",
        kernel->what, side, fr_nodes_text(&nodes, text),
        context->options->is_quick ? SAMPLES_QUICK : SAMPLES, 100 * own->spread);
    fr_bench_say(context, "%s: %.0f %% of the bandwidth", kernel->pointer,
                 100 * nodes.median / share_bytes_per_s);
}

/* The bandwidth by which the model divides the bytes of a process. */
static double share_of(const struct fr_context *context)
{
    return fmin(context->memory.core_bytes_per_s,
                context->memory.node_bytes_per_s / context->cores->count);
}

static void run(struct fr_context *context)
{
    const bool works = context->world->node_rank == 0;
    const double share = share_of(context);
    int side = choose_side(context);
    struct measured measured[KERNELS] = { { 0, 0 } };
    struct fr_team team;

    if (!(share > 0)) {
        fr_bench_missing(context, "krylov_kernels", "the memory bandwidth is not known");
        return;
    }
    MPI_Allreduce(MPI_IN_PLACE, &side, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    team = fr_team_begin(context->world, works);
    for (int k = 0; k < KERNELS && works; k++)
        measured[k] = measure(context, &kernels[k], side);
    fr_team_end(context->world, &team);
    for (int k = 0; k < KERNELS; k++)
        record(context, &kernels[k], side, &measured[k], share);
}

const struct fr_bench fr_bench_krylov_kernels = {
    .name = "krylov_kernels",
    .group = "kernels",
    .summary = "fraction of the memory bandwidth that sparse kernels reach",
    .needs_ranks = 1,
    .is_timing_cores = true,
    .after = "memory_bandwidth",
    .run = run,
};
