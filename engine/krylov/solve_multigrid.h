/* The preconditioner multigrid of the model solve: its parameters, outputs and cost
 * (docs/models/multigrid.md). */
#ifndef FR_KRYLOV_SOLVE_MULTIGRID_H
#define FR_KRYLOV_SOLVE_MULTIGRID_H

#include "engine/krylov/multigrid/multigrid.h"
#include "engine/krylov/solve.h"
#include "engine/prediction/model.h"

#define KRYLOV_MULTIGRID_PARAMS                                                                    \
    FR_CHOICE_OF(struct krylov_solve, smoother, .choices = krylov_smoothers, .unit = "",           \
                 .fallback = SMOOTHER_CHEBYSHEV, .flags = FR_DEFAULT,                              \
                 .doc = "Of multigrid: damped Jacobi, one or two traversals of the rows of each "  \
                        "process (sor, ssor), or Chebyshev with the diagonal."),                   \
        FR_INT(struct krylov_solve, pre_sweeps, .unit = "1", .min = 0, .max = 100, .fallback = 2,  \
               .flags = FR_DEFAULT,                                                                \
               .doc = "Of multigrid: sweeps on a level before the coarser one."),                  \
        FR_INT(struct krylov_solve, post_sweeps, .unit = "1", .min = 0, .max = 100, .fallback = 2, \
               .flags = FR_DEFAULT,                                                                \
               .doc = "Of multigrid: sweeps on a level after the coarser one."),                   \
        FR_TEXT(struct krylov_solve, levels, .unit = "", .flags = FR_AUTOMATIC | FR_OPTIONAL,      \
                .doc = "Of multigrid: rows:nonzeros,... of the levels below the finest; left "     \
                       "open, the grid is halved."),                                               \
        FR_INT(struct krylov_solve, coarsest_rows, .unit = "1", .min = 1, .max = 1e6,              \
               .fallback = 50, .flags = FR_DEFAULT,                                                \
               .doc =                                                                              \
                   "Of multigrid: a level with more rows has a coarser one, if its grid can be "   \
                   "halved evenly."),                                                              \
        FR_CHOICE_OF(struct krylov_solve, coarse_solver, .choices = krylov_coarse_solvers,         \
                     .unit = "", .fallback = COARSE_REDUNDANT, .flags = FR_DEFAULT,                \
                     .doc =                                                                        \
                         "Of multigrid: the coarsest level is solved densely on every process or " \
                         "gathered on one, or smoothed by all sweeps.")

struct krylov_multigrid {
    double levels, grid_complexity, operator_complexity, messages, communication_s,
        coarse_communication_fraction, cycle_s;
};
/* Of the model whose struct S has a member `multigrid`. */
#define KRYLOV_MULTIGRID_OUTPUTS(S)                                                           \
    FR_OWN(S, multigrid.levels, .unit = "1", .doc = "Levels of multigrid; null without it."), \
        FR_OWN(S, multigrid.grid_complexity, .unit = "1",                                     \
               .doc = "Rows of all levels over those of the finest."),                        \
        FR_OWN(S, multigrid.operator_complexity, .unit = "1",                                 \
               .doc = "Nonzeros of all levels over those of the finest."),                    \
        FR_OWN(S, multigrid.messages, .unit = "1",                                            \
               .doc = "Messages that the slowest process of each level sends in a cycle."),   \
        FR_OWN(S, multigrid.communication_s, .unit = "s",                                     \
               .doc = "Messages of a cycle, including hidden time."),                         \
        FR_OWN(S, multigrid.coarse_communication_fraction, .unit = "1",                       \
               .doc = "Share of this below the finest level; null without messages."),        \
        FR_OWN(S, multigrid.cycle_s, .unit = "s", .doc = "Time of a cycle.")

bool krylov_solve_has_levels(const struct krylov_solve *v);
/* Of a resolved question; FR_OK, or the code of a fault. */
int krylov_solve_levels(const struct krylov_solve *v, struct krylov_levels *out,
                        struct fr_faults *faults);
/* Adds what the levels below the finest touch and keep. */
int krylov_solve_add_levels(const struct krylov_solve *v, double index_bytes,
                            struct krylov_problem *problem, struct fr_faults *faults);
/* krylov_burst_load, where links correct it. */
struct krylov_link_load krylov_solve_burst(const struct krylov_solve *v, struct fr_evaluation *run);
/* A cycle, and the levels that it visits; all zero without multigrid. */
struct krylov_cycle krylov_solve_cycle(const struct krylov_solve *v, double working_set_bytes,
                                       const struct krylov_link_load *burst,
                                       struct fr_evaluation *run, struct krylov_levels *levels);
/* The outputs; all NaN without levels. */
struct krylov_multigrid krylov_multigrid(const struct krylov_levels *levels,
                                         const struct krylov_cycle *cycle);

/* The hook of struct fr_model: a row for each level of the columns; none without multigrid. */
extern const struct fr_column krylov_level_columns[];
void krylov_solve_explain(const void *values, struct fr_evaluation *run,
                          const struct fr_listing *listing);

#endif
