/* cholesky: A = L L^T, lower triangle, right-looking, block-cyclic (docs/models/dense.md#cholesky).
 *
 * Step i has K = m - 1 - i block rows below.  It factors the diagonal block, solves the panel,
 * broadcasts the panel along rows and its transpose along columns, and updates the rest.  With
 * overlap the panel of step i + 1 is broadcast while the update of step i runs (look-ahead by one).
 */
#include "engine/dense/look_ahead.h"
#include "engine/dense/refined.h"

#include <math.h>

struct cholesky {
    struct dense_values common;
    int panel_pricing;
};

enum { ITERATIONS, CHAIN };
static const char *const pricings[] = { [ITERATIONS] = "iterations", [CHAIN] = "chain", NULL };

static const struct fr_param params[] = {
    DENSE_PARAMS,
    DENSE_BLOCKS(FR_TUNABLE, .candidates = dense_blocks_candidates, ),
    FR_CHOICE_OF(struct cholesky, panel_pricing, .choices = pricings, .unit = "",
                 .flags = FR_AUTOMATIC | FR_METHOD,
                 .doc =
                     "How to charge 2d_ovlp, 25d and 25d_ovlp: by iterations, each as in 2d with "
                     "parts hidden or divided among the layers, or along the chain of panels that "
                     "depend on each other. The chain needs contention_model=refined. Automatic: "
                     "the chain if its steps were measured (factor_steps_ahead)."),
    FR_PARAMS_END,
};

static const enum fr_routine routines[] = { FR_DPOTRF, FR_DTRSM, FR_DSYRK, FR_DGEMM };

static int check_pricing(const struct cholesky *v, struct fr_faults *faults)
{
    if (v->panel_pricing == CHAIN && v->common.contention_model != DENSE_REFINED)
        return fr_fault(faults, FR_RELATION, "panel_pricing",
                        "chain; this pricing needs contention_model=refined");
    if (v->panel_pricing == CHAIN && v->common.variant == DENSE_2D)
        return fr_fault(faults, FR_RELATION, "panel_pricing",
                        "chain; in variant 2d all processes wait for each panel, so the chain "
                        "equals iterations: use iterations");
    return FR_OK;
}

/* Whether the steps of the chain were measured on that many layers. */
static bool has_chain(const struct dense_values *v, const struct fr_calibration *cal)
{
    return v->variant != DENSE_2D && v->contention_model == DENSE_REFINED && v->contention &&
           fr_timings_of(cal, FR_FACTOR_STEPS_AHEAD, v->replication).count > 0;
}

static int resolve(void *values, const struct fr_calibration *cal, struct fr_faults *faults)
{
    static const struct dense_rules rules = {
        .routines = routines,
        .routine_count = 4,
    };
    struct cholesky *v = values;
    int code, pricing;

    if (v->panel_pricing == CHAIN && v->common.contention_model == FR_OPEN_CHOICE)
        v->common.contention_model = DENSE_REFINED;
    code = dense_resolve(&v->common, cal, &rules, faults);
    if (v->panel_pricing == FR_OPEN_CHOICE)
        v->panel_pricing = has_chain(&v->common, cal) ? CHAIN : ITERATIONS;
    pricing = check_pricing(v, faults);
    return code ? code : pricing;
}

/* docs/models/dense.md#cholesky: every process has the average number of blocks. */
static struct cholesky_phases factorize(const struct dense *d)
{
    const double c = d->c, r = d->r, q = d->q, m = d->m, layer = d->p / c;
    const double sum_K = m * (m - 1) / 2, share = sum_K / (q * c); /* panel blocks of a process */
    const double sum_products = m * (m - 1) * (m - 2) / 6;
    struct cholesky_phases phases = { .dpotrf_s = m * dense_kernel_s(d, FR_DPOTRF) };
    struct cost row, column;
    double diagonal_s, product_s, panel_s, hidden_s;

    if (c > 1)
        phases.reduce_layers = cost_times(r * (r + 1) / 2, dense_reduce(d, c, d->w, layer));
    if (m == 1)
        return phases;
    row = dense_broadcast_sync(d, q, d->w, 1);
    column = dense_broadcast(d, q, d->w, q);
    diagonal_s = dense_kernel_s(d, FR_DSYRK) / (q * q * c);
    product_s = m > 2 ? dense_kernel_s(d, FR_DGEMM) / (q * q * c) : 0;
    panel_s = row.time_s + column.time_s;
    if (c > 1)
        phases.diagonal_layers = cost_times(m - 1, dense_broadcast(d, c, d->w, layer));
    phases.diagonal = cost_times(m - 1, dense_broadcast_sync(d, q, d->w, q));
    phases.dtrsm_s = share * dense_kernel_s(d, FR_DTRSM);
    phases.row = cost_times(share, row);
    phases.column = cost_times(share, column);
    phases.dsyrk_s = sum_K * diagonal_s;
    phases.dgemm_s = sum_products * product_s;
    if (d->is_overlapped && panel_s > 0) {
        hidden_s =
            look_ahead_hidden_s(look_ahead_update(diagonal_s, product_s), panel_s / (q * c), m - 1);
        phases.row_hidden_s = hidden_s / panel_s * row.time_s;
        phases.column_hidden_s = hidden_s / panel_s * column.time_s;
    }
    return phases;
}

static void add_phases(const struct dense *d, const struct cholesky_phases *p)
{
    dense_communicate(d, "reduce_layers", p->reduce_layers, 0);
    dense_compute(d, "dpotrf", p->dpotrf_s);
    dense_communicate(d, "broadcast_diagonal_layers", p->diagonal_layers, 0);
    dense_communicate(d, "broadcast_diagonal", p->diagonal, p->diagonal_hidden_s);
    dense_compute(d, "dtrsm", p->dtrsm_s);
    dense_communicate(d, "broadcast_panel_row", p->row, p->row_hidden_s);
    dense_communicate(d, "broadcast_panel_column", p->column, p->column_hidden_s);
    dense_compute(d, "dsyrk", p->dsyrk_s);
    dense_compute(d, "dgemm", p->dgemm_s);
    dense_compute(d, "update_imbalance", p->imbalance_s);
}

/* Seconds of a kernel on one block. */
struct block_kernels {
    double dpotrf_s, dtrsm_s, dsyrk_s, dgemm_s;
};

/* The work of all layers at the last place of the grid, and at its left neighbour, which has the
 * most blocks below the diagonal (docs/models/dense.md#lower-bounds). */
static double busiest_s(double r, double q, const struct block_kernels *k)
{
    const double last_s = r * k->dpotrf_s + r * (r - 1) / 2 * k->dtrsm_s +
                          (q * r * (r - 1) / 2 + (q - 1) * r) * k->dsyrk_s +
                          (q * r * (r - 1) * (r - 2) / 6 + (q - 1) * r * (r - 1) / 2) * k->dgemm_s;
    const double left_s = r * (r + 1) / 2 * k->dtrsm_s +
                          (q * (r - 1) * r * (r + 1) / 6 + (q - 2) * r * (r + 1) / 2) * k->dgemm_s;

    return q > 1 ? fmax(last_s, left_s) : last_s;
}

/* Down the diagonal, or along the last block row where products take longer. */
static double critical_path_s(double m, double c, const struct block_kernels *k)
{
    const double step_s = fmax(k->dsyrk_s / c + k->dpotrf_s, k->dgemm_s / c);

    if (m == 1)
        return k->dpotrf_s;
    return 2 * k->dpotrf_s + k->dsyrk_s / c + (m - 1) * k->dtrsm_s / c + (m - 2) * step_s;
}

static void bound(const struct dense *d)
{
    const double c = d->c, r = d->r, q = d->q, m = d->m;
    const struct block_kernels kernels = {
        .dpotrf_s = dense_kernel_s(d, FR_DPOTRF),
        .dtrsm_s = m > 1 ? dense_kernel_s(d, FR_DTRSM) : 0,
        .dsyrk_s = m > 1 ? dense_kernel_s(d, FR_DSYRK) : 0,
        .dgemm_s = m > 2 ? dense_kernel_s(d, FR_DGEMM) : 0,
    };

    fr_bound(d->run->out, "work", busiest_s(r, q, &kernels) / c);
    fr_bound(d->run->out, "critical_path", critical_path_s(m, c, &kernels));
    if (q > 1)
        dense_bound_network(d, (q * r * r - r * (r + 1) / 2 + (q - 3) * r) / c * d->w);
}

/* The chain charges each step to the processes that take longest in it, and these change from step
 * to step: it leaves out the panels of a process that updates all the time
 * (docs/models/dense.md#decision-the-chain-waits-for-the-busiest-process). */
static void wait_for_busiest(const struct dense *d)
{
    const struct fr_prediction *out = d->run->out;

    if (out->time_s < out->bound_s)
        dense_compute(d, "busiest_process", out->bound_s - out->time_s);
}

/* In nine of ten runs with overlap or layers, priced by iterations. */
static const double iterations_error_fraction = 0.23;

static void predict(const void *values, struct fr_evaluation *run)
{
    const struct cholesky *v = values;
    const struct dense d = dense_derive(&v->common, run);
    const double local = (d.n / d.q) * (d.n / d.q), buffers = d.is_overlapped ? 2 : 1;
    const bool is_chain = v->panel_pricing == CHAIN;
    const struct cholesky_phases phases = is_chain && d.c > 1 ? refined_cholesky_layers(&d)
                                          : d.is_refined      ? refined_cholesky(&d, is_chain)
                                                              : factorize(&d);

    add_phases(&d, &phases);
    bound(&d);
    if (is_chain)
        wait_for_busiest(&d);
    else if (v->common.variant != DENSE_2D)
        run->out->error_fraction = iterations_error_fraction;
    dense_finish(&d, &v->common, d.n * d.n * d.n / 3, local + d.w + 2 * buffers * d.r * d.w / d.c);
}

const struct fr_model fr_model_cholesky = {
    .name = "cholesky",
    .summary = "Cholesky factorization, right-looking with look-ahead, 2D and 2.5D.",
    .source =
        "methodology of González-Domínguez, Georganas, Zheng, Martín: Constructing "
        "Performance Models for Dense Linear Algebra Algorithms on Cray XE Systems, section IV; "
        "algorithm after Georganas et al. (SC'12)",
    .assumes = FR_TEXTS(
        "A symmetric positive definite matrix, lower triangle, block-cyclic over a square grid.",
        "Blocks per process are averages over the grid; with contention_model=refined they are "
        "those of the process that factors next and of the others in its column.",
        "Look-ahead by one hides the next panel perfectly, and costs communication_threads of the "
        "cores.",
        "2.5D works on big block columns: layers share the rows of a panel and sum their updates.",
        "With panel_pricing=chain a panel waits only for the update of its own column; updates "
        "that other columns do meanwhile are not charged again."),
    .blind_spots = FR_TEXTS(
        "The busiest process: with few blocks per process the update is underestimated by about "
        "1/(blocks_per_process-1) unless contention_model=refined.",
        "Replication makes blocks larger at equal blocks_per_process: compare variants at the best "
        "value of each.",
        "Messages within a node have no price of their own: the contention factors contain them.",
        "The source prints no equations for Cholesky: they are derived by its methodology."),
    .error_fraction = 0.07,
    DENSE_MODEL(struct cholesky, FR_USE(DGEMM) | FR_USE(DTRSM) | FR_USE(DSYRK) | FR_USE(DPOTRF)),
};
