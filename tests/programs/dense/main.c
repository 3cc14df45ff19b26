/* Distributed dense algorithms, verified, or timed and written as saved runs.
 *
 *     mpirun -n 8 dense --algorithm summa --variant 25d --replication 2 --n 64 --verify
 *     smpirun ... dense --n 4096 --kernel dgemm=0.0125 -o runs.ndjson
 */
#include "tests/programs/dense/dense.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "calibrations/calibrate/core/blas.h"
#include "tests/programs/dense/options.h"
#include "tests/programs/program.h"

enum { LINE_BYTES = 1000 };

static const struct {
    void (*run)(struct dense *, struct operands *);
    const char *const *phases;
    enum kernel kernel[KERNELS];
    int kernels;
} algorithms[] = {
    [CANNON] = { cannon, cannon_phases, { DGEMM }, 1 },
    [SUMMA] = { summa, summa_phases, { DGEMM }, 1 },
    [TRSM] = { trsm, trsm_phases, { DTRSM, DGEMM }, 2 },
    [CHOLESKY] = { cholesky, cholesky_phases, { DPOTRF, DTRSM, DSYRK, DGEMM }, 4 },
};

static void find_place(struct dense *d)
{
    int rank;

    MPI_Comm_rank(d->world, &rank);
    d->layer = rank / (d->q * d->q);
    d->row = rank / d->q % d->q;
    d->column = rank % d->q;
    MPI_Comm_split(d->world, d->layer * d->q + d->row, d->column, &d->along_row);
    MPI_Comm_split(d->world, d->layer * d->q + d->column, d->row, &d->along_column);
    MPI_Comm_split(d->world, d->row * d->q + d->column, d->layer, &d->through_layers);
}

static void derive(const struct options *o, struct dense *d)
{
    *d = (struct dense){ .n = o->n,
                         .c = o->replication,
                         .r = o->blocks_per_process,
                         .world = MPI_COMM_WORLD,
                         .is_overlapped = o->variant == V2D_OVLP || o->variant == V25D_OVLP,
                         .has_step_barriers = o->has_step_barriers,
                         .is_charged = !o->is_verifying,
                         .phases = phases_new(algorithms[o->algorithm].phases) };
    MPI_Comm_size(d->world, &d->p);
    d->q = (int)lround(sqrt((double)d->p / d->c));
    d->m = d->r * d->q;
    d->bs = d->n / d->m;
    for (int kernel = 0; kernel < KERNELS; kernel++)
        d->kernel_s[kernel] = program_kernel_s(&o->program, kernel_names[kernel]);
    find_place(d);
    d->queue = queue_new(&d->phases, o->broadcast);
}

static void release(struct dense *d)
{
    MPI_Comm_free(&d->along_row);
    MPI_Comm_free(&d->along_column);
    MPI_Comm_free(&d->through_layers);
    queue_free(&d->queue);
}

/* The saved run; collective. */
static void write_run(const struct options *o, const struct dense *d, const double *time_s)
{
    const bool is_matmul = o->algorithm == CANNON || o->algorithm == SUMMA;
    struct fr_writer run;
    int rank;

    MPI_Comm_rank(d->world, &rank);
    if (!rank) {
        program_run_begin(&run, is_matmul ? "matmul" : algorithm_names[o->algorithm]);
        if (is_matmul)
            fr_json_pair(&run, "algorithm", algorithm_names[o->algorithm]);
        fr_json_pair(&run, "variant", variant_names[o->variant]);
        fr_json_pair_integer(&run, "n", d->n);
        fr_json_pair_integer(&run, "processes", d->p);
        fr_json_pair_integer(&run, "threads", o->threads);
        fr_json_pair_integer(&run, "replication", d->c);
        fr_json_pair_integer(&run, "blocks_per_process", d->r);
        if (d->is_overlapped)
            fr_json_pair_integer(&run, "communication_threads", o->communication_threads);
        if (d->has_step_barriers)
            fr_json_pair_bool(&run, "step_barriers", true);
        program_run_times(&run, time_s, o->program.repetitions);
    }
    phases_write(&d->phases, o->program.repetitions, d->world, &run);
    if (!rank)
        program_run_end(&run, &o->program);
}

/* Whether the options can run on this job; if not, rank 0 prints why. */
static bool is_possible(const struct options *o)
{
    int rank, size;
    const char *fault;

    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    fault = options_fault(o, size);
    if (fault && !rank)
        fprintf(stderr, "dense: %s (%d processes, n = %d, %d layers, %d blocks)\n", fault, size,
                o->n, o->replication, o->blocks_per_process);
    for (int i = 0; !fault && !o->is_verifying && i < algorithms[o->algorithm].kernels; i++) {
        const char *name = kernel_names[algorithms[o->algorithm].kernel[i]];

        if (!isnan(program_kernel_s(&o->program, name)))
            continue;
        fault = name;
        if (!rank)
            fprintf(stderr, "dense: give --kernel %s=SECONDS, or --verify\n", name);
    }
    return !fault;
}

static int verify(const struct options *o, const struct dense *d, const struct operands *operands)
{
    double residual = 0;
    const bool is_right = is_result_right(d, o->algorithm, operands, &residual);
    int rank;

    MPI_Comm_rank(d->world, &rank);
    if (!rank)
        printf("dense: %s %s, %d processes, n = %d, c = %d, r = %d: residual %.2g%s\n",
               algorithm_names[o->algorithm], variant_names[o->variant], d->p, d->n, d->c, d->r,
               residual, is_right ? "" : ": WRONG");
    return is_right ? EXIT_SUCCESS : EXIT_FAILURE;
}

/* Words of memory of a charged matrix. */
static size_t longest_message(const struct options *o, const struct dense *d)
{
    const size_t r = o->algorithm == SUMMA && d->c > 1 ? (size_t)d->r : 1;

    return r * r * words_of_block(d);
}

/* Runs and times each repetition; with --verify checks it.  Returns an exit status. */
static int repeat(const struct options *o, struct dense *d, struct operands *operands,
                  double *time_s)
{
    const bool is_in_layers = o->algorithm == CHOLESKY && d->c > 1;
    int status = EXIT_SUCCESS;

    for (int i = 0; i < o->program.repetitions && !status; i++) {
        double began_s;

        operands_fill(d, o->algorithm, operands);
        began_s = program_begin(d->world);
        if (is_in_layers)
            cholesky_layers(d, operands);
        else
            algorithms[o->algorithm].run(d, operands);
        time_s[i] = program_end(d->world, began_s);
        if (o->is_verifying)
            status = verify(o, d, operands);
    }
    return status;
}

static int run(const struct options *o)
{
    double time_s[PROGRAM_REPETITIONS_MAX];
    struct operands operands;
    struct dense d;
    size_t longest;
    int status;

    if (!is_possible(o))
        return 64;
    derive(o, &d);
    longest = longest_message(o, &d);
    operands = (struct operands){ matrix_new(&d, longest), matrix_new(&d, longest),
                                  matrix_new(&d, longest) };
    status = repeat(o, &d, &operands, time_s);
    if (!o->is_verifying)
        write_run(o, &d, time_s);
    matrix_free(&operands.a);
    matrix_free(&operands.b);
    matrix_free(&operands.c);
    release(&d);
    return status;
}

static int run_batch(const struct options *common)
{
    FILE *file = fopen(common->batch, "r");
    char line[LINE_BYTES];
    int status = EXIT_SUCCESS, lines = 0;

    if (!file)
        program_fail("dense: --batch %s: cannot be read", common->batch);
    while (!status && fgets(line, sizeof line, file)) {
        struct options options;

        options_parse_line(line, common, &options);
        status = run(&options);
        lines++;
    }
    if (ferror(file) || !lines)
        program_fail("dense: --batch %s: has no lines of options", common->batch);
    fclose(file);
    return status;
}

int main(int argc, char **argv)
{
    struct options options;
    int status, rank;

    options_parse(argc, argv, &options);
    MPI_Init(&argc, &argv);
    fr_blas_set_threads(options.threads);
    status = options.batch ? run_batch(&options) : run(&options);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (!rank && !status)
        fprintf(stderr, "dense: ends well\n"); /* the simulator does not pass on exit statuses */
    MPI_Finalize();
    return status;
}
