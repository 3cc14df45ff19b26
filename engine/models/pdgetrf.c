/* pdgetrf: LU factorization with partial pivoting of ScaLAPACK
 * (docs/models/block_cyclic.md#pdgetrf). */
#include "engine/block_cyclic/walk.h"

#include <math.h>

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
    const double width = (double)cyclic_least(v->block_size, least);
    const double few = fmin((double)v->n, floor(width * (double)v->block_size / 4));
    /* the panels with so few columns right of them, which their owners solve for */
    const double panels = ceil(fmin((double)least, few) / width);

    return cyclic_panel_work(v, least) +
           (v->process_rows == 1 ? panels * floor(few / CYCLIC_SLICE) : 0);
}

static const char *dtrsm(const void *values)
{
    (void)values;
    return "LLN";
}

/* Process rows below a panel that may end last: the first, and of those with as many rows, which
 * follow each other, the last. */
enum { RING_ENDS = 6 };
struct ring_end {
    int64_t hops; /* from the first until it has a message and passed it on */
    double rows;
};
/* A panel of the factorization. */
struct panel {
    int64_t first, width, row, column; /* j, jb, r, c */
    struct cyclic_spans left, right;   /* matrix columns beside it */
    size_t ends;
    struct ring_end end[RING_ENDS]; /* `ends` of them */
};

/* Of process rows with as many rows the farthest ends last. */
static void add_ring_end(struct panel *p, struct ring_end end)
{
    size_t i = 0;

    while (i < p->ends && p->end[i].rows != end.rows)
        i++;
    if (i == p->ends)
        p->end[p->ends++] = end;
    else if (p->end[i].hops < end.hops)
        p->end[i] = end;
}

static void find_ring_ends(const struct cyclic_walk *walk, struct panel *p)
{
    const int64_t P = walk->rows;
    const struct cyclic_range range =
        cyclic_range_of(walk->v->m, walk->block, P, p->first + p->width);
    const int64_t row[RING_ENDS] = {
        p->row,        p->row + P - 1, P - 1, range.before.last + P - 1, range.all.last + P - 1,
        range.all.last
    };

    for (size_t i = 0; i < RING_ENDS; i++) {
        const int64_t a = row[i] < P ? row[i] : row[i] - P;
        const int64_t distance = a < p->row ? a - p->row + P : a - p->row;

        add_ring_end(p, (struct ring_end){ distance ? cyclic_least(distance + 1, P - 1) : 0,
                                           (double)cyclic_range_share(&range, a) });
    }
}

/* Seconds of the messages of all matrix columns of a panel: the search, the exchange with a random
 * row, the broadcast of the rest of the pivot row. */
static double collectives_s(struct cyclic_walk *walk, const struct panel *p)
{
    const double P = (double)walk->rows, jb = (double)p->width;

    if (cyclic_follows_members(&walk->net, p->width))
        return cyclic_pivots_s(&walk->net, p->row, p->width);
    return jb * (cyclic_combine_s(&walk->net) +
                 (P - 1) / P * cyclic_random_row_s(&walk->net, p->row, 8 * jb)) +
           cyclic_shrinking_s(walk, cyclic_broadcast_s, p->width);
}

/* Seconds of the panel: search, swap and scale each column, and update the rest of the panel. */
static double factor_s(struct cyclic_walk *walk, const struct panel *p)
{
    const struct cyclic_kernels *kernels = &walk->kernels;
    const int64_t rows = cyclic_most_rows_from(walk->v->m, walk->block, walk->rows, p->first);
    const double P = (double)walk->rows, jb = (double)p->width;
    const struct cyclic_steps all = { (double)rows, -1 }, below = { (double)rows - 1, -1 };
    const struct cyclic_steps right = { jb - 1, -1 };

    cyclic_count(&walk->clocks, 4 * jb * cyclic_doublings(walk->rows) / P / (double)walk->columns,
                 4 * jb);
    return collectives_s(walk, p) + jb / P * cyclic_rowswap_s(kernels, jb) +
           cyclic_idamaxes_s(kernels, cyclic_least(p->width, rows), all) +
           cyclic_dscals_s(kernels, cyclic_least(p->width, rows - 1), below) +
           cyclic_dgers_s(kernels, cyclic_least(p->width, rows) - 1, below, right);
}

/* Programs make columns as long as the rows that a process has (numroc.f): those of the first and
 * the last process, or of the one with the last block. */
static bool is_on_pages(const struct cyclic_walk *walk)
{
    const int64_t m = walk->v->m, P = walk->rows, last = (m - 1) / walk->block % P;
    const int64_t processes[] = { 0, P - 1, last };

    for (size_t i = 0; i < sizeof processes / sizeof *processes; i++) {
        const int64_t rows = cyclic_rows(m, walk->block, processes[i], P);

        if (rows && rows * (int64_t)sizeof(double) % FR_PAGE_BYTES == 0)
            return true;
    }
    return false;
}

/* One row after the other, each with the process row of the panel (pdlaswp.f). */
static double swap_s(struct cyclic_walk *walk, const struct panel *p, int64_t columns)
{
    const double P = (double)walk->rows, jb = (double)p->width, N = (double)columns;
    const struct cyclic_matrix matrix = { cyclic_matrix_bytes(walk, walk->v->m, walk->v->n),
                                          is_on_pages(walk) };

    return jb * ((P - 1) / P) *
               (cyclic_random_row_s(&walk->net, p->row, 8 * N) +
                cyclic_new_row_s(&walk->kernels, N, &matrix)) +
           jb / P * cyclic_long_rowswap_s(&walk->kernels, N, &matrix);
}

static void swap_rows(struct cyclic_walk *walk, const struct panel *p,
                      const struct cyclic_spans *spans)
{
    const double P = (double)walk->rows;

    for (size_t i = 0; i < spans->count; i++) {
        const struct cyclic_span *span = &spans->of[i];

        cyclic_spend_each(&walk->clocks, span, CYCLIC_SWAP, swap_s(walk, p, span->share));
        if (cyclic_span_has(span, 0, walk->columns))
            cyclic_count(&walk->clocks, 2 * (double)p->width * (P - 1) / P / P,
                         8 * (double)span->share);
    }
}

/* Few columns are left: they go to the owner of the triangle, which solves for all and returns
 * them (PB_CptrsmB.c). */
static void solve_at_owner(struct cyclic_walk *walk, const struct panel *p)
{
    struct cyclic_clocks *clocks = &walk->clocks;
    struct cyclic_clock *owner = &clocks->of[p->column];
    const struct cyclic_range range = cyclic_columns_from(walk, walk->v->n, p->first + p->width);
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
    for (int64_t s = 0; s < p->width; s += CYCLIC_SLICE) {
        const int64_t width = cyclic_least(CYCLIC_SLICE, p->width - s);
        const double b = (double)width, left = (double)(p->width - s);

        if (is_ring)
            cyclic_ring(&walk->clocks, p->column, 8 * left * b);
        else
            cyclic_split_ring(&walk->clocks, p->column, 8 * left * b);
        for (size_t i = 0; i < p->right.count; i++) {
            const double columns = (double)p->right.of[i].share;

            cyclic_spend_each(&walk->clocks, &p->right.of[i], CYCLIC_SOLVE_TRIANGLE,
                              cyclic_trsm_s(&walk->kernels, b, columns) +
                                  cyclic_gemm_s(&walk->kernels, left - b, columns, b));
        }
    }
}

/* Broadcast down a column and update. */
struct update {
    double broadcast_s, update_s;
};

/* In a ring.  The process row that ends last counts. */
static struct update update_by_ring(struct cyclic_walk *walk, const struct panel *p, double columns)
{
    const double bytes = 8 * (double)p->width * columns;
    struct update latest = { 0, -1 };

    for (size_t i = 0; i < p->ends; i++) {
        const struct ring_end *end = &p->end[i];
        const struct update one = {
            .broadcast_s = end->hops ? cyclic_down_s(&walk->net, p->row, end->hops, bytes) : 0,
            .update_s = cyclic_gemm_s(&walk->kernels, end->rows, columns, (double)p->width),
        };

        if (one.broadcast_s + one.update_s > latest.broadcast_s + latest.update_s)
            latest = one;
    }
    return latest;
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
    const double P = (double)walk->rows;

    for (size_t i = 0; i < p->right.count; i++) {
        const struct cyclic_span *span = &p->right.of[i];
        const double columns = (double)span->share;
        const struct update cost = update_of(walk, p, columns, is_forced);

        cyclic_spend_each(&walk->clocks, span, CYCLIC_BROADCAST, cost.broadcast_s);
        cyclic_spend_each(&walk->clocks, span, CYCLIC_UPDATE, cost.update_s);
        if (cyclic_span_has(span, 0, walk->columns) && walk->rows > 1)
            cyclic_count(&walk->clocks, (P - 1) / P, 8 * (double)p->width * columns);
    }
}

static void eliminate(struct cyclic_walk *walk, const struct panel *p)
{
    const struct cyclic_values *v = walk->v;
    const int64_t end = p->first + p->width, right = v->n - end, below = v->m - end;
    const bool is_ring = p->width > CYCLIC_SLICE && right > CYCLIC_SLICE;

    cyclic_spend_on(&walk->clocks, p->column, CYCLIC_PANEL, factor_s(walk, p));
    cyclic_split_ring(&walk->clocks, p->column, 4 * (double)p->width);
    swap_rows(walk, p, &p->left);
    swap_rows(walk, p, &p->right);
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

static bool step(void *context, int64_t number)
{
    struct cyclic_walk *walk = context;
    const struct cyclic_values *v = walk->v;
    const int64_t first = number * v->block_size;
    const int64_t width = cyclic_least(v->block_size, cyclic_least(v->m, v->n) - first);
    struct panel p = {
        .first = first,
        .width = width,
        .row = number % v->process_rows,
        .column = number % v->process_columns,
        .left = cyclic_column_spans(walk, first, 0),
        .right = cyclic_column_spans(walk, v->n, first + width),
    };

    find_ring_ends(walk, &p);
    eliminate(walk, &p);
    return true;
}

/* Whether the walk came to its end within the limit of the question. */
static bool walk_panels(struct cyclic_walk *walk)
{
    return cyclic_follow_panels(walk, step, walk);
}

static struct cyclic_course course(const struct cyclic_values *v)
{
    return (struct cyclic_course){ *v, walk_panels, flops_of(v),
                                   cyclic_factor_words(v, v->m, v->n) };
}

static int resolve(void *values, const struct fr_calibration *cal, struct fr_faults *faults)
{
    static const struct cyclic_rules rules = { .needs_trsm = true,
                                               .work = work,
                                               .course = course,
                                               .work_of = cyclic_work_of_blocks,
                                               .dtrsm = dtrsm };

    return cyclic_resolve(values, cal, &rules, faults);
}

const struct fr_model fr_model_pdgetrf = {
    .name = "pdgetrf",
    .summary = "LU factorization with partial pivoting of ScaLAPACK on a P x Q grid.",
    .source = "ScaLAPACK: pdgetrf.f, pdgetf2.f, pdlaswp.f, pdamax_.c, pdswap_.c, pdger_.c",
    .assumes = FR_TEXTS(
        "Pivots are random: the pivot of a row is in another process row with probability (P-1)/P.",
        "Process rows wait for each other in every panel, so that one clock for each process "
        "column suffices."),
    .blind_spots = FR_TEXTS(
        "Latencies that depend on distance, without network.latency_by_distance.",
        "Pivots that are not random.", "Other jobs, and noise beyond what the calibration saw."),
    CYCLIC_COURSE,
    .error_fraction = 0.11,
    CYCLIC_MODEL(struct cyclic_values, FR_USE(DGEMM) | FR_USE(DTRSM), CYCLIC_BLACS),
};
