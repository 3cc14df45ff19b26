/* Cholesky, charged by the process on the diagonal of the grid that factors next and by those below
 * it in its column (docs/models/dense.md#refined-cholesky).
 *
 * With K block rows below, a process has at most f = ceil(K/q) of them; one below the diagonal
 * process updates g(g + 1)/2 blocks, g = ceil((K - 1)/q).  K = (f - 1)q + 1 has g = f - 1 and no
 * imbalance.  The q - 1 other K of each f (q - 2 for f = r, as K < m) have g = f.  So sums over
 * steps are sums over f = 1 ... r.
 */
#include "engine/dense/look_ahead.h"
#include "engine/dense/refined.h"

#include <math.h>

/* Seconds of a layer's share of a block. */
struct block_times {
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

/* The sum over all K with g = f of max(0, f (product - diagonal) - head_start): the longer update
 * of the processes below the diagonal, less the time they are ahead. */
static double imbalance_s(const struct block_times *b, double head_start_s)
{
    const double more_s = b->product_s - b->diagonal_s;
    const double none = more_s > 0 ? fmin(b->r, floor(head_start_s / more_s)) : b->r; /* up to f */
    const double last_s = fmax(0, b->r * more_s - head_start_s);

    if (b->q == 1)
        return 0;
    return (b->q - 1) *
               (more_s * (triangle(b->r) - triangle(none)) - head_start_s * (b->r - none)) -
           last_s;
}

/* What look-ahead hides of the broadcasts of panels: in the steps K = (f - 1)q + 1, whose next
 * panel has f - 1 blocks, and in the other steps, behind the longer of the two updates. */
static double hidden_s(const struct block_times *b, double panel_s)
{
    const struct quadratic panel = { 0, panel_s, 0 };
    const struct quadratic first = look_ahead_update(b->diagonal_s, b->product_s);
    const struct quadratic longer =
        look_ahead_update(fmax(b->diagonal_s, b->product_s), b->product_s);

    if (b->q == 1)
        return look_ahead_hidden_s(first, panel_s, b->r - 1);
    return look_ahead_hidden_s(first, panel_s, b->r) +
           (b->q - 2) * dense_quadratic_minima(panel, longer, 1, b->r) +
           dense_quadratic_minima(panel, longer, 1, b->r - 1);
}

/* Shares of the time of panel broadcasts (of one block each) and of panel factorizations. */
struct savings {
    double broadcasts, panels;
};

static struct savings savings_by_steps(const struct block_times *b, double panel_s, double layers)
{
    return (struct savings){ panel_s > 0 ? hidden_s(b, panel_s / layers) / panel_s : 0, 0 };
}

/* Updates of other process columns hide part of the panel factorizations.  The model does not
 * charge that part; the part that is communication counts as hidden. */
static struct savings savings_along_chain(const struct panel_chain *c, double panels)
{
    const struct chain_savings saved = look_ahead_along_chain(c);
    const double m = c->q * c->r;
    const double all_s = m * c->factor_s + (m - 1) * c->send_s + panels * c->solve_s;

    return (struct savings){ c->panel_s > 0 ? saved.broadcast_s / c->panel_s : 0,
                             saved.panel_s / all_s };
}

/* Times of the broadcasts of a step in a row, and their prices in steps
 * (docs/models/dense.md#measured-steps-of-trsm-and-cholesky). */
struct step_prices {
    double diagonal_s, row_s, column_s; /* D, R, V */
    struct refined_steps steps;
};

static struct step_prices step_prices_of(const struct dense *d)
{
    const enum refined_statistic slowest = REFINED_MAXIMUM;
    struct step_prices p = {
        .diagonal_s = refined_pattern(d, FR_BROADCAST_COLUMN_ALONE, d->w, slowest).time_s,
        .row_s = refined_pattern(d, FR_BROADCAST_ROW, d->w, slowest).time_s,
        .column_s = refined_pattern(d, FR_BROADCAST_COLUMN_DIAGONAL, d->w, slowest).time_s,
    };

    p.steps = refined_factor_steps(d, p.diagonal_s, p.row_s + p.column_s);
    return p;
}

/* Times of all broadcasts on one layer: the first of each kind in a step as in measured steps, the
 * others at the pace of those that follow. */
static void price_steps(const struct dense *d, struct cholesky_phases *phases, double panels)
{
    const struct step_prices p = step_prices_of(d);
    const double times = d->m - 1, all = times * p.steps.first + (panels - times) * p.steps.pace;

    phases->diagonal.time_s = times * p.steps.first * p.diagonal_s;
    phases->row.time_s = all * p.row_s;
    phases->column.time_s = all * p.column_s;
}

/* The broadcasts of the chain on one layer: what the first block of a panel costs more than those
 * that follow it counts with the diagonal block. */
static void price_chain(const struct dense *d, struct cost *D, struct cost *R, struct cost *V)
{
    const struct step_prices p = step_prices_of(d);
    const double panel_s = p.row_s + p.column_s;

    D->time_s = fmax(0, p.steps.first * (p.diagonal_s + panel_s) - p.steps.pace * panel_s);
    R->time_s = p.steps.pace * p.row_s;
    V->time_s = p.steps.pace * p.column_s;
}

/* How much longer than the process on the diagonal the others of its column may update without
 * making them wait: they receive the diagonal block one after another. */
static double slack_s(const struct dense *d)
{
    const enum refined_statistic slowest = REFINED_MAXIMUM;
    const double one_s = refined_pattern(d, FR_FACTOR_STEPS, d->w, slowest).time_s;
    const double late_s = refined_pattern(d, FR_FACTOR_STEPS_LATE, d->w, slowest).time_s;

    /* None waits in the last two of q steps. */
    return d->q > 2 ? fmax(0, one_s - late_s) * d->q / (d->q - 2) : 0;
}

/* The broadcasts of a diagonal block, and of a block of a panel along rows and columns. */
struct broadcasts {
    struct cost D, R, V;
};

static struct broadcasts broadcasts_of(const struct dense *d, double panels, bool is_chain)
{
    struct broadcasts b = {
        .D = refined_pattern(d, FR_BROADCAST_COLUMN_ALONE, d->w, REFINED_MAXIMUM),
        .R = refined_panel(d, FR_BROADCAST_ROW, FR_BROADCAST_ROW_ALONE, d->w, panels),
        .V =
            refined_panel(d, FR_BROADCAST_COLUMN_DIAGONAL, FR_BROADCAST_COLUMN_ALONE, d->w, panels),
    };

    if (is_chain && d->is_overlapped && d->q > 1 && refined_is_measured(d, FR_FACTOR_STEPS_AHEAD))
        price_chain(d, &b.D, &b.R, &b.V);
    return b;
}

struct cholesky_phases refined_cholesky(const struct dense *d, bool is_chain)
{
    const double c = d->c, r = d->r, q = d->q, m = d->m;
    const double panels = q * triangle(r) - r;                    /* sum of f */
    const double products = q * tetrahedron(r) - r * (r - 1) / 2; /* sum of f (f - 1)/2 */
    const struct broadcasts b = broadcasts_of(d, panels, is_chain);
    const struct cost D = b.D, R = b.R, V = b.V;
    const struct cost DL =
        m > 1 ? refined_optional_pattern(d, FR_BROADCAST_LAYERS_ALONE, d->w) : (struct cost){ 0 };
    const struct cost reduce = refined_pattern(d, FR_REDUCE_LAYERS, d->w, REFINED_MAXIMUM);
    const double factor_s = dense_kernel_s(d, FR_DPOTRF), panel_s = R.time_s + V.time_s;
    const double solve_s = m > 1 ? dense_kernel_s(d, FR_DTRSM) : 0;
    const struct block_times block = {
        .r = r,
        .q = q,
        .diagonal_s = m > 1 ? dense_kernel_s(d, FR_DSYRK) / c : 0,
        .product_s = m > 2 ? dense_kernel_s(d, FR_DGEMM) / c : 0,
    };
    const struct panel_chain chain = {
        .r = r,
        .q = q,
        .factor_s = factor_s,
        .send_s = D.time_s,
        .solve_s = solve_s,
        .panel_s = panel_s,
        .diagonal_s = block.diagonal_s,
        .product_s = block.product_s,
    };
    const bool has_steps =
        !d->is_overlapped && c == 1 && q > 1 && refined_is_measured(d, FR_FACTOR_STEPS);
    const double ahead_s = has_steps ? factor_s + slack_s(d) : d->is_overlapped ? 0 : factor_s;
    struct savings saved = { 0 };
    struct cholesky_phases phases;

    if (d->is_overlapped)
        saved =
            is_chain ? savings_along_chain(&chain, panels) : savings_by_steps(&block, panel_s, c);
    phases = (struct cholesky_phases){
        .reduce_layers = cost_times(triangle(r), reduce),
        .dpotrf_s = (1 - saved.panels) * (m * factor_s),
        .diagonal_layers = cost_times(m - 1, DL),
        .diagonal = cost_times(m - 1, D),
        .diagonal_hidden_s = saved.panels * (m - 1) * D.time_s,
        .dtrsm_s = (1 - saved.panels) * (panels / c * solve_s),
        .row = cost_times(panels / c, R),
        .row_hidden_s = saved.broadcasts * R.time_s,
        .column = cost_times(panels / c, V),
        .column_hidden_s = saved.broadcasts * V.time_s,
        .dsyrk_s = panels * block.diagonal_s,
        .dgemm_s = products * block.product_s,
        .imbalance_s = imbalance_s(&block, ahead_s),
    };
    if (has_steps)
        price_steps(d, &phases, panels);
    return phases;
}
