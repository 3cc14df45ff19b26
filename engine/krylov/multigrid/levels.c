/* Levels by halving a grid in each dimension, or by their sizes. */
#include "engine/krylov/multigrid/multigrid.h"

static int64_t smaller(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* ---- geometric ------------------------------------------------------------------------------ */

/* All points of the grid: of local grids, those of all processes. */
static struct fr_vector points_of(const struct krylov_layout *layout,
                                  const struct krylov_stencil *stencil,
                                  const struct fr_vector *global_grid)
{
    struct fr_vector points = stencil->local_grid;

    if (global_grid->count)
        return *global_grid;
    for (size_t d = 0; d < points.count; d++)
        points.at[d] *= layout->process_grid.at[d];
    return points;
}

/* A process of a grid with fewer points than processes in a dimension has one of them, or none. */
static struct krylov_level level_of(const struct fr_vector *points, const struct fr_vector *process,
                                    const struct krylov_stencil *like)
{
    struct krylov_grid grid = { .points = *points, .process_grid = *process, .stencil = *like };
    const double rows = like->values_per_point * fr_vector_product(points);

    for (size_t d = 0; d < points->count; d++)
        grid.process_grid.at[d] = smaller(process->at[d], points->at[d]);
    grid.stencil.local_grid = krylov_divided_grid(points, &grid.process_grid);
    return (struct krylov_level){
        .rows = rows,
        .nonzeros = rows * like->values_per_point * krylov_neighbors(like),
        .processes = fr_vector_product(&grid.process_grid),
        .holding = krylov_grid_holding(&grid.stencil, &grid.process_grid),
        .grid = grid,
    };
}

/* Halves each extent: 2 m to m, and 2 m + 1 to m + 1, as often as that stays even or odd.  False if
 * it does not, or all extents are 1. */
static bool halve(const struct fr_vector *finest, struct fr_vector *points)
{
    struct fr_vector half = *points;
    bool is_coarser = false;

    for (size_t d = 0; d < points->count; d++) {
        if (points->at[d] == 1)
            continue;
        if ((points->at[d] - finest->at[d]) % 2)
            return false;
        half.at[d] = (points->at[d] + 1) / 2;
        is_coarser = true;
    }
    *points = half;
    return is_coarser;
}

/* Linear interpolation from the next level: in each dimension a point on it has one entry, another
 * point two. */
static struct krylov_transfer interpolation(const struct krylov_level *fine,
                                            const struct fr_vector *coarse)
{
    const struct krylov_grid *grid = &fine->grid;
    struct krylov_stencil box = grid->stencil;
    double per_row = 1;

    box.is_full = box.is_one_sided = true;
    for (size_t d = 0; d < coarse->count; d++) {
        per_row *= 2 - (double)coarse->at[d] / (double)grid->points.at[d];
        if (coarse->at[d] < grid->points.at[d])
            box.local_grid.at[d] = (box.local_grid.at[d] + 1) / 2;
    }
    return (struct krylov_transfer){
        .entries = per_row * fine->holding.rows,
        .coarse_rows = box.values_per_point * fr_vector_product(&box.local_grid),
        .ghosts = krylov_sent_bytes(&box, &grid->process_grid) / 8,
        .stencil = box,
    };
}

static int check_coarsest(const struct krylov_levels *levels, struct fr_faults *faults)
{
    const struct krylov_level *last = &levels->level[levels->count - 1];
    char finest[80], coarsest[80];

    if (last->rows <= KRYLOV_MOST_DENSE_ROWS)
        return FR_OK;
    if (!last->grid.points.count)
        return fr_fault(faults, FR_RELATION, "levels",
                        "the coarsest level has %.0f rows; a direct solve has at most %d: give "
                        "more levels, or coarse_solver=smoother",
                        last->rows, KRYLOV_MOST_DENSE_ROWS);
    fr_vector_print(&levels->level[0].grid.points, finest, sizeof finest);
    fr_vector_print(&last->grid.points, coarsest, sizeof coarsest);
    return fr_fault(faults, FR_RELATION, "coarsest_rows",
                    "%s points can be halved evenly to %s at most, which is %.0f rows; a direct "
                    "solve has at most %d: choose extents m 2^k or m 2^k + 1, a smaller "
                    "coarsest_rows, or coarse_solver=smoother",
                    finest, coarsest, last->rows, KRYLOV_MOST_DENSE_ROWS);
}

static void derive(const struct fr_vector *process_grid, double coarsest_rows,
                   struct krylov_levels *out)
{
    const struct fr_vector finest = out->level[0].grid.points;
    struct fr_vector points = finest;

    for (; out->count < KRYLOV_MOST_LEVELS; out->count++) {
        struct krylov_level *fine = &out->level[out->count - 1];

        if (fine->rows <= coarsest_rows || !halve(&finest, &points))
            return;
        fine->transfer = interpolation(fine, &points);
        out->level[out->count] = level_of(&points, process_grid, &fine->grid.stencil);
    }
}

int krylov_find_levels(const struct krylov_layout *layout, const struct krylov_stencil *stencil,
                       const struct fr_vector *global_grid,
                       const struct krylov_coarsening *coarsening, struct krylov_levels *out,
                       struct fr_faults *faults)
{
    const struct fr_vector points = points_of(layout, stencil, global_grid);
    int code = FR_OK;

    out->count = 1;
    out->level[0] = level_of(&points, &layout->process_grid, stencil);
    if (!coarsening->given[0])
        derive(&layout->process_grid, coarsening->coarsest_rows, out);
    else if (!global_grid->count)
        return fr_fault(faults, FR_RELATION, "levels",
                        "they are those of one problem, and a local_grid is another one for each "
                        "number of processes; give global_grid");
    else
        code = krylov_read_levels(coarsening->given, &layout->process_grid, out, faults);
    return code == FR_OK && coarsening->is_direct ? check_coarsest(out, faults) : code;
}
