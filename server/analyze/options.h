/* The command line of forerun-analyze. */
#ifndef FR_ANALYZE_OPTIONS_H
#define FR_ANALYZE_OPTIONS_H

#include "engine/sparse/structure/structure_key.h"
#include "server/analyze/library.h"

enum { FR_REPETITIONS_MOST = 99, FR_PARTITIONS_MOST = 64, FR_SOLVES_MOST = 8 };

struct fr_analyze_options {
    const char *orderings[SPARSE_ORDERING_COUNT]; /* elements of sparse_orderings */
    int ordering_count;
    struct fr_supernode_limits supernodes;
    int row_permutation;                     /* SPARSE_ROWS_* */
    int64_t memory_limit_bytes, cpu_limit_s; /* 0: none */
    const char *permutations; /* a file of permutations for the ordering; NULL: they are found */
    const char *generate;     /* a generated matrix; NULL: none */
    const char *file;         /* a file; NULL: standard input */
    const char *partition;    /* an element of krylov_partitions */
    int32_t processes[FR_PARTITIONS_MOST];
    int process_counts; /* 0: no partition */
    bool is_factorization;
    int grid_rows, grid_columns; /* 0: nearly square */
    int repetitions, lookahead;
    bool times_blas;
    int32_t nrhs[FR_SOLVES_MOST]; /* right-hand sides of each solve to time */
    int solves;
};

/* Parses the command line; ends the process with a message if it is wrong. */
void fr_options_parse(struct fr_analyze_options *options, int count, char **arguments);

#endif
