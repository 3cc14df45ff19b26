/* Work, messages and memory of a V-cycle. */
#include "engine/krylov/multigrid/multigrid.h"

const char *const krylov_smoothers[] = {
    [SMOOTHER_JACOBI] = "jacobi",
    [SMOOTHER_SOR] = "sor",
    [SMOOTHER_SSOR] = "ssor",
    [SMOOTHER_CHEBYSHEV] = "chebyshev",
    NULL,
};
const char *const krylov_coarse_solvers[] = {
    [COARSE_REDUNDANT] = "redundant",
    [COARSE_GATHERED] = "gathered",
    [COARSE_SMOOTHER] = "smoother",
    NULL,
};

static const struct krylov_sweep sweeps[] = {
    [SMOOTHER_JACOBI] = { 0, 9, 9, 8, 5 },
    [SMOOTHER_SOR] = { 1, 0, 0, 0, 5 },
    [SMOOTHER_SSOR] = { 2, 0, 0, 0, 5 },
    [SMOOTHER_CHEBYSHEV] = { 0, 10, 9, 8, 6 },
};

const struct krylov_sweep *krylov_sweep(enum krylov_smoother smoother)
{
    return &sweeps[smoother];
}

double krylov_dense_bytes(const struct krylov_level *level)
{
    return 8 * level->rows * level->rows + 32 * level->rows;
}

double krylov_cycle_s(const struct krylov_cycle_cost *cost)
{
    return cost->computation_s + cost->communication_s - cost->hidden_s;
}

/* ---- memory --------------------------------------------------------------------------------- */

/* The solver keeps two of the vectors of the finest level, and its operator. */
static double touched_bytes(const struct krylov_levels *levels, size_t l,
                            const struct krylov_smoothing *smoothing, double i)
{
    const struct krylov_level *level = &levels->level[l];
    const struct krylov_holding *of = &level->holding;
    const double vectors = sweeps[smoothing->smoother].vectors + 1; /* the inverse diagonal */
    const bool is_coarsest = l + 1 == levels->count;
    const double transfer = is_coarsest ? 0 : level->transfer.entries * (8 + i) + i * of->rows;

    if (is_coarsest && smoothing->coarse_solver != COARSE_SMOOTHER)
        return krylov_dense_bytes(level);
    if (l == 0)
        return transfer + 8 * of->rows * (vectors - 2);
    return transfer + 8 * of->rows * vectors + of->entries * (8 + i) + i * of->rows;
}

/* Row lengths and orderings as of the finest operator, ghosts and buffers. */
static double overhead_bytes(const struct krylov_level *level, bool is_finest, bool is_coarsest,
                             double i)
{
    const struct krylov_holding *of = &level->holding;
    double bytes = 0;

    if (!is_finest)
        bytes += 5 * i * of->rows + of->ghosts * (8 + i) + 8 * (of->sent + of->ghosts);
    if (!is_coarsest)
        bytes += 5 * i * of->rows + level->transfer.ghosts * (24 + i);
    return bytes;
}

struct krylov_footprint krylov_footprint(const struct krylov_levels *levels,
                                         const struct krylov_smoothing *smoothing,
                                         double index_bytes)
{
    struct krylov_footprint footprint = { .kept = 0 };
    double below = 0;

    for (size_t l = levels->count; l-- > 0;) {
        const bool is_coarsest = l + 1 == levels->count;

        below += touched_bytes(levels, l, smoothing, index_bytes);
        footprint.touched[l] = below;
        if (!is_coarsest || smoothing->coarse_solver == COARSE_SMOOTHER)
            footprint.kept += overhead_bytes(&levels->level[l], l == 0, is_coarsest, index_bytes);
    }
    footprint.kept += below;
    return footprint;
}
