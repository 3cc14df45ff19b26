/* Cholesky, charged by the process on the grid's diagonal that factors next and those below it in
 * its column (dense-distributed.md 14.4).
 *
 * With K block rows below, a process of the panel has f = ceil(K/q) of them and one below the
 * diagonal process updates g(g + 1)/2 blocks, g = ceil((K - 1)/q).  K = (f - 1)q + 1 has g = f - 1:
 * nobody waits for the others' updates.  The K after it, q - 1 of them (q - 2 for f = r, as K < m),
 * have g = f.  So sums over iterations are sums over f = 1 ... r, which need no loop.
 */
#include "engine/dense/chain.h"
#include "engine/dense/look_ahead.h"
#include "engine/dense/refined.h"

#include <math.h>

/* Seconds of one layer's share of a block. */
struct blocks {
    double r, q;
    double diagonal_s, product_s; /* dsyrk, dgemm */
};

/* Sums over f = 1 ... last of f, and of f (f - 1)/2. */
static double triangle(double last)
{
    return last * (last + 1) / 2;
}

static double tetrahedron(double last)
{
    return (last + 1) * last * (last - 1) / 6;
}

/* Sum of max(0, f (product - diagonal) - x) over all K with g = f: what processes below the
 * diagonal update longer than x more than the one on it. */
static double imbalance_s(const struct blocks *b, double x_s)
{
    const double more_s = b->product_s - b->diagonal_s;
    const double none = more_s > 0 ? fmin(b->r, floor(x_s / more_s)) : b->r; /* up to this f */
    const double last_s = fmax(0, b->r * more_s - x_s);

    if (b->q == 1)
        return 0;
    return (b->q - 1) * (more_s * (triangle(b->r) - triangle(none)) - x_s * (b->r - none)) - last_s;
}

/* The update that look-ahead hides a panel behind, of f blocks a process. */
static double longest_s(const struct blocks *b, double f)
{
    return f * fmax(b->diagonal_s, b->product_s) + b->product_s * f * (f - 1) / 2;
}

/* Sum of min(panel f, longest update) over all K with g = f.  Both have the factor f, so the update
 * is the shorter one up to some f. */
static double hidden_below_s(const struct blocks *b, double panel_s)
{
    const double each_s = fmax(b->diagonal_s, b->product_s);
    double shorter = 0, sum_s;

    if (b->q == 1 || b->product_s == 0)
        return 0;
    if (panel_s > each_s)
        shorter = fmin(b->r, floor(1 + 2 * (panel_s - each_s) / b->product_s));
    sum_s = each_s * triangle(shorter) + b->product_s * tetrahedron(shorter) +
            panel_s * (triangle(b->r) - triangle(shorter));
    return (b->q - 1) * sum_s - fmin(panel_s * b->r, longest_s(b, b->r));
}

/* What look-ahead hides: K = (f - 1)q + 1, whose next panel has f - 1 blocks, and those after it.
 */
static double hidden_s(const struct blocks *b, double panel_s)
{
    const struct update update = { b->diagonal_s, b->product_s };

    return look_ahead_hidden_s(&update, panel_s, b->q > 1 ? b->r : b->r - 1) +
           hidden_below_s(b, panel_s);
}

/* Of each second of sending a block, over all panels, and of making panels. */
struct saved {
    double sending, making;
};

static struct saved by_iterations(const struct blocks *b, double panel_s, double layers)
{
    return (struct saved){ panel_s > 0 ? hidden_s(b, panel_s / layers) / panel_s : 0, 0 };
}

/* What others' updates cover of the making of panels is charged to nobody; what of it is
 * communication is hidden. */
static struct saved along_chain(const struct chain *c, double panels)
{
    const struct chain_saved saved = look_ahead_along_chain(c);
    const double m = c->q * c->r;
    const double making_s = m * c->factor_s + (m - 1) * c->send_s + panels * c->solve_s;

    return (struct saved){ c->panel_s > 0 ? saved.panel_s / c->panel_s : 0,
                           saved.others_s / making_s };
}

static void reduce_layers(const struct dense *d)
{
    const struct cost sum = refined_pattern(d, FR_REDUCE_LAYERS, d->w, REFINED_MAXIMUM);

    dense_communicate(d, "reduce_layers", cost_times(triangle(d->r), sum), 0);
}

void refined_cholesky(const struct dense *d, bool is_chain)
{
    const double c = d->c, r = d->r, q = d->q, m = d->m;
    const double panels = q * triangle(r) - r;                    /* sum of f */
    const double products = q * tetrahedron(r) - r * (r - 1) / 2; /* sum of f (f - 1)/2 */
    const struct cost D = refined_pattern(d, FR_BROADCAST_COLUMN_ALONE, d->w, REFINED_MAXIMUM);
    const struct cost R = refined_panel(d, FR_BROADCAST_ROW, FR_BROADCAST_ROW_ALONE, d->w, panels);
    const struct cost V =
        refined_panel(d, FR_BROADCAST_COLUMN_DIAGONAL, FR_BROADCAST_COLUMN_ALONE, d->w, panels);
    const struct cost DL =
        m > 1 ? refined_layers(d, FR_BROADCAST_LAYERS_ALONE, d->w) : (struct cost){ 0 };
    const double factor_s = dense_kernel_s(d, FR_DPOTRF), panel_s = R.time_s + V.time_s;
    const double solve_s = m > 1 ? dense_kernel_s(d, FR_DTRSM) : 0;
    const struct blocks blocks = {
        .r = r,
        .q = q,
        .diagonal_s = m > 1 ? dense_kernel_s(d, FR_DSYRK) / c : 0,
        .product_s = m > 2 ? dense_kernel_s(d, FR_DGEMM) / c : 0,
    };
    const struct chain chain = {
        .r = r,
        .q = q,
        .factor_s = factor_s,
        .send_s = D.time_s,
        .solve_s = solve_s,
        .panel_s = panel_s,
        .diagonal_s = blocks.diagonal_s,
        .product_s = blocks.product_s,
    };
    struct saved saved = { 0 };

    if (d->is_overlapped)
        saved = is_chain ? along_chain(&chain, panels) : by_iterations(&blocks, panel_s, c);

    if (c > 1)
        reduce_layers(d);
    dense_compute(d, "dpotrf", (1 - saved.making) * (m * factor_s));
    dense_communicate(d, "broadcast_diagonal_layers", cost_times(m - 1, DL), 0);
    dense_communicate(d, "broadcast_diagonal", cost_times(m - 1, D),
                      saved.making * (m - 1) * D.time_s);
    dense_compute(d, "dtrsm", (1 - saved.making) * (panels / c * solve_s));
    dense_communicate(d, "broadcast_panel_row", cost_times(panels / c, R),
                      saved.sending * R.time_s);
    dense_communicate(d, "broadcast_panel_column", cost_times(panels / c, V),
                      saved.sending * V.time_s);
    dense_compute(d, "dsyrk", panels * blocks.diagonal_s);
    dense_compute(d, "dgemm", products * blocks.product_s);
    dense_compute(d, "update_imbalance", imbalance_s(&blocks, d->is_overlapped ? 0 : factor_s));
}
