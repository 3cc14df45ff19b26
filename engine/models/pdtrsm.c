/* pdtrsm: triangular solve with many right-hand sides by the PBLAS
 * (docs/models/block_cyclic.md#pdtrsm).
 *
 * Described is X A = B with A of order n; A X = B is its mirror image.
 */
#include "engine/block_cyclic/walk.h"

#include <inttypes.h>
#include <math.h>

struct pdtrsm {
    struct cyclic_values common;
};

static const struct fr_param params[] = {
    CYCLIC_SIZE(m, "Rows of B."),
    CYCLIC_SIZE(n, "Columns of B."),
    CYCLIC_SIDE,
    CYCLIC_PARAMS,
    CYCLIC_UPLO("Triangle of A; it changes directions, not the time."),
    CYCLIC_TRANSPOSE(trans, "A"),
    FR_PARAMS_END,
};

static int64_t order_of(const struct cyclic_values *v)
{
    return v->side == CYCLIC_LEFT ? v->m : v->n;
}

static double work(const void *values)
{
    const struct cyclic_values *v = values;

    return (double)cyclic_blocks(order_of(v), CYCLIC_SLICE) *
           ((double)v->process_rows + (double)v->process_columns);
}

static const char *work_of(const void *values)
{
    const struct cyclic_values *v = values;

    return v->side == CYCLIC_LEFT ? "m" : "n";
}

/* The PBLAS move A and B if that is the lesser volume (pdtrsm_.c); the other variant is not
 * modelled (docs/models/block_cyclic.md#decision-few-right-hand-sides-are-refused). */
static void check(const void *values, struct fr_faults *faults)
{
    const struct cyclic_values *v = values;
    const struct cyclic_values left = v->side == CYCLIC_LEFT ? *v : cyclic_mirrored(v);
    const int64_t nb = v->block_size, P = left.process_rows, Q = left.process_columns;
    const double order = (double)left.m;
    const double order_share = (double)(cyclic_blocks(cyclic_blocks(left.m, nb), P) * nb);
    const double sides_share = (double)(cyclic_blocks(cyclic_blocks(left.n, nb), Q) * nb);
    const double both = order * ((Q > 1 ? order_share / 2 : 0) + (P > 1 ? sides_share : 0));
    const double alone =
        2 * (double)left.n * ((P > 1 ? (double)(cyclic_blocks(left.m, nb) * nb) : 0) + (Q > 1));
    const char *sides = v->side == CYCLIC_LEFT ? "n" : "m";
    const char *line = v->side == CYCLIC_LEFT ? "process_rows" : "process_columns";

    if (both <= alone)
        return;
    if (P > 1)
        fr_fault(faults, FR_RELATION, sides,
                 "%" PRId64 " right-hand sides are few for order %" PRId64
                 ": the PBLAS move B alone, up to 15 times slower; solve for more at once, or "
                 "choose another grid or block_size",
                 left.n, left.m);
    else
        fr_fault(faults, FR_RELATION, line,
                 "1: the PBLAS move B alone, from process to process, up to 15 times slower; "
                 "choose another grid");
}

static const char *dtrsm(const void *values)
{
    static const char *const flags[2][2] = { { "LLN", "LUN" }, { "RLN", "RUN" } };
    const struct cyclic_values *v = values;

    return flags[v->side == CYCLIC_RIGHT][v->uplo == CYCLIC_UPPER];
}

static int resolve(void *values, const struct fr_calibration *cal, struct fr_faults *faults)
{
    static const struct cyclic_rules rules = {
        .needs_trsm = true, .work = work, .work_of = work_of, .dtrsm = dtrsm, .check = check
    };

    return cyclic_resolve(values, cal, &rules, faults);
}

/* The slice of A travels down the columns. */
static void send_slice(struct cyclic_walk *walk, int64_t s, double width, bool is_ring,
                       double *fill_s)
{
    const int64_t r = s / walk->block % walk->rows;
    const double passed_on = (double)(walk->rows - 1) / (double)walk->rows;
    const struct cyclic_range range = cyclic_columns_from(walk, walk->v->n, s);
    struct cyclic_widths widths = { 0 };
    double cost_s[CYCLIC_WIDTHS];

    for (int64_t q = 0; q < walk->columns; q++) {
        const int64_t columns = cyclic_range_share(&range, q);
        const double bytes = 8 * width * (double)columns;
        bool is_new;
        const size_t i = cyclic_width_index(&widths, columns, &is_new);

        if (q == 0 && columns)
            cyclic_count(&walk->clocks, passed_on, bytes);
        if (columns == 0)
            continue;
        if (is_new && is_ring) {
            const double hop_s = cyclic_column_s(&walk->net, r, (r + 1) % walk->rows, bytes);

            cost_s[i] = hop_s * (walk->rows > 2 ? 2 : 1);
            if (s == 0)
                *fill_s = fmax(*fill_s, (double)(walk->rows - 2) * hop_s);
        } else if (is_new) {
            cost_s[i] = cyclic_broadcast_s(&walk->net, bytes);
        }
        cyclic_spend(&walk->clocks.of[q], CYCLIC_BROADCAST, cost_s[i]);
    }
}

static void update(struct cyclic_walk *walk, int64_t first, double rows, double width)
{
    const struct cyclic_range range = cyclic_columns_from(walk, walk->v->n, first);
    struct cyclic_widths widths = { 0 };
    double cost_s[CYCLIC_WIDTHS];

    for (int64_t q = 0; q < walk->columns; q++) {
        const int64_t columns = cyclic_range_share(&range, q);
        bool is_new;
        const size_t i = cyclic_width_index(&widths, columns, &is_new);

        if (is_new)
            cost_s[i] = cyclic_gemm_s(&walk->kernels, rows, (double)columns, width);
        cyclic_spend(&walk->clocks.of[q], CYCLIC_UPDATE, cost_s[i]);
    }
}

static void solve(struct cyclic_walk *walk)
{
    const struct cyclic_values *v = walk->v;
    const double rows = (double)cyclic_rows(v->m, walk->block, 0, walk->rows);
    const bool is_ring = cyclic_least(v->m, v->n) > CYCLIC_SLICE;
    double fill_s = 0;

    for (int64_t s = 0; s < v->n; s += CYCLIC_SLICE) {
        const int64_t width = cyclic_least(CYCLIC_SLICE, v->n - s);
        const int64_t c = s / walk->block % walk->columns;

        if (walk->rows > 1)
            send_slice(walk, s, (double)width, is_ring, &fill_s);
        cyclic_spend(&walk->clocks.of[c], CYCLIC_SOLVE_TRIANGLE,
                     cyclic_trsm_s(&walk->kernels, (double)width, rows));
        if (s + width >= v->n)
            continue;
        if (v->n > walk->block && is_ring)
            cyclic_ring(&walk->clocks, c, 8 * rows * (double)width);
        else if (v->n > walk->block)
            cyclic_row_tree(&walk->clocks, c, 8 * rows * (double)width);
        update(walk, s + width, rows, (double)width);
    }
    cyclic_spend_all(&walk->clocks, CYCLIC_BROADCAST, fill_s);
}

static double memory_words(const struct cyclic_values *v)
{
    const int64_t nb = v->block_size, P = v->process_rows, Q = v->process_columns;
    const int64_t order = order_of(v);
    const double am = (double)cyclic_rows(v->m, nb, 0, P), bn = (double)cyclic_rows(v->n, nb, 0, Q);

    return (double)cyclic_rows(order, nb, 0, P) * (double)cyclic_rows(order, nb, 0, Q) + am * bn +
           CYCLIC_SLICE * (am + bn);
}

static void predict(const void *values, struct fr_evaluation *run)
{
    const struct cyclic_values *v = values;
    const struct cyclic_values seen = v->side == CYCLIC_LEFT ? cyclic_mirrored(v) : *v;
    struct cyclic_walk walk;

    if (cyclic_begin(&walk, &seen, run) != FR_OK)
        return;
    solve(&walk);
    cyclic_finish(&walk, v, (double)v->m * (double)v->n * (double)order_of(v), memory_words(v));
}

static const char *const assumes[] = {
    "The PBLAS of ScaLAPACK, in the variant that moves A and B, in slices of 32.",
    "Process rows wait for each other, so that one clock for each process column suffices.",
    NULL,
};
static const char *const blind_spots[] = {
    "Few right-hand sides and single lines of processes, which are refused; transposed operands.",
    "Noise, other jobs, kernels slowed by the other cores of a node.",
    NULL,
};

const struct fr_model fr_model_pdtrsm = {
    .name = "pdtrsm",
    .summary = "Triangular solve with many right-hand sides of ScaLAPACK (PBLAS) on a P x Q grid.",
    .source = "ScaLAPACK: pdtrsm_.c, PB_CptrsmAB.c",
    .assumes = assumes,
    .blind_spots = blind_spots,
    CYCLIC_MODEL(struct pdtrsm),
};
