/* Looks up the kernels in the tables of their routines. */
#include "engine/sparse/rates/rates.h"

#include <stdlib.h>
#include <string.h>

int sparse_tables_init(struct sparse_tables *tables, const struct fr_kernel *kernels,
                       struct fr_faults *faults)
{
    const size_t before = faults->count;

    memset(tables, 0, sizeof *tables);
    sparse_rates_init(&tables->dgemm, FR_DGEMM, &kernels[FR_DGEMM], faults);
    sparse_rates_init(&tables->dtrsm, FR_DTRSM, &kernels[FR_DTRSM], faults);
    sparse_rates_init(&tables->dger, FR_DGER, &kernels[FR_DGER], faults);
    sparse_rates_init(&tables->dtrsv, FR_DTRSV, &kernels[FR_DTRSV], faults);
    if (faults->count == before)
        return FR_OK;
    sparse_tables_free(tables);
    return FR_GROUP_MISSING;
}

void sparse_tables_free(struct sparse_tables *tables)
{
    sparse_rates_free(&tables->dgemm);
    sparse_rates_free(&tables->dtrsm);
    sparse_rates_free(&tables->dger);
    sparse_rates_free(&tables->dtrsv);
}

double sparse_dgemm_s(struct sparse_tables *tables, double m, double n, double k)
{
    return sparse_rates_s(&tables->dgemm, 2 * m * n * k, (const double[]){ m, n, k });
}

double sparse_dtrsm_s(struct sparse_tables *tables, double rows, double w)
{
    return rows > 0 ? sparse_rates_s(&tables->dtrsm, rows * w * w, (const double[]){ rows, w }) : 0;
}

double sparse_dtrsv_s(struct sparse_tables *tables, const struct sparse_u_block *u)
{
    const double length = (double)u->sumsq / u->sum;

    return sparse_rates_s(&tables->dtrsv, (double)u->sumsq, &length);
}

static double dger_s(struct sparse_tables *tables, double order)
{
    return sparse_rates_s(&tables->dger, 2 * order * order, (const double[]){ order, order });
}

int sparse_diagonals_init(struct sparse_diagonals *diagonals, int64_t widest)
{
    diagonals->known_s = calloc((size_t)widest + 1, sizeof *diagonals->known_s);
    if (!diagonals->known_s)
        return FR_NOMEM;
    for (int64_t width = 0; width <= widest; width++)
        diagonals->known_s[width] = -1;
    return FR_OK;
}

void sparse_diagonals_free(struct sparse_diagonals *diagonals)
{
    free(diagonals->known_s);
    diagonals->known_s = NULL;
}

double sparse_diagonal_s(struct sparse_diagonals *diagonals, struct sparse_tables *tables,
                         int32_t width)
{
    double *known_s = &diagonals->known_s[width];

    if (*known_s < 0) {
        *known_s = 0;
        for (int32_t order = 1; order < width; order++)
            *known_s += dger_s(tables, order);
    }
    return *known_s;
}
