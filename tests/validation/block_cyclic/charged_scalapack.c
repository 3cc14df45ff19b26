/* What the PBLAS and the BLACS need of the simulator and of the modelled core. */
#include "tests/validation/block_cyclic/charged.h"

#include <mpi.h>

static const int zero;

void Cblacs_gridinfo(int context, int *rows, int *columns, int *row, int *column);
int numroc_(const int *n, const int *nb, const int *process, const int *source, const int *count);
void __real_pdnrm2_(const int *n, double *norm, const double *x, const int *ix, const int *jx,
                    const int *desc, const int *incx);

/* The simulator has none; the BLACS ask for the type of an integer and a real. */
int MPI_Type_match_size(int class, int bytes, MPI_Datatype *type)
{
    *type = class != MPI_TYPECLASS_INTEGER ? MPI_DOUBLE : bytes == 8 ? MPI_LONG_LONG : MPI_INT;
    return MPI_SUCCESS;
}

/* The norm of a column is a loop of the PBLAS, not of the BLAS: it is charged where it is called.
 */
void __wrap_pdnrm2_(const int *n, double *norm, const double *x, const int *ix, const int *jx,
                    const int *desc, const int *incx)
{
    const int before = *ix - 1, last = before + *n, block = desc[4];
    int rows, columns, row, column;

    Cblacs_gridinfo(desc[1], &rows, &columns, &row, &column);
    if (column == (*jx - 1) / desc[5] % columns) {
        const double mine = numroc_(&last, &block, &row, &zero, &rows) -
                            numroc_(&before, &block, &row, &zero, &rows);

        charged_stream(8 * mine, 8 * mine);
    }
    __real_pdnrm2_(n, norm, x, ix, jx, desc, incx);
}
