/* Vector operations, which memory or a cache bounds: the bytes that they read and write over the
 * bandwidth for their largest operand (docs/models/block_cyclic.md#vector-operations). */
#include "engine/block_cyclic/kernels.h"

static double bandwidth(const struct fr_calibration *cal, double operand_bytes)
{
    const struct fr_memory_stream *row = cal->memory.streams.row;

    if (!cal->memory.streams.count)
        return cal->memory.core_bandwidth_bytes_per_s;
    while (row->max_operand_bytes <= operand_bytes)
        row++; /* the last one has no limit */
    return row->bandwidth_bytes_per_s;
}

double cyclic_stream_s(const struct cyclic_kernels *kernels, double bytes, double operand_bytes)
{
    if (bytes <= 0)
        return 0;
    return bytes / bandwidth(kernels->run->cal, operand_bytes) + kernels->stream_call_s;
}

double cyclic_idamax_s(const struct cyclic_kernels *kernels, double n)
{
    return cyclic_stream_s(kernels, 8 * n, 8 * n);
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

double cyclic_dger_s(const struct cyclic_kernels *kernels, double m, double n)
{
    if (m <= 0 || n <= 0)
        return 0;
    return cyclic_stream_s(kernels, 16 * m * n + 8 * (m + n), 8 * m * n);
}

double cyclic_rowswap_s(const struct cyclic_kernels *kernels, double n)
{
    return cyclic_stream_s(kernels, 4 * kernels->line_bytes * n, 8 * n);
}

double cyclic_copy_s(const struct cyclic_kernels *kernels, double m, double n, double element_bytes,
                     double calls)
{
    if (m <= 0 || n <= 0)
        return 0;
    return cyclic_stream_s(kernels, element_bytes * m * n, 8 * m * n / calls) +
           (calls - 1) * kernels->stream_call_s;
}
