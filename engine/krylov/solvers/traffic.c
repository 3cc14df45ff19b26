/* Bytes of an iterative solver, and their time by measured bandwidths. */
#include "engine/krylov/solvers/solvers.h"
#include "engine/lookup/lookup.h"

#include <math.h>

const char *const krylov_preconditioners[] = { KRYLOV_PRECONDITIONERS(FR_CHOICE_NAME) NULL };
/* PETSc solves the blocks of bjacobi with ilu unless it is told otherwise.  gamg is left out: its
 * levels are not those of halved grids. */
const struct fr_choice_alias krylov_preconditioner_aliases[] = {
    { "bjacobi", KRYLOV_PC_ILU },
    { "mg", KRYLOV_PC_MULTIGRID },
    { .name = NULL },
};

/* Bytes of a preconditioner: moved by one application, touched, and kept. */
struct factor {
    double moved, touched, kept;
};

/* n rows, d entries of the diagonal block, i bytes of an index.  The incomplete Cholesky factor has
 * the upper triangle, the LU factor all of the block. */
static struct factor factor_of(enum krylov_preconditioner preconditioner, double n, double d,
                               double i)
{
    const double triangle = (d + n) / 2 * (8 + i);

    switch (preconditioner) {
    case KRYLOV_PC_JACOBI:
        return (struct factor){ 24 * n, 8 * n, 8 * n };
    case KRYLOV_PC_ICC:
        return (struct factor){ 2 * (triangle + n * i) + 32 * n, triangle + n * i,
                                triangle + n * (2 * i + 16) };
    case KRYLOV_PC_ILU:
        return (struct factor){ d * (8 + i) + 2 * n * i + 32 * n, d * (8 + i) + n * i,
                                d * (8 + i) + n * (5 * i + 16) };
    case KRYLOV_PC_MULTIGRID:
        return (struct factor){ 0, 0, 0 };
    case KRYLOV_PC_NONE:
        break;
    }
    return (struct factor){ 16 * n, 0, 0 };
}

struct krylov_bytes krylov_bytes(const struct krylov_holding *of,
                                 enum krylov_preconditioner preconditioner, double vectors,
                                 double index_bytes)
{
    const double n = of->rows, i = index_bytes;
    const struct factor factor = factor_of(preconditioner, n, of->diagonal, i);
    const double entries = of->entries * (8 + i), work = 8 * n * (vectors + 2);

    return (struct krylov_bytes){
        .matvec = entries + n * (i + 16),
        .preconditioner = factor.moved,
        .word = 8 * n,
        .working_set = entries + n * i + factor.touched + work,
        .memory = entries + 6 * i * n + factor.kept + work + of->ghosts * (8 + i) +
                  8 * (of->sent + of->ghosts),
    };
}

struct krylov_bytes krylov_most_bytes(const struct krylov_bytes *a, const struct krylov_bytes *b)
{
    return (struct krylov_bytes){
        fmax(a->matvec, b->matvec), fmax(a->preconditioner, b->preconditioner),
        fmax(a->word, b->word),     fmax(a->working_set, b->working_set),
        fmax(a->memory, b->memory),
    };
}

double krylov_index_bytes(struct fr_evaluation *run)
{
    if (isnan(run->cal->memory.index_bytes))
        return 4;
    run->out->used |= FR_USE(INDEX_BYTES);
    return run->cal->memory.index_bytes;
}

static bool has_sizes(const struct fr_calibration *cal, enum fr_stream stream)
{
    return cal->byte_s[stream].count > 0;
}

/* The special kernel where it is calibrated, else the general one. */
static enum fr_stream first_of(const struct fr_calibration *cal, enum fr_stream special,
                               enum fr_stream general)
{
    const bool is_known =
        has_sizes(cal, special) || !isnan(cal->kernels.stream[special].bandwidth_fraction);

    return is_known ? special : general;
}

struct krylov_kernels krylov_kernels(const struct fr_calibration *cal,
                                     enum krylov_preconditioner preconditioner, bool is_fused)
{
    struct krylov_kernels kernels = { FR_SPARSE_MATVEC, FR_VECTOR_KERNEL, FR_VECTOR_KERNEL };

    if (preconditioner == KRYLOV_PC_ICC)
        kernels.preconditioner = FR_SPARSE_TRIANGULAR_SOLVE;
    if (preconditioner == KRYLOV_PC_ILU)
        kernels.preconditioner = first_of(cal, FR_SPARSE_ILU_SOLVE, FR_SPARSE_TRIANGULAR_SOLVE);
    if (is_fused)
        kernels.vector = first_of(cal, FR_VECTOR_FUSED, FR_VECTOR_KERNEL);
    return kernels;
}

bool krylov_can_estimate(const struct fr_calibration *cal, const struct krylov_kernels *kernels)
{
    return !isnan(cal->memory.node_bandwidth_bytes_per_s) ||
           (has_sizes(cal, kernels->matvec) && has_sizes(cal, kernels->preconditioner) &&
            has_sizes(cal, kernels->vector));
}

/* Bandwidth of one process, bytes/s, while all processes of its node compute; 1 if it is unknown.
 */
static double rate(const struct krylov_values *v, struct fr_evaluation *run)
{
    const double share =
        run->cal->memory.node_bandwidth_bytes_per_s / (double)v->processes_per_node;
    const double core = run->cal->memory.core_bandwidth_bytes_per_s;

    if (isnan(share))
        return 1;
    run->out->used |= FR_USE(MEMORY_BANDWIDTH);
    if (isnan(core))
        return share;
    run->out->used |= FR_USE(CORE_BANDWIDTH);
    return fmin(core, share);
}

/* Time per byte is constant in a cache and grows with the busy cores at the memory. */
static double byte_s(const struct krylov_values *v, struct fr_evaluation *run, bool has_prices,
                     enum fr_stream stream, double working_set_bytes)
{
    const double c = (double)v->processes_per_node;
    const double cores = (double)run->cal->node.cores_per_node; /* 0: unknown */
    const double busy = cores > 0 ? fmin(c, cores) : c;

    if (!has_prices || !has_sizes(run->cal, stream))
        return 1 / (rate(v, run) * fr_stream_fraction(run, stream));
    run->out->used |= FR_USE(NODE_CORES);
    return fr_stream_byte_s(run, stream, busy, working_set_bytes) * (c / busy);
}

struct krylov_estimate krylov_estimate(const struct krylov_values *v, struct fr_evaluation *run,
                                       const struct krylov_kernels *kernels,
                                       const struct krylov_bytes *bytes)
{
    const struct fr_calibration *cal = run->cal;
    const double W = bytes->working_set;
    const bool has = krylov_can_estimate(cal, kernels);

    return (struct krylov_estimate){
        .matvec_s = bytes->matvec * byte_s(v, run, has, kernels->matvec, W),
        .preconditioner_s = bytes->preconditioner * byte_s(v, run, has, kernels->preconditioner, W),
        .word_s = bytes->word * byte_s(v, run, has, kernels->vector, W),
        .is_bound = !has_sizes(cal, kernels->matvec) || !has_sizes(cal, kernels->preconditioner) ||
                    !has_sizes(cal, kernels->vector),
    };
}
