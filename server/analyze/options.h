/* The command line of forerun-analyze. */
#ifndef FR_ANALYZE_OPTIONS_H
#define FR_ANALYZE_OPTIONS_H

#include "server/analyze/library.h"

enum { FR_ORDERINGS_MOST = 4, FR_REPETITIONS_MOST = 99 };

struct fr_analyze_options {
    const char *orderings[FR_ORDERINGS_MOST]; /* of fr_orderings */
    int ordering_count;
    struct fr_supernode_limits supernodes;
    int64_t memory_limit_bytes, cpu_limit_s; /* 0: none */
    const char *generate;                    /* instead of standard input; NULL */
    const char *file;                        /* the same */
    bool is_factorization;
    int grid_rows, grid_columns; /* 0: the processes as near to a square as they go */
    int repetitions;
};

/* Ends the process where something is wrong with it. */
void fr_options_parse(struct fr_analyze_options *options, int count, char **arguments);

#endif
