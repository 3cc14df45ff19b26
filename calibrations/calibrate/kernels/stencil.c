/* Sparse kernels on the matrix of a 27-point stencil. */
#include "calibrations/calibrate/kernels/stencil.h"

#include <stdlib.h>

enum { POINTS = 27, INDEX_BYTES = sizeof(int32_t) };

static int is_inside(int at, int side)
{
    return at >= 0 && at < side;
}

/* Lists the neighbours of a point and the point itself in rising order. */
static int neighbours(int row, int side, int32_t *column)
{
    const int x = row % side, y = row / side % side, z = row / side / side;
    int count = 0;

    for (int k = -1; k <= 1; k++)
        for (int j = -1; j <= 1; j++)
            for (int i = -1; i <= 1; i++)
                if (is_inside(x + i, side) && is_inside(y + j, side) && is_inside(z + k, side))
                    column[count++] = row + i + side * (j + side * k);
    return count;
}

/* Fills a diagonally dominant matrix, so that repeated solves stay bounded. */
static void fill(struct fr_stencil *s)
{
    int32_t entries = 0, upper = 0, column[POINTS];

    for (int row = 0; row < s->rows; row++) {
        const int count = neighbours(row, s->side, column);

        s->start[row] = entries;
        s->upper_start[row] = upper;
        for (int i = 0; i < count; i++) {
            s->column[entries] = column[i];
            s->value[entries++] = column[i] == row ? POINTS : -1;
            if (column[i] > row) {
                s->upper_column[upper] = column[i];
                s->upper_value[upper++] = -1.0 / POINTS;
            }
        }
        s->inverse_diagonal[row] = 1.0 / POINTS;
        s->x[row] = 1;
        s->y[row] = s->z[row] = 0;
    }
    s->start[s->rows] = entries;
    s->upper_start[s->rows] = upper;
}

struct fr_stencil *fr_stencil_new(int side)
{
    struct fr_stencil *s = calloc(1, sizeof *s);
    const size_t rows = (size_t)side * side * side;

    if (!s)
        return NULL;
    s->side = side;
    s->rows = (int)rows;
    s->start = malloc((rows + 1) * sizeof *s->start);
    s->upper_start = malloc((rows + 1) * sizeof *s->upper_start);
    s->column = malloc(POINTS * rows * sizeof *s->column);
    s->value = malloc(POINTS * rows * sizeof *s->value);
    s->upper_column = malloc(POINTS / 2 * rows * sizeof *s->upper_column);
    s->upper_value = malloc(POINTS / 2 * rows * sizeof *s->upper_value);
    s->inverse_diagonal = malloc(rows * sizeof *s->inverse_diagonal);
    s->x = malloc(rows * sizeof *s->x);
    s->y = malloc(rows * sizeof *s->y);
    s->z = malloc(rows * sizeof *s->z);
    if (!s->start || !s->upper_start || !s->column || !s->value || !s->upper_column ||
        !s->upper_value || !s->inverse_diagonal || !s->x || !s->y || !s->z) {
        fr_stencil_free(s);
        return NULL;
    }
    fill(s);
    return s;
}

void fr_stencil_free(struct fr_stencil *s)
{
    if (!s)
        return;
    free(s->start);
    free(s->upper_start);
    free(s->column);
    free(s->value);
    free(s->upper_column);
    free(s->upper_value);
    free(s->inverse_diagonal);
    free(s->x);
    free(s->y);
    free(s->z);
    free(s);
}

void fr_stencil_multiply(struct fr_stencil *s)
{
    for (int row = 0; row < s->rows; row++) {
        double sum = 0;

        for (int32_t k = s->start[row]; k < s->start[row + 1]; k++)
            sum += s->value[k] * s->x[s->column[k]];
        s->y[row] = sum;
    }
}

void fr_stencil_solve(struct fr_stencil *s)
{
    for (int row = 0; row < s->rows; row++)
        s->y[row] = s->x[row];
    for (int row = 0; row < s->rows; row++) {
        const double value = s->y[row];

        for (int32_t k = s->upper_start[row]; k < s->upper_start[row + 1]; k++)
            s->y[s->upper_column[k]] -= s->upper_value[k] * value;
        s->y[row] = value * s->inverse_diagonal[row];
    }
    for (int row = s->rows - 1; row >= 0; row--) {
        double sum = s->y[row];

        for (int32_t k = s->upper_start[row]; k < s->upper_start[row + 1]; k++)
            sum -= s->upper_value[k] * s->y[s->upper_column[k]];
        s->y[row] = sum;
    }
}

static double product(const double *a, const double *b, int count)
{
    double sum = 0;

    for (int i = 0; i < count; i++)
        sum += a[i] * b[i];
    return sum;
}

static void add(double *restrict a, double factor, const double *restrict b, int count)
{
    for (int i = 0; i < count; i++)
        a[i] += factor * b[i];
}

/* The factors are so small that the vectors keep their size. */
void fr_stencil_update(struct fr_stencil *s)
{
    const double alpha = 1e-12 * product(s->x, s->y, s->rows) / s->rows;

    add(s->z, alpha, s->x, s->rows);
    add(s->y, -alpha, s->x, s->rows);
    add(s->x, 1e-12 * product(s->y, s->y, s->rows) / s->rows, s->z, s->rows);
}

double fr_stencil_multiply_bytes(const struct fr_stencil *s)
{
    return s->start[s->rows] * (8.0 + INDEX_BYTES) + s->rows * (INDEX_BYTES + 16.0);
}

double fr_stencil_solve_bytes(const struct fr_stencil *s)
{
    const double entries = (double)s->upper_start[s->rows] + s->rows; /* with the diagonal */

    return 2 * (entries * (8.0 + INDEX_BYTES) + s->rows * (double)INDEX_BYTES) + s->rows * 32.0;
}

/* Words: two and one for the products, three for each update. */
double fr_stencil_update_bytes(const struct fr_stencil *s)
{
    return 8.0 * (2 + 1 + 3 * 3) * s->rows;
}

double fr_stencil_memory_bytes(int side)
{
    return (double)side * side * side * (POINTS * 1.5 * (8 + INDEX_BYTES) + 40);
}
