/* cholesky: A = L L^T, lower, right-looking, block-cyclic (dense-distributed.md 9).
 *
 * Iteration i, with K = m - 1 - i block rows below: P factors the diagonal block and solves the
 * panel, C sends the panel along rows and its transpose along columns, U updates the rest.  With
 * overlap the panel of iteration i+1 travels while the update of i runs (look-ahead by one).
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
                 .fallback = ITERATIONS, .flags = FR_DEFAULT | FR_METHOD,
                 .doc = "How 2d_ovlp, 25d and 25d_ovlp are charged: each iteration as in 2d, its "
                        "parts hidden and divided by the layers, or along the chain of panels that "
                        "depend on each other; the latter needs contention_model=refined."),
    FR_PARAMS_END,
};

static const enum fr_routine routines[] = { FR_DPOTRF, FR_DTRSM, FR_DSYRK, FR_DGEMM };

static int check_pricing(const struct cholesky *v, struct fr_faults *faults)
{
    if (v->panel_pricing == CHAIN && v->common.contention_model != DENSE_REFINED)
        return fr_fault(faults, FR_RELATION, "panel_pricing",
                        "chain; panels are charged so with contention_model=refined alone");
    if (v->panel_pricing == CHAIN && v->common.variant == DENSE_2D)
        return fr_fault(faults, FR_RELATION, "panel_pricing",
                        "chain; in variant 2d everybody waits for each panel: leave it at "
                        "iterations, which is the same");
    return FR_OK;
}

static int resolve(void *values, const struct fr_calibration *cal, struct fr_faults *faults)
{
    static const struct dense_rules rules = {
        .communication_threads = 1,
        .routines = routines,
        .routine_count = 4,
    };
    struct cholesky *v = values;

    const int code = dense_resolve(&v->common, cal, &rules, faults);
    const int pricing = check_pricing(v, faults);

    return code ? code : pricing;
}

/* Block counts are averages over the grid (D19). */
static void factor(const struct dense *of)
{
    static const struct cost none = { 0 };
    const struct dense d = *of;
    const double c = d.c, r = d.r, q = d.q, m = d.m, layer = d.p / c;
    const double sum_K = m * (m - 1) / 2, share = sum_K / (q * c); /* panel blocks of a process */
    const double sum_products = m * (m - 1) * (m - 2) / 6;
    const bool is_blocked = m > 1;
    const struct cost D = is_blocked ? dense_broadcast_sync(&d, q, d.w, q) : none;
    const struct cost DL = is_blocked && c > 1 ? dense_broadcast(&d, c, d.w, layer) : none;
    const struct cost R = is_blocked ? dense_broadcast_sync(&d, q, d.w, 1) : none;
    const struct cost V = is_blocked ? dense_broadcast(&d, q, d.w, q) : none;
    const double diagonal_s = is_blocked ? dense_kernel_s(&d, FR_DSYRK) / (q * q * c) : 0;
    const double product_s = m > 2 ? dense_kernel_s(&d, FR_DGEMM) / (q * q * c) : 0;
    const struct update u = { diagonal_s, product_s };
    const double panel_s = R.time_s + V.time_s;
    double hidden = 0; /* of each second of panel communication */

    if (d.is_overlapped && panel_s > 0)
        hidden = look_ahead_hidden_s(&u, panel_s / (q * c), m - 1) / panel_s;

    if (c > 1)
        dense_communicate(&d, "reduce_layers",
                          cost_times(r * (r + 1) / 2, dense_reduce(&d, c, d.w, layer)), 0);
    dense_compute(&d, "dpotrf", m * dense_kernel_s(&d, FR_DPOTRF));
    dense_communicate(&d, "broadcast_diagonal_layers", cost_times(m - 1, DL), 0);
    dense_communicate(&d, "broadcast_diagonal", cost_times(m - 1, D), 0);
    if (is_blocked)
        dense_compute(&d, "dtrsm", share * dense_kernel_s(&d, FR_DTRSM));
    dense_communicate(&d, "broadcast_panel_row", cost_times(share, R), hidden * R.time_s);
    dense_communicate(&d, "broadcast_panel_column", cost_times(share, V), hidden * V.time_s);
    dense_compute(&d, "dsyrk", sum_K * diagonal_s);
    dense_compute(&d, "dgemm", sum_products * product_s);
}

static void predict(const void *values, struct fr_evaluation *run)
{
    const struct cholesky *v = values;
    const struct dense d = dense_derive(&v->common, run);
    const double local = (d.n / d.q) * (d.n / d.q), buffers = d.is_overlapped ? 2 : 1;

    if (v->panel_pricing == CHAIN && d.c > 1)
        refined_cholesky_layers(&d);
    else if (d.is_refined)
        refined_cholesky(&d, v->panel_pricing == CHAIN);
    else
        factor(&d);
    dense_finish(&d, &v->common, d.n * d.n * d.n / 3, local + d.w + 2 * buffers * d.r * d.w / d.c);
}

static const char *const assumes[] = {
    "A symmetric positive definite matrix, lower triangle, block-cyclic over a square grid.",
    "Blocks per process are averages over the grid; with contention_model=refined those of the "
    "process that factors next and of the others in its column.",
    "Look-ahead by one hides the next panel perfectly, and costs communication_threads of the "
    "cores.",
    "2.5D works on big block columns: layers share the rows of a panel and sum their updates.",
    "With panel_pricing=chain a panel waits for the update of its own column alone, and what other "
    "columns update meanwhile is not charged again.",
    NULL,
};
static const char *const blind_spots[] = {
    "The busiest process: with few blocks per process the update is underestimated by about "
    "1/(r-1) unless contention_model=refined.",
    "Larger replication makes blocks larger at equal r: compare variants at the best r of each.",
    "Ranks that share a node are not treated apart: the contention factors contain them.",
    "Derived by the source's methodology, not printed there (D17 to D20).",
    NULL,
};

const struct fr_model fr_model_cholesky = {
    .name = "cholesky",
    .summary = "Cholesky factorisation, right-looking with look-ahead, 2D and 2.5D.",
    .source =
        "methodology of González-Domínguez, Georganas, Zheng, Martín: Constructing "
        "Performance Models for Dense Linear Algebra Algorithms on Cray XE Systems, section IV; "
        "algorithm after Georganas et al. (SC'12)",
    .assumes = assumes,
    .blind_spots = blind_spots,
    DENSE_MODEL(struct cholesky),
};
