/* krylov: allreduces, halo exchanges and solves with conjugate gradients on the ranks of a job, as
 * saved runs.
 *
 *     mpirun -np 8 build/programs/krylov allreduce message_bytes=8,1024 blocking=true,false
 *     mpirun -np 8 build/programs/krylov cg local_grid=16x16x16 iterations=20 solver=pcg,pipecg
 */
#include <stdio.h>
#include <string.h>

#include "calibrations/calibrate/core/document.h"
#include "tests/programs/krylov/kernels.h"
#include "tests/programs/krylov/operations.h"

enum key {
    KEY_TOPOLOGY = 256,
    KEY_PER_NODE,
    KEY_RATE,
    KEY_REAL,
    KEY_IMBALANCE,
    KEY_SLICE,
    KEY_OWN
};

static const struct argp_option table[] = {
    { "topology", KEY_TOPOLOGY, "NETWORK", 0,
      "torus:4x4x4:2, dragonfly:6x16:4 (chassis, routers, nodes) or uniform; the number at the end "
      "of "
      "a host name gives its location",
      0 },
    { "processes-per-node", KEY_PER_NODE, "COUNT", 0,
      "Treat COUNT consecutive ranks as a node; default: ranks with the same host", 0 },
    { "memory-rate", KEY_RATE, "BYTES/S", 0,
      "Memory bandwidth of one process, which gives the time of the kernels of cg; default 1e10",
      0 },
    { "real", KEY_REAL, NULL, 0, "Execute the kernels of cg instead of charging their time", 0 },
    { "imbalance", KEY_IMBALANCE, "FRACTION", 0,
      "Largest relative variation of charged kernels; default 0", 0 },
    { "slice", KEY_SLICE, "SECONDS", 0,
      "Computation between two tests of non-blocking messages; default 2e-5", 0 },
    { "own-allreduce", KEY_OWN, NULL, 0,
      "Use recursive doubling for blocking allreduces too, instead of the library", 0 },
    { 0 },
};

static error_t take_imbalance(struct argp_state *state, struct options *options, const char *text)
{
    options->imbalance = program_positive(state, "--imbalance", text);
    if (options->imbalance >= 1)
        argp_error(state, "--imbalance %s: must be above 0 and below 1", text);
    return 0;
}

static error_t parse(int key, char *text, struct argp_state *state)
{
    struct options *options = state->input;

    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &options->program;
        return 0;
    case ARGP_KEY_ARG:
        question_take(&options->question, text, state);
        return 0;
    case ARGP_KEY_NO_ARGS:
        argp_error(state, "a model is required: allreduce, halo_exchange or cg");
        return EINVAL;
    case KEY_TOPOLOGY:
        if (question_take_topology(&options->question, text))
            argp_error(
                state,
                "--topology %s: must be like torus:4x4x4, torus:4x4x4:2, dragonfly:6x16:4 or "
                "uniform",
                text);
        return 0;
    case KEY_PER_NODE:
        options->per_node = program_count(state, "--processes-per-node", text, 1, 4096);
        return 0;
    case KEY_RATE:
        options->memory_rate = program_positive(state, "--memory-rate", text);
        return 0;
    case KEY_IMBALANCE:
        return take_imbalance(state, options, text);
    case KEY_SLICE:
        options->slice_s = program_positive(state, "--slice", text);
        return 0;
    case KEY_REAL:
        options->is_real = true;
        return 0;
    case KEY_OWN:
        options->has_own_allreduce = true;
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
    .args_doc = "MODEL NAME=VALUE[,VALUE...]...",
    .doc =
        "Runs the operation of a model for each combination of the values and writes saved runs.",
};

static void run_case(const struct options *options, struct question *question,
                     const struct job *job, int which)
{
    struct test test = { .options = options, .question = question, .job = job };

    question_resolve(question, job, which, options->memory_rate);
    verify_eager_limit(&test);
    if (strcmp(question->model->name, "allreduce") == 0)
        run_allreduce(&test);
    else if (strcmp(question->model->name, "halo_exchange") == 0)
        run_halo_exchange(&test);
    else
        run_cg(&test);
}

int main(int argc, char **argv)
{
    struct options *options;
    struct job job;

    MPI_Init(&argc, &argv);
    options = job_room(1, sizeof *options);
    options->program = program_default(kernel_names);
    options->memory_rate = 1e10;
    options->slice_s = 2e-5;
    question_init(&options->question);
    argp_parse(&argp, argc, argv, 0, NULL, options);
    job_find(&job, options->per_node);
    for (int i = 0; i < question_cases(&options->question); i++)
        run_case(options, &options->question, &job, i);
    if (job.rank == 0)
        fputs("krylov: ends well\n", stderr);
    job_free(&job);
    question_free(&options->question);
    fr_record_free(options);
    MPI_Finalize();
    return 0;
}
