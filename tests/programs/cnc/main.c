/* cnc: runs Cannon's and Johnson's matrix products on Concurrent Collections and writes saved runs.
 *
 *     mpirun -np 4 build/programs/cnc --algorithm johnson --n 600 --block-size 100 --verify
 *     smpirun ... build/smpi/cnc --algorithm cannon --n 2000 --block-size 200 --rate 4.4e9
 */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "calibrations/calibrate/core/sample.h"
#include "tests/programs/cnc/algorithms.h"
#include "tests/programs/cnc/selftest.h"
#include "tests/programs/program.h"

enum key {
    KEY_ALGORITHM = 256,
    KEY_N,
    KEY_BLOCK,
    KEY_MODE,
    KEY_RATE,
    KEY_SGEMM,
    KEY_SLICE,
    KEY_VERIFY,
    KEY_SELF_TEST
};

static const struct argp_option table[] = {
    { "algorithm", KEY_ALGORITHM, "NAME", 0, "cannon (the default) or johnson", 0 },
    { "n", KEY_N, "N", 0, "Order of the matrices; default 400", 0 },
    { "block-size", KEY_BLOCK, "B", 0, "Order of a block; divides n; default 100", 0 },
    { "mode", KEY_MODE, "NAME", 0,
      "full, compute (no blocks are moved), communication (no blocks are multiplied) or all, the "
      "default: the saved run has the time of the full run and the other two as outputs",
      0 },
    { "rate", KEY_RATE, "FLOPS", 0,
      "Charge a block product at so many operations a second; so does --kernel multiply=SECONDS",
      0 },
    { "sgemm", KEY_SGEMM, NULL, 0, "Use sgemm of the BLAS instead of the tiled kernel", 0 },
    { "slice", KEY_SLICE, "SECONDS", 0,
      "Of a charged product between two looks at messages; default 2e-4", 0 },
    { "verify", KEY_VERIFY, NULL, 0, "Compare the product with a sequential one", 0 },
    { "self-test", KEY_SELF_TEST, NULL, 0, "Test the CnC layer instead", 0 },
    { 0 },
};

enum mode { MODE_FULL, MODE_COMPUTE, MODE_COMMUNICATION, MODES, MODE_ALL = MODES };
static const char *const mode_names[] = { "full", "compute", "communication", "all", NULL };

struct options {
    struct program program;
    enum algorithm algorithm;
    int n, block_size;
    enum mode mode;
    double rate, slice_s;
    bool uses_sgemm, verifies, is_self_test;
};

enum { ORDER_MAX = 65536, BLOCKS_MAX = 128 };

static double charged_s(const struct options *options)
{
    const double b = options->block_size, own_s = program_kernel_s(&options->program, "multiply");

    return isnan(own_s) && options->rate > 0 ? 2 * b * b * b / options->rate : own_s;
}

static error_t parse(int key, char *text, struct argp_state *state)
{
    struct options *options = state->input;

    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &options->program;
        return 0;
    case KEY_ALGORITHM:
        options->algorithm =
            (enum algorithm)program_choice(state, "--algorithm", text, algorithm_names);
        return 0;
    case KEY_N:
        options->n = program_count(state, "--n", text, 1, ORDER_MAX);
        return 0;
    case KEY_BLOCK:
        options->block_size = program_count(state, "--block-size", text, 1, ORDER_MAX);
        return 0;
    case KEY_MODE:
        options->mode = (enum mode)program_choice(state, "--mode", text, mode_names);
        return 0;
    case KEY_RATE:
        options->rate = program_positive(state, "--rate", text);
        return 0;
    case KEY_SLICE:
        options->slice_s = program_positive(state, "--slice", text);
        return 0;
    case KEY_SGEMM:
        options->uses_sgemm = true;
        return 0;
    case KEY_VERIFY:
        options->verifies = true;
        return 0;
    case KEY_SELF_TEST:
        options->is_self_test = true;
        return 0;
    case ARGP_KEY_END:
        if (options->n % options->block_size)
            argp_error(state, "--block-size %d: it does not divide --n %d", options->block_size,
                       options->n);
        if (options->n / options->block_size > BLOCKS_MAX)
            argp_error(state, "--block-size %d: more than %d blocks of --n %d in a row",
                       options->block_size, BLOCKS_MAX, options->n);
        if (options->verifies && options->mode != MODE_FULL && options->mode != MODE_ALL)
            argp_error(state, "--verify: --mode %s makes no product; full does",
                       mode_names[options->mode]);
        if (options->verifies && !isnan(charged_s(options)))
            argp_error(state, "--verify: a charged product computes nothing; leave --rate and "
                              "--kernel out");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_child children[] = { { &program_argp, 0, NULL, 0 }, { 0 } };
static const struct argp argp = {
    .options = table,
    .parser = parse,
    .children = children,
    .doc = "Multiplies matrices block by block with Concurrent Collections; all blocks begin on "
           "the first rank.",
};

static struct product product_of(const struct options *options, enum mode mode)
{
    const double time_s = charged_s(options);

    return (struct product){
        .algorithm = options->algorithm,
        .blocks = options->n / options->block_size,
        .computes = mode != MODE_COMMUNICATION,
        .moves_data = mode != MODE_COMPUTE,
        .kernel = { .choice = !isnan(time_s)        ? KERNEL_CHARGED
                              : options->uses_sgemm ? KERNEL_SGEMM
                                                    : KERNEL_TILED,
                    .order = options->block_size,
                    .time_s = time_s,
                    .slice_s = options->slice_s },
    };
}

/* Measurements, by mode. */
struct measured {
    double time_s[MODES][PROGRAM_REPETITIONS_MAX];
    double multiplying_s, received_bytes; /* full mode: mean and maximum over the ranks */
};

static void note(struct measured *measured, const struct product *product, double repetitions)
{
    const double own_bytes = cnc_received_bytes(product->cnc);
    double sum_s;

    MPI_Allreduce(&product->computing_s, &sum_s, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    MPI_Allreduce(&own_bytes, &measured->received_bytes, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    measured->multiplying_s += sum_s / product->ranks / repetitions;
}

static void run_mode(const struct options *options, enum mode mode, struct measured *measured)
{
    for (int i = 0; i < options->program.repetitions; i++) {
        struct product product = product_of(options, mode);
        double began_s;

        product_init(&product);
        began_s = program_begin(MPI_COMM_WORLD);
        product_run(&product);
        measured->time_s[mode][i] = program_end(MPI_COMM_WORLD, began_s);
        if (mode == MODE_FULL) {
            note(measured, &product, options->program.repetitions);
            if (options->verifies)
                product_verify(&product);
        }
        product_free(&product);
    }
}

static double median_of(const struct options *options, const struct measured *measured,
                        enum mode mode)
{
    double sorted[PROGRAM_REPETITIONS_MAX];

    memcpy(sorted, measured->time_s[mode], sizeof sorted);
    return fr_sample_median(sorted, options->program.repetitions);
}

static void write_outputs(const struct options *options, const struct measured *measured,
                          struct fr_writer *run)
{
    fr_json_key(run, "breakdown");
    fr_json_array(run);
    fr_json_object(run);
    fr_json_pair(run, "phase", "block_multiply");
    fr_json_pair_number(run, "time_s", measured->multiplying_s);
    fr_json_object_end(run);
    fr_json_array_end(run);
    fr_json_key(run, "outputs");
    fr_json_object(run);
    fr_json_pair_number(run, "communication_bytes_per_process", measured->received_bytes);
    if (options->mode == MODE_ALL) {
        fr_json_pair_number(run, "computation_s", median_of(options, measured, MODE_COMPUTE));
        fr_json_pair_number(run, "communication_s",
                            median_of(options, measured, MODE_COMMUNICATION));
    }
    fr_json_object_end(run);
}

static void write_run(const struct options *options, const struct measured *measured, int ranks)
{
    struct fr_writer run;

    program_run_begin(&run, "cnc_matmul");
    fr_json_pair(&run, "algorithm", algorithm_names[options->algorithm]);
    fr_json_pair_integer(&run, "n", options->n);
    fr_json_pair_integer(&run, "block_size", options->block_size);
    fr_json_pair_integer(&run, "processes", ranks);
    fr_json_pair_integer(&run, "word_bytes", sizeof(float));
    program_run_times(&run, measured->time_s[MODE_FULL], options->program.repetitions);
    write_outputs(options, measured, &run);
    program_run_end(&run, &options->program);
}

static void run_all(const struct options *options)
{
    struct measured measured = { 0 };
    int rank, ranks;

    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    for (enum mode mode = MODE_FULL; mode < MODES; mode++)
        if (options->mode == mode || options->mode == MODE_ALL) {
            run_mode(options, mode, &measured);
            if (rank == 0)
                fprintf(stderr, "cnc: %s, %d ranks, %s: %.6g s\n",
                        algorithm_names[options->algorithm], ranks, mode_names[mode],
                        median_of(options, &measured, mode));
        }
    if (rank == 0 && (options->mode == MODE_FULL || options->mode == MODE_ALL))
        write_run(options, &measured, ranks);
}

int main(int argc, char **argv)
{
    static const char *const charged[] = { "multiply", NULL };
    struct options options = {
        .program = program_default(charged),
        .n = 400,
        .block_size = 100,
        .mode = MODE_ALL,
        .slice_s = 2e-4,
    };
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    argp_parse(&argp, argc, argv, 0, NULL, &options);
    if (options.is_self_test)
        selftest();
    else
        run_all(&options);
    if (rank == 0)
        fputs("cnc: ends well\n", stderr);
    MPI_Finalize();
    return 0;
}
