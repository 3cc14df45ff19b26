/* The communication patterns of the dense algorithms, as MPI operations on a grid of processes. */
#include "calibrations/calibrate/network/grid.h"

#include <math.h>

enum { TAG = 11, TIMES = FR_PATTERN_TIMES };

struct fr_grid fr_grid_make(MPI_Comm all, struct fr_grid_shape shape)
{
    const int q = fr_grid_side(shape);
    struct fr_grid grid = { .side = q, .layers = shape.layers, .all = all };
    int rank;

    MPI_Comm_rank(all, &rank);
    grid.layer = rank / (q * q);
    grid.row = rank / q % q;
    grid.column = rank % q;
    MPI_Comm_split(all, grid.layer * q + grid.row, grid.column, &grid.in_row);
    MPI_Comm_split(all, grid.layer * q + grid.column, grid.row, &grid.in_column);
    MPI_Comm_split(all, grid.row * q + grid.column, grid.layer, &grid.in_layers);
    return grid;
}

void fr_grid_free(struct fr_grid *grid)
{
    MPI_Comm_free(&grid->in_row);
    MPI_Comm_free(&grid->in_column);
    MPI_Comm_free(&grid->in_layers);
}

/* SUMMA: layer 0 sends directly to the others. */
int fr_pattern_replicate_layers(const struct fr_grid *grid, int bytes)
{
    MPI_Request request[2 * FR_LAYERS_MAX];
    int requests = 0;

    for (int matrix = 0; matrix < 2 && grid->layer; matrix++)
        MPI_Irecv(grid->received[matrix], bytes, MPI_CHAR, 0, TAG, grid->in_layers,
                  &request[requests++]);
    for (int layer = 1; layer < grid->layers && !grid->layer; layer++)
        for (int matrix = 0; matrix < 2; matrix++)
            MPI_Isend(grid->sent[matrix], bytes, MPI_CHAR, layer, TAG, grid->in_layers,
                      &request[requests++]);
    MPI_Waitall(requests, request, MPI_STATUSES_IGNORE);
    return 1;
}

int fr_pattern_reduce_layers(const struct fr_grid *grid, int bytes)
{
    MPI_Reduce(grid->sent[0], grid->received[0], bytes / (int)sizeof(double), MPI_DOUBLE, MPI_SUM,
               0, grid->in_layers);
    return 1;
}

/* Layer 0 has whole blocks, the others 1/c of their rows. */
static int scatter_layers(const struct fr_grid *grid, int bytes)
{
    const int share = bytes / grid->layers;

    for (int i = 0; i < TIMES; i++)
        MPI_Scatter(grid->sent[0], share, MPI_CHAR, grid->received[0], share, MPI_CHAR, 0,
                    grid->in_layers);
    return TIMES;
}

static int gather_layers(const struct fr_grid *grid, int bytes)
{
    const int share = bytes / grid->layers;

    for (int i = 0; i < TIMES; i++)
        MPI_Gather(grid->sent[0], share, MPI_CHAR, grid->received[0], share, MPI_CHAR, 0,
                   grid->in_layers);
    return TIMES;
}

static int reduce_scatter_layers(const struct fr_grid *grid, int bytes)
{
    MPI_Reduce_scatter_block(grid->sent[0], grid->received[0],
                             bytes / (int)sizeof(double) / grid->layers, MPI_DOUBLE, MPI_SUM,
                             grid->in_layers);
    return 1;
}

static int allgather_layers(const struct fr_grid *grid, int bytes)
{
    MPI_Allgather(grid->sent[0], bytes / grid->layers, MPI_CHAR, grid->received[0],
                  bytes / grid->layers, MPI_CHAR, grid->in_layers);
    return 1;
}

static int broadcast(const struct fr_grid *grid, MPI_Comm comm, int root, int bytes)
{
    for (int i = 0; i < TIMES; i++)
        MPI_Bcast(grid->sent[0], bytes, MPI_CHAR, root, comm);
    return TIMES;
}

static int rotate(const struct fr_grid *grid, MPI_Comm comm, int bytes)
{
    for (int root = 0; root < grid->side; root++)
        MPI_Bcast(grid->sent[0], bytes, MPI_CHAR, root, comm);
    return grid->side;
}

static int broadcast_layers(const struct fr_grid *grid, int bytes)
{
    return broadcast(grid, grid->in_layers, 0, bytes);
}

static int broadcast_layers_alone(const struct fr_grid *grid, int bytes)
{
    if (grid->row || grid->column)
        return 0;
    return broadcast_layers(grid, bytes);
}

static int broadcast_row(const struct fr_grid *grid, int bytes)
{
    return broadcast(grid, grid->in_row, 0, bytes);
}

static int broadcast_column(const struct fr_grid *grid, int bytes)
{
    return broadcast(grid, grid->in_column, 0, bytes);
}

static int broadcast_row_rotating(const struct fr_grid *grid, int bytes)
{
    return rotate(grid, grid->in_row, bytes);
}

static int broadcast_column_rotating(const struct fr_grid *grid, int bytes)
{
    return rotate(grid, grid->in_column, bytes);
}

/* A step of SUMMA without the products. */
static int broadcast_both(const struct fr_grid *grid, int bytes)
{
    for (int root = 0; root < grid->side; root++) {
        MPI_Bcast(grid->sent[0], bytes, MPI_CHAR, root, grid->in_row);
        MPI_Bcast(grid->sent[1], bytes, MPI_CHAR, root, grid->in_column);
    }
    return grid->side;
}

static int broadcast_column_diagonal(const struct fr_grid *grid, int bytes)
{
    return broadcast(grid, grid->in_column, grid->column, bytes);
}

static int broadcast_row_alone(const struct fr_grid *grid, int bytes)
{
    if (grid->layer || grid->row)
        return 0;
    return broadcast_row(grid, bytes);
}

static int broadcast_column_alone(const struct fr_grid *grid, int bytes)
{
    if (grid->layer || grid->column)
        return 0;
    return broadcast_column(grid, bytes);
}

static int barrier(const struct fr_grid *grid, int bytes)
{
    (void)bytes;
    for (int i = 0; i < TIMES; i++) {
        MPI_Barrier(grid->in_row);
        MPI_Barrier(grid->in_column);
    }
    return TIMES;
}

static bool has_neighbours(struct fr_grid_shape shape)
{
    return fr_grid_side(shape) > 1;
}

static bool has_layers(struct fr_grid_shape shape)
{
    return shape.layers > 1;
}

static bool has_others(struct fr_grid_shape shape)
{
    return shape.processes > 1;
}

const struct fr_grid_pattern fr_patterns[FR_PATTERNS] = {
    { FR_SHIFT_ROW, has_neighbours, fr_pattern_shift_row, .is_empty = false },
    { FR_SHIFT_COLUMN, has_neighbours, fr_pattern_shift_column, .is_empty = false },
    { FR_SHIFT_PAIR, has_neighbours, fr_pattern_shift_pair, .is_empty = false },
    { FR_DISTRIBUTE, has_others, fr_pattern_distribute, .is_empty = false },
    { FR_REPLICATE_LAYERS, has_layers, fr_pattern_replicate_layers, .is_empty = false },
    { FR_REDUCE_LAYERS, has_layers, fr_pattern_reduce_layers, .is_empty = false },
    { FR_BROADCAST_LAYERS, has_layers, broadcast_layers, .is_empty = false },
    { FR_BROADCAST_LAYERS_ALONE, has_layers, broadcast_layers_alone, .is_of_slowest = true },
    { FR_SCATTER_LAYERS, has_layers, scatter_layers, .is_empty = false },
    { FR_GATHER_LAYERS, has_layers, gather_layers, .is_empty = false },
    { FR_BROADCAST_ROW, has_neighbours, broadcast_row, .is_tree = true },
    { FR_BROADCAST_COLUMN, has_neighbours, broadcast_column, .is_tree = true },
    { FR_BROADCAST_ROW_ROTATING, has_neighbours, broadcast_row_rotating, .is_tree = true,
      .operations = 1 },
    { FR_BROADCAST_COLUMN_ROTATING, has_neighbours, broadcast_column_rotating, .is_tree = true,
      .operations = 1 },
    { FR_BROADCAST_BOTH, has_neighbours, broadcast_both, .is_tree = true, .operations = 2 },
    { FR_BROADCAST_COLUMN_DIAGONAL, has_neighbours, broadcast_column_diagonal, .is_tree = true },
    { FR_BROADCAST_ROW_ALONE, has_neighbours, broadcast_row_alone, .is_tree = true,
      .is_of_slowest = true },
    { FR_BROADCAST_COLUMN_ALONE, has_neighbours, broadcast_column_alone, .is_tree = true,
      .is_of_slowest = true },
    { FR_BARRIER, has_neighbours, barrier, .is_tree = true, .is_empty = true },
    { FR_REDUCE_SCATTER_LAYERS, has_layers, reduce_scatter_layers, .is_empty = false },
    { FR_ALLGATHER_LAYERS, has_layers, allgather_layers, .is_empty = false },
    { FR_CANNON, has_neighbours, fr_pattern_cannon, .operations = 2, .pauses = 1 },
    { FR_CANNON_PAIRS, has_neighbours, fr_pattern_cannon_pairs, .operations = 1 },
    { FR_CANNON_HIDDEN, has_neighbours, fr_pattern_cannon_hidden, .operations = 2, .pauses = 1 },
    { FR_SUMMA, has_neighbours, fr_pattern_summa, .is_tree = true, .operations = 2, .pauses = 1 },
    { FR_SOLVE_STEPS, has_neighbours, fr_pattern_solve_steps, .is_tree = true, .operations = 2,
      .pauses = 2, .is_of_slowest = true },
    { FR_FACTOR_STEPS, has_neighbours, fr_pattern_factor_steps, .is_tree = true, .operations = 3,
      .pauses = 2, .is_of_slowest = true },
    { FR_FACTOR_STEPS_LATE, has_neighbours, fr_pattern_factor_steps_late, .is_tree = true,
      .operations = 3, .pauses = 3, .is_of_slowest = true },
    { FR_SOLVE_STEPS_FOUR, has_neighbours, fr_pattern_solve_steps_four, .is_tree = true,
      .operations = 2 * FR_PATTERN_BLOCKS, .pauses = 2, .is_of_slowest = true },
    { FR_FACTOR_STEPS_FOUR, has_neighbours, fr_pattern_factor_steps_four, .is_tree = true,
      .operations = 1 + 2 * FR_PATTERN_BLOCKS, .pauses = 2, .is_of_slowest = true },
    { FR_BROADCAST_BOTH_AHEAD, has_neighbours, fr_pattern_broadcast_both_ahead, .is_tree = true,
      .operations = 2 },
    { FR_SOLVE_STEPS_AHEAD, has_neighbours, fr_pattern_solve_steps_ahead, .is_tree = true,
      .operations = 2, .pauses = 2, .is_of_slowest = true },
    { FR_FACTOR_STEPS_AHEAD, has_neighbours, fr_pattern_factor_steps_ahead, .is_tree = true,
      .operations = 3, .pauses = 1, .is_of_slowest = true },
    { FR_FACTOR_STEPS_AHEAD_FOUR, has_neighbours, fr_pattern_factor_steps_ahead_four,
      .is_tree = true, .operations = 1 + 2 * FR_PATTERN_BLOCKS, .pauses = 1,
      .is_of_slowest = true },
};

double fr_pattern_messages(const struct fr_grid_pattern *pattern, struct fr_grid_shape shape)
{
    const int side = fr_grid_side(shape);

    return (pattern->operations ? side * pattern->operations : TIMES) *
           (pattern->is_tree ? ceil(log2(side)) : 1);
}

double fr_pattern_paused_s(const struct fr_grid_pattern *pattern, struct fr_grid_shape shape,
                           int bytes)
{
    return fr_grid_side(shape) * pattern->pauses * fr_pattern_pause_s(bytes);
}
