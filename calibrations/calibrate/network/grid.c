/* The communication patterns of the dense algorithms, as MPI operations on a grid of processes. */
#include "calibrations/calibrate/network/grid.h"

#include "engine/lookup/lookup.h"

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
int fr_pattern_replicate_layers(const struct fr_grid *grid, const struct fr_grid_pattern *pattern,
                                int bytes)
{
    MPI_Request request[2 * FR_LAYERS_MAX];
    int requests = 0;

    (void)pattern;
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

int fr_pattern_reduce_layers(const struct fr_grid *grid, const struct fr_grid_pattern *pattern,
                             int bytes)
{
    (void)pattern;
    MPI_Reduce(grid->sent[0], grid->received[0], bytes / (int)sizeof(double), MPI_DOUBLE, MPI_SUM,
               0, grid->in_layers);
    return 1;
}

/* Layer 0 has whole blocks, the others 1/c of their rows. */
static int scatter_layers(const struct fr_grid *grid, const struct fr_grid_pattern *pattern,
                          int bytes)
{
    const int share = bytes / grid->layers;

    (void)pattern;
    for (int i = 0; i < TIMES; i++)
        MPI_Scatter(grid->sent[0], share, MPI_CHAR, grid->received[0], share, MPI_CHAR, 0,
                    grid->in_layers);
    return TIMES;
}

static int gather_layers(const struct fr_grid *grid, const struct fr_grid_pattern *pattern,
                         int bytes)
{
    const int share = bytes / grid->layers;

    (void)pattern;
    for (int i = 0; i < TIMES; i++)
        MPI_Gather(grid->sent[0], share, MPI_CHAR, grid->received[0], share, MPI_CHAR, 0,
                   grid->in_layers);
    return TIMES;
}

static int reduce_scatter_layers(const struct fr_grid *grid, const struct fr_grid_pattern *pattern,
                                 int bytes)
{
    (void)pattern;
    MPI_Reduce_scatter_block(grid->sent[0], grid->received[0],
                             bytes / (int)sizeof(double) / grid->layers, MPI_DOUBLE, MPI_SUM,
                             grid->in_layers);
    return 1;
}

static int allgather_layers(const struct fr_grid *grid, const struct fr_grid_pattern *pattern,
                            int bytes)
{
    (void)pattern;
    MPI_Allgather(grid->sent[0], bytes / grid->layers, MPI_CHAR, grid->received[0],
                  bytes / grid->layers, MPI_CHAR, grid->in_layers);
    return 1;
}

static MPI_Comm line_of(const struct fr_grid *grid, const struct fr_grid_pattern *pattern)
{
    return pattern->along == FR_IN_ROW      ? grid->in_row
           : pattern->along == FR_IN_COLUMN ? grid->in_column
                                            : grid->in_layers;
}

/* Whether this process is on the first row, column or line through the layers. */
static bool is_on_first(const struct fr_grid *grid, const struct fr_grid_pattern *pattern)
{
    return (pattern->along == FR_IN_ROW || !grid->column) &&
           (pattern->along == FR_IN_COLUMN || !grid->row) &&
           (pattern->along == FR_IN_LAYERS || !grid->layer);
}

static int broadcast(const struct fr_grid *grid, const struct fr_grid_pattern *pattern, int bytes)
{
    const int root = pattern->is_from_diagonal ? grid->column : 0;

    if (pattern->is_alone && !is_on_first(grid, pattern))
        return 0;
    for (int i = 0; i < TIMES; i++)
        MPI_Bcast(grid->sent[0], bytes, MPI_CHAR, root, line_of(grid, pattern));
    return TIMES;
}

static int rotate(const struct fr_grid *grid, const struct fr_grid_pattern *pattern, int bytes)
{
    for (int root = 0; root < grid->side; root++)
        MPI_Bcast(grid->sent[0], bytes, MPI_CHAR, root, line_of(grid, pattern));
    return grid->side;
}

/* A step of SUMMA without the products. */
static int broadcast_both(const struct fr_grid *grid, const struct fr_grid_pattern *pattern,
                          int bytes)
{
    (void)pattern;
    for (int root = 0; root < grid->side; root++) {
        MPI_Bcast(grid->sent[0], bytes, MPI_CHAR, root, grid->in_row);
        MPI_Bcast(grid->sent[1], bytes, MPI_CHAR, root, grid->in_column);
    }
    return grid->side;
}

static int barrier(const struct fr_grid *grid, const struct fr_grid_pattern *pattern, int bytes)
{
    (void)pattern, (void)bytes;
    for (int i = 0; i < TIMES; i++) {
        MPI_Barrier(grid->in_row);
        MPI_Barrier(grid->in_column);
    }
    return TIMES;
}

/* The steps of a solve, and of a factorization, with so many blocks of each operand. */
#define SOLVE(r) .is_tree = true, .blocks = (r), .operations = 2 * (r), .is_of_slowest = true
#define FACTOR(r) .is_tree = true, .blocks = (r), .operations = 1 + 2 * (r), .is_of_slowest = true
const struct fr_grid_pattern fr_patterns[FR_PATTERNS] = {
    { FR_SHIFT_ROW, fr_pattern_shift, .along = FR_IN_ROW },
    { FR_SHIFT_COLUMN, fr_pattern_shift, .along = FR_IN_COLUMN },
    { FR_SHIFT_PAIR, fr_pattern_shift_pair, .is_tree = false },
    { FR_DISTRIBUTE, fr_pattern_distribute, .is_tree = false },
    { FR_REPLICATE_LAYERS, fr_pattern_replicate_layers, .along = FR_IN_LAYERS },
    { FR_REDUCE_LAYERS, fr_pattern_reduce_layers, .along = FR_IN_LAYERS },
    { FR_BROADCAST_LAYERS, broadcast, .along = FR_IN_LAYERS },
    { FR_BROADCAST_LAYERS_ALONE, broadcast, .along = FR_IN_LAYERS, .is_alone = true,
      .is_of_slowest = true },
    { FR_SCATTER_LAYERS, scatter_layers, .along = FR_IN_LAYERS },
    { FR_GATHER_LAYERS, gather_layers, .along = FR_IN_LAYERS },
    { FR_BROADCAST_ROW, broadcast, .along = FR_IN_ROW, .is_tree = true },
    { FR_BROADCAST_COLUMN, broadcast, .along = FR_IN_COLUMN, .is_tree = true },
    { FR_BROADCAST_ROW_ROTATING, rotate, .along = FR_IN_ROW, .is_tree = true, .operations = 1 },
    { FR_BROADCAST_COLUMN_ROTATING, rotate, .along = FR_IN_COLUMN, .is_tree = true,
      .operations = 1 },
    { FR_BROADCAST_BOTH, broadcast_both, .is_tree = true, .operations = 2 },
    { FR_BROADCAST_COLUMN_DIAGONAL, broadcast, .along = FR_IN_COLUMN, .is_from_diagonal = true,
      .is_tree = true },
    { FR_BROADCAST_ROW_ALONE, broadcast, .along = FR_IN_ROW, .is_alone = true, .is_tree = true,
      .is_of_slowest = true },
    { FR_BROADCAST_COLUMN_ALONE, broadcast, .along = FR_IN_COLUMN, .is_alone = true,
      .is_tree = true, .is_of_slowest = true },
    { FR_BARRIER, barrier, .is_tree = true, .is_empty = true },
    { FR_REDUCE_SCATTER_LAYERS, reduce_scatter_layers, .along = FR_IN_LAYERS },
    { FR_ALLGATHER_LAYERS, allgather_layers, .along = FR_IN_LAYERS },
    { FR_CANNON, fr_pattern_cannon, .operations = 2, .pauses = 1 },
    { FR_CANNON_PAIRS, fr_pattern_cannon, .is_ahead = true, .operations = 1 },
    { FR_CANNON_HIDDEN, fr_pattern_cannon, .is_ahead = true, .operations = 2, .pauses = 1 },
    { FR_SUMMA, fr_pattern_summa, .is_tree = true, .operations = 2, .pauses = 1 },
    { FR_SOLVE_STEPS, fr_pattern_solve, SOLVE(1), .pauses = 2 },
    { FR_FACTOR_STEPS, fr_pattern_factor, FACTOR(1), .pauses = 2 },
    { FR_FACTOR_STEPS_LATE, fr_pattern_factor, FACTOR(1), .pauses = 3, .is_late = true },
    { FR_SOLVE_STEPS_FOUR, fr_pattern_solve, SOLVE(4), .pauses = 2 },
    { FR_FACTOR_STEPS_FOUR, fr_pattern_factor, FACTOR(4), .pauses = 2 },
    { FR_BROADCAST_BOTH_AHEAD, fr_pattern_broadcast_both_ahead, .is_tree = true, .operations = 2 },
    { FR_SOLVE_STEPS_AHEAD, fr_pattern_solve_ahead, SOLVE(1), .pauses = 2 },
    { FR_FACTOR_STEPS_AHEAD, fr_pattern_factor_ahead, FACTOR(1), .pauses = 1 },
    { FR_FACTOR_STEPS_AHEAD_FOUR, fr_pattern_factor_ahead, FACTOR(4), .pauses = 1 },
};

bool fr_pattern_exists(const struct fr_grid_pattern *pattern, struct fr_grid_shape shape)
{
    return fr_pattern_is_possible(pattern->kind, shape.processes, shape.layers);
}

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
