/* Common parts of both Cholesky programs: the phases, and a panel that is broadcast. */
#ifndef PANEL_H
#define PANEL_H

#include "tests/programs/dense/dense.h"

enum {
    REDUCE_LAYERS,
    FACTOR,
    DIAGONAL_LAYERS,
    DIAGONAL,
    SOLVE,
    PANEL_ROW,
    PANEL_COLUMN,
    SQUARE,
    PRODUCT
};

/* Blocks (I, i) of a panel, for the block rows and for the block columns of this rank. */
struct panel {
    struct matrix row, column; /* the blocks (k, 0) */
};

struct panel panel_new(const struct dense *d);
void panel_free(struct panel *panel);

/* The block for block column j; on the diagonal of the grid the column's blocks are those of the
 * row. */
static inline double *panel_column(const struct dense *d, const struct panel *panel, int j)
{
    return block(d->row == d->column ? &panel->row : &panel->column, j, 0);
}

/* Broadcasts the panel along the rows from process column `root`, which has the blocks, from the
 * local row `first_row` on; then along the columns from the diagonal of the grid, from the local
 * column `first_column` on. */
void panel_send(struct dense *d, const struct panel *panel, int root, int first_row,
                int first_column, bool is_hidden);

/* c -= block k of the panel times the transpose of its block for column j. */
void panel_update(struct dense *d, const struct panel *panel, double *c, int k, int j);

#endif
