/* trsm: X U = B with U upper triangular, block-cyclic (docs/models/dense.md#trsm).
 *
 * Step i broadcasts row i of U along the columns, solves block column i of X, broadcasts its blocks
 * along the rows and updates the K_i = m - 1 - i block columns to the right.  With c layers each
 * has 1/c of the rows of X, and a copy of U.
 */
#include "engine/dense/refined.h"

#include <math.h>

struct trsm {
    struct dense_values common;
};

static const struct fr_param params[] = {
    DENSE_PARAMS,
    DENSE_BLOCKS(FR_TUNABLE, .candidates = dense_blocks_candidates, ),
    FR_PARAMS_END,
};

static const enum fr_routine routines[] = { FR_DTRSM, FR_DGEMM };

static int resolve(void *values, const struct fr_calibration *cal, struct fr_faults *faults)
{
    static const struct dense_rules rules = {
        .communication_threads = 1,
        .routines = routines,
        .routine_count = 2,
    };
    struct trsm *v = values;

    return dense_resolve(&v->common, cal, &rules, faults);
}

/* Costs of one transfer, and the most blocks of a process. */
struct transfers {
    struct cost bU, bX;
    struct cost replicate_u, scatter_x, gather_x; /* in total */
    double updates;                               /* sum over i < m - 1 of the columns to update */
    double rows_of_U;                             /* blocks of U received without overlap */
};

/* docs/models/dense.md#trsm: every process has the average number of blocks. */
static struct transfers transfers_of(const struct dense *d)
{
    const double c = d->c, r = d->r, q = d->q, m = d->m, layer = d->p / c;
    const double sum_K = m * (m - 1) / 2; /* of K_i over i = 0 ... m-2 */
    struct transfers t = {
        .bU = dense_broadcast_sync(d, q, d->w, q),
        .updates = sum_K / q,
        .rows_of_U = (sum_K + m - 1) / q + 1,
    };

    if (m > 1)
        t.bX = dense_broadcast(d, q, d->w, 1);
    if (c > 1) {
        t.replicate_u = cost_times(r * (r + 1) / 2, dense_broadcast(d, c, d->w, layer));
        t.scatter_x = cost_times(r * r, dense_scatter(d, c, d->w, layer));
        t.gather_x = cost_times(r * r, dense_gather(d, c, d->w, layer));
    }
    return t;
}

/* The time of a broadcast that is under way during updates, over that of one that is waited for. */
static double slowness_ahead(const struct dense *d)
{
    double ahead_s;

    if (d->q == 1 || !refined_is_measured(d, FR_BROADCAST_BOTH_AHEAD) ||
        !refined_is_measured(d, FR_BROADCAST_BOTH))
        return 1;
    ahead_s = refined_pattern(d, FR_BROADCAST_BOTH_AHEAD, d->w, REFINED_MAXIMUM).time_s;
    return ahead_s / refined_pattern(d, FR_BROADCAST_BOTH, d->w, REFINED_MAXIMUM).time_s;
}

/* docs/models/dense.md#refined-trsm: the process column that solves next has the most blocks, and
 * all processes wait for it. */
static struct transfers refined_transfers(const struct dense *d)
{
    const double r = d->r;
    const double rows_of_U = d->q * r * (r + 1) / 2; /* sum of ceil(K/q) over K = 1 ... m */
    struct transfers t = {
        .bU = refined_panel(d, FR_BROADCAST_COLUMN, FR_BROADCAST_COLUMN_ALONE, d->w, rows_of_U),
        .bX = refined_pattern(d, FR_BROADCAST_ROW, d->w, REFINED_MAXIMUM),
        .replicate_u =
            cost_times(r * (r + 1) / 2, refined_optional_pattern(d, FR_BROADCAST_LAYERS, d->w)),
        .scatter_x = cost_times(r * r, refined_optional_pattern(d, FR_SCATTER_LAYERS, d->w)),
        .gather_x = cost_times(r * r, refined_optional_pattern(d, FR_GATHER_LAYERS, d->w)),
        .updates = rows_of_U - r,
        .rows_of_U = rows_of_U,
    };

    if (d->is_overlapped)
        t.bU.time_s *= slowness_ahead(d);
    return t;
}

/* Times of all broadcasts: the first of U and of X in each step as in measured steps, the others at
 * the pace of those that follow; X alone, if U is under way during the updates
 * (docs/models/dense.md#measured-steps-of-trsm-and-cholesky). */
static void price_steps(const struct dense *d, struct cost *broadcast_u, struct cost *broadcast_x)
{
    const double r = d->r, q = d->q, m = d->m, part = d->w / d->c;
    const enum refined_statistic slowest = REFINED_MAXIMUM;
    const double u_s = refined_pattern(d, FR_BROADCAST_COLUMN, d->w, slowest).time_s;
    const double x_s = refined_pattern(d, FR_BROADCAST_ROW, part, slowest).time_s;
    const struct refined_steps steps =
        refined_steps(d, FR_SOLVE_STEPS, FR_SOLVE_STEPS_FOUR, d->w, 0, u_s + (q - 1) / q * x_s);
    double first_s = steps.first * x_s;

    if (d->is_overlapped) {
        const double all_s = q * refined_pattern(d, FR_SOLVE_STEPS_AHEAD, d->w, slowest).time_s;

        first_s = fmax(0, all_s - u_s) / (q - 1);
    } else {
        broadcast_u->time_s = (m * steps.first + q * r * (r - 1) / 2 * steps.pace) * u_s;
    }
    broadcast_x->time_s = (m - 1) * (first_s + (r - 1) * steps.pace * x_s);
}

static void solve(const struct dense *d)
{
    const struct transfers t = d->is_refined ? refined_transfers(d) : transfers_of(d);
    const double m = d->m, share = d->r / d->c; /* solves of a process in one step */
    const double S = dense_kernel_s(d, FR_DTRSM), G = m > 1 ? dense_kernel_s(d, FR_DGEMM) : 0;
    const double rows_of_U = d->is_overlapped ? d->r + t.updates : t.rows_of_U;
    const double hidden_s = d->is_overlapped ? t.updates * fmin(t.bU.time_s, share * G) : 0;

    struct cost broadcast_u = cost_times(rows_of_U, t.bU);
    struct cost broadcast_x = cost_times((m - 1) * share, t.bX);

    if (d->is_refined && d->q > 1 && refined_is_measured(d, FR_SOLVE_STEPS) &&
        (!d->is_overlapped || refined_is_measured(d, FR_SOLVE_STEPS_AHEAD)))
        price_steps(d, &broadcast_u, &broadcast_x);
    dense_communicate(d, "replicate_u", t.replicate_u, 0);
    dense_communicate(d, "scatter_x", t.scatter_x, 0);
    dense_communicate(d, "gather_x", t.gather_x, 0);
    dense_communicate(d, "broadcast_u", broadcast_u, hidden_s);
    dense_communicate(d, "broadcast_x", broadcast_x, 0);
    dense_compute(d, "dtrsm", m * share * S);
    dense_compute(d, "dgemm", t.updates * share * G);
}

/* docs/models/dense.md#lower-bounds: the last process column has most updates. */
static void bound(const struct dense *d)
{
    const double c = d->c, r = d->r, q = d->q, m = d->m;
    const double S = dense_kernel_s(d, FR_DTRSM), G = m > 1 ? dense_kernel_s(d, FR_DGEMM) : 0;

    fr_bound(d->run->out, "work", r * r / c * (S + (q * (r + 1) / 2 - 1) * G));
    fr_bound(d->run->out, "critical_path", (m * S + (m - 1) * G) / c);
    dense_bound_network(d, (q - 1) * (r * (r + 1) / 2 + r * r / c) * d->w);
}

static void predict(const void *values, struct fr_evaluation *run)
{
    const struct trsm *v = values;
    const struct dense d = dense_derive(&v->common, run);
    const double local = (d.n / d.q) * (d.n / d.q), buffers = d.is_overlapped ? 2 : 1;

    solve(&d);
    bound(&d);
    dense_finish(&d, &v->common, d.n * d.n * d.n,
                 2 * local + buffers * d.r * d.w + d.r / d.c * d.w);
}

const struct fr_model fr_model_trsm = {
    .name = "trsm",
    .summary = "Triangular solve with many right-hand sides, X U = B, 2D and 2.5D.",
    .source = "González-Domínguez, Georganas, Zheng, Martín: Constructing Performance Models for "
              "Dense Linear Algebra Algorithms on Cray XE Systems, section V.B",
    .assumes = FR_TEXTS(
        "Square matrices, block-cyclic over a square grid; X and U have the same order.",
        "Blocks of U per process are averages, too few in the last steps; with "
        "contention_model=refined they are those of the process column that solves next.",
        "Overlap is perfect, and costs communication_threads of the cores in every kernel.",
        "Layers share the rows of X evenly; a block of X in a layer counts as a share of a square "
        "block."),
    .blind_spots = FR_TEXTS(
        "The busiest process: with few blocks per process its load exceeds the average; only "
        "contention_model=refined charges it.",
        "Messages within a node have no price of their own: the contention factors contain them.",
        "Noise, other jobs and process skew beyond what the contention benchmark saw."),
    .error_fraction = 0.09,
    DENSE_MODEL(struct trsm, FR_USE(DGEMM) | FR_USE(DTRSM)),
};
