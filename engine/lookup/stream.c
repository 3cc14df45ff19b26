/* Seconds per byte of the kernels of iterative solvers, as measured by working set and busy cores
 * (docs/models/krylov_problem.md#computation-by-size). */
#include "engine/lookup/lookup.h"

#define KERNEL(name, bit)                                                                          \
    {                                                                                              \
        { "kernels." name ".working_set_bytes", "kernels." name ".processes", false }, FR_USE(bit) \
    }
static const struct {
    struct fr_curves_names names;
    fr_uses use;
} kernels[FR_STREAMS] = {
    [FR_SPARSE_MATVEC] = KERNEL("sparse_matvec", SPARSE_MATVEC),
    [FR_SPARSE_TRIANGULAR_SOLVE] = KERNEL("sparse_triangular_solve", SPARSE_SOLVE),
    [FR_SPARSE_ILU_SOLVE] = KERNEL("sparse_ilu_solve", SPARSE_ILU),
    [FR_VECTOR_KERNEL] = KERNEL("vector", VECTOR),
    [FR_VECTOR_FUSED] = KERNEL("vector_fused", VECTOR_FUSED),
};

double fr_stream_fraction(struct fr_evaluation *run, enum fr_stream stream)
{
    const double fraction = run->cal->kernels.stream[stream].bandwidth_fraction;

    if (fraction > 0)
        run->out->used |= kernels[stream].use;
    return fraction > 0 ? fraction : 1;
}

double fr_stream_byte_s(struct fr_evaluation *run, enum fr_stream stream, double processes,
                        double working_set_bytes)
{
    run->out->used |= kernels[stream].use;
    if (stream == FR_SPARSE_MATVEC) /* every estimate needs it, so that it stands for all kernels */
        run->out->used |= FR_USE(MATVEC_SIZES);
    return fr_curves_at(run, &run->cal->byte_s[stream], kernels[stream].names, working_set_bytes,
                        processes);
}
