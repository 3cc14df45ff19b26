/* Cholesky on c layers, in big block columns of q block columns each
 * (docs/models/dense.md#cholesky-by-big-block-columns).
 *
 * A process has F = r - J blocks of big block column J, and x = F - 1 below it.  The document
 * follows two clocks, a of the process that factors next and b of the latest process below it.
 * For k > 0, max(a + y, b) adds (F - 1) dgemm/c and the larger of y + dsyrk/c and dgemm/c, at the
 * last k the former.  For k = 0 it adds A and the larger of y and x (dgemm - dsyrk).  So the final
 * clock is made of sums over F or x of quadratics and of maxima of two quadratics.
 */
#include "engine/dense/look_ahead.h"
#include "engine/dense/refined.h"

#include <math.h>

/* Times of a block, and how often they occur. */
struct layers {
    double c, r, q, m;
    double steps;                        /* of the layer with most block columns of a big one */
    double blocks, behind;               /* sums of F, of x */
    double products;                     /* sum of x(x - 1)/2 */
    struct cost scatter_first;           /* of J = 0, from layer 0 */
    struct cost scatter;                 /* RS */
    struct cost gather_right;            /* AG' */
    struct cost gather_last;             /* AG" */
    struct cost gather_alone;            /* AG1 */
    struct cost diagonal;                /* D */
    struct cost first_row_share;         /* the first row' of a step */
    struct cost row_share, column_share; /* row', column': of 1/c of the rows of a block */
    struct cost row, column;             /* R, V */
    double factor_s, solve_s, diagonal_s, product_s;
};

static struct layers layers_of(const struct dense *d)
{
    const enum refined_statistic slowest = REFINED_MAXIMUM;
    const double r = d->r, share = d->w / d->c;
    struct dense right = *d, last = *d; /* the columns right of k send; the last column sends */
    struct layers l;

    right.idle_share = 0.5;
    last.idle_share = 1 - 1 / d->q;
    l = (struct layers){
        .c = d->c,
        .r = r,
        .q = d->q,
        .m = d->m,
        .steps = ceil(d->q / d->c),
        .blocks = r * (r + 1) / 2,
        .behind = r * (r - 1) / 2,
        .products = r * (r - 1) * (r - 2) / 6,
        .scatter_first = cost_times(0.5, refined_pattern(d, FR_REPLICATE_LAYERS, share, slowest)),
        .gather_right = refined_pattern(&right, FR_ALLGATHER_LAYERS, d->w, slowest),
        .gather_last = refined_pattern(&last, FR_ALLGATHER_LAYERS, d->w, slowest),
        .gather_alone = refined_gather_alone(d, d->c, d->w, d->p / d->c),
        .diagonal = refined_pattern(d, FR_BROADCAST_COLUMN_ALONE, d->w, slowest),
        .row_share = refined_pattern(d, FR_BROADCAST_ROW, share, slowest),
        .column_share = refined_pattern(d, FR_BROADCAST_COLUMN_DIAGONAL, share, slowest),
        .factor_s = dense_kernel_s(d, FR_DPOTRF),
        .solve_s = dense_kernel_s(d, FR_DTRSM),
        .diagonal_s = dense_kernel_s(d, FR_DSYRK),
        .product_s = dense_kernel_s(d, FR_DGEMM),
    };

    if (fmod(d->q, d->c) != 0)
        fr_warn(d->run->out, FR_WARN_UNEVEN_LAYERS, NULL, d->q, d->c, d->q);
    if (r > 1) {
        l.scatter = refined_pattern(d, FR_REDUCE_SCATTER_LAYERS, d->w, slowest);
        l.row = refined_pattern(d, FR_BROADCAST_ROW, d->w, slowest);
        l.column = refined_pattern(d, FR_BROADCAST_COLUMN_DIAGONAL, d->w, slowest);
    }
    return l;
}

/* The first block of each broadcast in a step, and those that follow it, from measured steps
 * (docs/models/dense.md#measured-steps-of-trsm-and-cholesky). */
static void price_steps(const struct dense *d, struct layers *l)
{
    const struct refined_steps steps =
        refined_factor_steps(d, l->diagonal.time_s, l->row_share.time_s + l->column_share.time_s);

    l->diagonal.time_s *= steps.first;
    l->first_row_share.time_s *= steps.first;
    l->row_share.time_s *= steps.pace;
    l->column_share.time_s *= steps.first;
}

/* How much later the processes below the diagonal are: at k = 1 ... q - 2, in the updates (G - A),
 * and at k = 0. */
static double imbalance_s(const struct layers *l)
{
    const double more_s = l->product_s - l->diagonal_s;
    const double next_s = l->gather_alone.time_s + l->factor_s + l->diagonal.time_s; /* y */
    const struct quadratic nothing = { 0 }, later = { -next_s, more_s, 0 };

    return l->r * (l->q - 2) * fmax(0, more_s / l->c - next_s) +
           (l->steps - 1) * l->behind * fmax(0, more_s) +
           dense_quadratic_maxima(nothing, later, 1, l->r - 1);
}

/* The sum over x of (steps - 1) min(B, G). */
static double hidden_s(const struct layers *l)
{
    const struct quadratic panel = { 0, l->row.time_s + l->column.time_s, 0 };
    const struct quadratic update =
        look_ahead_update(fmax(l->diagonal_s, l->product_s), l->product_s);

    return (l->steps - 1) * dense_quadratic_minima(panel, update, 1, l->r - 1);
}

struct cholesky_phases refined_cholesky_layers(const struct dense *d)
{
    struct layers l = layers_of(d);
    const double inside = (l.q - 1) / l.c; /* updates of a big block column, of a layer's share */
    const double panel_s = l.row.time_s + l.column.time_s;
    const double hidden = d->is_overlapped && panel_s > 0 ? hidden_s(&l) / panel_s : 0;
    struct cost row_shares, scatter;

    l.first_row_share = l.row_share;
    if (refined_has_factor_steps(d))
        price_steps(d, &l);
    row_shares = cost_plus(cost_times(l.r, l.first_row_share), cost_times(l.behind, l.row_share));
    scatter = cost_plus(cost_times(l.r, l.scatter_first), cost_times(l.behind, l.scatter));

    return (struct cholesky_phases){
        .reduce_layers = cost_plus(scatter, cost_times(l.blocks, l.gather_last)),
        .dpotrf_s = l.m * l.factor_s,
        .diagonal_layers =
            cost_plus(cost_times(l.m, l.gather_alone), cost_times(l.r * (l.q - 1), l.gather_right)),
        .diagonal = cost_times(l.m - 1, l.diagonal),
        .dtrsm_s = (l.q * l.blocks - l.r) / l.c * l.solve_s,
        .row = cost_plus(cost_times(l.q - 1, row_shares), cost_times(l.steps * l.behind, l.row)),
        .row_hidden_s = hidden * l.row.time_s,
        .column = cost_plus(cost_times((l.q - 1) * l.r, l.column_share),
                            cost_times(l.steps * l.behind, l.column)),
        .column_hidden_s = hidden * l.column.time_s,
        .dsyrk_s = (inside * l.r + l.steps * l.behind) * l.diagonal_s,
        .dgemm_s = (inside * l.behind + l.steps * l.products) * l.product_s,
        .imbalance_s = imbalance_s(&l),
    };
}
