/* Cholesky, A = L L^T, lower triangle, right-looking: step i factors the diagonal block, broadcasts
 * it in its column, solves the panel, broadcasts it along the rows and its transpose along the
 * columns, and updates the rest.  With overlap the panel of the next step is broadcast during the
 * update; its owners update that block column first. */
#include "tests/programs/dense/panel.h"

const char *const cholesky_phases[] = { "reduce_layers",
                                        "dpotrf",
                                        "broadcast_diagonal_layers",
                                        "broadcast_diagonal",
                                        "dtrsm",
                                        "broadcast_panel_row",
                                        "broadcast_panel_column",
                                        "dsyrk",
                                        "dgemm",
                                        NULL };

struct panel panel_new(const struct dense *d)
{
    return (struct panel){ matrix_new(d, words_of_block(d)), matrix_new(d, words_of_block(d)) };
}

void panel_free(struct panel *panel)
{
    matrix_free(&panel->row);
    matrix_free(&panel->column);
}

void panel_send(struct dense *d, const struct panel *panel, int root, int first_row,
                int first_column, bool is_hidden)
{
    void (*const send)(struct dense *, int, double *, size_t, int, MPI_Comm) =
        is_hidden ? start_broadcast : broadcast;

    for (int k = first_row; k < d->r; k++)
        send(d, PANEL_ROW, block(&panel->row, k, 0), words_of_block(d), root, d->along_row);
    for (int j = first_column; j < d->r; j++)
        send(d, PANEL_COLUMN, panel_column(d, panel, j), words_of_block(d), d->column,
             d->along_column);
}

void panel_update(struct dense *d, const struct panel *panel, double *c, int k, int j)
{
    const bool is_diagonal = k == j && d->row == d->column;

    phases_enter(&d->phases, is_diagonal ? SQUARE : PRODUCT);
    if (is_diagonal)
        subtract_square(d, c, block(&panel->row, k, 0));
    else
        subtract_product_transposed(d, c, block(&panel->row, k, 0), panel_column(d, panel, j),
                                    d->bs);
    phases_enter(&d->phases, PHASE_NONE);
}

/* Factors block column i in place and copies it into the panel. */
static void factor_panel(struct dense *d, const struct matrix *a, const struct panel *panel,
                         double *diagonal, int i)
{
    const int own = i / d->q, root = i % d->q;

    if (root != d->column)
        return;
    if (root == d->row) {
        phases_enter(&d->phases, FACTOR);
        factor(d, block(a, own, own));
        copy_words(d, diagonal, block(a, own, own), words_of_block(d));
        phases_enter(&d->phases, PHASE_NONE);
    }
    if (i == d->m - 1)
        return;
    broadcast(d, DIAGONAL, diagonal, words_of_block(d), root, d->along_column);
    phases_enter(&d->phases, SOLVE);
    for (int k = first_local(d, d->row, i + 1); k < d->r; k++) {
        solve_lower_transposed(d, diagonal, block(a, k, own), d->bs);
        copy_words(d, block(&panel->row, k, 0), block(a, k, own), words_of_block(d));
    }
    phases_enter(&d->phases, PHASE_NONE);
}

static void send(struct dense *d, const struct panel *panel, int i, bool is_hidden)
{
    panel_send(d, panel, i % d->q, first_local(d, d->row, i + 1), first_local(d, d->column, i + 1),
               is_hidden);
}

/* Updates the global block columns first, ..., end - 1. */
static void update(struct dense *d, const struct matrix *a, const struct panel *panel, int first,
                   int end)
{
    const int columns = d->r - first_local(d, d->column, first);

    slice(d, DGEMM, (double)columns * columns / 2);
    for (int j = first_local(d, d->column, first); j < first_local(d, d->column, end); j++)
        for (int k = first_local(d, d->row, j * d->q + d->column); k < d->r; k++)
            panel_update(d, panel, block(a, k, j), k, j);
}

static void look_ahead(struct dense *d, const struct matrix *a, struct panel panel[2],
                       double *diagonal)
{
    factor_panel(d, a, &panel[0], diagonal, 0);
    send(d, &panel[0], 0, false);
    for (int i = 0; i < d->m - 1; i++) {
        const struct panel *now = &panel[i % 2], *next = &panel[(i + 1) % 2];

        update(d, a, now, i + 1, i + 2);
        factor_panel(d, a, next, diagonal, i + 1);
        send(d, next, i + 1, true);
        update(d, a, now, i + 2, d->m);
        finish_queue(d);
    }
}

void cholesky(struct dense *d, struct operands *o)
{
    struct panel panel[2] = { panel_new(d), panel_new(d) };
    double *diagonal = memory_new(words_of_block(d));

    if (d->is_overlapped)
        look_ahead(d, &o->c, panel, diagonal);
    for (int i = 0; i < d->m && !d->is_overlapped; i++) {
        factor_panel(d, &o->c, &panel[0], diagonal, i);
        send(d, &panel[0], i, false);
        update(d, &o->c, &panel[0], i + 1, d->m);
    }
    memory_free(diagonal);
    panel_free(&panel[0]);
    panel_free(&panel[1]);
}
