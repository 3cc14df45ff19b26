/* What both forms of Cholesky have in common: phases, and a panel on its way to everybody. */
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

/* Blocks (I, i) of a panel, by the rows of blocks I that this rank has, and by its columns. */
struct panel {
    struct matrix row, column; /* the blocks (k, 0) */
};

struct panel panel_new(const struct dense *d);
void panel_free(struct panel *panel);

/* Of the rank's columns: on the diagonal of the grid those are its rows. */
static inline double *panel_column(const struct dense *d, const struct panel *panel, int j)
{
    return block(d->row == d->column ? &panel->row : &panel->column, j, 0);
}

/* Local rows from `first_row` on come along the rows from the process column `root`, whose blocks
 * stand in the panel; then those of the columns from `first_column` on down from the diagonal. */
void panel_send(struct dense *d, const struct panel *panel, int root, int first_row,
                int first_column, bool is_hidden);

/* c -= the panel's block k times its block of column j transposed: dsyrk on the diagonal. */
void panel_update(struct dense *d, const struct panel *panel, double *c, int k, int j);

#endif
