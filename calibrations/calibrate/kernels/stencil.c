/* Sparse kernels on the matrix of a 27-point stencil. */
#include "calibrations/calibrate/kernels/stencil.h"

#include <stdlib.h>
#include <string.h>

#include "calibrations/calibrate/core/blas.h"

enum { POINTS = 27, INDEX_BYTES = sizeof(int32_t), VECTORS = 4 + FR_STENCIL_FUSED };

/* Lists the neighbours of a point and the point itself in rising order. */
static int neighbours(int row, int side, int32_t *column)
{
    const int x = row % side, y = row / side % side, z = row / side / side;
    const int first[] = { x > 0 ? -1 : 0, y > 0 ? -1 : 0, z > 0 ? -1 : 0 };
    const int last[] = { x < side - 1, y < side - 1, z < side - 1 };
    int count = 0;

    for (int k = first[2]; k <= last[2]; k++)
        for (int j = first[1]; j <= last[1]; j++)
            for (int i = first[0]; i <= last[0]; i++)
                column[count++] = row + i + side * (j + side * k);
    return count;
}

/* Appends an entry to the last row begun. */
static void add(struct fr_sparse *sparse, int row, int32_t column, double value)
{
    sparse->column[sparse->start[row + 1]] = column;
    sparse->value[sparse->start[row + 1]++] = value;
}

/* A diagonally dominant matrix, so that repeated solves stay bounded. */
static void fill_row(struct fr_stencil *s, int row)
{
    int32_t column[POINTS];
    const int count = neighbours(row, s->side, column);

    s->matrix.start[row + 1] = s->matrix.start[row];
    s->cholesky.start[row + 1] = s->cholesky.start[row];
    s->lower.start[row + 1] = s->lower.start[row];
    for (int i = 0; i < count; i++) {
        add(&s->matrix, row, column[i], column[i] == row ? POINTS : -1);
        if (column[i] < row)
            add(&s->lower, row, column[i], -1.0 / POINTS);
        if (column[i] > row)
            add(&s->cholesky, row, column[i], -1.0 / POINTS);
    }
    add(&s->cholesky, row, row, 1.0 / POINTS);
}

/* The upper triangle is stored in the order of the backward solve, the last row first. */
static void fill_upper(struct fr_stencil *s, int index)
{
    const int row = s->rows - 1 - index;
    int32_t column[POINTS];
    const int count = neighbours(row, s->side, column);

    s->upper.start[index + 1] = s->upper.start[index];
    for (int i = 0; i < count; i++)
        if (column[i] > row)
            add(&s->upper, index, column[i], -1);
}

static void fill(struct fr_stencil *s)
{
    s->matrix.start[0] = s->cholesky.start[0] = s->lower.start[0] = s->upper.start[0] = 0;
    for (int row = 0; row < s->rows; row++) {
        fill_row(s, row);
        fill_upper(s, row);
        s->upper_inverse[row] = 1.0 / POINTS;
        s->x[row] = 1;
        s->y[row] = s->z[row] = s->t[row] = 0;
        for (int k = 0; k < FR_STENCIL_FUSED; k++)
            s->fused[k][row] = 1;
    }
}

/* Entries of the whole matrix: in each dimension, 3 for each point but 2 at both ends. */
static size_t entries_of(int side)
{
    const size_t line = 3 * (size_t)side - 2;

    return line * line * line;
}

static bool take_sparse(struct fr_sparse *sparse, size_t rows, size_t entries)
{
    sparse->start = malloc((rows + 1) * sizeof *sparse->start);
    sparse->column = malloc((entries + 1) * sizeof *sparse->column);
    sparse->value = malloc((entries + 1) * sizeof *sparse->value);
    return sparse->start && sparse->column && sparse->value;
}

static bool take_vectors(struct fr_stencil *s)
{
    double **const vector[] = { &s->x, &s->y, &s->z, &s->t, &s->upper_inverse };
    bool is_complete = true;

    for (size_t i = 0; i < sizeof vector / sizeof *vector; i++)
        is_complete = (*vector[i] = malloc((size_t)s->rows * sizeof(double))) && is_complete;
    for (int k = 0; k < FR_STENCIL_FUSED; k++)
        is_complete = (s->fused[k] = malloc((size_t)s->rows * sizeof(double))) && is_complete;
    return is_complete;
}

struct fr_stencil *fr_stencil_new(int side)
{
    struct fr_stencil *s = calloc(1, sizeof *s);
    const size_t rows = (size_t)side * side * side, entries = entries_of(side);
    const size_t triangle = (entries - rows) / 2;
    bool is_complete;

    if (!s)
        return NULL;
    s->side = side;
    s->rows = (int)rows;
    is_complete = take_vectors(s);
    is_complete = take_sparse(&s->matrix, rows, entries) && is_complete;
    is_complete = take_sparse(&s->cholesky, rows, triangle + rows) && is_complete;
    is_complete = take_sparse(&s->lower, rows, triangle) && is_complete;
    is_complete = take_sparse(&s->upper, rows, triangle) && is_complete;
    if (!is_complete) {
        fr_stencil_free(s);
        return NULL;
    }
    fill(s);
    return s;
}

static void drop_sparse(struct fr_sparse *sparse)
{
    free(sparse->start);
    free(sparse->column);
    free(sparse->value);
}

void fr_stencil_free(struct fr_stencil *s)
{
    if (!s)
        return;
    drop_sparse(&s->matrix);
    drop_sparse(&s->cholesky);
    drop_sparse(&s->lower);
    drop_sparse(&s->upper);
    free(s->upper_inverse);
    free(s->x);
    free(s->y);
    free(s->z);
    free(s->t);
    for (int k = 0; k < FR_STENCIL_FUSED; k++)
        free(s->fused[k]);
    free(s);
}

/* The inner product of a row with a vector. */
static inline double row_times(const struct fr_sparse *sparse, int row, const double *x)
{
    double sum = 0;

    for (int32_t k = sparse->start[row]; k < sparse->start[row + 1]; k++)
        sum += sparse->value[k] * x[sparse->column[k]];
    return sum;
}

void fr_stencil_multiply(struct fr_stencil *s)
{
    for (int row = 0; row < s->rows; row++)
        s->y[row] = row_times(&s->matrix, row, s->x);
}

/* Backward, entries are read in falling order too: PETSc does, and memory is read in one direction
 * only, which processors foresee. */
void fr_stencil_solve_cholesky(struct fr_stencil *s)
{
    const struct fr_sparse *const u = &s->cholesky;

    memcpy(s->z, s->x, (size_t)s->rows * sizeof *s->z);
    for (int row = 0; row < s->rows; row++) {
        const int32_t diagonal = u->start[row + 1] - 1;
        const double value = s->z[row];

        for (int32_t k = u->start[row]; k < diagonal; k++)
            s->z[u->column[k]] -= u->value[k] * value;
        s->z[row] = value * u->value[diagonal];
    }
    for (int row = s->rows - 1; row >= 0; row--) {
        double sum = s->z[row];

        for (int32_t k = u->start[row + 1] - 2; k >= u->start[row]; k--)
            sum -= u->value[k] * s->z[u->column[k]];
        s->z[row] = sum;
    }
}

void fr_stencil_solve_lu(struct fr_stencil *s)
{
    for (int row = 0; row < s->rows; row++)
        s->t[row] = s->x[row] - row_times(&s->lower, row, s->t);
    for (int i = 0, row = s->rows - 1; row >= 0; i++, row--)
        s->t[row] = (s->t[row] - row_times(&s->upper, i, s->t)) * s->upper_inverse[i];
}

void fr_stencil_update(struct fr_stencil *s)
{
    const int one = 1;
    const double scale = 1e-12 / s->rows;
    const double alpha = scale * ddot_(&s->rows, s->x, &one, s->y, &one);
    const double beta = scale * ddot_(&s->rows, s->y, &one, s->y, &one), negative = -alpha;
    double *restrict x = s->x;
    const double *restrict z = s->z;

    daxpy_(&s->rows, &alpha, s->x, &one, s->z, &one);
    daxpy_(&s->rows, &negative, s->x, &one, s->y, &one);
    for (int i = 0; i < s->rows; i++)
        x[i] = z[i] * beta + x[i];
}

void fr_stencil_update_fused(struct fr_stencil *s)
{
    const double *restrict y = s->y, *restrict z = s->z;
    double *restrict a = s->fused[0], *restrict b = s->fused[1], *restrict c = s->fused[2],
                     *restrict d = s->fused[3], *restrict e = s->fused[4],
                     *restrict f = s->fused[5], *restrict g = s->fused[6],
                     *restrict h = s->fused[7], *restrict k = s->fused[8],
                     *restrict l = s->fused[9];
    const double alpha = 1e-12, beta = 0.5;
    double sum[FR_STENCIL_FUSED / 2] = { 0 };

    for (int i = 0; i < s->rows; i++) {
        a[i] = f[i] + beta * a[i];
        b[i] = g[i] + beta * b[i];
        c[i] = h[i] + beta * c[i];
        d[i] = k[i] + beta * d[i];
        e[i] = l[i] + beta * e[i];
        f[i] -= alpha * b[i];
        g[i] -= alpha * c[i];
        h[i] -= alpha * d[i];
        k[i] -= alpha * e[i];
        l[i] -= alpha * y[i];

        a[i] = f[i] - beta * a[i];
        b[i] = g[i] - beta * b[i];
        c[i] = h[i] - beta * c[i];
        d[i] = k[i] - beta * d[i];
        e[i] = l[i] - beta * e[i];
        f[i] += alpha * b[i];
        g[i] += alpha * c[i];
        h[i] += alpha * d[i];
        k[i] += alpha * e[i];
        l[i] += alpha * z[i];

        sum[0] += a[i] * f[i];
        sum[1] += b[i] * g[i];
        sum[2] += c[i] * h[i];
        sum[3] += d[i] * k[i];
        sum[4] += e[i] * l[i];
    }
    s->sum = sum[0] + sum[1] + sum[2] + sum[3] + sum[4];
}

static double entries(const struct fr_stencil *s, const struct fr_sparse *sparse)
{
    return sparse->start[s->rows];
}

double fr_stencil_multiply_bytes(const struct fr_stencil *s)
{
    return entries(s, &s->matrix) * (8.0 + INDEX_BYTES) + s->rows * (INDEX_BYTES + 16.0);
}

double fr_stencil_solve_cholesky_bytes(const struct fr_stencil *s)
{
    const double triangle = entries(s, &s->cholesky);

    return 2 * (triangle * (8.0 + INDEX_BYTES) + s->rows * (double)INDEX_BYTES) + s->rows * 32.0;
}

double fr_stencil_solve_lu_bytes(const struct fr_stencil *s)
{
    return entries(s, &s->matrix) * (8.0 + INDEX_BYTES) + s->rows * (2.0 * INDEX_BYTES + 32.0);
}

/* Words: two and one for the products, three for each update. */
double fr_stencil_update_bytes(const struct fr_stencil *s)
{
    return 8.0 * (2 + 1 + 3 * 3) * s->rows;
}

/* Each vector of `fused` is read and written, two more are read. */
double fr_stencil_update_fused_bytes(const struct fr_stencil *s)
{
    return 8.0 * (2 * FR_STENCIL_FUSED + 2) * s->rows;
}

double fr_stencil_bytes(const struct fr_stencil *s)
{
    const double all = entries(s, &s->matrix) + entries(s, &s->cholesky) + entries(s, &s->lower) +
                       entries(s, &s->upper);
    const double of_row = 4 * INDEX_BYTES + 8 * (1 + VECTORS);

    return all * (8 + INDEX_BYTES) + of_row * s->rows;
}

double fr_stencil_memory_bytes(int side)
{
    const double of_row =
        (POINTS * 2.5 + 1) * (8 + INDEX_BYTES) + 4 * INDEX_BYTES + 8 * (1 + VECTORS);

    return of_row * side * side * side;
}
