/* Five variants of conjugate gradients as sequences of what they compute and send (krylov.md 7.1):
 * skeletons, of which the numbers mean nothing and the order everything. */
#ifndef SOLVE_H
#define SOLVE_H

#include "engine/krylov/solvers.h"
#include "tests/programs/krylov/kernels.h"
#include "tests/programs/krylov/reduction.h"

/* What a rank did in the start or in a step, and how long it took. */
struct spent {
    double kernel_s[KERNELS], halo_s, reduction_s;
    double began_s, ended_s;
};

/* What was called, to be compared with the engine's counts. */
struct called {
    double matvecs, preconditioners, words, reductions, bytes;
};

struct solve {
    enum krylov_solver_choice solver;
    int steps;
    bool matvec_overlap;
    double slice_s; /* of work between two looks at what is under way */
    struct halo *halo;
    struct kernels *kernels;
    /* What follows is the solve's own. */
    struct reduction reduction;
    bool is_reducing, is_exchanging;
    struct spent *spent;                  /* start, steps, end */
    struct called called[2], *now_called; /* of start and end, of the steps */
    struct spent *now;
};

void solve_init(struct solve *solve);
void solve_free(struct solve *solve);
/* Collective; ends the program if the calls are not those of the engine's table. */
void solve_run(struct solve *solve);

#endif
