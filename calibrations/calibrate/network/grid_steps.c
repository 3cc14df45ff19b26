/* The steps of SUMMA, of triangular solves and of Cholesky factorizations, with pauses in place of
 * their kernels: broadcasts of each kind, from the process row and column of the step.
 *
 * With c layers a block of a panel has 1/c of the rows; a block of U and a diagonal block are
 * whole. Rows and columns up to the root's have one block less than the others.
 */
#include "calibrations/calibrate/network/grid.h"

#include <time.h>

#include "calibrations/calibrate/core/world.h"

double fr_pattern_pause_s(int bytes)
{
    return 2e-5 + bytes / 5e8;
}

void fr_pattern_pause(const struct fr_grid *grid, bool is_here, double pause_s)
{
    const struct timespec nap = { 0, (long)(1e9 * pause_s) };
    double until_s;

    *grid->paused_s += pause_s;
    if (!is_here || pause_s <= 0)
        return;
    if (grid->world->is_simulated) { /* looks at the clock take time there, and naps are exact */
        nanosleep(&nap, NULL);
        return;
    }
    until_s = MPI_Wtime() + pause_s;
    while (MPI_Wtime() < until_s)
        ;
}

static void broadcast(const struct fr_grid *grid, MPI_Comm comm, int root, int bytes)
{
    MPI_Bcast(grid->sent[0], bytes, MPI_CHAR, root, comm);
}

static void compute(const struct fr_grid *grid, bool is_here, int bytes)
{
    fr_pattern_pause(grid, is_here, fr_pattern_pause_s(bytes));
}

int fr_pattern_summa(const struct fr_grid *grid, const struct fr_grid_pattern *pattern, int bytes)
{
    const int q = grid->side, c = grid->layers, steps = (q + c - 1) / c;

    if (c > 1)
        fr_pattern_replicate_layers(grid, pattern, bytes);
    for (int i = 0; i < steps; i++) {
        const int root = (grid->layer * steps + i) % q;

        broadcast(grid, grid->in_row, root, bytes);
        broadcast(grid, grid->in_column, root, bytes);
        compute(grid, true, bytes);
    }
    if (c > 1)
        fr_pattern_reduce_layers(grid, pattern, bytes);
    return 1;
}

/* The broadcasts of r blocks in a step: those that a row or column with `is_passed` has. */
static int blocks_of(int r, bool is_passed)
{
    return is_passed ? r - 1 : r;
}

static void broadcasts(const struct fr_grid *grid, MPI_Comm comm, int root, int bytes, int blocks)
{
    for (int i = 0; i < blocks; i++)
        broadcast(grid, comm, root, bytes);
}

/* Broadcasts r blocks of U along the columns, then r of X along the rows. */
int fr_pattern_solve(const struct fr_grid *grid, const struct fr_grid_pattern *pattern, int bytes)
{
    const int last = grid->side - 1, r = pattern->blocks;

    for (int root = 0; root <= last; root++) {
        broadcasts(grid, grid->in_column, root, bytes, blocks_of(r, grid->column < root));
        compute(grid, grid->column == root, bytes);
        if (root == last)
            break;
        broadcasts(grid, grid->in_row, root, bytes / grid->layers, r);
        compute(grid, grid->column > root, bytes);
    }
    return grid->side;
}

/* Broadcasts the diagonal block in its column, then r blocks of the panel along the rows, then its
 * transpose along the columns from the diagonal.  With `is_late`, processes off the diagonal
 * compute twice as long. */
int fr_pattern_factor(const struct fr_grid *grid, const struct fr_grid_pattern *pattern, int bytes)
{
    const int last = grid->side - 1, part = bytes / grid->layers, r = pattern->blocks;

    for (int root = 0; root < last; root++) {
        const bool is_below = grid->row > root, is_right = grid->column > root;

        if (grid->column == root)
            broadcast(grid, grid->in_column, root, bytes);
        compute(grid, grid->column == root && is_below, bytes);
        broadcasts(grid, grid->in_row, root, part, blocks_of(r, !is_below));
        broadcasts(grid, grid->in_column, grid->column, part, blocks_of(r, !is_right));
        compute(grid, is_below && is_right, bytes);
        if (pattern->is_late && root < last - 1)
            compute(grid, is_below && is_right && grid->row != grid->column, bytes);
    }
    return grid->side;
}

int fr_pattern_broadcast_both_ahead(const struct fr_grid *grid,
                                    const struct fr_grid_pattern *pattern, int bytes)
{
    struct fr_ahead ahead = fr_ahead_make(grid);

    (void)pattern;
    for (int root = 0; root < grid->side; root++) {
        fr_ahead_start(&ahead, grid->in_row, root, bytes);
        fr_ahead_start(&ahead, grid->in_column, root, bytes);
        fr_ahead_finish(&ahead);
    }
    return grid->side;
}

/* The block of U of the next step is under way during the update. */
int fr_pattern_solve_ahead(const struct fr_grid *grid, const struct fr_grid_pattern *pattern,
                           int bytes)
{
    const int last = grid->side - 1;
    struct fr_ahead ahead = fr_ahead_make(grid);

    (void)pattern;
    broadcast(grid, grid->in_column, 0, bytes);
    for (int root = 0; root <= last; root++) {
        compute(grid, grid->column == root, bytes);
        if (root == last)
            break;
        broadcast(grid, grid->in_row, root, bytes / grid->layers);
        if (grid->column > root)
            fr_ahead_start(&ahead, grid->in_column, root + 1, bytes);
        fr_ahead_pause(&ahead, grid->column > root, fr_pattern_pause_s(bytes));
        fr_ahead_finish(&ahead);
    }
    return grid->side;
}

/* The processes of the next column compute, the others wait for its panel. */
int fr_pattern_factor_ahead(const struct fr_grid *grid, const struct fr_grid_pattern *pattern,
                            int bytes)
{
    const int last = grid->side - 1, part = bytes / grid->layers, r = pattern->blocks;
    struct fr_ahead ahead = fr_ahead_make(grid);

    for (int root = 0; root < last; root++) {
        const int below = blocks_of(r, grid->row <= root),
                  right = blocks_of(r, grid->column <= root);

        compute(grid, grid->column == root, bytes);
        if (grid->column == root)
            broadcast(grid, grid->in_column, root, bytes);
        for (int i = 0; i < below; i++)
            fr_ahead_start(&ahead, grid->in_row, root, part);
        for (int i = 0; i < right; i++)
            fr_ahead_start(&ahead, grid->in_column, grid->column, part);
        fr_ahead_finish(&ahead);
    }
    return grid->side;
}
