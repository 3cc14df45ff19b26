/* What the reference programs compute with: charged.c charges simulated time for the kernels of a
 * modelled core; with measured.c they run on this computer, with its BLAS.
 */
#ifndef CORE_H
#define CORE_H

#include <mpi.h>
#include <stddef.h>
#include <stdio.h>

/* Reads the numbers of the modelled core from the first line of a batch; 0 if one is missing. */
int core_read(FILE *batch);
/* Starts the sequence of pivots over again; the same in every run. */
void core_seed(int rank);
/* Numbers between 0.5 and 1, owned by the caller until core_release(); every rank calls it. */
double *core_matrix(size_t elements);
void core_release(double *matrix);

#endif
