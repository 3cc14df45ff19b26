/* The command line: options, their limits, and the relations between them. */
#include "tests/programs/dense/options.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { ORDER_MAX = 1 << 20, COUNT_MAX = 1024, WORDS_MAX = 64 };
enum key {
    KEY_ALGORITHM = 256,
    KEY_VARIANT,
    KEY_N,
    KEY_REPLICATION,
    KEY_BLOCKS,
    KEY_THREADS,
    KEY_COMMUNICATION_THREADS,
    KEY_STEP_BARRIERS,
    KEY_BROADCAST,
    KEY_VERIFY,
    KEY_BATCH,
};

const char *const algorithm_names[] = { "cannon", "summa", "trsm", "cholesky", NULL };
const char *const variant_names[] = { "2d", "2d_ovlp", "25d", "25d_ovlp", NULL };

static const struct argp_option table[] = {
    { "algorithm", KEY_ALGORITHM, "NAME", 0, "cannon (the default), summa, trsm or cholesky", 0 },
    { "variant", KEY_VARIANT, "NAME", 0, "2d (the default), 2d_ovlp, 25d or 25d_ovlp", 0 },
    { "n", KEY_N, "N", 0, "Order of the matrices; a multiple of the block columns", 0 },
    { "replication", KEY_REPLICATION, "C", 0, "Layers; default 1", 0 },
    { "blocks-per-process", KEY_BLOCKS, "R", 0, "Blocks of a process in each dimension; default 1",
      0 },
    { "threads", KEY_THREADS, "T", 0, "Threads of a process, for the saved run; default 1", 0 },
    { "communication-threads", KEY_COMMUNICATION_THREADS, "H", 0,
      "Threads for communication, for the saved run of an overlapped variant; default 0", 0 },
    { "step-barriers", KEY_STEP_BARRIERS, NULL, 0, "cannon: barriers after every step", 0 },
    { "broadcast", KEY_BROADCAST, "NAME", 0,
      "Broadcast of overlapped variants: binomial, scatter_allgather, scatter_ring or by_length "
      "(the "
      "default; chooses like MPICH)",
      0 },
    { "verify", KEY_VERIFY, NULL, 0, "Compute, and compare with the result of one process", 0 },
    { "batch", KEY_BATCH, "FILE", 0, "One run for each line of options in FILE", 0 },
    { 0 },
};

static error_t parse(int key, char *text, struct argp_state *state)
{
    struct options *o = state->input;

    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &o->program;
        return 0;
    case KEY_ALGORITHM:
        o->algorithm = (enum algorithm)program_choice(state, "--algorithm", text, algorithm_names);
        return 0;
    case KEY_VARIANT:
        o->variant = (enum variant)program_choice(state, "--variant", text, variant_names);
        return 0;
    case KEY_N:
        o->n = program_count(state, "--n", text, 1, ORDER_MAX);
        return 0;
    case KEY_REPLICATION:
        o->replication = program_count(state, "--replication", text, 1, MEMBERS_MAX);
        return 0;
    case KEY_BLOCKS:
        o->blocks_per_process =
            program_count(state, "--blocks-per-process", text, 1, TRANSFERS_MAX / 2);
        return 0;
    case KEY_THREADS:
        o->threads = program_count(state, "--threads", text, 1, COUNT_MAX);
        return 0;
    case KEY_COMMUNICATION_THREADS:
        o->communication_threads =
            program_count(state, "--communication-threads", text, 0, COUNT_MAX);
        return 0;
    case KEY_STEP_BARRIERS:
        o->has_step_barriers = true;
        return 0;
    case KEY_BROADCAST:
        o->broadcast =
            (enum broadcast_algorithm)program_choice(state, "--broadcast", text, broadcast_names);
        return 0;
    case KEY_VERIFY:
        o->is_verifying = true;
        return 0;
    case KEY_BATCH:
        o->batch = text;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_child children[] = {
    { &program_argp, 0, NULL, 0 },
    { NULL, 0, NULL, 0 },
};
static const struct argp argp = {
    .options = table,
    .parser = parse,
    .children = children,
    .doc = "Runs a distributed dense algorithm and writes its saved run.",
};

void options_parse(int argc, char **argv, struct options *options)
{
    *options = (struct options){ .program = program_default(kernel_names),
                                 .n = 64,
                                 .replication = 1,
                                 .blocks_per_process = 1,
                                 .threads = 1,
                                 .broadcast = BY_LENGTH };
    argp_err_exit_status = 64;
    argp_parse(&argp, argc, argv, 0, NULL, options);
}

void options_parse_line(char *line, const struct options *common, struct options *options)
{
    static char name[] = "dense";
    char *word[WORDS_MAX + 1] = { name };
    char *rest = line;
    int words = 1;

    *options = *common;
    while (words < WORDS_MAX && (word[words] = strtok_r(rest, " \t\n", &rest)))
        words++;
    word[words] = NULL;
    argp_parse(&argp, words, word, 0, NULL, options);
}

const char *options_fault(const struct options *o, int processes)
{
    const bool has_layers = o->variant == V25D || o->variant == V25D_OVLP;
    const bool is_overlapped = o->variant == V2D_OVLP || o->variant == V25D_OVLP;
    const int c = o->replication, r = o->blocks_per_process;
    const int q = (int)lround(sqrt((double)processes / c));

    if (c > 1 && !has_layers)
        return "--replication: only for 25d and 25d_ovlp";
    if (q * q * c != processes)
        return "--replication: the processes do not form that many square grids";
    if (c > q)
        return "--replication: more layers than processes in a row of a layer";
    if (q > MEMBERS_MAX)
        return "at most 64 processes in a row";
    if (o->algorithm == CANNON && r > 1)
        return "--blocks-per-process: must be 1 for cannon";
    if (o->n % (q * r))
        return "--n: not a multiple of the block columns";
    if ((o->algorithm == TRSM || o->algorithm == CHOLESKY) && o->n / (q * r) % c)
        return "--n: the order of a block is not a multiple of the layers";
    if (o->communication_threads >= o->threads && o->communication_threads)
        return "--communication-threads: must be fewer than --threads";
    if (o->communication_threads && !is_overlapped)
        return "--communication-threads: only for 2d_ovlp and 25d_ovlp";
    if (o->has_step_barriers && o->algorithm != CANNON)
        return "--step-barriers: only for cannon";
    return NULL;
}
