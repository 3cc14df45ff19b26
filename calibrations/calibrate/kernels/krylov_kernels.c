/* Bandwidths of the kernels of a Krylov solver, by working set and by busy cores, for the models
 * solve and cg.  On every core a process works on its own grid.  The fraction of the memory
 * bandwidth is that of a grid that fits in no cache, with all cores busy. */
#include <math.h>

#include "calibrations/calibrate/core/bench.h"
#include "calibrations/calibrate/core/blas.h"
#include "calibrations/calibrate/kernels/stencil.h"

static const int sides[] = { 6, 8, 10, 12, 16, 20, 24, 32, 40, 48, 64, 80, 96 };
static const int sides_quick[] = { 8, 16, 40 };
enum {
    SIDES_MAX = sizeof sides / sizeof *sides,
    SIDES_QUICK = sizeof sides_quick / sizeof *sides_quick,
    FRACTION_SIDE = 64, /* the fraction is that of the largest grid up to this one */
    PROCESSES_MAX = 24,
    ROUNDS = 3,
    MAKING_TURNS = 25 /* making a stencil takes as long */
};

static const struct {
    const char *pointer, *what;
    enum fr_stream which;
} kernels[FR_STENCIL_KERNELS] = {
    [FR_STENCIL_MULTIPLY] = { "/kernels/sparse_matvec", "sparse matrix-vector product",
                              FR_SPARSE_MATVEC },
    [FR_STENCIL_SOLVE_CHOLESKY] = { "/kernels/sparse_triangular_solve",
                                    "forward and backward solve with incomplete Cholesky factors",
                                    FR_SPARSE_TRIANGULAR_SOLVE },
    [FR_STENCIL_SOLVE_LU] = { "/kernels/sparse_ilu_solve",
                              "forward and backward solve with incomplete LU factors",
                              FR_SPARSE_ILU_SOLVE },
    [FR_STENCIL_UPDATE] = { "/kernels/vector", "two inner products and three updates",
                            FR_VECTOR_KERNEL },
    [FR_STENCIL_UPDATE_FUSED] = { "/kernels/vector_fused",
                                  "two inner products and ten updates in one loop",
                                  FR_VECTOR_FUSED },
};

/* A grid and the process counts that it is measured with. */
struct size {
    int side, turns;
    struct fr_list processes;
    double working_set_bytes; /* 0 where it was not measured */
    /* of this node by round, then the median over rounds and nodes in the first place */
    double bandwidth_bytes_per_s[PROCESSES_MAX][FR_STENCIL_KERNELS][ROUNDS];
    double spread[PROCESSES_MAX][FR_STENCIL_KERNELS]; /* of the rounds */
};

/* What to measure, then what was measured; the same on all ranks but for the results. */
struct table {
    struct size size[SIDES_MAX];
    int sizes;
    int cores, rounds;
};

/* The counts with which grids of this side fit into so much memory. */
static void choose_processes(int cores, int side, double free_bytes, struct fr_list *processes)
{
    fr_value_doublings(cores, processes);
    while (processes->count &&
           (double)processes->value[processes->count - 1] * fr_stencil_memory_bytes(side) >
               free_bytes)
        processes->count--;
}

static struct table *table_new(const struct fr_context *context)
{
    const bool is_quick = context->options->is_quick;
    const int count = is_quick ? SIDES_QUICK : SIDES_MAX;
    struct table *table = fr_world_record(1, sizeof *table);
    double free_bytes = fr_system_free_bytes();

    table->cores = context->cores->count;
    MPI_Allreduce(MPI_IN_PLACE, &table->cores, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    MPI_Allreduce(MPI_IN_PLACE, &free_bytes, 1, MPI_DOUBLE, MPI_MIN, MPI_COMM_WORLD);
    for (int i = 0; i < count; i++) {
        struct size *size = &table->size[table->sizes];

        size->side = is_quick ? sides_quick[i] : sides[i];
        size->turns = fr_turns_choose(size->side, is_quick);
        choose_processes(table->cores, size->side, free_bytes / 4, &size->processes);
        table->sizes += size->processes.count > 0;
    }
    return table;
}

static void measure(const struct fr_context *context, struct size *size, int round)
{
    const struct fr_turns turns = { .cores = context->cores,
                                    .side = size->side,
                                    .processes = &size->processes,
                                    .count = size->turns,
                                    .clock_s = fr_stopwatch_s };
    struct fr_turned turned[PROCESSES_MAX];

    fr_turns_run(&turns, turned);
    size->working_set_bytes = turned[0].working_set_bytes;
    for (int p = 0; p < size->processes.count; p++)
        for (int k = 0; k < FR_STENCIL_KERNELS; k++)
            size->bandwidth_bytes_per_s[p][k][round] = turned[p].bandwidth_bytes_per_s[k];
}

/* Work in proportion to its time: of making the stencils and of the turns. */
static double work_of(const struct size *size)
{
    double turns = MAKING_TURNS;

    for (int p = 0; p < size->processes.count; p++)
        turns += size->turns;
    return turns * fr_stencil_memory_bytes(size->side);
}

/* A round visits all sizes, so that a disturbance of seconds spoils one round of a few.  Sets the
 * number of complete rounds, and the number of sizes if the time ends in the first round. */
static void measure_rounds(struct fr_context *context, struct table *table, MPI_Comm team)
{
    struct fr_progress progress;
    double work = 0;

    for (int i = 0; i < table->sizes; i++)
        work += ROUNDS * work_of(&table->size[i]);
    progress = fr_progress_begin(context, "krylov_kernels", work);
    for (table->rounds = 0; table->rounds < ROUNDS; table->rounds++)
        for (int i = 0; i < table->sizes; i++) {
            if (fr_bench_is_late(context, team)) {
                table->sizes = table->rounds ? table->sizes : i;
                table->rounds = table->rounds ? table->rounds : 1;
                return;
            }
            measure(context, &table->size[i], table->rounds);
            fr_progress_add(&progress, work_of(&table->size[i]));
        }
    fr_progress_end(&progress);
}

/* Replaces the rounds of this node by their median over the rounds and nodes.  Returns how much the
 * nodes differ in the last value of a kernel. */
static struct fr_nodes reduce(struct fr_context *context, struct table *table, int kernel)
{
    struct fr_nodes nodes = { 0 };

    for (int i = 0; i < table->sizes; i++)
        for (int p = 0; p < table->size[i].processes.count; p++) {
            double *rate = table->size[i].bandwidth_bytes_per_s[p][kernel];

            table->size[i].spread[p][kernel] = fr_sample_spread(rate, table->rounds);
            nodes = fr_nodes_gather(context, fr_sample_median(rate, table->rounds));
            *rate = nodes.median;
        }
    fr_nodes_check(context, kernels[kernel].pointer, &nodes);
    return nodes;
}

/* The bandwidth by which the model cg divides the bytes of a process; 0: not known. */
static double share_of(const struct fr_context *context, const struct table *table)
{
    return fmin(context->memory.core_bytes_per_s, context->memory.node_bytes_per_s / table->cores);
}

/* The bandwidth that the fraction is taken from: of a large grid on all cores; 0: not measured. */
static double bandwidth_of_fraction(const struct table *table, int kernel)
{
    double found = 0;

    for (int i = 0; i < table->sizes && table->size[i].side <= FRACTION_SIDE; i++) {
        const struct size *size = &table->size[i];
        const int last = size->processes.count - 1;

        if (size->processes.value[last] == table->cores)
            found = *size->bandwidth_bytes_per_s[last][kernel];
    }
    return found;
}

static void write_source(struct fr_context *context, const struct table *table, int kernel,
                         const struct fr_nodes *nodes)
{
    double spread[SIDES_MAX * PROCESSES_MAX];
    char text[FR_NODES_TEXT_BYTES];
    int samples = 0, values = 0;

    for (int i = 0; i < table->sizes; i++)
        for (int p = 0; p < table->size[i].processes.count; p++) {
            spread[values++] = table->size[i].spread[p][kernel];
            samples += table->size[i].turns * table->rounds;
        }
    fr_document_source(
        context->document, kernels[kernel].pointer,
        fr_document_measured(samples, fr_sample_median(spread, values), "median of rounds"),
        "%s, 27-point stencil of %d to %d cubed rows on up to %d cores at once, in turn with the "
        "other kernels; in each of %d rounds the median over turns of the mean over cores%s",
        kernels[kernel].what, table->size[0].side, table->size[table->sizes - 1].side, table->cores,
        table->rounds, fr_nodes_text(nodes, text));
}

/* Rows by process count, then by size. */
static void write_kernel(struct fr_context *context, const struct table *table, int kernel)
{
    struct fr_stream_kernel *found =
        &context->document->found.kernels.stream[kernels[kernel].which];
    const double bandwidth = bandwidth_of_fraction(table, kernel), share = share_of(context, table);

    if (bandwidth > 0 && share > 0)
        found->bandwidth_fraction = bandwidth / share;
    for (int p = 0; p < table->size[0].processes.count; p++)
        for (int i = 0; i < table->sizes; i++) {
            const struct size *size = &table->size[i];

            if (p < size->processes.count)
                *FR_ADD_ROW(context->document, found->by_size) =
                    (struct fr_sized_bandwidth){ size->processes.value[p], size->working_set_bytes,
                                                 *size->bandwidth_bytes_per_s[p][kernel] };
        }
}

/* Bytes of stencils that are made or run through in a second, as on a recent processor. */
static double expected_s(const struct fr_context *context)
{
    const int count = context->options->is_quick ? SIDES_QUICK : SIDES_MAX;
    struct fr_list processes;
    double bytes = 0;

    fr_value_doublings(context->cores->count, &processes);
    for (int i = 0; i < count; i++) {
        const int side = context->options->is_quick ? sides_quick[i] : sides[i];
        const int turns = fr_turns_choose(side, context->options->is_quick);

        bytes += (MAKING_TURNS + turns * processes.count) * fr_stencil_memory_bytes(side);
    }
    return ROUNDS * bytes / 7e9;
}

static void run(struct fr_context *context)
{
    struct table *table = table_new(context);
    const bool works = context->world->node_rank == 0;
    struct fr_team team = fr_team_begin(context->world, works);
    int reached[2];

    fr_blas_set_threads(1);
    if (works)
        measure_rounds(context, table, team.comm);
    fr_team_end(context->world, &team);
    reached[0] = table->sizes;
    reached[1] = table->rounds;
    MPI_Bcast(reached, 2, MPI_INT, 0, MPI_COMM_WORLD);
    table->sizes = reached[0];
    table->rounds = reached[1];
    for (int k = 0; k < FR_STENCIL_KERNELS && table->sizes; k++) {
        const struct fr_nodes nodes = reduce(context, table, k);

        write_kernel(context, table, k);
        write_source(context, table, k, &nodes);
    }
    fr_record_free(table);
}

const struct fr_bench fr_bench_krylov_kernels = {
    .name = "krylov_kernels",
    .group = "kernels",
    .summary = "bandwidth of sparse kernels by working set and busy cores",
    .needs_ranks = 1,
    .is_timing_cores = true,
    .after = "memory_bandwidth",
    .expected_s = expected_s,
    .run = run,
};
