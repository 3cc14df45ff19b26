/* What the processes of a solve compute between their messages: for real, on a 27-point stencil
 * stored row by row, or charged. */
#ifndef KERNELS_H
#define KERNELS_H

#include <stdbool.h>
#include <stdint.h>

#include "calibrations/calibrate/core/sample.h"
#include "tests/programs/krylov/halo.h"

enum kernel { KERNEL_MATVEC, KERNEL_PRECONDITIONER, KERNEL_VECTOR, KERNELS };
extern const char *const kernel_names[]; /* NULL ends them */

struct kernels {
    bool is_real;
    double time_s[KERNELS];  /* charged: of one call; of the vector work for each word of a row */
    double imbalance;        /* charged: times vary by up to this fraction */
    struct fr_random random; /* by rank */
    double inside;           /* share of a matvec that needs no neighbour */
    /* Real: rows with all neighbours inside stand first in `row`; columns point into a box that is
     * larger by one on each side. */
    int extent[3], rows;
    int32_t *row, *column;
    double *entry, *x, *y, *z;
};

/* The time of a word is 8 bytes of each row at the rate that time_s is made from. */
void kernels_init(struct kernels *kernels, bool is_real, const struct fr_vector *local_grid,
                  int rank);
void kernels_free(struct kernels *kernels);

/* The part of a call from one share of it to another; `words` moved for each row by vector work. */
void kernels_run(struct kernels *kernels, enum kernel kernel, double words, double from, double to);
/* The surface into the messages, and the neighbours' out of them; nothing where it is charged. */
void kernels_pack(const struct kernels *kernels, struct halo *halo);
void kernels_unpack(struct kernels *kernels, const struct halo *halo);

/* A product with values known everywhere, swapped with the neighbours; ends the program if a row of
 * it is wrong. */
void kernels_verify(struct kernels *kernels, const struct layout *layout, struct halo *halo);

#endif
