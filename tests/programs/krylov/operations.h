/* The operations that are run and timed, each as one saved run. */
#ifndef OPERATIONS_H
#define OPERATIONS_H

#include "tests/programs/krylov/question.h"
#include "tests/programs/program.h"

struct options {
    struct program program;
    struct question question;
    int per_node; /* 0: as it is */
    double memory_rate, imbalance, slice_s;
    bool is_real, has_own_allreduce;
};

/* A case: what is asked, and what was measured of it. */
struct test {
    const struct options *options;
    const struct question *question;
    const struct job *job;
    double time_s[PROGRAM_REPETITIONS_MAX], average_s;
};

/* Collective; each verifies what it sends before it is timed and ends the program if that is wrong.
 */
void run_allreduce(struct test *test);
void run_halo_exchange(struct test *test);
void run_cg(struct test *test);
/* Where the run is to say that the eager limit was moved, it must have been. */
void verify_eager_limit(const struct test *test);

#endif
