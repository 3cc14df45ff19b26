/* trsm: X U = B with U upper triangular, block-cyclic (dense-distributed.md 8).
 *
 * Step i sends row i of U down the columns, solves block column i of X, sends its blocks along the
 * rows and updates the K_i = m - 1 - i block columns to the right.  With c layers the rows of X are
 * shared out; U is copied to every layer.
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

static void solve(const struct dense *of)
{
    const struct dense d = *of;
    const double c = d.c, r = d.r, q = d.q, m = d.m;
    const double share = r / c;           /* solves of a process in one step */
    const double sum_K = m * (m - 1) / 2; /* of K_i over i = 0 ... m-2 */
    const struct cost bU = dense_broadcast_sync(&d, q, d.w, q);
    const struct cost bX = m > 1 ? dense_broadcast(&d, q, d.w, 1) : (struct cost){ 0 };
    const double S = dense_kernel_s(&d, FR_DTRSM);
    const double G = m > 1 ? dense_kernel_s(&d, FR_DGEMM) : 0;
    /* Blocks of U a process receives: averages, also in the last q steps, as printed. */
    const double blocks_of_U = d.is_overlapped ? r + sum_K / q : (sum_K + m - 1) / q + 1;
    const double hidden_s = d.is_overlapped ? sum_K / q * fmin(bU.time_s, share * G) : 0;

    if (c > 1) {
        const double layer = d.p / c;

        dense_communicate(&d, "replicate_u",
                          cost_times(r * (r + 1) / 2, dense_broadcast(&d, c, d.w, layer)), 0);
        dense_communicate(&d, "scatter_x", cost_times(r * r, dense_scatter(&d, c, d.w, layer)), 0);
        dense_communicate(&d, "gather_x", cost_times(r * r, dense_gather(&d, c, d.w, layer)), 0);
    }
    dense_communicate(&d, "broadcast_u", cost_times(blocks_of_U, bU), hidden_s);
    dense_communicate(&d, "broadcast_x", cost_times((m - 1) * share, bX), 0);
    dense_compute(&d, "dtrsm", m * share * S);
    dense_compute(&d, "dgemm", sum_K / q * share * G);
}

static void predict(const void *values, struct fr_evaluation *run)
{
    const struct trsm *v = values;
    const struct dense d = dense_derive(&v->common, run);
    const double local = (d.n / d.q) * (d.n / d.q), buffers = d.is_overlapped ? 2 : 1;

    if (d.is_refined)
        refined_trsm(&d);
    else
        solve(&d);
    dense_finish(&d, &v->common, d.n * d.n * d.n,
                 2 * local + buffers * d.r * d.w + d.r / d.c * d.w);
}

static const char *const assumes[] = {
    "Square matrices, block-cyclic over a square grid; X and U have the same order.",
    "Blocks of U per process are averages: fractional, and too few in the last steps; with "
    "contention_model=refined those of the process column that solves next.",
    "Overlap is perfect, and costs communication_threads of the cores in every kernel.",
    "Layers share the rows of X evenly; an X block of a layer is counted as a share of a square "
    "one.",
    NULL,
};
static const char *const blind_spots[] = {
    "The busiest process: with few blocks per process its load exceeds the average that is "
    "charged unless contention_model=refined.",
    "Ranks that share a node are not treated apart: the contention factors contain them.",
    "Noise, other jobs and process skew beyond what the contention benchmark saw.",
    NULL,
};

const struct fr_model fr_model_trsm = {
    .name = "trsm",
    .summary = "Triangular solve with many right-hand sides, X U = B, 2D and 2.5D.",
    .source = "González-Domínguez, Georganas, Zheng, Martín: Constructing Performance Models for "
              "Dense Linear Algebra Algorithms on Cray XE Systems, section V.B",
    .assumes = assumes,
    .blind_spots = blind_spots,
    DENSE_MODEL(struct trsm),
};
