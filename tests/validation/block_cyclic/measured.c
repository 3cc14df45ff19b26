/* The computer's own core: its BLAS and its memory. */
#include "tests/validation/block_cyclic/core.h"

#include <stdlib.h>

int core_read(FILE *batch)
{
    return fscanf(batch, "%*[^\n]") != EOF;
}

void core_seed(int rank)
{
    (void)rank;
}

double *core_matrix(size_t elements)
{
    double *a = malloc(elements * sizeof *a);
    int rank;

    if (!a)
        MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    srand48(rank); /* equal parts would make a singular matrix */
    for (size_t i = 0; i < elements; i++)
        a[i] = 0.5 + drand48() / 2;
    return a;
}

void core_release(double *matrix)
{
    free(matrix);
}
