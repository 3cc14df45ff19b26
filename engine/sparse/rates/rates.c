/* Rate tables with multilinear interpolation of log(rate) in log2(size). */
#include "engine/sparse/rates/rates.h"
#include "engine/lookup/lookup.h"

#include <math.h>
#include <stdlib.h>

static size_t axes_of(enum fr_routine routine)
{
    return routine == FR_DGEMM ? 3 : routine == FR_DTRSV ? 1 : 2;
}

/* The sizes of a row, in the order of the axes. */
static void sizes_of(const struct fr_rate *row, size_t axes, double *size)
{
    const int64_t of[SPARSE_MAX_AXES] = { axes == 1 ? row->n : row->m, row->n, row->k };

    for (size_t a = 0; a < axes; a++)
        size[a] = log2((double)of[a]);
}

static bool has_sizes(const struct fr_rate *row, size_t axes)
{
    return row->n > 0 && (row->m > 0) == (axes > 1) && (row->k > 0) == (axes > 2);
}

/* The index of a size on its axis; `count` if it is not there. */
static size_t place_of(const struct sparse_axis *axis, double log2_size)
{
    size_t i = 0;

    while (i < axis->count && axis->log2_size[i] != log2_size)
        i++;
    return i;
}

static bool add_size(struct sparse_axis *axis, double log2_size)
{
    size_t at = axis->count;

    if (place_of(axis, log2_size) < axis->count)
        return true;
    if (axis->count == SPARSE_MAX_SIZES)
        return false;
    for (; at > 0 && axis->log2_size[at - 1] > log2_size; at--)
        axis->log2_size[at] = axis->log2_size[at - 1];
    axis->log2_size[at] = log2_size;
    axis->count++;
    return true;
}

static int find_axes(struct sparse_rates *rates, const char *name, const struct fr_kernel *kernel,
                     struct fr_faults *faults)
{
    for (size_t i = 0; i < kernel->rates.count; i++) {
        double size[SPARSE_MAX_AXES];

        if (!has_sizes(&kernel->rates.row[i], rates->axes))
            return fr_fault(faults, FR_GROUP_MISSING, "calibration",
                            "kernels.%s.rates.%zu needs exactly the sizes of the routine: %s", name,
                            i,
                            rates->axes == 1   ? "n"
                            : rates->axes == 2 ? "m and n"
                                               : "m, n and k");
        sizes_of(&kernel->rates.row[i], rates->axes, size);
        for (size_t a = 0; a < rates->axes; a++)
            if (!add_size(&rates->axis[a], size[a]))
                return fr_fault(faults, FR_GROUP_MISSING, "calibration",
                                "kernels.%s.rates has more than %d sizes on one axis", name,
                                SPARSE_MAX_SIZES);
    }
    return FR_OK;
}

/* Stores the rates; each combination of sizes must occur once. */
static int fill(struct sparse_rates *rates, const char *name, const struct fr_kernel *kernel,
                struct fr_faults *faults)
{
    const size_t count = kernel->rates.count;
    size_t cells = 1;

    for (size_t a = 0; a < rates->axes; a++)
        cells *= rates->axis[a].count;
    if (cells != count)
        return fr_fault(faults, FR_GROUP_MISSING, "calibration",
                        "kernels.%s.rates has %zu rates for %zu combinations of its sizes; one for "
                        "each is needed",
                        name, count, cells);
    rates->log_rate = calloc(cells, sizeof *rates->log_rate);
    if (!rates->log_rate)
        return fr_fault(faults, FR_NOMEM, "calibration", "kernels.%s.rates is too large", name);
    for (size_t i = 0; i < cells; i++)
        rates->log_rate[i] = NAN;
    for (size_t i = 0; i < count; i++) {
        double size[SPARSE_MAX_AXES];
        size_t at = 0;

        sizes_of(&kernel->rates.row[i], rates->axes, size);
        for (size_t a = 0; a < rates->axes; a++)
            at = at * rates->axis[a].count + place_of(&rates->axis[a], size[a]);
        if (!isnan(rates->log_rate[at]))
            return fr_fault(faults, FR_GROUP_MISSING, "calibration",
                            "kernels.%s.rates.%zu repeats the sizes of an earlier row", name, i);
        rates->log_rate[at] = log(kernel->rates.row[i].rate_flops_per_s);
    }
    return FR_OK;
}

/* Sizes are whole numbers, so that rounding their logarithms back restores them. */
static void find_limits(struct sparse_axis *axis)
{
    axis->least = axis->count ? round(exp2(axis->log2_size[0])) : 0;
    axis->most = axis->count ? round(exp2(axis->log2_size[axis->count - 1])) : 0;
}

int sparse_rates_init(struct sparse_rates *rates, enum fr_routine routine,
                      const struct fr_kernel *kernel, struct fr_faults *faults)
{
    const char *name = fr_routine_name(routine);
    int code;

    *rates = (struct sparse_rates){ .axes = axes_of(routine) };
    if (!kernel->rates.count)
        return fr_fault(faults, FR_GROUP_MISSING, "calibration", "kernels.%s.rates is missing",
                        name);
    code = find_axes(rates, name, kernel, faults);
    for (size_t a = 0; a < rates->axes; a++)
        find_limits(&rates->axis[a]);
    if (code == FR_OK)
        code = fill(rates, name, kernel, faults);
    if (code != FR_OK)
        sparse_rates_free(rates);
    return code;
}

void sparse_rates_free(struct sparse_rates *rates)
{
    free(rates->log_rate);
    rates->log_rate = NULL;
}

/* The cell of an axis that holds a value: the lower index, and the share of the way to the next. */
struct between {
    size_t below;
    double share;
};

static struct between find(const struct sparse_axis *axis, double x)
{
    size_t i = 0;

    if (axis->count == 1 || x <= axis->log2_size[0])
        return (struct between){ 0, 0 };
    while (i + 2 < axis->count && x > axis->log2_size[i + 1])
        i++;
    return (struct between){ i, fmin(1, (x - axis->log2_size[i]) /
                                            (axis->log2_size[i + 1] - axis->log2_size[i])) };
}

/* Interpolates axis by axis over the corners of the cell. */
static double interpolate(const struct sparse_rates *rates, const struct between *at, size_t axis,
                          size_t index)
{
    size_t next;
    double low;

    if (axis == rates->axes)
        return rates->log_rate[index];
    next = index * rates->axis[axis].count + at[axis].below;
    low = interpolate(rates, at, axis + 1, next);
    if (at[axis].share == 0)
        return low;
    return low + at[axis].share * (interpolate(rates, at, axis + 1, next + 1) - low);
}

/* How far a value lies outside, as a difference of logarithms; 0 inside. */
static double excess(double x, double low, double high)
{
    return fmax(0, fmax(low - x, x - high));
}

static void note_outside(struct sparse_axis *axis, double size, double time_s)
{
    const double low = axis->log2_size[0], high = axis->log2_size[axis->count - 1];
    double by;

    if (size >= axis->least && size <= axis->most)
        return;
    by = excess(log2(size), low, high);
    if (axis->outside_s == 0 || by > excess(log2(axis->value), low, high))
        axis->value = size;
    axis->outside_s += time_s;
}

void sparse_rates_note(struct sparse_rates *rates, const double *size, double time_s)
{
    rates->time_s += time_s;
    for (size_t a = 0; a < rates->axes; a++)
        note_outside(&rates->axis[a], size[a], time_s);
}

double sparse_rates_s(struct sparse_rates *rates, double flops, const double *size)
{
    struct between at[SPARSE_MAX_AXES] = { 0 };
    double time_s;

    for (size_t a = 0; a < rates->axes; a++)
        at[a] = find(&rates->axis[a], log2(size[a]));
    time_s = flops / exp(interpolate(rates, at, 0, 0));
    sparse_rates_note(rates, size, time_s);
    return time_s;
}
