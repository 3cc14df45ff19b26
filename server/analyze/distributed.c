/* Distributes rows and generates their values. */
#include "server/analyze/analyze.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A value from -1 to 1 that depends on the position only. */
static double drawn(int row, int column)
{
    uint64_t z = ((uint64_t)(uint32_t)row << 32 | (uint32_t)column) * 0x9E3779B97F4A7C15u;

    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    return 2 * ((double)((z ^ z >> 31) >> 11) * 0x1p-53) - 1;
}

static void fill(struct fr_distributed *to, const struct fr_sparsity *from)
{
    int *next = to->row_at + 1; /* the next free element of each row */

    for (int e = 0; e < from->nnz; e++)
        if (from->row[e] >= to->first && from->row[e] - to->first < to->rows)
            to->row_at[from->row[e] - to->first + 2]++;
    for (int i = 0; i < to->rows; i++)
        next[i + 1] += next[i];
    for (int j = 0; j < from->n; j++)
        for (int e = from->column_at[j]; e < from->column_at[j + 1]; e++) {
            const int i = from->row[e] - to->first;

            if (i < 0 || i >= to->rows)
                continue;
            to->column[next[i]] = j;
            to->value[next[i]++] = drawn(from->row[e], j);
        }
}

static void dominate(struct fr_distributed *to)
{
    for (int i = 0; i < to->rows; i++) {
        double sum = 1;

        for (int e = to->row_at[i]; e < to->row_at[i + 1]; e++)
            if (to->column[e] != to->first + i)
                sum += fabs(to->value[e]);
        for (int e = to->row_at[i]; e < to->row_at[i + 1]; e++)
            if (to->column[e] == to->first + i)
                to->value[e] = sum;
        to->row_sum = fmax(to->row_sum, 2 * sum - 1);
    }
}

bool fr_distributed_make(struct fr_distributed *made, const struct fr_sparsity *pattern)
{
    int rank, processes;
    int64_t entries = 0;

    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &processes);
    *made = (struct fr_distributed){ .n = pattern->n, .first = pattern->n / processes * rank };
    made->rows = rank + 1 < processes ? pattern->n / processes : pattern->n - made->first;
    for (int e = 0; e < pattern->nnz; e++)
        entries += pattern->row[e] >= made->first && pattern->row[e] - made->first < made->rows;
    made->row_at = calloc((size_t)made->rows + 2, sizeof *made->row_at);
    made->column = malloc((size_t)(entries + 1) * sizeof *made->column);
    made->value = malloc((size_t)(entries + 1) * sizeof *made->value);
    if (!made->row_at || !made->column || !made->value)
        return false;
    fill(made, pattern);
    dominate(made);
    return true;
}

void fr_distributed_free(struct fr_distributed *made)
{
    free(made->row_at);
    free(made->column);
    free(made->value);
}

/* A copy that the library frees. */
static void *copy(const void *from, size_t size)
{
    void *to = SUPERLU_MALLOC(size + 1);

    return to ? memcpy(to, from, size) : NULL;
}

bool fr_distributed_copy(const struct fr_distributed *from, SuperMatrix *to)
{
    const size_t entries = (size_t)from->row_at[from->rows];
    double *value = copy(from->value, entries * sizeof *value);
    int *column = copy(from->column, entries * sizeof *column),
        *row_at = copy(from->row_at, ((size_t)from->rows + 1) * sizeof *row_at);

    if (!value || !column || !row_at)
        return false;
    dCreate_CompRowLoc_Matrix_dist(to, from->n, from->n, (int_t)entries, from->rows, from->first,
                                   value, column, row_at, SLU_NR_loc, SLU_D, SLU_GE);
    return true;
}

void fr_distributed_multiply(const struct fr_distributed *a, const double *x, double *out)
{
    for (int i = 0; i < a->rows; i++) {
        out[i] = 0;
        for (int e = a->row_at[i]; e < a->row_at[i + 1]; e++)
            out[i] += a->value[e] * x[a->column[e]];
    }
}
