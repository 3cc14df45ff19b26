/* The sums of a PETSc log (petsc.c), and the run that follows from them (petsc_run.c). */
#ifndef FR_IMPORT_PETSC_H
#define FR_IMPORT_PETSC_H

#include "server/runs/imports/filter.h"

/* The part of a Krylov solver that an event belongs to. */
enum petsc_role {
    PETSC_SOLVE,  /* the whole solve */
    PETSC_MATVEC, /* with the halo exchange */
    PETSC_PRECONDITIONER,
    PETSC_SCATTER_BEGIN, /* the halo exchange */
    PETSC_SCATTER_END,
    PETSC_UPDATE,     /* vector work that gives the bandwidth of the rest */
    PETSC_ARITHMETIC, /* other vector work without communication */
    PETSC_DOT,        /* with its reduction */
    PETSC_REDUCTION,  /* a reduction alone */
    PETSC_ROLES
};

/* Sums over the events of one rank in one stage. */
struct petsc_rank {
    double count[PETSC_ROLES], time_s[PETSC_ROLES];
    double update_operands;             /* moved by the updates */
    double reduced_operands, reduced_s; /* of the dot products that reduce */
};

enum { PETSC_MAX_STAGES = 64, PETSC_MAX_RANKS = 10000 };

struct petsc_stage {
    struct fr_slice name;
    size_t capacity;
    struct petsc_rank *rank; /* in the arena of the filter */
};

struct petsc_log {
    size_t line; /* of its header */
    size_t ranks;
    size_t stage_count;
    struct petsc_stage stage[PETSC_MAX_STAGES];
};

/* Writes the run of a stage; adds faults if the ranks or the counts do not fit. */
void fr_petsc_write(struct fr_filter *filter, const struct petsc_log *log,
                    const struct petsc_stage *stage);

#endif
