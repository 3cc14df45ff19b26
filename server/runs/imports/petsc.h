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
    PETSC_COPY,
    PETSC_DOT,       /* with its reduction */
    PETSC_REDUCTION, /* a reduction alone */
    PETSC_ROLES
};

/* Sums over the events of one rank in one stage. */
struct petsc_rank {
    double count[PETSC_ROLES], time_s[PETSC_ROLES];
    double update_operands;             /* moved by the updates */
    double reduced_operands, reduced_s; /* of the dot products that reduce */
    /* Operands that are shared by all vectors of an update or of a dot product, each as long as the
     * rows of the rank; and the rows. */
    double update_shared, reduced_shared, rows;
};

enum { PETSC_MAX_STAGES = 64, PETSC_MAX_RANKS = 10000 };

struct petsc_stage {
    struct fr_slice name;
    size_t capacity;
    struct petsc_rank *rank; /* in the arena of the filter */
};

/* What -ksp_view printed before a log; texts are empty and numbers 0 where it did not. */
struct petsc_view {
    struct fr_slice type, preconditioner;
    bool is_single_reduction;
    bool is_block; /* the next PC is that of a block of block Jacobi */
    bool is_pc;    /* the next type is that of a PC, else of the KSP */
    bool is_nested;
    int64_t restart, rows, nonzeros;
};

struct petsc_log {
    size_t line;                /* of its header */
    bool is_text;               /* of one process, which stands for the slowest */
    struct fr_slice text_stage; /* the stage of the rows that follow; empty: none */
    double processes;           /* of a text; 0: not read yet */
    struct petsc_view view;
    size_t ranks;
    size_t stage_count;
    struct petsc_stage stage[PETSC_MAX_STAGES];
};

/* What a row says of an event. */
struct petsc_row {
    double count, time_s, reductions, flops;
};
/* PETSC_ROLES: the solver has no such event. */
enum petsc_role fr_petsc_role(struct fr_slice event);
/* Adds a row of such an event to the sums of a rank; a fault if memory is short. */
void fr_petsc_add(struct fr_filter *filter, struct petsc_log *log, struct fr_slice stage,
                  struct fr_slice event, size_t rank, const struct petsc_row *row);

/* Whether the line begins a log that was printed as text, and takes one of those after it. */
bool fr_petsc_is_text(struct fr_slice line);
void fr_petsc_text(struct fr_filter *filter, struct petsc_log *log, struct fr_slice line);

/* Whether the request names a method that cg does not have. */
bool fr_petsc_is_beyond_cg(const struct fr_import_given *given);
/* The solver (enum krylov_solver_choice) that the view names, or else the request; KRYLOV_SOLVERS
 * with a fault. */
int fr_petsc_solver(struct fr_filter *filter, const struct petsc_log *log);
/* Takes a line of the output of -ksp_view; `is_indented` as it was printed. */
void fr_petsc_view(struct petsc_view *view, struct fr_slice line, bool is_indented);
/* Writes the run of a stage; adds faults if the ranks or the counts do not fit. */
void fr_petsc_write(struct fr_filter *filter, const struct petsc_log *log,
                    const struct petsc_stage *stage);

#endif
