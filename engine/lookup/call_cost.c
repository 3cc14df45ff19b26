#include "engine/lookup/lookup.h"

#include <math.h>

static bool is_multiple(double size, double of)
{
    return floor(size / of) * of == size;
}

static double extra_columns(const struct fr_extra_columns *extra, double n, double k)
{
    const fr_numbers *narrow = &extra->by_remainder;
    double columns = 0;

    if (isnan(extra->depth_64)) /* no extra columns were measured */
        return 0;
    if (narrow->count && n <= FR_NARROW_COLUMNS && is_multiple(n, 1))
        columns = narrow->row[(size_t)n % narrow->count];
    if (k <= FR_DEPTH_AT_ONCE && is_multiple(k, 64))
        columns += is_multiple(k, 128) ? extra->depth_128 : extra->depth_64;
    return columns;
}

struct fr_call_amounts fr_call_amounts(enum fr_blas_call call, const struct fr_extra_columns *extra,
                                       double m, double n, double k)
{
    if (fr_call_is_dgemm(call))
        return (struct fr_call_amounts){ m * (n + (extra ? extra_columns(extra, n, k) : 0)) * k,
                                         m * k, k * n, m * n };
    if (call == FR_CALL_DSYRK)
        return (struct fr_call_amounts){ n * n * k / 2, n * k, 0, n * n / 2 };
    return (struct fr_call_amounts){ m * m * n / 2, m * m / 2, m * n, 0 };
}

struct fr_call_costs fr_call_costs_find(const struct fr_calibration *cal, enum fr_blas_call call,
                                        int64_t threads)
{
    struct fr_call_costs costs = {
        .extra = fr_call_is_dgemm(call) ? &cal->kernels.extra_columns : NULL,
    };

    for (size_t i = 0; i < cal->kernels.calls.count && costs.count < FR_CALL_ROWS_MAX; i++) {
        const struct fr_call_cost *row = &cal->kernels.calls.row[i];

        if (row->call == (int)call && row->threads == threads)
            costs.row[costs.count++] = row;
    }
    return costs;
}

static double width_of(const struct fr_call_cost *row, double m, double n)
{
    return fr_call_is_dgemm((enum fr_blas_call)row->call) ? fmin(m, n) : n;
}

static const struct fr_call_cost *row_of(const struct fr_call_costs *costs, double m, double n,
                                         double k)
{
    size_t i = 0;

    while (costs->row[i]->max_width < width_of(costs->row[i], m, n) || costs->row[i]->max_depth < k)
        i++; /* the last one has no limit */
    return costs->row[i];
}

/* Where m, n or k is beyond what was measured, costs go on as they are. */
static double beyond(struct fr_evaluation *run, const struct fr_call_cost *row, double m, double n,
                     double k)
{
    static const char path[] = "kernels.calls";
    const double largest = fmax(m, fmax(n, k));

    return largest > row->max_size ? fr_extrapolate(run->out, path, largest, 1, row->max_size) : 1;
}

static double work_s(const struct fr_call_cost *row, const struct fr_call_amounts *of)
{
    return of->multiply_adds * row->multiply_add_s + of->b_elements * row->b_element_s +
           of->c_elements * row->c_element_s;
}

double fr_call_s(struct fr_evaluation *run, const struct fr_call_costs *costs, double m, double n,
                 double k)
{
    const struct fr_call_cost *row = row_of(costs, m, n, k);
    const struct fr_call_amounts of =
        fr_call_amounts((enum fr_blas_call)row->call, costs->extra, m, n, k);

    return beyond(run, row, m, n, k) *
           (row->call_s + of.a_elements * row->a_element_s + work_s(row, &of));
}

/* Work on columns is proportional to them, and any width may be that of a call. */
double fr_call_least_s(const struct fr_call_costs *costs, double m, double n, double k)
{
    const double depth = row_of(costs, m, n, k)->max_depth;
    double least = INFINITY;

    for (size_t i = 0; i < costs->count; i++) {
        const struct fr_call_cost *row = costs->row[i];
        const struct fr_call_amounts of =
            fr_call_amounts((enum fr_blas_call)row->call, NULL, m, n, k);

        if (row->max_depth == depth)
            least = fmin(least, work_s(row, &of));
    }
    return least;
}
