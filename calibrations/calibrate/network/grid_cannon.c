/* The patterns of Cannon's algorithm. */
#include "calibrations/calibrate/network/grid.h"

enum { TAG_A = 11, TAG_B = 12 };

/* Shifts by one step in a row or column, from the next rank to the previous one. */
static void shift(const struct fr_grid *grid, enum fr_grid_line along, int bytes)
{
    const bool is_row = along == FR_IN_ROW;
    const int q = grid->side, own = is_row ? grid->column : grid->row, matrix = !is_row;

    MPI_Sendrecv(grid->sent[matrix], bytes, MPI_CHAR, (own + q - 1) % q, TAG_A,
                 grid->received[matrix], bytes, MPI_CHAR, (own + 1) % q, TAG_A,
                 is_row ? grid->in_row : grid->in_column, MPI_STATUS_IGNORE);
}

int fr_pattern_shift(const struct fr_grid *grid, const struct fr_grid_pattern *pattern, int bytes)
{
    for (int i = 0; i < FR_PATTERN_TIMES; i++)
        shift(grid, pattern->along, bytes);
    return FR_PATTERN_TIMES;
}

/* Both shifts, in the background. */
static void start_both(const struct fr_grid *grid, int bytes, MPI_Request request[4])
{
    const int q = grid->side, left = (grid->column + q - 1) % q, up = (grid->row + q - 1) % q;
    const int right = (grid->column + 1) % q, down = (grid->row + 1) % q;

    MPI_Irecv(grid->received[0], bytes, MPI_CHAR, right, TAG_A, grid->in_row, &request[0]);
    MPI_Irecv(grid->received[1], bytes, MPI_CHAR, down, TAG_B, grid->in_column, &request[1]);
    MPI_Isend(grid->sent[0], bytes, MPI_CHAR, left, TAG_A, grid->in_row, &request[2]);
    MPI_Isend(grid->sent[1], bytes, MPI_CHAR, up, TAG_B, grid->in_column, &request[3]);
}

int fr_pattern_shift_pair(const struct fr_grid *grid, const struct fr_grid_pattern *pattern,
                          int bytes)
{
    MPI_Request request[4];

    (void)pattern;
    for (int i = 0; i < FR_PATTERN_TIMES; i++) {
        start_both(grid, bytes, request);
        MPI_Waitall(4, request, MPI_STATUSES_IGNORE);
    }
    return FR_PATTERN_TIMES;
}

/* The steps of a layer. */
static int steps_of(const struct fr_grid *grid)
{
    return (grid->side + grid->layers - 1) / grid->layers;
}

/* Layer l begins Cannon's steps at l * ceil(q / c): process (i, j) of it needs A(i, k) and B(k, j)
 * with k = i + j + that.  Layer 0 has the blocks; no process sends to itself. */
int fr_pattern_distribute(const struct fr_grid *grid, const struct fr_grid_pattern *pattern,
                          int bytes)
{
    const int q = grid->side, c = grid->layers, i = grid->row, j = grid->column;
    const int step = steps_of(grid);
    const int k = (i + j + grid->layer * step) % q;
    MPI_Request request[2 + 2 * FR_LAYERS_MAX];
    int rank, requests = 0;

    (void)pattern;
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

/* All messages of Cannon.  Between the steps are pauses in place of the products, because messages
 * of processes that do not compute get in each other's way. */
int fr_pattern_cannon(const struct fr_grid *grid, const struct fr_grid_pattern *pattern, int bytes)
{
    const int steps = steps_of(grid);

    fr_pattern_distribute(grid, pattern, bytes);
    for (int step = 0; step < steps; step++) {
        const bool is_last = step == steps - 1;
        MPI_Request request[4];

        if (pattern->is_ahead && !is_last)
            start_both(grid, bytes, request);
        fr_pattern_pause(grid, true, pattern->pauses * fr_pattern_pause_s(bytes));
        if (is_last)
            break;
        if (pattern->is_ahead) {
            MPI_Waitall(4, request, MPI_STATUSES_IGNORE);
        } else {
            shift(grid, FR_IN_ROW, bytes);
            shift(grid, FR_IN_COLUMN, bytes);
        }
    }
    if (grid->layers > 1)
        fr_pattern_reduce_layers(grid, pattern, bytes);
    return 1;
}
