/* The steps of SUMMA, of triangular solves and of Cholesky factorizations, with pauses in place of
 * their kernels: broadcasts of each kind, from the process row and column of the step.
 *
 * With c layers a block of a panel has 1/c of the rows; a block of U and a diagonal block are
 * whole. Rows and columns up to the root's have one block less than the others.
 */
#include "calibrations/calibrate/network/grid_patterns.h"

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

int fr_pattern_summa(const struct fr_grid *grid, int bytes)
{
    const int q = grid->side, c = grid->layers, steps = (q + c - 1) / c;

    if (c > 1)
        fr_pattern_replicate_layers(grid, bytes);
    for (int i = 0; i < steps; i++) {
        const int root = (grid->layer * steps + i) % q;

        broadcast(grid, grid->in_row, root, bytes);
        broadcast(grid, grid->in_column, root, bytes);
        compute(grid, true, bytes);
    }
    if (c > 1)
        fr_pattern_reduce_layers(grid, bytes);
    return 1;
}

/* Broadcasts a block of U along the columns, then one of X along the rows. */
int fr_pattern_solve_steps(const struct fr_grid *grid, int bytes)
{
    const int last = grid->side - 1;

    for (int root = 0; root <= last; root++) {
        if (grid->column >= root)
            broadcast(grid, grid->in_column, root, bytes);
        compute(grid, grid->column == root, bytes);
        if (root == last)
            break;
        broadcast(grid, grid->in_row, root, bytes / grid->layers);
        compute(grid, grid->column > root, bytes);
    }
    return grid->side;
}

/* Broadcasts the diagonal block in its column, then a block of the panel along the rows, then its
 * transpose along the columns from the diagonal.  With `is_late` processes off the diagonal compute
 * twice as long. */
static int factor(const struct fr_grid *grid, int bytes, bool is_late)
{
    const int last = grid->side - 1;

    for (int root = 0; root < last; root++) {
        const bool is_below = grid->row > root, is_right = grid->column > root;

        if (grid->column == root)
            broadcast(grid, grid->in_column, root, bytes);
        compute(grid, grid->column == root && is_below, bytes);
        if (is_below)
            broadcast(grid, grid->in_row, root, bytes / grid->layers);
        if (is_right)
            broadcast(grid, grid->in_column, grid->column, bytes / grid->layers);
        compute(grid, is_below && is_right, bytes);
        if (is_late && root < last - 1)
            compute(grid, is_below && is_right && grid->row != grid->column, bytes);
    }
    return grid->side;
}

int fr_pattern_factor_steps(const struct fr_grid *grid, int bytes)
{
    return factor(grid, bytes, false);
}

int fr_pattern_factor_steps_late(const struct fr_grid *grid, int bytes)
{
    return factor(grid, bytes, true);
}
