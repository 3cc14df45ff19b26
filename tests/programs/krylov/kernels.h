/* Computation between the messages of a solve: executed on a 27-point stencil that is stored by
 * rows, or charged as time. */
#ifndef KERNELS_H
#define KERNELS_H

#include <stdbool.h>
#include <stdint.h>

#include "calibrations/calibrate/core/sample.h"
#include "tests/programs/krylov/halo.h"

enum kernel { KERNEL_MATVEC, KERNEL_PRECONDITIONER, KERNEL_VECTOR, KERNELS };
extern const char *const kernel_names[]; /* NULL-ended */

struct kernels {
    bool is_real;
    double time_s[KERNELS];  /* charged: of one call; of vector work: of one word of each row */
    double imbalance;        /* charged: largest relative variation */
    struct fr_random random; /* differs by rank */
    double inside;           /* share of a product that needs no neighbour */
    /* Executed: `row` lists the rows whose neighbours are all inside first; columns are indices of
     * a box that is larger by one on each side. */
    int extent[3], rows;
    int32_t *row, *column;
    double *entry, *x, *y, *z;
};

/* The caller sets time_s and imbalance; free with kernels_free. */
void kernels_init(struct kernels *kernels, bool is_real, const struct fr_vector *local_grid,
                  int rank);
void kernels_free(struct kernels *kernels);

/* Runs the part of a call between two fractions of it; vector work moves `words` for each row. */
void kernels_run(struct kernels *kernels, enum kernel kernel, double words, double from, double to);
/* Copy the surface into the messages, and messages into the box; charged kernels copy nothing. */
void kernels_pack(const struct kernels *kernels, struct halo *halo);
void kernels_unpack(struct kernels *kernels, const struct halo *halo);

/* Checks a product of known values after an exchange with the neighbours; ends the program if a row
 * is wrong. */
void kernels_verify(struct kernels *kernels, const struct layout *layout, struct halo *halo);

#endif
