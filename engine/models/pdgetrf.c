/* pdgetrf: LU factorization with partial pivoting of ScaLAPACK
 * (docs/models/block_cyclic.md#pdgetrf). */
#include "engine/block_cyclic/walk.h"

#include <math.h>

struct pdgetrf {
    struct cyclic_values common;
};

static const struct fr_param params[] = {
    CYCLIC_SIZE(m, "Rows of A."),
    CYCLIC_SIZE(n, "Columns of A."),
    CYCLIC_PARAMS,
    FR_PARAMS_END,
};

static double work(const void *values)
{
    const struct cyclic_values *v = values;
    const int64_t least = cyclic_least(v->m, v->n);
    const double panels = (double)cyclic_blocks(least, v->block_size);
    const double few = (double)cyclic_least(v->block_size, least) * (double)v->block_size / 4;
    const double slices = floor(fmin((double)v->n, floor(few)) / CYCLIC_SLICE);

    return cyclic_panel_work(v, least) + (v->process_rows == 1 ? panels * slices : 0);
}

static int resolve(void *values, const struct fr_calibration *cal, struct fr_faults *faults)
{
    static const struct cyclic_rules rules = { .needs_trsm = true,
                                               .work = work,
                                               .work_of = cyclic_work_of_blocks };

    return cyclic_resolve(values, cal, &rules, faults);
}

/* A panel of the factorization. */
struct panel {
    int64_t first, width, row, column; /* j, jb, r, c */
};

/* Seconds of the panel: search, swap and scale each column, and update the rest of the panel. */
static double factor_s(struct cyclic_walk *walk, const struct panel *p)
{
    const struct cyclic_kernels *kernels = &walk->kernels;
    const double rows = cyclic_most_rows(walk, walk->v->m, p->first), P = (double)walk->rows;
    const double jb = (double)p->width;
    const double column_s = cyclic_combine_s(&walk->net) +
                            (P - 1) / P * cyclic_random_row_s(&walk->net, p->row, 8 * jb) +
                            cyclic_rowswap_s(kernels, jb) / P;
    double sum = jb * column_s;

    for (int64_t i = 0; i < p->width; i++) {
        const double below = fmax(0, rows - (double)i), right = jb - (double)i - 1;

        sum += cyclic_idamax_s(kernels, below) + cyclic_dscal_s(kernels, below - 1);
        if (right > 0)
            sum += cyclic_broadcast_s(&walk->net, 8 * right) +
                   cyclic_dger_s(kernels, below - 1, right);
    }
    cyclic_count(&walk->clocks, 4 * jb * cyclic_doublings(walk->rows) / P / (double)walk->columns,
                 4 * jb);
    return sum;
}

/* One row after the other, each with the process row of the panel (pdlaswp.f). */
static double swap_s(struct cyclic_walk *walk, const struct panel *p, int64_t columns)
{
    const double P = (double)walk->rows, jb = (double)p->width, N = (double)columns;

    return jb * ((P - 1) / P) * cyclic_random_row_s(&walk->net, p->row, 8 * N) +
           jb / P * cyclic_rowswap_s(&walk->kernels, N);
}

/* The columns right of the panel. */
static struct cyclic_range right_of(const struct cyclic_walk *walk, const struct panel *p)
{
    return cyclic_columns_from(walk, walk->v->n, p->first + p->width);
}

static void swap_rows(struct cyclic_walk *walk, const struct panel *p, bool is_left)
{
    const double P = (double)walk->rows;
    const struct cyclic_range range =
        is_left ? cyclic_columns_from(walk, p->first, 0) : right_of(walk, p);
    struct cyclic_widths widths = { 0 };
    double cost_s[CYCLIC_WIDTHS];

    for (int64_t q = 0; q < walk->columns; q++) {
        const int64_t columns = cyclic_range_share(&range, q);
        bool is_new;
        const size_t i = cyclic_width_index(&widths, columns, &is_new);

        if (columns == 0)
            continue;
        if (is_new)
            cost_s[i] = swap_s(walk, p, columns);
        cyclic_spend(&walk->clocks.of[q], CYCLIC_SWAP, cost_s[i]);
        if (q == 0)
            cyclic_count(&walk->clocks, 2 * (double)p->width * (P - 1) / P / P,
                         8 * (double)columns);
    }
}

/* Few columns are left: they go to the owner of the triangle, which solves for all and returns
 * them (PB_CptrsmB.c). */
static void solve_at_owner(struct cyclic_walk *walk, const struct panel *p)
{
    struct cyclic_clocks *clocks = &walk->clocks;
    struct cyclic_clock *owner = &clocks->of[p->column];
    const struct cyclic_range range = right_of(walk, p);
    const double jb = (double)p->width;

    for (int64_t d = 1; d <= walk->columns; d++) {
        const int64_t q = (p->column + d) % walk->columns;
        const int64_t columns = cyclic_range_share(&range, q);
        double hop_s = 0;

        for (int64_t s = 0; s < columns; s += CYCLIC_SLICE) {
            const double width = (double)cyclic_least(CYCLIC_SLICE, columns - s);

            if (q != p->column) {
                hop_s = cyclic_row_s(&walk->net, q, p->column, 8 * jb * width);
                cyclic_until(owner, clocks->of[q].now_s);
                cyclic_spend(owner, CYCLIC_BROADCAST, hop_s);
                cyclic_count(clocks, 2 / (double)walk->columns, 8 * jb * width);
            }
            cyclic_spend(owner, CYCLIC_SOLVE_TRIANGLE, cyclic_trsm_s(&walk->kernels, jb, width));
            if (q != p->column)
                cyclic_spend(owner, CYCLIC_COPY, 2 * cyclic_packed_s(walk, jb, width, width));
        }
        if (q == p->column || columns == 0)
            continue;
        cyclic_until(&clocks->of[q], owner->now_s);
        cyclic_spend(&clocks->of[q], CYCLIC_BROADCAST, hop_s);
    }
}

/* The triangle travels along the rows in slices, and every column solves for its own. */
static void solve_everywhere(struct cyclic_walk *walk, const struct panel *p, bool is_ring)
{
    const struct cyclic_range range = right_of(walk, p);

    for (int64_t s = 0; s < p->width; s += CYCLIC_SLICE) {
        const int64_t width = cyclic_least(CYCLIC_SLICE, p->width - s);
        const double b = (double)width, left = (double)(p->width - s);
        struct cyclic_widths widths = { 0 };
        double cost_s[CYCLIC_WIDTHS];

        if (is_ring)
            cyclic_ring(&walk->clocks, p->column, 8 * left * b);
        else
            cyclic_split_ring(&walk->clocks, p->column, 8 * left * b);
        for (int64_t q = 0; q < walk->columns; q++) {
            const int64_t columns = cyclic_range_share(&range, q);
            bool is_new;
            const size_t i = cyclic_width_index(&widths, columns, &is_new);

            if (is_new)
                cost_s[i] = cyclic_trsm_s(&walk->kernels, b, (double)columns) +
                            cyclic_gemm_s(&walk->kernels, left - b, (double)columns, b);
            cyclic_spend(&walk->clocks.of[q], CYCLIC_SOLVE_TRIANGLE, cost_s[i]);
        }
    }
}

/* Broadcast down a column and update. */
struct update {
    double broadcast_s, update_s;
};

/* A ring of process rows, of which the one that ends last counts. */
static struct update update_by_ring(struct cyclic_walk *walk, const struct panel *p, double columns)
{
    const int64_t P = walk->rows;
    const struct cyclic_range range =
        cyclic_range_of(walk->v->m, walk->block, P, p->first + p->width);
    const double bytes = 8 * (double)p->width * columns;
    struct cyclic_widths widths = { 0 };
    double update_s[CYCLIC_WIDTHS], passed_s = 0;
    struct update last = { 0, -1 };

    for (int64_t d = 0; d < P; d++) {
        const int64_t a = (p->row + d) % P;
        const int64_t rows = cyclic_range_share(&range, a);
        const double next_s = d + 1 < P ? cyclic_column_s(&walk->net, a, (a + 1) % P, bytes) : 0;
        const double broadcast_s = passed_s + (d ? next_s : 0);
        bool is_new;
        const size_t i = cyclic_width_index(&widths, rows, &is_new);

        if (is_new)
            update_s[i] = cyclic_gemm_s(&walk->kernels, (double)rows, columns, (double)p->width);
        if (broadcast_s + update_s[i] > last.broadcast_s + last.update_s)
            last = (struct update){ broadcast_s, update_s[i] };
        passed_s += next_s;
    }
    return last;
}

static struct update update_of(struct cyclic_walk *walk, const struct panel *p, double columns,
                               bool is_forced)
{
    const double rows = cyclic_most_rows(walk, walk->v->m, p->first + p->width);

    if (is_forced && walk->rows > 1)
        return update_by_ring(walk, p, columns);
    return (struct update){
        .broadcast_s = cyclic_broadcast_s(&walk->net, 8 * (double)p->width * columns),
        .update_s = cyclic_gemm_s(&walk->kernels, rows, columns, (double)p->width),
    };
}

static void update_all(struct cyclic_walk *walk, const struct panel *p, bool is_forced)
{
    const struct cyclic_range range = right_of(walk, p);
    const double P = (double)walk->rows;
    struct cyclic_widths widths = { 0 };
    struct update cost[CYCLIC_WIDTHS];

    for (int64_t q = 0; q < walk->columns; q++) {
        const int64_t columns = cyclic_range_share(&range, q);
        bool is_new;
        const size_t i = cyclic_width_index(&widths, columns, &is_new);

        if (columns == 0)
            continue;
        if (is_new)
            cost[i] = update_of(walk, p, (double)columns, is_forced);
        cyclic_spend(&walk->clocks.of[q], CYCLIC_BROADCAST, cost[i].broadcast_s);
        cyclic_spend(&walk->clocks.of[q], CYCLIC_UPDATE, cost[i].update_s);
        if (q == 0 && walk->rows > 1)
            cyclic_count(&walk->clocks, (P - 1) / P, 8 * (double)p->width * (double)columns);
    }
}

static void step(struct cyclic_walk *walk, const struct panel *p)
{
    const struct cyclic_values *v = walk->v;
    const int64_t end = p->first + p->width, right = v->n - end, below = v->m - end;
    const bool is_ring = p->width > CYCLIC_SLICE && right > CYCLIC_SLICE;

    cyclic_spend(&walk->clocks.of[p->column], CYCLIC_PANEL, factor_s(walk, p));
    cyclic_split_ring(&walk->clocks, p->column, 4 * (double)p->width);
    swap_rows(walk, p, true);
    swap_rows(walk, p, false);
    if (right <= 0)
        return;
    if (walk->rows == 1 && walk->columns > 1 &&
        (double)p->width * (double)walk->block / 2 > 2 * (double)right)
        solve_at_owner(walk, p);
    else
        solve_everywhere(walk, p, is_ring);
    if (below <= 0)
        return;
    cyclic_split_ring(&walk->clocks, p->column,
                      8 * (double)p->width *
                          (double)cyclic_rows_from(v->m, walk->block, p->row, walk->rows, end));
    update_all(walk, p, is_ring && below > CYCLIC_SLICE);
}

static double flops_of(const struct cyclic_values *v)
{
    const double m = (double)v->m, n = (double)v->n, least = fmin(m, n);

    return 2 * m * n * least - (m + n) * least * least + 2 * least * least * least / 3 -
           least * least / 2;
}

static void predict(const void *values, struct fr_evaluation *run)
{
    const struct cyclic_values *v = values;
    const int64_t least = cyclic_least(v->m, v->n);
    struct cyclic_walk walk;

    if (cyclic_begin(&walk, v, run) != FR_OK)
        return;
    for (int64_t number = 0; number * v->block_size < least; number++) {
        const int64_t first = number * v->block_size;
        const struct panel p = { first, cyclic_least(v->block_size, least - first),
                                 number % v->process_rows, number % v->process_columns };

        step(&walk, &p);
    }
    cyclic_finish(&walk, v, flops_of(v), cyclic_factor_words(v, v->m, v->n));
}

static const char *const assumes[] = {
    "Pivots are random: the pivot of a row is in another process row with probability (P-1)/P.",
    "Process rows wait for each other in every panel, so that one clock for each process column "
    "suffices.",
    NULL,
};
static const char *const blind_spots[] = {
    "Latencies that depend on distance; pivots that are not random.",
    "Noise, other jobs, kernels slowed by the other cores of a node.",
    NULL,
};

const struct fr_model fr_model_pdgetrf = {
    .name = "pdgetrf",
    .summary = "LU factorization with partial pivoting of ScaLAPACK on a P x Q grid.",
    .source = "ScaLAPACK: pdgetrf.f, pdgetf2.f, pdlaswp.f, pdamax_.c, pdswap_.c, pdger_.c",
    .assumes = assumes,
    .blind_spots = blind_spots,
    CYCLIC_MODEL(struct pdgetrf),
};
