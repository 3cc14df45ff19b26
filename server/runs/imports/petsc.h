/* What a PETSc log adds up to (petsc.c), and the run that follows from it (petsc_run.c). */
#ifndef FR_IMPORT_PETSC_H
#define FR_IMPORT_PETSC_H

#include "server/runs/imports/filter.h"

/* What an event is to a Krylov solver. */
enum petsc_role {
    PETSC_SOLVE,  /* all of it */
    PETSC_MATVEC, /* with the exchange of the halo */
    PETSC_PRECONDITIONER,
    PETSC_SCATTER_BEGIN, /* the exchange of the halo */
    PETSC_SCATTER_END,
    PETSC_UPDATE,     /* vector work whose speed tells that of the other */
    PETSC_ARITHMETIC, /* other vector work without communication */
    PETSC_DOT,        /* with its reduction */
    PETSC_REDUCTION,  /* a reduction alone */
    PETSC_ROLES
};

/* Sums over the events of one rank in one stage. */
struct petsc_rank {
    double count[PETSC_ROLES], time_s[PETSC_ROLES];
    double update_operands;             /* moved by the updates: what vector work costs */
    double reduced_operands, reduced_s; /* of the dot products that reduce */
};

enum { PETSC_MAX_STAGES = 64, PETSC_MAX_RANKS = 10000 };

struct petsc_stage {
    struct fr_slice name;
    size_t capacity;
    struct petsc_rank *rank; /* the arena's */
};

struct petsc_log {
    size_t line; /* of its header */
    size_t ranks;
    size_t stage_count;
    struct petsc_stage stage[PETSC_MAX_STAGES];
};

void fr_petsc_write(struct fr_filter *filter, const struct petsc_log *log,
                    const struct petsc_stage *stage);

#endif
