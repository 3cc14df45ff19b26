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
    struct cyclic_walk *walk;
    double lead_s;      /* when the owner of the next diagonal block is free */
    double lead_path_s; /* no later than that (docs/models/block_cyclic.md#lower-bound) */
    double packing_s;   /* how much longer the others of its column pack than it waits for parts */
    int64_t first, width, below;
    int64_t row, column, next_row, next_column; /* r, c, r', c' */
    int64_t divisor;                            /* the greatest common one of P and Q */
    int64_t blocks;                             /* rows of blocks below */
    bool is_forced;
    bool has_few_blocks;       /* of the whole matrix */
    struct cyclic_range right; /* matrix columns right of the panel */
    struct cyclic_spans spans; /* process columns by these */
    int64_t known_width;       /* of known_diagonal_s; 0: unused */
    double known_diagonal_s;
    struct known_update {
        int64_t wide, high, offset, columns;
        double diagonals, time_s;
    } known[KNOWN_UPDATES]; /* of this panel; wide 0: unused */
};

/* Seconds of potf2, a diagonal block factored by dot products (pdpotf2.f). */
static double diagonal_s(struct cholesky *f)
{
    const struct cyclic_kernels *kernels = &f->walk->kernels;

    if (f->known_width == f->width)
        return f->known_diagonal_s;
    f->known_width = f->width;
    f->known_diagonal_s = 0;
    for (int64_t i = 0; i < f->width; i++) {
        const double done = (double)i, left = (double)(f->width - i - 1);

        f->known_diagonal_s += cyclic_stream_s(kernels, 2 * kernels->line_bytes * done, 8 * done) +
                               cyclic_dgemv_s(kernels, left, done) + cyclic_dscal_s(kernels, left);
    }
    f->walk->clocks.steps += (double)f->width;
    return f->known_diagonal_s;
}

/* The owner of the next diagonal block is free so long after its column. */
static void lead_after(struct cholesky *f, double after_s)
{
    const struct cyclic_clocks *clocks = &f->walk->clocks;

    f->lead_s = clocks->of[f->next_column].now_s + after_s;
    f->lead_path_s = clocks->path_s + after_s;
}

/* Latencies by distance are those of single messages, so that columns are not taken to be in step
 * (docs/models/block_cyclic.md#decision-columns-in-step). */
static bool is_out_of_step(const struct cholesky *f)
{
    return f->walk->net.latencies != NULL;
}

/* A hop down a column while the other columns send nothing. */
static double alone_s(const struct cholesky *f, int64_t from, double bytes)
{
    const struct cyclic_network *net = &f->walk->net;
    const int64_t next = (from + 1) % f->walk->rows;

    return is_out_of_step(f) ? cyclic_lone_hop(net, from, next, bytes).time_s
                             : cyclic_column_s(net, from, next, bytes);
}

/* A slice sent down the column of the panel, `hops` of them on the critical path. */
static double down_s(const struct cholesky *f, double bytes, double hops)
{
    const struct cyclic_walk *walk = f->walk;

    if (walk->rows == 1)
        return 0;
    return f->is_forced ? hops * alone_s(f, f->row, bytes) : cyclic_broadcast_s(&walk->net, bytes);
}

/* The diagonal block, and its success told to all. */
static void factor(struct cholesky *f)
{
    struct cyclic_walk *walk = f->walk;
    struct cyclic_clock *owner = &walk->clocks.of[f->column];
    const double jb = (double)f->width, b0 = (double)cyclic_least(CYCLIC_SLICE, f->width);
    const double told_s = cyclic_broadcast_s(&walk->net, 4);
    const int64_t others = walk->rows - 1;
    const double hops = (double)(f->has_few_blocks ? cyclic_least(others, f->blocks) : others);
    const double sent_s = f->below ? down_s(f, 8 * b0 * jb, hops) : 0;
    const double factor_s = diagonal_s(f) + (f->below ? cyclic_turned_s(walk, jb, b0, b0) : 0);
    const double all_s = factor_s + told_s + sent_s;
    const double gap_s = f->lead_s + all_s - owner->now_s;
    const int64_t Q = walk->columns;
    double hop_s;

    /* Until then this process has no time for its part of the column. */
    walk->clocks.path_s = fmax(walk->clocks.path_s, f->lead_path_s + all_s);
    if (walk->clocks.is_bound)
        return;
    if (gap_s > 0) {
        cyclic_until(owner, owner->now_s + gap_s - fmin(gap_s, all_s));
        cyclic_spend(owner, CYCLIC_BROADCAST, fmin(gap_s, told_s + sent_s));
        cyclic_spend(owner, CYCLIC_PANEL, fmin(fmax(0, gap_s - told_s - sent_s), factor_s));
    }
    hop_s = Q > 1 ? cyclic_row_s(&walk->net, f->column, f->next_column, 4) : 0;
    for (int64_t d = 1, q = f->next_column; d < Q; d++, q = q + 1 < Q ? q + 1 : 0)
        cyclic_until(&walk->clocks.of[q],
                     f->lead_s + factor_s + told_s + (double)cyclic_least(d, Q - d) * hop_s);
    walk->clocks.steps += CYCLIC_CLOCK_STEPS * (double)Q;
}

/* The rows of the panel below the diagonal block, in slices. */
static void solve_panel(struct cholesky *f)
{
    struct cyclic_walk *walk = f->walk;
    struct cyclic_clocks *clocks = &walk->clocks;
    const double rows = cyclic_most_rows(walk, walk->v->n, f->first + f->width);
    const double P = (double)walk->rows, Q = (double)walk->columns;

    for (int64_t s = 0; s < f->width; s += CYCLIC_SLICE) {
        const double left = (double)(f->width - s), b = fmin(CYCLIC_SLICE, left);

        if (s) {
            cyclic_spend_on(clocks, f->column, CYCLIC_COPY, cyclic_turned_s(walk, left, b, b));
            cyclic_spend_on(clocks, f->column, CYCLIC_BROADCAST, down_s(f, 8 * b * left, 1));
        }
        cyclic_spend_on(clocks, f->column, CYCLIC_SOLVE_TRIANGLE,
                        cyclic_trsm_s(&walk->kernels, b, rows) +
                            cyclic_gemm_s(&walk->kernels, rows, left - b, b));
        cyclic_count(clocks, (P - 1) / P / Q, 8 * b * left);
    }
}

/* ---- transpose and update, several process columns --------------------------------------------
 */

static int64_t columns_of(const struct cholesky *f, int64_t q)
{
    return cyclic_range_share(&f->right, q);
}

/* Process columns from the owner of the next panel to the first of a span. */
static int64_t distance_of(const struct cholesky *f, const struct cyclic_span *span)
{
    const int64_t distance = span->first - f->next_column;

    return distance < 0 ? distance + f->walk->columns : distance;
}

static bool is_square(const struct cholesky *f)
{
    return f->walk->rows == f->walk->columns && f->walk->rows > 1;
}

/* Seconds in which a column turns the panel that it received. */
static double turn_s(const struct cholesky *f, int64_t columns)
{
    const struct cyclic_walk *walk = f->walk;
    const bool is_whole = walk->rows == walk->columns || walk->rows == 1;
    const double blocks = (double)cyclic_blocks(columns, walk->block);

    return cyclic_turned_s(walk, (double)columns, (double)f->width,
                           (double)f->width * (is_whole ? 1 : fmax(1, blocks)));
}

/* On a square grid (i, j) and (j, i) exchange; the diagonal needs nobody. */
static void exchange(struct cholesky *f)
{
    struct cyclic_clocks *clocks = &f->walk->clocks;
    double most = 0;

    lead_after(f, turn_s(f, columns_of(f, f->next_column)));
    cyclic_meet(clocks);
    for (size_t i = 0; i < f->spans.count; i++) {
        struct cyclic_span span = f->spans.of[i];
        const double bytes = 8 * (double)f->width * (double)span.share;

        /* Of few blocks those beyond the last need nobody either. */
        if (f->has_few_blocks)
            span.end = cyclic_least(span.end, span.first + f->blocks - 1 - distance_of(f, &span));
        if (span.first < span.end)
            cyclic_spend_each(clocks, &span, CYCLIC_BROADCAST,
                              cyclic_transpose_s(&f->walk->net, bytes));
        most = fmax(most, bytes);
    }
    cyclic_count(clocks, 1, most);
}

/* The owner of the next panel packs it and sends each column its rows. */
static void scatter(struct cholesky *f)
{
    struct cyclic_walk *walk = f->walk;
    const int64_t P = walk->rows, Q = walk->columns, c = f->next_column;
    const double rows = cyclic_most_rows(walk, walk->v->n, f->first + f->width);
    const double parts = (double)(P / f->divisor);
    double start_s;

    cyclic_spend_on(&walk->clocks, c, CYCLIC_COPY,
                    cyclic_packed_s(walk, rows, (double)f->width,
                                    (double)f->width * ceil(rows / (double)walk->block)));
    start_s = walk->clocks.of[c].now_s;
    for (size_t i = 0; i < f->spans.count; i++) {
        const struct cyclic_span *span = &f->spans.of[i];
        const double sent = fmin(parts, (double)cyclic_blocks(span->share, walk->block));
        const double bytes = 8 * (double)f->width * (double)span->share / sent;
        const double down_s =
            cyclic_column_s(&walk->net, (f->next_row + 1) % P, f->next_row, bytes);

        for (int64_t at = span->first; at < span->end; at++) {
            const int64_t q = at < Q ? at : at - Q;
            const double hop_s =
                q == c ? down_s : fmax(down_s, cyclic_row_s(&walk->net, c, q, bytes));

            cyclic_until(&walk->clocks.of[q], start_s);
            cyclic_spend_on(&walk->clocks, q, CYCLIC_BROADCAST, (sent - (q == c)) * hop_s);
        }
    }
}

/* The same out of step.  The processes of the owner pack and send one message after the other; of a
 * column whose rows the process row of the next diagonal block has, that process copies them. */
static void scatter_in_turn(struct cholesky *f)
{
    struct cyclic_walk *walk = f->walk;
    struct cyclic_clocks *clocks = &walk->clocks;
    const int64_t P = walk->rows, Q = walk->columns, g = f->divisor, c = f->next_column;
    const double start_s = clocks->of[c].now_s, jb = (double)f->width;
    double most_s = 0, own_s = 0;

    for (size_t i = 0; i < f->spans.count; i++) {
        const struct cyclic_span *span = &f->spans.of[i];
        const double sent = (double)cyclic_least(P / g, cyclic_blocks(span->share, walk->block));
        const double rows = (double)span->share / sent, bytes = 8 * jb * rows;
        const double pack_s =
            cyclic_packed_s(walk, rows, jb, jb * ceil(rows / (double)walk->block));
        const double down_s =
            cyclic_column_s(&walk->net, (f->next_row + 1) % P, f->next_row, bytes);

        for (int64_t at = span->first; at < span->end; at++) {
            const int64_t q = at < Q ? at : at - Q, d = q < c ? q - c + Q : q - c;
            const double received = sent - (d % g == 0);
            const double packed_s = pack_s * (double)(1 + (d % P ? d : d + Q) / P);

            if (received <= 0)
                continue;
            most_s = fmax(most_s, pack_s);
            if (d == 0) {
                own_s = packed_s + received * down_s;
                cyclic_spend_on(clocks, q, CYCLIC_COPY, packed_s);
                cyclic_spend_on(clocks, q, CYCLIC_BROADCAST, received * down_s);
                continue;
            }
            if (!clocks->is_bound)
                cyclic_until(&clocks->of[q], start_s + packed_s);
            cyclic_spend_on(clocks, q, CYCLIC_BROADCAST,
                            received * fmax(down_s, cyclic_row_s(&walk->net, c, q, bytes)));
        }
    }
    f->packing_s = (double)(Q / g) * most_s - own_s;
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
                       double columns, double diagonals)
{
    struct cyclic_walk *walk = f->walk;
    const int64_t P = walk->rows, Q = walk->columns, g = f->divisor;
    const double nb = (double)walk->block, jb = (double)f->width, p = (double)P, q = (double)Q;
    const double area = (double)(wide * high - cyclic_sum_of_ceilings(wide, Q / g, offset, P / g));
    const double slab = 2.0 * CYCLIC_SLICE * (p / (double)g * q), whole = area * nb / (double)wide;
    const double slab_width = fmin(columns, fmax(nb, slab / q));
    const double diagonal_width = fmin(columns, nb * p / (double)g);
    double inside, under;

    if (!wide || !high || area <= 0 || columns <= 0)
        return 0;
    inside = fmin(fmax(0, slab / p - nb) / 2, fmax(0, whole - nb * diagonals));
    under = fmax(0, whole - nb * diagonals - inside);
    return columns / slab_width * cyclic_gemm_s(&walk->kernels, under, slab_width, jb) +
           columns / diagonal_width * cyclic_gemm_s(&walk->kernels, inside, diagonal_width, jb) +
           (double)wide * diagonals * cyclic_syrk_s(&walk->kernels, columns / (double)wide, jb);
}

/* Seconds of the update of a process with one block, so many blocks below the diagonal. */
static double single_block_s(struct cholesky *f, int64_t below, double columns)
{
    struct cyclic_kernels *kernels = &f->walk->kernels;
    const double jb = (double)f->width;

    if (below < 0)
        return 0;
    return below ? cyclic_gemm_s(kernels, (double)f->walk->block, columns, jb)
                 : cyclic_syrk_s(kernels, columns, jb);
}

/* ceil((b - a + v Q) / P) depends on b - a only through ceil((b - a) / g), g the common divisor of
 * P and Q, so that few processes differ. */
static int64_t offset_of(const struct cholesky *f, int64_t a, int64_t b)
{
    return b > a ? cyclic_blocks(b - a, f->divisor) : -((a - b) / f->divisor);
}

/* Diagonal blocks of a process for each of its block columns: in step the mean over processes. */
static double diagonals_of(const struct cholesky *f, int64_t a, int64_t b)
{
    const double P = (double)f->walk->rows;

    if (!is_out_of_step(f))
        return 1 / P;
    return (a - b) % f->divisor ? 0 : (double)f->divisor / P;
}

/* Seconds of the update of the process `a` rows and `b` columns from the owner of the first
 * trailing block, which has `columns`. */
static double update_s(struct cholesky *f, int64_t a, int64_t b, int64_t columns)
{
    const int64_t wide = places(b, f->walk->columns, f->blocks);
    const int64_t high = places(a, f->walk->rows, f->blocks), offset = offset_of(f, a, b);
    const double diagonals = diagonals_of(f, a, b);
    const uint64_t key = (uint64_t)offset * 5 + (uint64_t)high * 3 + (uint64_t)(columns + wide) +
                         (uint64_t)(diagonals > 0);
    struct known_update *known = &f->known[key % KNOWN_UPDATES];

    if (f->has_few_blocks && wide == 1 && high == 1)
        return single_block_s(f, a - b, (double)columns);
    if (wide && (known->wide != wide || known->high != high || known->offset != offset ||
                 known->columns != columns || known->diagonals != diagonals))
        *known = (struct known_update){
            wide,    high,      offset,
            columns, diagonals, blocks_s(f, wide, high, offset, (double)columns, diagonals)
        };
    return wide ? known->time_s : 0;
}

/* A hop of a turned panel down a column.  The panel reaches the columns one after the other, two at
 * a time, so that few of them are in step unless the hop takes long in comparison. */
static double spread_s(const struct cholesky *f, double bytes)
{
    const struct cyclic_walk *walk = f->walk;
    const int64_t from = f->next_row, next = (from + 1) % walk->rows;
    const double Q = (double)walk->columns, one_s = alone_s(f, from, bytes);
    const double panel_bytes =
        8 * (double)f->width * cyclic_most_rows(walk, walk->v->n, f->first + f->width);
    const double in_step = fmin(Q, 2 * bytes / panel_bytes);

    if (!is_out_of_step(f) || in_step <= 1)
        return one_s;
    return one_s +
           (cyclic_column_s(&walk->net, from, next, bytes) - one_s) * (in_step - 1) / (Q - 1);
}

/* When the process `a` rows further has the panel of a column. */
static double received_s(const struct cholesky *f, int64_t a, double bytes)
{
    const struct cyclic_walk *walk = f->walk;
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
    return (double)hops * spread_s(f, bytes);
}

/* Of four processes of the column the one that ends last counts. */
enum { CANDIDATES = 4 };
struct candidates {
    int64_t of[CANDIDATES]; /* process rows from that of the first trailing block */
};

static struct candidates candidates_of(const struct cholesky *f)
{
    const int64_t P = f->walk->rows, last = (f->blocks - 1) % P, half = P / 2;

    return (struct candidates){ { 0, cyclic_least(last, half), cyclic_most(last, half), P - 1 } };
}

/* The columns of a span from the one at distance b on that update alike. */
static int64_t alike(const struct cholesky *f, const struct candidates *rows, int64_t b)
{
    int64_t least = f->has_few_blocks ? 1 : f->walk->columns;

    for (size_t i = 0; i < CANDIDATES; i++) {
        const int64_t a = rows->of[i], left = a + f->divisor * offset_of(f, a, b) - b;

        /* The last one of these has diagonal blocks. */
        least = cyclic_least(least, is_out_of_step(f) && left > 0 ? left : left + 1);
    }
    return least;
}

static void update_columns(struct cholesky *f, const struct candidates *rows,
                           const struct cyclic_span *span, double turned_s)
{
    struct cyclic_clocks *clocks = &f->walk->clocks;
    const int64_t b = distance_of(f, span), columns = span->share;
    const double bytes = 8 * (double)f->width * (double)columns;
    double most_received_s = 0, most_update_s = -1;

    cyclic_spend_each(clocks, span, CYCLIC_COPY, turned_s);
    for (size_t i = 0; i < CANDIDATES; i++) {
        const double packing_s = b == 0 && rows->of[i] > 0 ? f->packing_s - turned_s : 0;
        const double at_s = fmax(received_s(f, rows->of[i], bytes), packing_s);
        const double one_s = update_s(f, rows->of[i], b, columns);

        if (b == 0 && i == 0 && !is_square(f))
            lead_after(f, at_s);
        if (b == 0 && i == 0) {
            f->lead_s += one_s;
            f->lead_path_s += one_s;
        }
        if (at_s + one_s > most_received_s + most_update_s) {
            most_received_s = at_s;
            most_update_s = one_s;
        }
    }
    cyclic_spend_each(clocks, span, CYCLIC_BROADCAST, most_received_s);
    cyclic_spend_each(clocks, span, CYCLIC_UPDATE, most_update_s);
    clocks->steps += CANDIDATES;
}

static void update_all(struct cholesky *f)
{
    struct cyclic_walk *walk = f->walk;
    const struct candidates rows = candidates_of(f);
    const int64_t Q = walk->columns;
    const double P = (double)walk->rows;
    double most = 0;

    if (is_square(f))
        exchange(f);
    else if (walk->rows > 1 && is_out_of_step(f))
        scatter_in_turn(f);
    else if (walk->rows > 1)
        scatter(f);
    for (size_t i = 0; i < f->spans.count; i++) {
        const struct cyclic_span *span = &f->spans.of[i];
        const double turned_s = turn_s(f, span->share);
        struct cyclic_span part = *span;

        most = fmax(most, (double)span->share);
        for (int64_t first = span->first; first < span->end; first += part.end - part.first) {
            part.first = first < Q ? first : first - Q;
            part.end = part.first +
                       cyclic_least(alike(f, &rows, distance_of(f, &part)), span->end - first);
            update_columns(f, &rows, &part, turned_s);
        }
    }
    if (!is_square(f) && walk->rows > 1)
        cyclic_count(&walk->clocks, 1 + (P - 1) / P, 8 * (double)f->width * most);
}

/* ---- one process column -----------------------------------------------------------------------
 */

/* A and C move in slices (PB_CpsyrkAC.c; docs/models/block_cyclic.md#one-process-column). */
static void update_one_column(struct cholesky *f)
{
    struct cyclic_walk *walk = f->walk;
    struct cyclic_clocks *clocks = &walk->clocks;
    const int64_t P = walk->rows, blocks = cyclic_blocks(f->below, walk->block);
    const double slices = ceil((double)f->below / CYCLIC_SLICE), jb = (double)f->width;
    const double bytes = 8 * CYCLIC_SLICE * jb;
    const int64_t candidate[] = { (blocks - 1) % P, P - 1 };
    double area = 0, rows;

    if (P > 1 && f->is_forced)
        cyclic_spend_on(clocks, 0, CYCLIC_BROADCAST,
                        (slices * (double)cyclic_least(2, P - 1) + (double)(P - 2)) *
                            cyclic_column_s(&walk->net, f->next_row, (f->next_row + 1) % P, bytes));
    else if (P > 1)
        cyclic_spend_on(clocks, 0, CYCLIC_BROADCAST,
                        slices * cyclic_broadcast_s(&walk->net, bytes));
    if (P > 1)
        cyclic_count(clocks, slices * (double)(P - 1) / (double)P, bytes);
    for (size_t i = 0; i < 2; i++)
        area = fmax(area, (double)(blocks * places(candidate[i], P, blocks) -
                                   cyclic_sum_of_ceilings(blocks, 1, -candidate[i], P)));
    rows = (double)walk->block / (double)blocks * area;
    cyclic_spend_on(clocks, 0, CYCLIC_UPDATE,
                    slices * cyclic_gemm_s(&walk->kernels, rows, CYCLIC_SLICE, jb));
    cyclic_spend_on(clocks, 0, CYCLIC_COPY,
                    slices * cyclic_copy_s(&walk->kernels, rows, CYCLIC_SLICE, 24, CYCLIC_SLICE));
    lead_after(f, 0);
}

static void step(struct cholesky *f, int64_t number)
{
    struct cyclic_walk *walk = f->walk;
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
    f->spans = cyclic_spans_of(&f->right, walk->columns);
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

/* Whether the walk came to its end within the limit of the question. */
static bool walk_panels(struct cyclic_walk *walk)
{
    const int64_t n = walk->v->n;
    struct cholesky f = {
        .walk = walk,
        .divisor = cyclic_common_divisor(walk->rows, walk->columns),
        .has_few_blocks = has_few_blocks(walk, n),
    };

    for (int64_t number = 0; number * walk->block < n && !cyclic_is_late(walk); number++)
        step(&f, number);
    return cyclic_came_to_end(walk);
}

/* The lower triangle of a matrix of order n. */
static struct cyclic_values described(const struct cyclic_values *v)
{
    struct cyclic_values seen = v->uplo == CYCLIC_UPPER ? cyclic_mirrored(v) : *v;

    seen.m = seen.n = v->n;
    return seen;
}

static double bound_s(const void *values, struct fr_evaluation *run)
{
    const struct cyclic_values seen = described(values);

    return cyclic_bound_s(&seen, run, walk_panels);
}

static void predict(const void *values, struct fr_evaluation *run)
{
    const struct cyclic_values *v = values;
    const struct cyclic_values seen = described(v);
    const double n = (double)v->n;
    struct cyclic_walk walk;

    if (cyclic_begin(&walk, &seen, run) != FR_OK || !walk_panels(&walk))
        return;
    cyclic_bound(&walk);
    cyclic_finish(&walk, v, n * n * n / 3 + n * n / 2, cyclic_factor_words(v, v->n, v->n));
}

static void memory(const void *values, const struct fr_calibration *cal, struct fr_prediction *out)
{
    const struct cyclic_values *v = values;

    cyclic_memory(v, cyclic_factor_words(v, v->n, v->n), cal, out);
}

static const char *const assumes[] = {
    "Process rows wait for each other in every panel, so that one clock for each process column "
    "suffices; a second clock follows the owner of the next diagonal block.",
    NULL,
};
static const char *const blind_spots[] = {
    "Grids with many more rows than columns: up to 18 % too fast.  Few panels: up to 25 % too "
    "slow.  Square grids, whose exchange shares links otherwise than the measured shifts: from 17 "
    "% "
    "too fast to 25 % too slow.",
    "Noise, other jobs, kernels slowed by the other cores of a node.",
    NULL,
};

const struct fr_model fr_model_pdpotrf = {
    .name = "pdpotrf",
    .summary = "Cholesky factorization of ScaLAPACK on a P x Q grid.",
    .source = "ScaLAPACK: pdpotrf.f, pdpotf2.f, PB_CptrsmAB.c, PB_CpsyrkA.c, PB_CpsyrkAC.c",
    .assumes = assumes,
    .blind_spots = blind_spots,
    CYCLIC_BOUND,
    CYCLIC_MODEL(struct pdpotrf),
};
