/* The sums of a PETSc log (petsc.c), and the run that follows from them (petsc_run.c). */
#ifndef FR_IMPORT_PETSC_H
#define FR_IMPORT_PETSC_H

#include "engine/krylov/solvers/solvers.h"
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
    PETSC_KSP_SETUP, /* these four may lie within each other, and within the solve */
    PETSC_PC_SETUP,
    PETSC_BLOCK_SETUP,
    PETSC_FACTORIZATION,
    PETSC_ROLES
};

/* Events of which a solver makes a fixed number in each iteration, and none besides. */
enum petsc_teller { PETSC_TELLS_NOTHING, PETSC_AXPYS, PETSC_MDOTS, PETSC_DOT_NORMS, PETSC_TELLERS };

/* Sums over the events of one rank in one stage. */
struct petsc_rank {
    double count[PETSC_ROLES], time_s[PETSC_ROLES], flops[PETSC_ROLES];
    double least_s[PETSC_ROLES], least_flops[PETSC_ROLES]; /* of any process, in a text */
    double told[PETSC_TELLERS];
    uint64_t events;                    /* a bit for each that has had its row */
    double update_operands;             /* moved by the updates */
    double reduced_operands, reduced_s; /* of the dot products that reduce */
    /* Operands that are shared by all vectors of an update or of a dot product, each as long as the
     * rows of the rank; and the rows. */
    double update_shared, reduced_shared, rows;
};

enum { PETSC_MAX_STAGES = 64, PETSC_MAX_RANKS = 10000 };

struct petsc_stage {
    struct fr_slice name;
    size_t line; /* of its first solve */
    size_t capacity;
    struct petsc_rank *rank; /* in the arena of the filter */
};

enum petsc_guess { PETSC_GUESS_UNKNOWN, PETSC_GUESS_ZERO, PETSC_GUESS_NONZERO };

/* Lines of a view that tell what the models do not have. */
enum petsc_unmodelled {
    PETSC_OTHER_ORTHOGONALIZATION,
    PETSC_OTHER_NORM,
    PETSC_OTHER_MATRIX,
    PETSC_UNMODELLED
};

/* What -ksp_view printed before a log; texts are empty and numbers 0 where it did not. */
struct petsc_view {
    struct fr_slice prefix, type, preconditioner;
    struct fr_slice other; /* a line that makes it another preconditioner than its type says */
    size_t type_line, preconditioner_line, restart_line, rows_line;
    struct fr_slice unmodelled[PETSC_UNMODELLED];
    enum petsc_guess guess;
    bool is_single_reduction, has_begun, is_system; /* is_system: its type is the next */
    /* Of the view before it, of another solve or the same one; `differ`: two before it did. */
    struct petsc_solve_name {
        struct fr_slice prefix, type;
        int64_t restart, rows;
    } before;
    bool has_before, differ;
    size_t indent; /* of the solver's own object; those within it have more */
    bool is_inner; /* the object is within another one */
    bool is_block; /* the next PC is that of a block of block Jacobi */
    bool is_pc;    /* the next type is that of a PC, else of the KSP */
    bool is_nested;
    int64_t restart, rows, nonzeros, blocks;
};

/* Iterations that the program printed before a log, one line a solve. */
struct petsc_printed {
    int64_t iterations; /* of the last line */
    size_t line, lines;
    bool differ;
};

/* What a build of PETSc, or its options, have that makes it another program than the one that is
 * modelled. */
enum petsc_build {
    PETSC_DEBUGGING = 1,
    PETSC_OTHER_SCALAR = 2, /* complex, or not of double precision */
    PETSC_LONG_INDICES = 4,
    PETSC_SYNCHRONIZED = 8,
};

struct petsc_log {
    size_t line;                /* of its header */
    bool is_text;               /* of one process, which stands for the slowest */
    struct fr_slice text_stage; /* the stage of the rows that follow; empty: none */
    double processes;           /* of a text; 0: not read yet */
    size_t processes_line;
    double threads;      /* OpenMP's, in a text; 0: not said */
    bool has_gpu;        /* the rows have columns of a GPU */
    double gpu_percent;  /* of the operations of the solves */
    unsigned builds;     /* bits of enum petsc_build, in a text */
    bool is_setup_apart; /* by its version: KSPSolve never contains the set-up */
    struct petsc_view view;
    struct petsc_printed printed;
    size_t faults;         /* before it */
    size_t ranks, columns; /* of a table of commas: the names in its header */
    size_t stage_count;
    struct petsc_stage stage[PETSC_MAX_STAGES];
};

/* What a row says of an event. */
struct petsc_row {
    double count, time_s, reductions, flops, least_s, least_flops;
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
/* Takes a line of the output of -ksp_view, its number, and the blanks that were before it. */
void fr_petsc_view(struct petsc_view *view, struct fr_slice line, size_t number, size_t indent);
/* Whether the views are of different solves. */
bool fr_petsc_views_differ(const struct petsc_view *view);
/* Whether the line tells the iterations of a solve, as -ksp_converged_reason does. */
bool fr_petsc_iterations(struct fr_slice line, int64_t *iterations);
/* Refuses a build that is another program. */
void fr_petsc_refuse_builds(struct fr_filter *filter, const struct petsc_log *log);
/* Writes the run of a stage; adds faults if the ranks or the counts do not fit. */
void fr_petsc_write(struct fr_filter *filter, const struct petsc_log *log,
                    const struct petsc_stage *stage);

/* A solve in a stage of a PETSc log: its iterations (petsc_iterations.c), and what of its time is
 * that of the set-up (petsc_setup.c). */

/* The sums of a stage. */
struct petsc_solve {
    int choice;
    const struct krylov_solver *solver;
    int64_t restart;
    struct krylov_counts iteration; /* an average one */
    bool is_copied;                 /* the preconditioner is a copy */
    const struct petsc_rank *rank;
    size_t ranks;
    double processes;  /* more than ranks in a text, which tells only of the slowest */
    double solves;     /* calls of KSPSolve */
    double iterations; /* of each; 0: unknown */
    double least_remainder_s;
    bool is_exact; /* the counts give the iterations: all events belong to the solver */
    enum petsc_guess guess;
    bool is_setup_inside; /* the time of the solves contains that of the set-up */
    double unclear_s;     /* of a set-up so short that it does not matter where it is */
};

/* Sets the iterations, and whether the counts tell them; a fault where nothing does. */
void fr_petsc_count_iterations(struct fr_filter *filter, const struct petsc_log *log,
                               struct petsc_solve *solve);
/* Finds out whether the solves contain the set-up; a fault where it matters and nothing tells. */
void fr_petsc_place_setup(struct fr_filter *filter, const struct petsc_log *log,
                          struct petsc_solve *solve);
/* The time of the set-up on a rank, and that of the solves without it. */
double fr_petsc_setup_s(const struct petsc_rank *rank);
double fr_petsc_solve_s(const struct petsc_solve *solve, const struct petsc_rank *rank);

#endif
