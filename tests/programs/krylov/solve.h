/* Five variants of conjugate gradients as sequences of kernels and messages
 * (docs/models/krylov.md#operations-of-a-solver): the order is that of the solvers, the values have
 * no meaning. */
#ifndef SOLVE_H
#define SOLVE_H

#include "engine/krylov/solvers/solvers.h"
#include "server/json/writer.h"
#include "tests/programs/krylov/kernels.h"
#include "tests/programs/krylov/reduction.h"

/* Times of a rank in the start, in a step or in the end, seconds. */
struct spent {
    double kernel_s[KERNELS], halo_s, reduction_s;
    double began_s, ended_s;
};

/* Calls, for the comparison with the counts of the engine. */
struct called {
    double matvecs, preconditioners, words, reductions, bytes;
};

struct solve {
    enum krylov_solver_choice solver;
    int steps;
    bool matvec_overlap;
    double slice_s; /* computation between two tests of pending messages */
    struct halo *halo;
    struct kernels *kernels;
    /* State of the solve: */
    struct reduction reduction;
    bool is_reducing, is_exchanging;
    struct spent *spent;                  /* start, steps, end */
    struct called called[2], *now_called; /* start and end; steps */
    struct spent *now;
};

void solve_init(struct solve *solve);
void solve_free(struct solve *solve);
/* Collective; ends the program if the calls differ from the table of the engine. */
void solve_run(struct solve *solve);
/* Collective; the first rank writes the times as members of a saved run
 * (docs/saved_runs.md#the-document). */
void solve_report(const struct solve *solve, const struct job *job, struct fr_writer *run);

#endif
