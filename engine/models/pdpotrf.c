/* pdpotrf: Cholesky factorization of ScaLAPACK (docs/models/block_cyclic.md#pdpotrf).
 *
 * Described is the lower triangle; the upper one is its mirror image.
 */
#include "engine/block_cyclic/walk.h"

#include <math.h>
#include <string.h>

struct pdpotrf {
    struct cyclic_values common;
};

static const struct fr_param params[] = {
    CYCLIC_SIZE(n, "Order of A."),
    CYCLIC_PARAMS,
    CYCLIC_UPLO("Triangle that is stored."),
    FR_PARAMS_END,
};

static double work(const void *values)
{
    const struct cyclic_values *v = values;

    return cyclic_panel_work(v, v->n);
}

/* A square root alone takes no time that kernels and messages would account for. */
static void check(const void *values, struct fr_faults *faults)
{
    const struct cyclic_values *v = values;

    if (v->n == 1 && v->process_rows * v->process_columns == 1)
        fr_fault(faults, FR_RELATION, "n", "1 on one process takes no time; at least 2");
}

static const char *dtrsm(const void *values)
{
    const struct cyclic_values *v = values;

    return v->uplo == CYCLIC_LOWER ? "RLT" : "LUT";
}

static int resolve(void *values, const struct fr_calibration *cal, struct fr_faults *faults)
{
    static const struct cyclic_rules rules = { .needs_trsm = true,
                                               .work = work,
                                               .work_of = cyclic_work_of_blocks,
                                               .dtrsm = dtrsm,
                                               .check = check };

    return cyclic_resolve(values, cal, &rules, faults);
}

enum { KNOWN_UPDATES = 64 };

/* One step: panel kappa, and what is below it. */
struct cholesky {
    struct cyclic_walk walk;
    double lead_s; /* when the owner of the next diagonal block is free */
    int64_t first, width, below;
    int64_t row, column, next_row, next_column; /* r, c, r', c' */
    int64_t divisor;                            /* the greatest common one of P and Q */
    int64_t blocks;                             /* rows of blocks below */
    bool is_forced;
    bool has_few_blocks;       /* of the whole matrix */
    struct cyclic_range right; /* matrix columns right of the panel */
    struct known_update {
        int64_t wide, high, offset, columns;
        double time_s;
    } known[KNOWN_UPDATES]; /* of this panel; wide 0: unused */
};

/* Seconds of potf2, a diagonal block factored by dot products (pdpotf2.f). */
static double diagonal_s(const struct cyclic_kernels *kernels, int64_t n)
{
    double sum = 0;

    for (int64_t i = 0; i < n; i++) {
        const double done = (double)i, left = (double)(n - i - 1);

        sum += cyclic_stream_s(kernels, 2 * kernels->line_bytes * done, 8 * done) +
               cyclic_dgemv_s(kernels, left, done) + cyclic_dscal_s(kernels, left);
    }
    return sum;
}

/* A slice sent down the column of the panel, `hops` of them on the critical path. */
static double down_s(const struct cholesky *f, double bytes, double hops)
{
    const struct cyclic_walk *walk = &f->walk;

    if (walk->rows == 1)
        return 0;
    return f->is_forced
               ? hops * cyclic_column_s(&walk->net, f->row, (f->row + 1) % walk->rows, bytes)
               : cyclic_broadcast_s(&walk->net, bytes);
}

/* The diagonal block, and its success told to all. */
static void factor(struct cholesky *f)
{
    struct cyclic_walk *walk = &f->walk;
    struct cyclic_clock *owner = &walk->clocks.of[f->column];
    const double jb = (double)f->width, b0 = (double)cyclic_least(CYCLIC_SLICE, f->width);
    const double told_s = cyclic_broadcast_s(&walk->net, 4);
    const int64_t others = walk->rows - 1;
    const double hops = (double)(f->has_few_blocks ? cyclic_least(others, f->blocks) : others);
    const double sent_s = f->below ? down_s(f, 8 * b0 * jb, hops) : 0;
    const double factor_s =
        diagonal_s(&walk->kernels, f->width) + (f->below ? cyclic_turned_s(walk, jb, b0, b0) : 0);
    const double all_s = factor_s + told_s + sent_s;
    const double gap_s = f->lead_s + all_s - owner->now_s;
    const int64_t Q = walk->columns;

    if (gap_s > 0) {
        cyclic_until(owner, owner->now_s + gap_s - fmin(gap_s, all_s));
        cyclic_spend(owner, CYCLIC_BROADCAST, fmin(gap_s, told_s + sent_s));
        cyclic_spend(owner, CYCLIC_PANEL, fmin(fmax(0, gap_s - told_s - sent_s), factor_s));
    }
    for (int64_t d = 1; d < Q; d++) {
        const double hop_s = cyclic_row_s(&walk->net, f->column, (f->column + 1) % Q, 4);

        cyclic_until(&walk->clocks.of[(f->column + d) % Q],
                     f->lead_s + factor_s + told_s + (double)cyclic_least(d, Q - d) * hop_s);
    }
}

/* The rows of the panel below the diagonal block, in slices. */
static void solve_panel(struct cholesky *f)
{
    struct cyclic_walk *walk = &f->walk;
    struct cyclic_clock *owner = &walk->clocks.of[f->column];
    const double rows = cyclic_most_rows(walk, walk->v->n, f->first + f->width);
    const double P = (double)walk->rows, Q = (double)walk->columns;

    for (int64_t s = 0; s < f->width; s += CYCLIC_SLICE) {
        const double left = (double)(f->width - s), b = fmin(CYCLIC_SLICE, left);

        if (s) {
            cyclic_spend(owner, CYCLIC_COPY, cyclic_turned_s(walk, left, b, b));
            cyclic_spend(owner, CYCLIC_BROADCAST, down_s(f, 8 * b * left, 1));
        }
        cyclic_spend(owner, CYCLIC_SOLVE_TRIANGLE,
                     cyclic_trsm_s(&walk->kernels, b, rows) +
                         cyclic_gemm_s(&walk->kernels, rows, left - b, b));
        cyclic_count(&walk->clocks, (P - 1) / P / Q, 8 * b * left);
    }
}

/* ---- transpose and update, several process columns --------------------------------------------
 */

static int64_t columns_of(const struct cholesky *f, int64_t q)
{
    return cyclic_range_share(&f->right, q);
}

static bool is_square(const struct cholesky *f)
{
    return f->walk.rows == f->walk.columns && f->walk.rows > 1;
}

/* Seconds in which a column turns the panel that it received. */
static double turn_s(const struct cholesky *f, int64_t columns)
{
    const struct cyclic_walk *walk = &f->walk;
    const bool is_whole = walk->rows == walk->columns || walk->rows == 1;
    const double blocks = (double)cyclic_blocks(columns, walk->block);

    return cyclic_turned_s(walk, (double)columns, (double)f->width,
                           (double)f->width * (is_whole ? 1 : fmax(1, blocks)));
}

/* On a square grid (i, j) and (j, i) exchange; the diagonal needs nobody. */
static void exchange(struct cholesky *f)
{
    struct cyclic_walk *walk = &f->walk;
    struct cyclic_widths widths = { 0 };
    double cost_s[CYCLIC_WIDTHS], latest_s, most = 0;

    f->lead_s = walk->clocks.of[f->next_column].now_s + turn_s(f, columns_of(f, f->next_column));
    latest_s = cyclic_clocks_latest(&walk->clocks);
    for (int64_t q = 0; q < walk->columns; q++) {
        const int64_t columns = columns_of(f, q);
        const double bytes = 8 * (double)f->width * (double)columns;
        const int64_t distance = (q - f->next_column + walk->columns) % walk->columns;
        bool is_new;
        const size_t i = cyclic_width_index(&widths, columns, &is_new);

        cyclic_until(&walk->clocks.of[q], latest_s);
        if (columns == 0)
            continue;
        if (is_new)
            cost_s[i] = cyclic_transpose_s(&walk->net, bytes);
        if (!f->has_few_blocks || f->blocks > distance + 1)
            cyclic_spend(&walk->clocks.of[q], CYCLIC_BROADCAST, cost_s[i]);
        most = fmax(most, bytes);
    }
    cyclic_count(&walk->clocks, 1, most);
}

/* The owner of the next panel packs it and sends each column its rows. */
static void scatter(struct cholesky *f)
{
    struct cyclic_walk *walk = &f->walk;
    const int64_t P = walk->rows, c = f->next_column;
    const double rows = cyclic_most_rows(walk, walk->v->n, f->first + f->width);
    const double parts = (double)(P / cyclic_common_divisor(P, walk->columns));
    struct cyclic_clock *owner = &walk->clocks.of[c];
    double start_s;

    cyclic_spend(owner, CYCLIC_COPY,
                 cyclic_packed_s(walk, rows, (double)f->width,
                                 (double)f->width * ceil(rows / (double)walk->block)));
    start_s = owner->now_s;
    for (int64_t q = 0; q < walk->columns; q++) {
        const int64_t columns = columns_of(f, q);
        double sent, bytes, hop_s;

        if (columns == 0)
            continue;
        sent = fmin(parts, (double)cyclic_blocks(columns, walk->block));
        bytes = 8 * (double)f->width * (double)columns / sent;
        hop_s = cyclic_column_s(&walk->net, (f->next_row + 1) % P, f->next_row, bytes);
        if (q != c)
            hop_s = fmax(hop_s, cyclic_row_s(&walk->net, c, q, bytes));
        cyclic_until(&walk->clocks.of[q], start_s);
        cyclic_spend(&walk->clocks.of[q], CYCLIC_BROADCAST, (sent - (q == c)) * hop_s);
    }
}

/* Blocks at the places first, first + step, ... below `count`. */
static int64_t places(int64_t first, int64_t step, int64_t count)
{
    return first < count ? (count - first - 1) / step + 1 : 0;
}

/* Seconds of the update of `wide` by `high` blocks, the first of which is `offset` common divisors
 * of P and Q right of the diagonal (PB_CpsyrkA.c; docs/models/block_cyclic.md#update-of-pdpotrf).
 */
static double blocks_s(struct cholesky *f, int64_t wide, int64_t high, int64_t offset,
                       double columns)
{
    struct cyclic_walk *walk = &f->walk;
    const int64_t P = walk->rows, Q = walk->columns, g = f->divisor;
    const double nb = (double)walk->block, jb = (double)f->width, p = (double)P, q = (double)Q;
    const double area = (double)(wide * high - cyclic_sum_of_ceilings(wide, Q / g, offset, P / g));
    const double slab = 2.0 * CYCLIC_SLICE * (p / (double)g * q), whole = area * nb / (double)wide;
    const double slab_width = fmin(columns, fmax(nb, slab / q));
    const double diagonal_width = fmin(columns, nb * p / (double)g);
    double inside, under;

    if (!wide || !high || area <= 0 || columns <= 0)
        return 0;
    inside = fmin(fmax(0, slab / p - nb) / 2, fmax(0, whole - nb / p));
    under = fmax(0, whole - nb / p - inside);
    return columns / slab_width * cyclic_gemm_s(&walk->kernels, under, slab_width, jb) +
           columns / diagonal_width * cyclic_gemm_s(&walk->kernels, inside, diagonal_width, jb) +
           (double)wide / p * cyclic_syrk_s(&walk->kernels, columns / (double)wide, jb);
}

/* Seconds of the update of a process with one block, so many blocks below the diagonal. */
static double single_block_s(struct cholesky *f, int64_t below, double columns)
{
    struct cyclic_kernels *kernels = &f->walk.kernels;
    const double jb = (double)f->width;

    if (below < 0)
        return 0;
    return below ? cyclic_gemm_s(kernels, (double)f->walk.block, columns, jb)
                 : cyclic_syrk_s(kernels, columns, jb);
}

/* Seconds of the update of the process `a` rows and `b` columns from the owner of the first
 * trailing block, which has `columns`.  ceil((b - a + v Q) / P) depends on b - a only through
 * ceil((b - a) / g), g the common divisor of P and Q, so that few processes differ. */
static double update_s(struct cholesky *f, int64_t a, int64_t b, int64_t columns)
{
    const int64_t blocks = cyclic_blocks(f->below, f->walk.block), P = f->walk.rows;
    const int64_t wide = places(b, f->walk.columns, blocks), high = places(a, P, blocks);
    const int64_t offset = b > a ? cyclic_blocks(b - a, f->divisor) : -((a - b) / f->divisor);
    const uint64_t key = (uint64_t)offset * 5 + (uint64_t)high * 3 + (uint64_t)(columns + wide);
    struct known_update *known = &f->known[key % KNOWN_UPDATES];

    if (f->has_few_blocks && wide == 1 && high == 1)
        return single_block_s(f, a - b, (double)columns);
    if (wide && (known->wide != wide || known->high != high || known->offset != offset ||
                 known->columns != columns))
        *known = (struct known_update){ wide, high, offset, columns,
                                        blocks_s(f, wide, high, offset, (double)columns) };
    return wide ? known->time_s : 0;
}

/* When the process `a` rows further has the panel of a column. */
static double received_s(const struct cholesky *f, int64_t a, double bytes)
{
    const struct cyclic_walk *walk = &f->walk;
    const int64_t P = walk->rows, half = P / 2;
    int64_t hops;

    if (P == 1 || is_square(f) || (f->has_few_blocks && f->blocks == 1))
        return 0;
    if (!f->is_forced)
        return cyclic_broadcast_s(&walk->net, bytes);
    if (a == 0)
        hops = cyclic_least(2, P - 1);
    else if (a <= half)
        hops = a + (a < half);
    else
        hops = 1 + (P - a) + (P - a < P - 1 - half);
    return (double)hops * cyclic_column_s(&walk->net, f->next_row, (f->next_row + 1) % P, bytes);
}

/* Of four processes of the column the one that ends last counts. */
static void update_column(struct cholesky *f, int64_t q, int64_t columns)
{
    struct cyclic_walk *walk = &f->walk;
    const int64_t P = walk->rows, blocks = cyclic_blocks(f->below, walk->block);
    const int64_t b = (q - f->next_column + walk->columns) % walk->columns;
    const int64_t last = (blocks - 1) % P, half = P / 2;
    const int64_t candidate[] = { 0, cyclic_least(last, half), cyclic_most(last, half), P - 1 };
    const double bytes = 8 * (double)f->width * (double)columns;
    struct cyclic_clock *clock = &walk->clocks.of[q];
    double most_received_s = 0, most_update_s = -1;

    cyclic_spend(clock, CYCLIC_COPY, turn_s(f, columns));
    if (b == 0)
        f->lead_s = (is_square(f) ? f->lead_s : clock->now_s + received_s(f, 0, bytes)) +
                    update_s(f, 0, 0, columns);
    for (size_t i = 0; i < sizeof candidate / sizeof candidate[0]; i++) {
        const double at_s = received_s(f, candidate[i], bytes);
        const double one_s = update_s(f, candidate[i], b, columns);

        if (at_s + one_s > most_received_s + most_update_s) {
            most_received_s = at_s;
            most_update_s = one_s;
        }
    }
    cyclic_spend(clock, CYCLIC_BROADCAST, most_received_s);
    cyclic_spend(clock, CYCLIC_UPDATE, most_update_s);
}

static void update_all(struct cholesky *f)
{
    struct cyclic_walk *walk = &f->walk;
    const double P = (double)walk->rows;
    double most = 0;

    if (is_square(f))
        exchange(f);
    else if (walk->rows > 1)
        scatter(f);
    for (int64_t q = 0; q < walk->columns; q++) {
        const int64_t columns = columns_of(f, q);

        most = fmax(most, (double)columns);
        if (columns)
            update_column(f, q, columns);
    }
    if (!is_square(f) && walk->rows > 1)
        cyclic_count(&walk->clocks, 1 + (P - 1) / P, 8 * (double)f->width * most);
}

/* ---- one process column -----------------------------------------------------------------------
 */

/* A and C move in slices (PB_CpsyrkAC.c; docs/models/block_cyclic.md#one-process-column). */
static void update_one_column(struct cholesky *f)
{
    struct cyclic_walk *walk = &f->walk;
    struct cyclic_clock *clock = &walk->clocks.of[0];
    const int64_t P = walk->rows, blocks = cyclic_blocks(f->below, walk->block);
    const double slices = ceil((double)f->below / CYCLIC_SLICE), jb = (double)f->width;
    const double bytes = 8 * CYCLIC_SLICE * jb;
    const int64_t candidate[] = { (blocks - 1) % P, P - 1 };
    double area = 0, rows;

    if (P > 1 && f->is_forced)
        cyclic_spend(clock, CYCLIC_BROADCAST,
                     (slices * (double)cyclic_least(2, P - 1) + (double)(P - 2)) *
                         cyclic_column_s(&walk->net, f->next_row, (f->next_row + 1) % P, bytes));
    else if (P > 1)
        cyclic_spend(clock, CYCLIC_BROADCAST, slices * cyclic_broadcast_s(&walk->net, bytes));
    if (P > 1)
        cyclic_count(&walk->clocks, slices * (double)(P - 1) / (double)P, bytes);
    for (size_t i = 0; i < 2; i++)
        area = fmax(area, (double)(blocks * places(candidate[i], P, blocks) -
                                   cyclic_sum_of_ceilings(blocks, 1, -candidate[i], P)));
    rows = (double)walk->block / (double)blocks * area;
    cyclic_spend(clock, CYCLIC_UPDATE,
                 slices * cyclic_gemm_s(&walk->kernels, rows, CYCLIC_SLICE, jb));
    cyclic_spend(clock, CYCLIC_COPY,
                 slices * cyclic_copy_s(&walk->kernels, rows, CYCLIC_SLICE, 24, CYCLIC_SLICE));
    f->lead_s = clock->now_s;
}

static void step(struct cholesky *f, int64_t number)
{
    struct cyclic_walk *walk = &f->walk;
    const int64_t n = walk->v->n;

    f->first = number * walk->block;
    f->width = cyclic_least(walk->block, n - f->first);
    f->below = n - f->first - f->width;
    f->blocks = cyclic_blocks(f->below, walk->block);
    f->row = number % walk->rows;
    f->column = number % walk->columns;
    f->next_row = (number + 1) % walk->rows;
    f->next_column = (number + 1) % walk->columns;
    f->is_forced = f->width > CYCLIC_SLICE && f->below > CYCLIC_SLICE;
    f->right = cyclic_columns_from(walk, n, f->first + f->width);
    memset(f->known, 0, sizeof f->known);
    factor(f);
    if (!f->below)
        return;
    solve_panel(f);
    if (walk->columns == 1) {
        update_one_column(f);
        return;
    }
    cyclic_split_ring(&walk->clocks, f->column,
                      8 * (double)f->width * cyclic_most_rows(walk, n, f->first + f->width));
    update_all(f);
}

/* docs/models/block_cyclic.md#decision-few-blocks */
static bool has_few_blocks(const struct cyclic_walk *walk, int64_t n)
{
    const int64_t few = 10, for_each = 2;
    const int64_t blocks = cyclic_blocks(n, walk->block);

    return blocks < few || blocks < for_each * cyclic_most(walk->rows, walk->columns);
}

static void predict(const void *values, struct fr_evaluation *run)
{
    const struct cyclic_values *v = values;
    struct cyclic_values seen = v->uplo == CYCLIC_UPPER ? cyclic_mirrored(v) : *v;
    const double n = (double)v->n;
    struct cholesky f = { .lead_s = 0 };

    seen.m = seen.n = v->n;
    if (cyclic_begin(&f.walk, &seen, run) != FR_OK)
        return;
    f.divisor = cyclic_common_divisor(f.walk.rows, f.walk.columns);
    f.has_few_blocks = has_few_blocks(&f.walk, v->n);
    for (int64_t number = 0; number * v->block_size < v->n; number++)
        step(&f, number);
    cyclic_finish(&f.walk, v, n * n * n / 3 + n * n / 2, cyclic_factor_words(v, v->n, v->n));
}

static const char *const assumes[] = {
    "Process rows wait for each other in every panel, so that one clock for each process column "
    "suffices; a second clock follows the owner of the next diagonal block.",
    NULL,
};
static const char *const blind_spots[] = {
    "Grids with many more rows than columns: up to 16 % too fast.  Few panels: up to 25 % too "
    "slow.",
    "Noise, other jobs, kernels slowed by the other cores of a node.",
    NULL,
};

const struct fr_model fr_model_pdpotrf = {
    .name = "pdpotrf",
    .summary = "Cholesky factorization of ScaLAPACK on a P x Q grid.",
    .source = "ScaLAPACK: pdpotrf.f, pdpotf2.f, PB_CptrsmAB.c, PB_CpsyrkA.c, PB_CpsyrkAC.c",
    .assumes = assumes,
    .blind_spots = blind_spots,
    CYCLIC_MODEL(struct pdpotrf),
};
