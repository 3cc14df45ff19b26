/* Timing of BLAS and LAPACK routines, which differ only in their operands. */
#ifndef FR_KERNEL_H
#define FR_KERNEL_H

#include "calibrations/calibrate/core/bench.h"

struct fr_operands {
    double *a, *b, *c; /* a, b: n by n; c: all copies; leading dimension n */
    struct fr_random random;
};

struct fr_routine {
    const char *name;
    const char *pointer;    /* the table in the document */
    double flops_per_cube;  /* operations = this times n cubed */
    bool uses_up_its_input; /* each call of a batch needs its own copy */
    /* Called before each timed batch of `calls`. */
    void (*prepare)(struct fr_operands *operands, int n, int calls);
    /* The timed call, number `call` of its batch. */
    void (*call)(struct fr_operands *operands, int n, int call);
};

/* Runs one benchmark of the kernels group and writes its table. */
void fr_kernel_run(struct fr_context *context, const struct fr_routine *routine);
/* The seconds that it should take here. */
double fr_kernel_expected_s(const struct fr_context *context, const struct fr_routine *routine);

#endif
