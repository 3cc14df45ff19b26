/* What a question of solve asks: its automatic choices, and refusals
 * (docs/models/krylov_problem.md#refusals). */
#include "engine/krylov/halo/halo.h"
#include "engine/krylov/partition/partition.h"
#include "engine/krylov/solve_multigrid.h"

#include <inttypes.h>
#include <math.h>

const char *const krylov_stencils[] = {
    [KRYLOV_STAR] = "star",
    [KRYLOV_BOX] = "box",
    NULL,
};
const char *const krylov_grid_shapes[] = {
    [KRYLOV_BALANCED] = "balanced",
    [KRYLOV_FITTED] = "fitted",
    NULL,
};

static bool has_matrix(const struct krylov_solve *v)
{
    return v->matrix.text[0] != '\0';
}

const struct krylov_solver *krylov_solve_solver(const struct krylov_solve *v)
{
    return &krylov_solvers[v->solver];
}

/* Before resolve has laid out the grids, the points are those given. */
struct krylov_stencil krylov_solve_stencil(const struct krylov_solve *v)
{
    const struct fr_vector *grid = v->global_grid.count ? &v->global_grid : &v->grid.local_grid;

    return (struct krylov_stencil){
        .dimensions = grid->count,
        .is_full = v->stencil == KRYLOV_BOX,
        .message_bytes = NAN,
        .values_per_point = (double)v->dof,
        .local_grid = v->grid.layout.local_grid.count ? v->grid.layout.local_grid : *grid,
    };
}

void krylov_solve_check_given(const void *values, struct fr_faults *faults)
{
    const struct krylov_solve *v = values;
    const int given = (v->grid.local_grid.count > 0) + (v->global_grid.count > 0) + has_matrix(v);

    if (given != 1)
        fr_fault(faults, given ? FR_RELATION : FR_MISSING, "local_grid",
                 "%s of local_grid, global_grid and matrix %s; give one",
                 given ? "several" : "none", given ? "are given" : "is given");
}

static void choose_method(struct krylov_solve *v, struct fr_faults *faults)
{
    if (v->system == FR_OPEN_CHOICE)
        v->system = has_matrix(v) ? SYSTEM_GENERAL : SYSTEM_SPD;
    if (v->preconditioner == FR_OPEN_CHOICE)
        v->preconditioner = v->system == SYSTEM_SPD ? KRYLOV_PC_ICC : KRYLOV_PC_ILU;
    if (v->preconditioner == KRYLOV_PC_ICC && v->system != SYSTEM_SPD)
        fr_fault(faults, FR_RELATION, "preconditioner",
                 "icc needs system=spd, and this one is %s; use ilu", krylov_systems[v->system]);
    if (v->solver == FR_OPEN_CHOICE && v->system == SYSTEM_SPD)
        v->solver = SOLVER_PCG;
    if (v->solver == FR_OPEN_CHOICE)
        fr_fault(faults, FR_MISSING, "solver",
                 "required where the system is %s; gmres and bcgs solve every system",
                 krylov_systems[v->system]);
    else if (v->system > (int)krylov_solve_solver(v)->system)
        fr_fault(faults, FR_RELATION, "solver",
                 "%s needs a system that is %s, and this one is %s; gmres and bcgs solve every "
                 "system",
                 krylov_solver_names[v->solver], krylov_systems[krylov_solve_solver(v)->system],
                 krylov_systems[v->system]);
}

/* Parameters that mean nothing for this problem. */
static void check_choices(const struct krylov_solve *v, struct fr_faults *faults)
{
    const struct krylov_grid_values *grid = &v->grid;
    const char *const where = has_matrix(v)                             ? "matrix"
                              : grid->local_grid.count                  ? "local_grid"
                              : grid->process_grid.count                ? "process_grid"
                              : grid->mapping == MAPPING_TOPOLOGY_AWARE ? "mapping"
                                                                        : NULL;

    if (v->grid_shape == KRYLOV_FITTED && where)
        fr_fault(faults, FR_RELATION, "grid_shape",
                 "fitted chooses the process grid over a global_grid, which %s determines; use "
                 "balanced",
                 where);
    if (v->levels.text[0] && !krylov_solve_has_levels(v))
        fr_fault(faults, FR_RELATION, "levels", "they are those of preconditioner=multigrid");
    if (v->partition != KRYLOV_PARTITION_contiguous && !has_matrix(v))
        fr_fault(faults, FR_RELATION, "partition", "%s divides a matrix; a grid has contiguous",
                 krylov_partitions[v->partition]);
    if (!has_matrix(v))
        return;
    if (krylov_solve_has_levels(v))
        fr_fault(faults, FR_RELATION, "preconditioner",
                 "multigrid coarsens a grid, and the levels of a matrix are unknown; give "
                 "local_grid or global_grid, or use ilu");
    if (grid->mapping != MAPPING_DEFAULT)
        fr_fault(faults, FR_RELATION, "mapping",
                 "%s places grids; the ranks of a matrix are numbered as its rows: use default",
                 krylov_mappings[grid->mapping]);
    if (grid->process_grid.count || grid->on_node_grid.count)
        fr_fault(faults, FR_RELATION, grid->process_grid.count ? "process_grid" : "on_node_grid",
                 "a matrix has no grid of processes; leave it out");
}

/* Without a source none are needed: the parameters of a saved run are checked. */
static void find_facts(struct krylov_solve *v, struct fr_faults *faults)
{
    const int64_t P = v->grid.common.nodes * v->grid.common.processes_per_node;

    v->facts = NULL;
    if (!v->source)
        return;
    v->facts = v->source->find(v->source->context, v->matrix.text, krylov_partitions[v->partition],
                               P, faults);
    if (v->facts && v->facts->processes != P)
        fr_fault(faults, FR_RELATION, "matrix",
                 "its facts are those of %" PRId64 " processes; asked for are %" PRId64,
                 v->facts->processes, P);
    if (v->facts && v->system != SYSTEM_GENERAL && v->facts->structural_symmetry < 1)
        fr_fault(faults, FR_RELATION, "system",
                 "%s needs a symmetric matrix, and %.3g %% of the entries off the diagonal of this "
                 "one have no counterpart; give system=general, and gmres or bcgs as solver",
                 krylov_systems[v->system], 100 * (1 - v->facts->structural_symmetry));
}

/* Without a value: where the links are known, and nothing was measured of the congestion. */
static void choose_links(struct krylov_solve *v, const struct fr_calibration *cal)
{
    if (v->placement == FR_OPEN_CHOICE)
        v->placement = (int)krylov_measured_placement(cal);
    if (v->link_sharing == FR_OPEN_CHOICE)
        v->link_sharing =
            krylov_has_links(&cal->network.topology) && isnan(v->grid.common.stalls_per_byte);
    if (v->grid.common.nodes == 1)
        v->link_sharing = false;
}

/* An exchange that was measured needs no links. */
static bool is_burst(const struct krylov_solve *v, const struct fr_calibration *cal)
{
    const struct krylov_stencil stencil = krylov_solve_stencil(v);

    return !has_matrix(v) &&
           krylov_is_burst(&v->grid, &stencil, (enum fr_placement)v->placement, cal);
}

static void check_links(const struct krylov_solve *v, const struct fr_calibration *cal,
                        struct fr_faults *faults)
{
    if (!v->link_sharing)
        return;
    if (krylov_has_links(&cal->network.topology))
        krylov_check_links(cal, faults);
    else
        fr_fault(faults, FR_RELATION, "link_sharing",
                 "the calibration does not describe the links of the network (network.topology); "
                 "use false");
}

/* Smoothers that traverse the matrix do it as the solves of ilu. */
struct krylov_kernels krylov_solve_kernels(const struct krylov_solve *v,
                                           const struct fr_calibration *cal)
{
    const bool traverses = krylov_solve_has_levels(v) &&
                           krylov_sweep((enum krylov_smoother)v->smoother)->traversals > 0;

    return krylov_kernels(cal,
                          traverses ? KRYLOV_PC_ILU : (enum krylov_preconditioner)v->preconditioner,
                          krylov_solve_solver(v)->is_fused);
}

static void check_multigrid(const struct krylov_solve *v, struct fr_faults *faults)
{
    struct krylov_levels levels;

    if (krylov_solve_has_levels(v))
        krylov_solve_levels(v, &levels, faults);
}

static void check_computation(const struct krylov_solve *v, const struct fr_calibration *cal,
                              struct fr_faults *faults)
{
    const struct krylov_kernels kernels = krylov_solve_kernels(v, cal);

    if ((!v->run || krylov_solve_has_levels(v)) && !krylov_can_estimate(cal, &kernels))
        fr_fault(faults, FR_GROUP_MISSING, "calibration",
                 "the computation is unknown: memory.node_bandwidth_bytes_per_s is missing, or "
                 "by_size of the kernels that the solver uses");
}

int krylov_solve_resolve(void *values, const struct fr_calibration *cal, struct fr_faults *faults)
{
    struct krylov_solve *v = values;
    const size_t before = faults->count;
    const bool is_open = v->link_sharing == FR_OPEN_CHOICE;
    struct krylov_stencil stencil;
    struct krylov_rules rules = { .has_allreduce = true, .stencil = &stencil };

    krylov_solve_check_given(v, faults);
    choose_method(v, faults);
    check_choices(v, faults);
    if (faults->count > before)
        return FR_RELATION;
    v->grid.layout.local_grid.count = 0;
    stencil = krylov_solve_stencil(v);
    rules.grid = has_matrix(v) ? NULL : &v->grid;
    rules.global_grid = &v->global_grid;
    rules.is_fitted = v->grid_shape == KRYLOV_FITTED;
    choose_links(v, cal);
    rules.has_links = v->link_sharing;
    check_computation(v, cal, faults);
    if (krylov_resolve(&v->grid.common, cal, &rules, faults) != FR_OK)
        return FR_RELATION;
    if (is_open && v->link_sharing && is_burst(v, cal))
        v->link_sharing = false;
    check_links(v, cal, faults);
    if (has_matrix(v))
        find_facts(v, faults);
    check_multigrid(v, faults);
    return faults->count > before ? FR_RELATION : FR_OK;
}

int krylov_solve_problem(const struct krylov_solve *v, struct fr_evaluation *run,
                         struct krylov_problem *out)
{
    const struct krylov_stencil stencil = krylov_solve_stencil(v);
    const struct krylov_storage storage = {
        (enum krylov_preconditioner)v->preconditioner,
        krylov_vectors(krylov_solve_solver(v), v->restart),
        krylov_index_bytes(run),
    };

    if (has_matrix(v) && !v->facts)
        return fr_fault(run->faults, FR_NOT_FOUND, "matrix", "no matrices are stored here");
    if (v->facts)
        return krylov_matrix_problem(v->facts, &storage, run->arena, out, run->faults);
    *out = krylov_grid_problem(&stencil, &v->grid.layout.process_grid, &v->global_grid, &storage);
    return krylov_solve_add_levels(v, storage.index_bytes, out, run->faults);
}

struct krylov_estimate krylov_solve_estimate(const struct krylov_solve *v,
                                             struct fr_evaluation *run,
                                             const struct krylov_bytes *bytes)
{
    const struct krylov_kernels kernels = krylov_solve_kernels(v, run->cal);

    return krylov_estimate(&v->grid.common, run, &kernels, bytes);
}
