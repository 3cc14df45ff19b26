/* How much the nodes differ: the time of dgemm, as an update of a factorization, with all cores of
 * all nodes busy, over that on the first node, on which rates and models of kernels are measured.
 * And how much calls differ that the cores of a node make at the same time
 * (docs/models/variability.md). */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "calibrations/calibrate/core/bench.h"
#include "calibrations/calibrate/core/blas.h"

enum { ORDER = 1000, DEPTH = 128, ELEMENTS = ORDER * (ORDER + 2 * DEPTH), SAMPLES_MAX = 99 };
enum { MEETINGS = 16 }; /* calls of a round that begin together */

static double sample_min_s(const struct fr_context *context)
{
    return context->options->is_quick ? 1e-2 : 0.1;
}

static double *matrices_new(const struct fr_context *context)
{
    struct fr_random random = { 1 + (uint64_t)context->world->rank };
    double *element = malloc(ELEMENTS * sizeof *element);

    if (!element)
        fr_world_out_of_memory();
    for (int i = 0; i < ELEMENTS; i++)
        element[i] = fr_random_centred(&random);
    return element;
}

/* C -= A B */
static void update(double *c)
{
    static const double one = 1, minus_one = -1;
    static const int n = ORDER, k = DEPTH;
    const double *a = c + ORDER * ORDER, *b = a + ORDER * DEPTH;

    dgemm_("N", "N", &n, &n, &k, &minus_one, a, &n, b, &k, &one, c, &n, 1, 1);
}

/* Seconds of a call after one that is not timed.  Every rank calls for the same time, so that no
 * core rests while another one is timed. */
static double sample(const struct fr_context *context, double *c)
{
    double began_s, took_s;
    int calls = 0;

    update(c);
    began_s = MPI_Wtime();
    do {
        update(c);
        calls++;
        took_s = MPI_Wtime() - began_s;
    } while (took_s < sample_min_s(context));
    return took_s / calls;
}

/* The slowest of the calls that the ranks of each node make at once, over their mean; the same on
 * all ranks. */
static double slowest_call(const struct fr_context *context, double *c, MPI_Comm team)
{
    const struct fr_world *world = context->world;
    double spent_s[2] = { 0 }, all_s[2]; /* of the slowest, and the own */
    MPI_Comm node;

    MPI_Comm_split(team, world->host[world->rank], world->rank, &node);
    for (int i = 0; i < MEETINGS; i++) {
        double own_s, most_s;

        MPI_Barrier(node);
        own_s = MPI_Wtime();
        update(c);
        own_s = MPI_Wtime() - own_s;
        MPI_Allreduce(&own_s, &most_s, 1, MPI_DOUBLE, MPI_MAX, node);
        spent_s[0] += most_s;
        spent_s[1] += own_s;
    }
    MPI_Comm_free(&node);
    MPI_Allreduce(spent_s, all_s, 2, MPI_DOUBLE, MPI_SUM, team);
    return all_s[1] > 0 ? all_s[0] / all_s[1] : 1;
}

/* On rank 0: `busy_s` of each rank, NAN of those without a core.  Returns the fewest cores of a
 * node that were busy. */
static int record(struct fr_context *context, const double *busy_s, struct fr_source source)
{
    const struct fr_world *world = context->world;
    double *of_ranks = malloc((size_t)world->size * sizeof *of_ranks);
    double *time = fr_document_memory(context->document, (size_t)world->hosts, sizeof *time);
    struct fr_calibration *found = &context->document->found;
    int fewest = world->size;
    char idle[80] = "";

    if (!of_ranks)
        fr_world_out_of_memory();
    for (int host = 0; host < world->hosts; host++) {
        int ranks = 0;

        for (int i = 0; i < world->size; i++)
            if (world->host[i] == host && busy_s[i] > 0)
                of_ranks[ranks++] = busy_s[i];
        time[host] = fr_sample_median(of_ranks, ranks);
        if (ranks < fewest)
            fewest = ranks;
    }
    free(of_ranks);
    for (int host = world->hosts - 1; host >= 0; host--)
        time[host] /= time[0];
    found->kernels.variability.cores = context->cores_per_node;
    found->kernels.variability.processor_times = (fr_numbers){ time, (size_t)world->hosts };
    if (fewest < context->cores_per_node)
        snprintf(idle, sizeof idle, "; only %d of the %d cores of a node were busy", fewest,
                 context->cores_per_node);
    fr_document_source(context->document, "/kernels/variability", source,
                       "dgemm of %d x %d x %d, all ranks at once, one thread each; median of the "
                       "ranks of each node over that of the first node%s",
                       ORDER, ORDER, DEPTH, idle);
    return fewest;
}

/* `slowest` of each round. */
static void record_lateness(struct fr_context *context, double *slowest, int rounds)
{
    context->document->found.kernels.variability.late_fraction =
        fr_sample_median(slowest, rounds) - 1;
    fr_document_source(
        context->document, "/kernels/variability/late_fraction",
        fr_document_measured((int64_t)rounds * MEETINGS, fr_sample_spread(slowest, rounds),
                             "median of rounds"),
        "dgemm of %d x %d x %d on all cores of a node, %d calls of a round that begin together: "
        "the slowest over the mean",
        ORDER, ORDER, DEPTH, MEETINGS);
}

static void measure(struct fr_context *context, bool works, double *c)
{
    const struct fr_world *world = context->world;
    const int rounds = context->options->repetitions;
    struct fr_progress progress = fr_progress_begin(context, "variability", rounds);
    double busy_s[SAMPLES_MAX], slowest[SAMPLES_MAX], own_s = NAN;
    double *all_s = malloc((size_t)world->size * sizeof *all_s);
    int samples = 0, busy = 0;

    if (!all_s)
        fr_world_out_of_memory();
    for (; samples < rounds && !fr_bench_is_late(context, MPI_COMM_WORLD); samples++) {
        struct fr_team team = fr_team_begin(world, works);

        if (works) {
            MPI_Barrier(team.comm);
            busy_s[samples] = sample(context, c);
            slowest[samples] = slowest_call(context, c, team.comm);
        }
        fr_team_end(world, &team);
        fr_progress_add(&progress, 1);
    }
    fr_progress_end(&progress);
    if (works && samples)
        own_s = fr_sample_median(busy_s, samples);
    MPI_Gather(&own_s, 1, MPI_DOUBLE, all_s, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    if (world->rank == 0 && samples)
        busy = record(context, all_s,
                      fr_document_measured(samples, fr_sample_spread(busy_s, samples), "median"));
    if (busy > 1 && busy >= context->cores_per_node)
        record_lateness(context, slowest, samples);
    free(all_s);
}

static void run(struct fr_context *context)
{
    const int core = context->world->node_rank;
    const bool works = core < context->cores_per_node;
    double *c;

    fr_blas_set_threads(1);
    if (works)
        fr_binding_set(context->cores, core, 1);
    c = matrices_new(context);
    measure(context, works, c);
    free(c);
    fr_binding_restore(context->cores);
}

static double expected_s(const struct fr_context *context)
{
    const double call_s = 2.0 * ORDER * ORDER * DEPTH / fmax(fr_blas_rate(), 1e6);

    return context->options->repetitions * (sample_min_s(context) + (2 + MEETINGS) * call_s);
}

const struct fr_bench fr_bench_variability = {
    .name = "variability",
    .group = "kernels",
    .summary = "dgemm on all cores of all nodes, by node",
    .needs_ranks = 1,
    .is_timing_cores = true,
    .expected_s = expected_s,
    .run = run,
};
