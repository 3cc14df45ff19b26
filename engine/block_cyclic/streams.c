/* Vector operations, which memory or a cache bounds: the bytes that they read and write over the
 * bandwidth for their largest operand (docs/models/block_cyclic.md#vector-operations). */
#include "engine/block_cyclic/kernels.h"

#include <math.h>

/* The row of an operand; NULL if one bandwidth serves all. */
static const struct fr_memory_stream *row_of(const struct fr_calibration *cal, double operand_bytes)
{
    const struct fr_memory_stream *row = cal->memory.streams.row;

    if (!cal->memory.streams.count)
        return NULL;
    while (row->max_operand_bytes <= operand_bytes)
        row++; /* the last one has no limit */
    return row;
}

static double bandwidth(const struct fr_calibration *cal, const struct fr_memory_stream *row)
{
    return row ? row->bandwidth_bytes_per_s : cal->memory.core_bandwidth_bytes_per_s;
}

double cyclic_stream_s(const struct cyclic_kernels *kernels, double bytes, double operand_bytes)
{
    const struct fr_calibration *cal = kernels->run->cal;

    if (bytes <= 0)
        return 0;
    return bytes / bandwidth(cal, row_of(cal, operand_bytes)) + kernels->stream_call_s;
}

double cyclic_stream_least_s(const struct cyclic_kernels *kernels, double bytes)
{
    const struct fr_calibration *cal = kernels->run->cal;
    double fastest = 0;

    for (size_t i = 0; i < cal->memory.streams.count; i++)
        fastest = fmax(fastest, cal->memory.streams.row[i].bandwidth_bytes_per_s);
    return bytes / (fastest > 0 ? fastest : cal->memory.core_bandwidth_bytes_per_s);
}

double cyclic_memory_share(const struct cyclic_kernels *kernels, double operand_bytes)
{
    const struct fr_calibration *cal = kernels->run->cal;
    const size_t count = cal->memory.streams.count;
    const double cached_s = cyclic_stream_least_s(kernels, 1);
    double memory_s, operand_s;

    if (!count)
        return 1;
    memory_s = 1 / cal->memory.streams.row[count - 1].bandwidth_bytes_per_s;
    operand_s = 1 / bandwidth(cal, row_of(cal, operand_bytes));
    return memory_s > cached_s ? fmin(1, (operand_s - cached_s) / (memory_s - cached_s)) : 1;
}

double cyclic_dscal_s(const struct cyclic_kernels *kernels, double n)
{
    return cyclic_stream_s(kernels, 16 * n, 8 * n);
}

double cyclic_dtrsv_s(const struct cyclic_kernels *kernels, double n)
{
    return cyclic_stream_s(kernels, 4 * n * n + 16 * n, 4 * n * n);
}

double cyclic_dgemv_s(const struct cyclic_kernels *kernels, double m, double n)
{
    if (m <= 0 || n <= 0)
        return 0;
    return cyclic_stream_s(kernels, 8 * (m * n + n) + 16 * m, 8 * m * n);
}

/* The value, or the other one where it is not given. */
static double given(double value, double otherwise)
{
    return isnan(value) ? otherwise : value;
}

/* Of the elements of a row of a matrix; 0 where the calibration has no such time. */
static double element_s(const struct fr_calibration *cal, const struct cyclic_matrix *matrix,
                        bool is_packed)
{
    const struct fr_row_swap *row = cal->memory.row_swaps.row;
    double swapped_s, packed_s;

    if (!cal->memory.row_swaps.count)
        return given(cal->memory.row_element_s, 0);
    while (row->max_matrix_bytes <= matrix->bytes)
        row++; /* the last one has no limit */
    swapped_s = row->element_s;
    packed_s = given(row->packed_element_s, swapped_s);
    if (matrix->is_on_pages) {
        swapped_s = given(row->page_element_s, swapped_s);
        packed_s = given(row->page_packed_element_s, packed_s);
    }
    return is_packed ? packed_s : swapped_s;
}

double cyclic_new_row_s(const struct cyclic_kernels *kernels, double n,
                        const struct cyclic_matrix *matrix)
{
    return n * element_s(kernels->run->cal, matrix, true);
}

double cyclic_rowswap_s(const struct cyclic_kernels *kernels, double n)
{
    return cyclic_stream_s(kernels, 4 * kernels->line_bytes * n, 8 * n);
}

double cyclic_long_rowswap_s(const struct cyclic_kernels *kernels, double n,
                             const struct cyclic_matrix *matrix)
{
    const double both_s = 2 * n * element_s(kernels->run->cal, matrix, false);

    return both_s > 0 ? both_s + kernels->stream_call_s : cyclic_rowswap_s(kernels, n);
}

double cyclic_copy_s(const struct cyclic_kernels *kernels, double m, double n, double element_bytes,
                     double calls)
{
    if (m <= 0 || n <= 0)
        return 0;
    return cyclic_stream_s(kernels, element_bytes * m * n, 8 * m * n / calls) +
           (calls - 1) * kernels->stream_call_s;
}

/* ---- many calls ------------------------------------------------------------------------------ */

/* Bytes of call i: constant + linear i + square i^2. */
struct bytes {
    double constant, linear, square;
};

static struct bytes product(struct cyclic_steps m, struct cyclic_steps n)
{
    return (struct bytes){ m.first * n.first, m.first * n.step + m.step * n.first,
                           m.step * n.step };
}

/* bytes + factor n */
static struct bytes with(struct bytes bytes, double factor, struct cyclic_steps n)
{
    bytes.constant += factor * n.first;
    bytes.linear += factor * n.step;
    return bytes;
}

static struct bytes times(double factor, struct bytes of)
{
    return (struct bytes){ factor * of.constant, factor * of.linear, factor * of.square };
}

static double at(const struct bytes *bytes, int64_t i)
{
    return bytes->constant + (double)i * (bytes->linear + (double)i * bytes->square);
}

/* Of the calls before `end`. */
static double sum_before(const struct bytes *bytes, int64_t end)
{
    const double n = (double)end, half = (n - 1) / 2;

    return n * (bytes->constant + half * (bytes->linear + (2 * n - 1) / 3 * bytes->square));
}

/* The first call after `i` whose operand has another row; `last` has. */
static int64_t next_row(const struct fr_calibration *cal, const struct bytes *operand, int64_t i,
                        int64_t last)
{
    const struct fr_memory_stream *row = row_of(cal, at(operand, i));

    while (last - i > 1) {
        const int64_t middle = i + (last - i) / 2;

        if (row_of(cal, at(operand, middle)) == row)
            i = middle;
        else
            last = middle;
    }
    return last;
}

/* The calls whose operands have the same row are summed in closed form. */
static double streams_s(const struct cyclic_kernels *kernels, int64_t count, struct bytes bytes,
                        struct bytes operand)
{
    const struct fr_calibration *cal = kernels->run->cal;
    const struct fr_memory_stream *last = row_of(cal, at(&operand, count - 1));
    double before = 0, sum = 0;

    for (int64_t i = 0, end; i < count; i = end) {
        const struct fr_memory_stream *row = row_of(cal, at(&operand, i));
        double until;

        end = row == last ? count : next_row(cal, &operand, i, count - 1);
        until = sum_before(&bytes, end);
        sum += (until - before) / bandwidth(cal, row);
        before = until;
    }
    return count > 0 ? sum + (double)count * kernels->stream_call_s : 0;
}

double cyclic_idamaxes_s(const struct cyclic_kernels *kernels, int64_t count, struct cyclic_steps n)
{
    const struct bytes bytes = { 8 * n.first, 8 * n.step, 0 };

    return streams_s(kernels, count, bytes, bytes);
}

double cyclic_dscals_s(const struct cyclic_kernels *kernels, int64_t count, struct cyclic_steps n)
{
    const struct bytes bytes = { 8 * n.first, 8 * n.step, 0 };

    return streams_s(kernels, count, times(2, bytes), bytes);
}

double cyclic_dtrsvs_s(const struct cyclic_kernels *kernels, int64_t count, struct cyclic_steps n)
{
    const struct bytes triangle = times(4, product(n, n));

    return streams_s(kernels, count, with(triangle, 16, n), triangle);
}

double cyclic_dgemvs_s(const struct cyclic_kernels *kernels, int64_t count, struct cyclic_steps m,
                       struct cyclic_steps n)
{
    const struct bytes matrix = times(8, product(m, n));

    return streams_s(kernels, count, with(with(matrix, 8, n), 16, m), matrix);
}

double cyclic_dgers_s(const struct cyclic_kernels *kernels, int64_t count, struct cyclic_steps m,
                      struct cyclic_steps n)
{
    const struct bytes matrix = times(8, product(m, n));

    return streams_s(kernels, count, with(with(times(2, matrix), 8, n), 8, m), matrix);
}
