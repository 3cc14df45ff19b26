/* A factorization of SuperLU_DIST: what was read of it (superlu_dist.c), and the run that is
 * written (superlu_dist_run.c). */
#ifndef FR_SUPERLU_DIST_H
#define FR_SUPERLU_DIST_H

#include "server/runs/imports/filter.h"

/* What SuperLU_DIST prints as `**    RowPerm   :    1`. */
enum superlu_option {
    SUPERLU_COL_PERM,
    SUPERLU_ROW_PERM,
    SUPERLU_RELAX,
    SUPERLU_MAX_SUPERNODE,
    SUPERLU_LOOKAHEADS,
    SUPERLU_3D,
    SUPERLU_OPTIONS
};
enum superlu_nonzeros { SUPERLU_IN_L, SUPERLU_IN_U, SUPERLU_IN_BOTH, SUPERLU_NONZEROS };

/* What has been read so far; the grid and the options apply to the following factorizations. */
struct superlu {
    int64_t rows, columns; /* 0: unknown */
    int64_t layers;
    size_t grid_line, option_line[SUPERLU_OPTIONS];
    char matrix[FR_IMPORT_TEXT_BYTES];
    int64_t option[SUPERLU_OPTIONS];           /* -1: not said */
    struct fr_slice text[SUPERLU_OPTIONS];     /* of COL_PERM and ROW_PERM, a number or a name */
    int64_t nonzeros[SUPERLU_NONZEROS], order; /* of the matrix; 0: not said */
    size_t nonzeros_line;
    char other[FR_IMPORT_TEXT_BYTES]; /* why it is another program; empty: it is not */
    size_t other_line;
    struct fr_slice factor; /* the time; length 0: no factorization to be written */
    size_t factor_line;
    bool has_run;      /* since the grid */
    size_t first_line; /* of that run, until a warning names it */
    double flops;      /* 0: not said */
    struct fr_slice rate;
    size_t flops_line;
};

/* Writes the factorization before this line, if there is one. */
void superlu_finish(struct fr_filter *filter, struct superlu *state);

#endif
