/* The communication patterns of the dense algorithms, as MPI operations on a grid of processes. */
#include "calibrations/calibrate/network/grid.h"

#include <math.h>
#include <stddef.h>

enum { TAG_A = 11, TAG_B = 12, TIMES = 8 };

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

/* Shifts by one step in the ring of the communicator, from the next rank to the previous one. */
static int shift(const struct fr_grid *grid, MPI_Comm ring, int own, int matrix, int bytes)
{
    const int q = grid->side;

    for (int i = 0; i < TIMES; i++)
        MPI_Sendrecv(grid->sent[matrix], bytes, MPI_CHAR, (own + q - 1) % q, TAG_A,
                     grid->received[matrix], bytes, MPI_CHAR, (own + 1) % q, TAG_A, ring,
                     MPI_STATUS_IGNORE);
    return TIMES;
}

static int shift_row(const struct fr_grid *grid, int bytes)
{
    return shift(grid, grid->in_row, grid->column, 0, bytes);
}

static int shift_column(const struct fr_grid *grid, int bytes)
{
    return shift(grid, grid->in_column, grid->row, 1, bytes);
}

static int shift_pair(const struct fr_grid *grid, int bytes)
{
    const int q = grid->side, left = (grid->column + q - 1) % q, up = (grid->row + q - 1) % q;
    const int right = (grid->column + 1) % q, down = (grid->row + 1) % q;
    MPI_Request request[4];

    for (int i = 0; i < TIMES; i++) {
        MPI_Irecv(grid->received[0], bytes, MPI_CHAR, right, TAG_A, grid->in_row, &request[0]);
        MPI_Irecv(grid->received[1], bytes, MPI_CHAR, down, TAG_B, grid->in_column, &request[1]);
        MPI_Isend(grid->sent[0], bytes, MPI_CHAR, left, TAG_A, grid->in_row, &request[2]);
        MPI_Isend(grid->sent[1], bytes, MPI_CHAR, up, TAG_B, grid->in_column, &request[3]);
        MPI_Waitall(4, request, MPI_STATUSES_IGNORE);
    }
    return TIMES;
}

/* Layer l begins Cannon's steps at l * ceil(q / c): process (i, j) of it needs A(i, k) and B(k, j)
 * with k = i + j + that.  Layer 0 has the blocks; no process sends to itself. */
static int distribute(const struct fr_grid *grid, int bytes)
{
    const int q = grid->side, c = grid->layers, i = grid->row, j = grid->column;
    const int step = (q + c - 1) / c;
    const int k = (i + j + grid->layer * step) % q;
    MPI_Request request[2 + 2 * FR_LAYERS_MAX];
    int rank, requests = 0;

    MPI_Comm_rank(grid->all, &rank);
    if (i * q + k != rank)
        MPI_Irecv(grid->received[0], bytes, MPI_CHAR, i * q + k, TAG_A, grid->all,
                  &request[requests++]);
    if (k * q + j != rank)
        MPI_Irecv(grid->received[1], bytes, MPI_CHAR, k * q + j, TAG_B, grid->all,
                  &request[requests++]);
    for (int l = 0; l < c && grid->layer == 0; l++) {
        const int begin = l * step % q;
        const int column = (j + 2 * q - i - begin) % q; /* needs A(i, j) */
        const int row = (i + 2 * q - j - begin) % q;    /* needs B(i, j) */
        const int for_a = l * q * q + i * q + column, for_b = l * q * q + row * q + j;

        if (for_a != rank)
            MPI_Isend(grid->sent[0], bytes, MPI_CHAR, for_a, TAG_A, grid->all,
                      &request[requests++]);
        if (for_b != rank)
            MPI_Isend(grid->sent[1], bytes, MPI_CHAR, for_b, TAG_B, grid->all,
                      &request[requests++]);
    }
    MPI_Waitall(requests, request, MPI_STATUSES_IGNORE);
    return 1;
}

/* SUMMA: layer 0 sends directly to the others. */
static int replicate_layers(const struct fr_grid *grid, int bytes)
{
    MPI_Request request[2 * FR_LAYERS_MAX];
    int requests = 0;

    for (int matrix = 0; matrix < 2 && grid->layer; matrix++)
        MPI_Irecv(grid->received[matrix], bytes, MPI_CHAR, 0, TAG_A, grid->in_layers,
                  &request[requests++]);
    for (int layer = 1; layer < grid->layers && !grid->layer; layer++)
        for (int matrix = 0; matrix < 2; matrix++)
            MPI_Isend(grid->sent[matrix], bytes, MPI_CHAR, layer, TAG_A, grid->in_layers,
                      &request[requests++]);
    MPI_Waitall(requests, request, MPI_STATUSES_IGNORE);
    return 1;
}

static int reduce_layers(const struct fr_grid *grid, int bytes)
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

const struct fr_pattern fr_patterns[FR_PATTERNS] = {
    { "shift_row", has_neighbours, shift_row, .is_empty = false },
    { "shift_column", has_neighbours, shift_column, .is_empty = false },
    { "shift_pair", has_neighbours, shift_pair, .is_empty = false },
    { "distribute", has_others, distribute, .is_empty = false },
    { "replicate_layers", has_layers, replicate_layers, .is_empty = false },
    { "reduce_layers", has_layers, reduce_layers, .is_empty = false },
    { "broadcast_layers", has_layers, broadcast_layers, .is_empty = false },
    { "broadcast_layers_alone", has_layers, broadcast_layers_alone, .is_of_slowest = true },
    { "scatter_layers", has_layers, scatter_layers, .is_empty = false },
    { "gather_layers", has_layers, gather_layers, .is_empty = false },
    { "broadcast_row", has_neighbours, broadcast_row, .is_tree = true },
    { "broadcast_column", has_neighbours, broadcast_column, .is_tree = true },
    { "broadcast_row_rotating", has_neighbours, broadcast_row_rotating, .is_tree = true,
      .is_rotating = true },
    { "broadcast_column_rotating", has_neighbours, broadcast_column_rotating, .is_tree = true,
      .is_rotating = true },
    { "broadcast_both", has_neighbours, broadcast_both, .is_tree = true, .is_rotating = true },
    { "broadcast_column_diagonal", has_neighbours, broadcast_column_diagonal, .is_tree = true },
    { "broadcast_row_alone", has_neighbours, broadcast_row_alone, .is_tree = true,
      .is_of_slowest = true },
    { "broadcast_column_alone", has_neighbours, broadcast_column_alone, .is_tree = true,
      .is_of_slowest = true },
    { "barrier", has_neighbours, barrier, .is_tree = true, .is_empty = true },
    { "reduce_scatter_layers", has_layers, reduce_scatter_layers, .is_empty = false },
    { "allgather_layers", has_layers, allgather_layers, .is_empty = false },
};

double fr_pattern_messages(const struct fr_pattern *pattern, struct fr_grid_shape shape)
{
    const int side = fr_grid_side(shape);

    return (pattern->is_rotating ? side : TIMES) * (pattern->is_tree ? ceil(log2(side)) : 1);
}
