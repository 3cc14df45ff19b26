/* The options of forerun-analyze, by argp. */
#include "server/analyze/analyze.h"

#include "engine/krylov/partition/partition.h"

#include <argp.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum key {
    KEY_ORDERINGS = 256,
    KEY_ROW_PERMUTATION,
    KEY_SUPERNODE_MAX,
    KEY_SUPERNODE_RELAX,
    KEY_MEMORY,
    KEY_CPU,
    KEY_PERMUTATIONS,
    KEY_GENERATE,
    KEY_PARTITION,
    KEY_BY,
    KEY_FACTORIZE,
    KEY_GRID,
    KEY_REPETITIONS,
    KEY_LOOKAHEAD,
    KEY_BLAS,
    KEY_SOLVES,
};

/* The library's own limit of the look-ahead. */
enum { LOOKAHEAD_MOST = 49, GRID_MOST = 1 << 16, NRHS_MOST = 1000 };

static const struct argp_option table[] = {
    { .doc = "Analysis" },
    { "orderings", KEY_ORDERINGS, "NAMES", 0,
      "Comma-separated orderings out of " SPARSE_ORDERING_LIST "; default all", 0 },
    { "ordering", KEY_ORDERINGS, "NAME", OPTION_ALIAS, NULL, 0 },
    { "row-permutation", KEY_ROW_PERMUTATION, "NAME", 0,
      "auto, none or transversal: none takes the rows as they are, transversal permutes them also "
      "where their order is as good",
      0 },
    { "supernode-max", KEY_SUPERNODE_MAX, "N", 0, "Most columns of a supernode; default 256", 0 },
    { "supernode-relax", KEY_SUPERNODE_RELAX, "N", 0,
      "Subtrees of up to N columns become one supernode; default 60", 0 },
    { "permutations", KEY_PERMUTATIONS, "FILE", 0,
      "Take the permutations of rows and columns that an earlier analysis of this matrix with the "
      "same ordering reported",
      0 },
    { "generate", KEY_GENERATE, "WHAT", 0,
      "Generate a matrix instead of reading one: cd3d:NX,NY,NZ,SEED, cfd2d:NX,NY,DOF,SEED, "
      "fem3d:NX,NY,NZ,DOF,SEED, econ:BLOCKS,SIZE,FILL,SEED or circuit:N,DEGREE,HUBS,SEED",
      0 },
    { .doc = "Partition" },
    { "partition", KEY_PARTITION, "P,...", 0,
      "Divide the rows among so many processes; print the entries of each, and their messages", 0 },
    { "by", KEY_BY, "NAME", 0, "One of " KRYLOV_PARTITION_LIST "; default the first", 0 },
    { .doc = "Limits" },
    { "memory-limit-bytes", KEY_MEMORY, "N", 0, "Address space", 0 },
    { "cpu-limit-s", KEY_CPU, "N", 0, "Processor time", 0 },
    { .doc = "Factorization" },
    { "factorize", KEY_FACTORIZE, NULL, 0,
      "Factorize with SuperLU_DIST, also under mpirun, and print one line of JSON", 0 },
    { "grid", KEY_GRID, "RxC", 0, "Process rows and columns; default nearly square", 0 },
    { "repetitions", KEY_REPETITIONS, "N", 0, "Number of factorizations; default 3", 0 },
    { "lookahead", KEY_LOOKAHEAD, "N", 0, "Panels to factorize ahead; default 10", 0 },
    { "blas", KEY_BLAS, NULL, 0, "Also time the calls of BLAS, which slows the factorization", 0 },
    { "solves", KEY_SOLVES, "NRHS,...", 0,
      "Also time triangular solves with so many right-hand sides each", 0 },
    { 0 },
};

static int64_t whole(struct argp_state *state, const char *name, const char *text, int64_t least,
                     int64_t most)
{
    char *end;
    long long value;

    errno = 0;
    value = strtoll(text, &end, 10);
    if (errno || end == text || *end || value < least || value > most)
        argp_error(state, "%s: %s; a whole number from %lld to %lld is needed", name, text,
                   (long long)least, (long long)most);
    return value;
}

static void add_ordering(struct argp_state *state, struct fr_analyze_options *options,
                         const char *name, size_t length)
{
    for (const char *const *known = sparse_orderings; *known; known++) {
        if (strlen(*known) != length || strncmp(*known, name, length) != 0)
            continue;
        for (int i = 0; i < options->ordering_count; i++)
            if (options->orderings[i] == *known)
                argp_error(state, "--orderings: %s is given twice", *known);
        options->orderings[options->ordering_count++] = *known;
        return;
    }
    argp_error(state, "--orderings: %.*s is none of " SPARSE_ORDERING_LIST, (int)length, name);
}

static void take_orderings(struct argp_state *state, struct fr_analyze_options *options,
                           const char *names)
{
    options->ordering_count = 0;
    for (const char *at = names; at; at = strchr(at, ',')) {
        at += *at == ',';
        add_ordering(state, options, at, strcspn(at, ","));
    }
}

/* Whole numbers from 1 to `most`, separated by commas; returns how many. */
static int take_list(struct argp_state *state, const char *name, const char *text, int32_t most,
                     int32_t *out, int room)
{
    int taken = 0;

    for (const char *at = text; at; at = strchr(at, ',')) {
        char number[16];

        at += *at == ',';
        snprintf(number, sizeof number, "%.*s", (int)strcspn(at, ","), at);
        if (taken == room)
            argp_error(state, "%s: more than %d numbers", name, room);
        out[taken++] = (int32_t)whole(state, name, number, 1, most);
    }
    return taken;
}

static void take_partition(struct argp_state *state, struct fr_analyze_options *options,
                           const char *name)
{
    for (const char *const *known = krylov_partitions; *known; known++)
        if (strcmp(*known, name) == 0) {
            options->partition = *known;
            return;
        }
    argp_error(state, "--by: %s is none of " KRYLOV_PARTITION_LIST, name);
}

static void take_row_permutation(struct argp_state *state, struct fr_analyze_options *options,
                                 const char *name)
{
    options->row_permutation = 0;
    while (sparse_row_permutations[options->row_permutation] &&
           strcmp(sparse_row_permutations[options->row_permutation], name) != 0)
        options->row_permutation++;
    if (!sparse_row_permutations[options->row_permutation])
        argp_error(state, "--row-permutation: %s is none of auto, none, transversal", name);
}

static void take_grid(struct argp_state *state, struct fr_analyze_options *options,
                      const char *text)
{
    char *end = NULL;
    const long rows = strtol(text, &end, 10);
    const long columns = *end == 'x' ? strtol(end + 1, &end, 10) : 0;

    if (*end || rows < 1 || columns < 1 || rows > GRID_MOST || columns > GRID_MOST)
        argp_error(state, "--grid: %s; rows and columns like 2x4 are needed", text);
    options->grid_rows = (int)rows;
    options->grid_columns = (int)columns;
}

static error_t take(int key, char *value, struct argp_state *state)
{
    struct fr_analyze_options *options = state->input;

    switch (key) {
    case KEY_ORDERINGS:
        take_orderings(state, options, value);
        break;
    case KEY_ROW_PERMUTATION:
        take_row_permutation(state, options, value);
        break;
    case KEY_SUPERNODE_MAX:
        options->supernodes.max =
            (int)whole(state, "--supernode-max", value, 1, SPARSE_SUPERNODE_MOST);
        break;
    case KEY_SUPERNODE_RELAX:
        options->supernodes.relax =
            (int)whole(state, "--supernode-relax", value, 1, SPARSE_SUPERNODE_MOST);
        break;
    case KEY_MEMORY:
        options->memory_limit_bytes = whole(state, "--memory-limit-bytes", value, 1, INT64_MAX);
        break;
    case KEY_CPU:
        options->cpu_limit_s = whole(state, "--cpu-limit-s", value, 1, INT32_MAX);
        break;
    case KEY_PERMUTATIONS:
        options->permutations = value;
        break;
    case KEY_GENERATE:
        options->generate = value;
        break;
    case KEY_PARTITION:
        options->process_counts =
            take_list(state, "--partition", value, KRYLOV_PARTITION_MOST_PROCESSES,
                      options->processes, FR_PARTITIONS_MOST);
        break;
    case KEY_BY:
        take_partition(state, options, value);
        break;
    case KEY_FACTORIZE:
        options->is_factorization = true;
        break;
    case KEY_GRID:
        take_grid(state, options, value);
        break;
    case KEY_REPETITIONS:
        options->repetitions = (int)whole(state, "--repetitions", value, 1, FR_REPETITIONS_MOST);
        break;
    case KEY_LOOKAHEAD:
        options->lookahead = (int)whole(state, "--lookahead", value, 0, LOOKAHEAD_MOST);
        break;
    case KEY_BLAS:
        options->times_blas = true;
        break;
    case KEY_SOLVES:
        options->solves =
            take_list(state, "--solves", value, NRHS_MOST, options->nrhs, FR_SOLVES_MOST);
        break;
    case ARGP_KEY_ARG:
        if (options->file)
            argp_error(state, "%s: only one file can be read", value);
        options->file = value;
        break;
    case ARGP_KEY_END:
        if (options->supernodes.relax > options->supernodes.max)
            argp_error(state, "--supernode-relax: %d; at most --supernode-max, %d, is needed",
                       options->supernodes.relax, options->supernodes.max);
        if (options->generate && options->file)
            argp_error(state, "%s: a file cannot be combined with --generate", options->file);
        if (options->permutations && options->ordering_count != 1)
            argp_error(state, "--permutations needs one ordering");
        if (options->is_factorization && options->process_counts)
            argp_error(state, "--partition cannot be combined with --factorize");
        if (options->times_blas && !options->is_factorization)
            argp_error(state, "--blas needs --factorize");
        if (options->solves && !options->is_factorization)
            argp_error(state, "--solves needs --factorize");
        if (options->is_factorization && options->ordering_count > 1)
            options->ordering_count = 1;
        break;
    default:
        return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

void fr_options_parse(struct fr_analyze_options *options, int count, char **arguments)
{
    static const struct argp parser = {
        .options = table,
        .parser = take,
        .args_doc = "[FILE]",
        .doc = "Finds the block structure of the factors that SuperLU_DIST computes for a sparse "
               "matrix, or what processes that share its rows exchange.\vReads a Matrix Market, "
               "Harwell-Boeing or Rutherford-Boeing file, plain or "
               "gzip, from FILE or standard input; writes records for forerund.",
    };

    *options = (struct fr_analyze_options){ .ordering_count = SPARSE_ORDERING_COUNT,
                                            .supernodes = { SPARSE_USUAL_MAX, SPARSE_USUAL_RELAX },
                                            .partition = krylov_partitions[0],
                                            .repetitions = 3,
                                            .lookahead = 10 };
    for (int i = 0; i < SPARSE_ORDERING_COUNT; i++)
        options->orderings[i] = sparse_orderings[i];
    argp_parse(&parser, count, arguments, 0, NULL, options);
}
