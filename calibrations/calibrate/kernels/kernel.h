/* How a routine of the BLAS or LAPACK is timed; the routines differ only in their operands. */
#ifndef FR_KERNEL_H
#define FR_KERNEL_H

#include "calibrations/calibrate/core/bench.h"

struct fr_operands {
    double *a, *b, *c; /* room for n by n each, c for all the copies; leading dimension n */
    struct fr_random random;
};

struct fr_routine {
    const char *name;
    const char *pointer;    /* of its table in the document */
    double flops_per_cube;  /* operations = this times n cubed */
    bool uses_up_its_input; /* each call of a batch needs a copy of its own */
    /* Before each timed batch of `calls`. */
    void (*prepare)(struct fr_operands *operands, int n, int calls);
    /* The timed call, the call'th of its batch. */
    void (*call)(struct fr_operands *operands, int n, int call);
};

/* Runs one benchmark of the kernels group and writes its table. */
void fr_kernel_run(struct fr_context *context, const struct fr_routine *routine);

#endif
