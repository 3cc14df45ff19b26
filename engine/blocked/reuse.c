/* The clock counts the bytes of the operands of all calls; a tile remembers the clock of its last
 * use. The difference is the distance of a reuse, as in a stack of least recently used data, but
 * bytes that are used twice in between count twice, at most up to all bytes that were ever used. */
#include "engine/blocked/blocked.h"
#include "engine/lookup/lookup.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double element_bytes = 8;
/* Work of a tile: a comparison, or a write. */
#define STEPS_OF_TILE 0.5

double blocked_reuse_share(const struct fr_calibration *cal, double distance_bytes)
{
    const struct fr_reuse *nearest = cal->kernels.reuse.row;

    if (distance_bytes <= nearest->distance_bytes)
        return nearest->out_of_cache_share * distance_bytes / nearest->distance_bytes;
    return fr_curve_at(&cal->reuse, log2(distance_bytes));
}

static double bytes_of(const struct blocked_operand *operand)
{
    const double all = element_bytes * (double)operand->rows * (double)operand->columns;

    return operand->triangle == BLOCKED_FULL ? all : all / 2;
}

static double footprint_of(const struct blocked_call *call)
{
    double bytes = 0;

    for (size_t i = 0; i < call->operands; i++)
        bytes += bytes_of(&call->operand[i]);
    return bytes;
}

static int64_t larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* Finds the extents of the matrices and the block, of which the begin of every operand is a
 * multiple. */
static bool measure(void *context, const struct blocked_call *call)
{
    struct blocked_reuse *reuse = context;

    for (size_t i = 0; i < call->operands; i++) {
        const struct blocked_operand *operand = &call->operand[i];

        if (!operand->rows || !operand->columns)
            continue;
        reuse->block = fr_common_divisor(reuse->block, operand->row);
        reuse->block = fr_common_divisor(reuse->block, operand->column);
        reuse->matrix[operand->matrix].rows =
            larger(reuse->matrix[operand->matrix].rows, operand->row + operand->rows);
        reuse->matrix[operand->matrix].columns =
            larger(reuse->matrix[operand->matrix].columns, operand->column + operand->columns);
    }
    return call->operands > 0;
}

/* Tiles of one operand. */
struct tiles {
    size_t row, rows, column, columns; /* the first tile, and the one after the last */
    double *used_bytes;
    size_t stride;
};

static struct tiles tiles_of(const struct blocked_reuse *reuse,
                             const struct blocked_operand *operand)
{
    const int64_t tile = reuse->tile;

    return (struct tiles){
        .row = (size_t)(operand->row / tile),
        .rows = (size_t)((operand->row + operand->rows + tile - 1) / tile),
        .column = (size_t)(operand->column / tile),
        .columns = (size_t)((operand->column + operand->columns + tile - 1) / tile),
        .used_bytes = reuse->matrix[operand->matrix].used_bytes,
        .stride = reuse->matrix[operand->matrix].tile_rows,
    };
}

/* The tiles of a column, as far as they belong to the triangle. */
static void rows_of(const struct tiles *tiles, enum blocked_triangle triangle, size_t column,
                    size_t *from, size_t *to)
{
    const size_t diagonal = tiles->row + (column - tiles->column);

    *from = triangle == BLOCKED_LOWER ? diagonal : tiles->row;
    *to = triangle == BLOCKED_UPPER && diagonal < tiles->rows ? diagonal + 1 : tiles->rows;
}

/* What a tile costs beyond a call that is repeated on the same operands, which is what in cache
 * means. */
static double excess_at(const struct blocked_reuse *reuse, double used_bytes, double repeated_share)
{
    const double distance = reuse->clock_bytes - used_bytes;
    const double share =
        isinf(distance) ? 1 : blocked_reuse_share(reuse->cal, fmin(distance, reuse->touched_bytes));

    return fmax(0, share - repeated_share) / (1 - repeated_share);
}

/* The mean over the tiles of an operand.  Most tiles were used together with the one before. */
static double excess_of(struct blocked_reuse *reuse, const struct blocked_operand *operand,
                        double repeated_share)
{
    const struct tiles tiles = tiles_of(reuse, operand);
    double sum = 0, last_bytes = NAN, excess = 0;
    size_t count = 0;

    for (size_t j = tiles.column; j < tiles.columns; j++) {
        const double *used_bytes = &tiles.used_bytes[j * tiles.stride];
        size_t i, to;

        rows_of(&tiles, operand->triangle, j, &i, &to);
        while (i < to) {
            const size_t from = i;

            if (used_bytes[i] != last_bytes) {
                last_bytes = used_bytes[i];
                excess = excess_at(reuse, last_bytes, repeated_share);
            }
            while (i < to && used_bytes[i] == last_bytes)
                i++;
            sum += excess * (double)(i - from);
            count += i - from;
        }
    }
    reuse->steps += STEPS_OF_TILE * (double)count;
    return count ? sum / (double)count : 0;
}

/* The last tiles of a matrix are smaller. */
static double tile_bytes(const struct blocked_reuse *reuse, int matrix, size_t i, size_t j)
{
    const int64_t rows = reuse->matrix[matrix].rows - (int64_t)i * reuse->tile;
    const int64_t columns = reuse->matrix[matrix].columns - (int64_t)j * reuse->tile;

    return element_bytes * (double)blocked_smaller(rows, reuse->tile) *
           (double)blocked_smaller(columns, reuse->tile);
}

/* After a whole execution no tile is left that was never used. */
static void touch(struct blocked_reuse *reuse, const struct blocked_operand *operand,
                  const double *used_bytes, size_t column, size_t from, size_t to)
{
    for (size_t i = from; i < to; i++)
        if (isinf(used_bytes[i]))
            reuse->touched_bytes += tile_bytes(reuse, operand->matrix, i, column);
}

static void use(struct blocked_reuse *reuse, const struct blocked_operand *operand)
{
    const struct tiles tiles = tiles_of(reuse, operand);
    double now_bytes[BLOCKED_MAX_TILES]; /* of a column */

    for (size_t i = 0; i < tiles.rows - tiles.row; i++)
        now_bytes[i] = reuse->clock_bytes;
    for (size_t j = tiles.column; j < tiles.columns; j++) {
        double *used_bytes = &tiles.used_bytes[j * tiles.stride];
        size_t from, to;

        rows_of(&tiles, operand->triangle, j, &from, &to);
        if (!reuse->is_touched)
            touch(reuse, operand, used_bytes, j, from, to);
        memcpy(&used_bytes[from], now_bytes, (to - from) * sizeof *used_bytes);
        reuse->steps += STEPS_OF_TILE * (double)(to - from);
    }
}

double blocked_reuse_weight(struct blocked_reuse *reuse, const struct blocked_call *call)
{
    const double footprint = footprint_of(call);
    const double repeated_share = blocked_reuse_share(reuse->cal, footprint);
    double weight = 0;

    for (size_t i = 0; i < call->operands && repeated_share < 1; i++)
        weight += bytes_of(&call->operand[i]) / footprint *
                  excess_of(reuse, &call->operand[i], repeated_share);
    for (size_t i = 0; i < call->operands; i++)
        use(reuse, &call->operand[i]);
    reuse->clock_bytes += footprint;
    return weight;
}

static bool execute(void *context, const struct blocked_call *call)
{
    struct blocked_reuse *reuse = context;

    if (blocked_call_is_empty(call))
        return true;
    for (size_t i = 0; i < call->operands; i++)
        use(reuse, &call->operand[i]);
    reuse->clock_bytes += footprint_of(call);
    return true;
}

static int make_tiles(struct blocked_reuse *reuse)
{
    int64_t longest = 1;

    for (int k = 0; k < BLOCKED_MATRICES; k++)
        longest = larger(longest, larger(reuse->matrix[k].rows, reuse->matrix[k].columns));
    /* One block: no operand begins elsewhere than at 0. */
    if (!reuse->block)
        reuse->block = longest;
    reuse->tile = reuse->block;
    while ((longest + reuse->tile - 1) / reuse->tile > BLOCKED_MAX_TILES)
        reuse->tile += reuse->block;
    for (int k = 0; k < BLOCKED_MATRICES; k++) {
        const size_t rows = (size_t)((reuse->matrix[k].rows + reuse->tile - 1) / reuse->tile);
        const size_t columns = (size_t)((reuse->matrix[k].columns + reuse->tile - 1) / reuse->tile);

        reuse->matrix[k].tile_rows = rows;
        reuse->matrix[k].tile_columns = columns;
        reuse->matrix[k].used_bytes = malloc((rows * columns + 1) * sizeof(double));
        if (!reuse->matrix[k].used_bytes)
            return -1;
        for (size_t i = 0; i < rows * columns; i++)
            reuse->matrix[k].used_bytes[i] = -INFINITY;
    }
    return 0;
}

int blocked_reuse_open(struct blocked_reuse *reuse, const struct fr_calibration *cal,
                       blocked_walk *walk, const void *values, bool is_warm)
{
    *reuse = (struct blocked_reuse){ .cal = cal };
    if (!walk(values, measure, reuse) || make_tiles(reuse) != 0) {
        blocked_reuse_close(reuse);
        return -1;
    }
    if (is_warm)
        walk(values, execute, reuse);
    reuse->is_touched = is_warm;
    return 0;
}

void blocked_reuse_close(struct blocked_reuse *reuse)
{
    for (int k = 0; k < BLOCKED_MATRICES; k++) {
        free(reuse->matrix[k].used_bytes);
        reuse->matrix[k].used_bytes = NULL;
    }
}
