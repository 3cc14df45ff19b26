/* The timed operations; each writes one saved run. */
#ifndef OPERATIONS_H
#define OPERATIONS_H

#include "tests/programs/krylov/question.h"
#include "tests/programs/program.h"

struct options {
    struct program program;
    struct question question;
    int per_node; /* 0: as the hosts have them */
    double memory_rate, imbalance, slice_s;
    bool is_real, has_own_allreduce;
};

/* One combination of values, and its measured times. */
struct test {
    const struct options *options;
    const struct question *question;
    const struct job *job;
    double time_s[PROGRAM_REPETITIONS_MAX], average_s;
};

/* Collective.  Each verifies its messages before they are timed and ends the program if they are
 * wrong. */
void run_allreduce(struct test *test);
void run_halo_exchange(struct test *test);
void run_cg(struct test *test);
/* Ends the program unless MPI has the eager limit that the run states. */
void verify_eager_limit(const struct test *test);

#endif
