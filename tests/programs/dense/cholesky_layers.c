/* Cholesky on c layers, by big block columns of q block columns each.
 *
 * Layer 0 has A, the others zero.  For each big block column: a) its sum over the layers is
 * scattered, so each layer has 1/c of the rows of every block; b) the layers factor it together,
 * block column by block column; c) the layers gather it, so each has all of it; d) each layer
 * updates the rest of its own copy with its q/c of the block columns.  In b) the layers gather each
 * diagonal block before every layer factors it, and each block of the big diagonal block that other
 * blocks are multiplied with.
 */
#include "tests/programs/dense/panel.h"

struct work {
    const struct matrix *a;
    struct matrix share; /* of the big block column: this layer's rows of its blocks (k, 0) */
    struct panel panel[2];
    double *diagonal, *whole;
    int big, rows;
};

static size_t words_of_share(const struct dense *d, const struct work *work)
{
    return (size_t)work->rows * (size_t)d->bs;
}

/* The first local row of blocks on or below the diagonal of this rank's column. */
static int first_row(const struct dense *d, int big)
{
    return d->row < d->column ? big + 1 : big;
}

static void scatter(struct dense *d, const struct work *work)
{
    const int words = (int)words_of_share(d, work);

    phases_enter(&d->phases, REDUCE_LAYERS);
    for (int k = first_row(d, work->big); k < d->r; k++) {
        double *from = block(work->a, k, work->big), *to = block(&work->share, k, 0);

        if (work->big)
            MPI_Reduce_scatter_block(from, to, words, MPI_DOUBLE, MPI_SUM, d->through_layers);
        else
            MPI_Scatter(from, words, MPI_DOUBLE, to, words, MPI_DOUBLE, 0, d->through_layers);
    }
    phases_enter(&d->phases, PHASE_NONE);
}

static void gather_block(struct dense *d, const struct work *work, int phase, const double *share,
                         double *whole)
{
    const int words = (int)words_of_share(d, work);

    phases_enter(&d->phases, phase);
    MPI_Allgather(share, words, MPI_DOUBLE, whole, words, MPI_DOUBLE, d->through_layers);
    phases_enter(&d->phases, PHASE_NONE);
}

/* The local rows of blocks below the diagonal block (k, k) of the big one. */
static int first_below(const struct dense *d, const struct work *work, int k)
{
    return d->row > k ? work->big : work->big + 1;
}

/* Factors block column k of the big one. */
static void factor_share(struct dense *d, const struct work *work, const struct panel *panel, int k)
{
    const size_t words = words_of_share(d, work);

    if (d->column != k)
        return;
    if (d->row == k) {
        double *share = block(&work->share, work->big, 0);

        gather_block(d, work, DIAGONAL_LAYERS, share, work->diagonal);
        phases_enter(&d->phases, FACTOR);
        factor(d, work->diagonal);
        copy_words(d, share, work->diagonal + (size_t)d->layer * words, words);
        phases_enter(&d->phases, PHASE_NONE);
    }
    if (work->big == d->r - 1 && k == d->q - 1)
        return;
    broadcast(d, DIAGONAL, work->diagonal, words_of_block(d), k, d->along_column);
    phases_enter(&d->phases, SOLVE);
    for (int i = first_below(d, work, k); i < d->r; i++) {
        solve_lower_transposed(d, work->diagonal, block(&work->share, i, 0), work->rows);
        copy_words(d, block(&panel->row, i, 0), block(&work->share, i, 0), words);
    }
    phases_enter(&d->phases, PHASE_NONE);
}

/* Broadcasts block column k to the process columns after k. */
static void send_share(struct dense *d, const struct work *work, const struct panel *panel, int k,
                       bool is_hidden)
{
    void (*const send)(struct dense *, int, double *, size_t, int, MPI_Comm) =
        is_hidden ? start_broadcast : broadcast;
    const size_t words = words_of_share(d, work);

    if (k == d->q - 1)
        return;
    for (int i = first_below(d, work, k); i < d->r; i++)
        send(d, PANEL_ROW, block(&panel->row, i, 0), words, k, d->along_row);
    if (d->column > k)
        send(d, PANEL_COLUMN, panel_column(d, panel, work->big), words, d->column, d->along_column);
}

/* Gathers from the layers the block that updates this rank's column. */
static void complete(struct dense *d, const struct work *work, const struct panel *panel, int k)
{
    if (d->column > k)
        gather_block(d, work, DIAGONAL_LAYERS, panel_column(d, panel, work->big), work->whole);
}

/* Updates this rank's column of the big one with block column k. */
static void update_share(struct dense *d, const struct work *work, const struct panel *panel, int k)
{
    slice(d, DGEMM, (double)(d->r - work->big) / d->c);
    for (int i = first_row(d, work->big); i < d->r && d->column > k; i++) {
        const bool is_diagonal = i == work->big && d->row == d->column;

        phases_enter(&d->phases, is_diagonal ? SQUARE : PRODUCT);
        if (is_diagonal)
            subtract_square_rows(d, block(&work->share, i, 0), block(&panel->row, i, 0),
                                 work->whole, work->rows);
        else
            subtract_product_transposed(d, block(&work->share, i, 0), block(&panel->row, i, 0),
                                        work->whole, work->rows);
        phases_enter(&d->phases, PHASE_NONE);
    }
}

static void factor_big(struct dense *d, struct work *work)
{
    for (int k = 0; k < d->q; k++) {
        factor_share(d, work, &work->panel[0], k);
        send_share(d, work, &work->panel[0], k, false);
        complete(d, work, &work->panel[0], k);
        update_share(d, work, &work->panel[0], k);
    }
}

/* The next process column updates before it factors; the others update afterwards. */
static void factor_big_ahead(struct dense *d, struct work *work)
{
    factor_share(d, work, &work->panel[0], 0);
    send_share(d, work, &work->panel[0], 0, false);
    complete(d, work, &work->panel[0], 0);
    for (int k = 0; k < d->q - 1; k++) {
        const struct panel *now = &work->panel[k % 2], *next = &work->panel[(k + 1) % 2];
        const bool is_next = d->column == k + 1;

        if (is_next)
            update_share(d, work, now, k);
        factor_share(d, work, next, k + 1);
        send_share(d, work, next, k + 1, true);
        if (!is_next)
            update_share(d, work, now, k);
        finish_queue(d);
        complete(d, work, next, k + 1);
    }
}

static void gather(struct dense *d, const struct work *work)
{
    for (int k = first_row(d, work->big); k < d->r; k++)
        gather_block(d, work, REDUCE_LAYERS, block(&work->share, k, 0),
                     block(work->a, k, work->big));
}

static void send_column(struct dense *d, const struct work *work, const struct panel *panel, int k,
                        bool is_hidden)
{
    for (int i = work->big + 1; i < d->r && d->column == k; i++)
        copy_words(d, block(&panel->row, i, 0), block(work->a, i, work->big), words_of_block(d));
    panel_send(d, panel, k, work->big + 1, work->big + 1, is_hidden);
}

/* Updates the rest with this layer's block columns of the big one. */
static void update_rest(struct dense *d, struct work *work)
{
    const int first = d->layer * d->q / d->c, end = (d->layer + 1) * d->q / d->c;

    if (d->is_overlapped && first < end)
        send_column(d, work, &work->panel[0], first, false);
    for (int k = first; k < end; k++) {
        const struct panel *now = &work->panel[(k - first) % 2];
        const struct panel *next = &work->panel[(k - first + 1) % 2];

        if (!d->is_overlapped)
            send_column(d, work, now, k, false);
        else if (k + 1 < end)
            send_column(d, work, next, k + 1, true);
        slice(d, DGEMM, (double)(d->r - work->big) * (d->r - work->big) / 2);
        for (int j = work->big + 1; j < d->r; j++)
            for (int i = first_row(d, j); i < d->r; i++)
                panel_update(d, now, block(work->a, i, j), i, j);
        finish_queue(d);
    }
}

void cholesky_layers(struct dense *d, struct operands *o)
{
    struct work work = { .a = &o->c,
                         .share = matrix_new(d, words_of_block(d)),
                         .panel = { panel_new(d), panel_new(d) },
                         .diagonal = memory_new(words_of_block(d)),
                         .whole = memory_new(words_of_block(d)),
                         .rows = d->bs / d->c };

    for (work.big = 0; work.big < d->r; work.big++) {
        scatter(d, &work);
        if (d->is_overlapped)
            factor_big_ahead(d, &work);
        else
            factor_big(d, &work);
        gather(d, &work);
        if (work.big < d->r - 1)
            update_rest(d, &work);
    }
    matrix_free(&work.share);
    panel_free(&work.panel[0]);
    panel_free(&work.panel[1]);
    memory_free(work.diagonal);
    memory_free(work.whole);
}
