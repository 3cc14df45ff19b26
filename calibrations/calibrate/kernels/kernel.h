/* Timing of BLAS and LAPACK routines, which differ only in their operands. */
#ifndef FR_KERNEL_H
#define FR_KERNEL_H

#include "calibrations/calibrate/core/bench.h"

struct fr_square_routine;

struct fr_operands {
    void *a, *b, *c; /* a, b: n by n; c: all copies; leading dimension n; random numbers */
    struct fr_random random;
    const struct fr_square_routine *routine;
};

struct fr_square_routine {
    const char *name;
    const char *pointer;   /* the table in the document */
    enum fr_routine which; /* the one of double precision */
    enum fr_precision precision;
    double flops_per_cube;  /* real operations = this times n cubed */
    double peak_ratio;      /* of its peak to that of double precision */
    int most_order;         /* larger ones are not measured; 0: all */
    bool uses_up_its_input; /* each call of a batch needs its own copy */
    /* Called before each timed batch of `calls`. */
    void (*prepare)(struct fr_operands *operands, int n, int calls);
    /* The timed call, number `call` of its batch. */
    void (*call)(struct fr_operands *operands, int n, int call);
};

size_t fr_square_element_bytes(const struct fr_square_routine *routine);
/* Fills a matrix with random numbers between -0.5 and 0.5 in the precision of the routine. */
void fr_square_fill(struct fr_operands *operands, void *matrix, size_t elements);

/* Numbers between -0.5 and 0.5, aligned to a page; the caller frees them.  Call after binding:
 * memory is local to the core that first writes it. */
double *fr_kernel_matrix(struct fr_random *random, size_t elements);
/* Runs one benchmark of the kernels group and writes its table. */
void fr_kernel_run(struct fr_context *context, const struct fr_square_routine *routine);
/* The seconds that it should take here. */
double fr_kernel_expected_s(const struct fr_context *context,
                            const struct fr_square_routine *routine);

#endif
