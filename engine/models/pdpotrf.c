/* pdpotrf: Cholesky factorization of ScaLAPACK (docs/models/block_cyclic.md#pdpotrf).
 *
 * Described is the lower triangle; the upper one is its mirror image.
 */
#include "engine/block_cyclic/walk.h"

#include <math.h>
#include <string.h>

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

/* A slice sent down the column of the panel, `hops` of them on the critical path. */
static double down_s(const struct cholesky *f, double bytes, double hops)
{
    const struct cyclic_walk *walk = f->walk;

    if (walk->rows == 1)
        return 0;
    return f->is_forced ? hops * cholesky_alone_s(f, f->row, bytes)
                        : cyclic_broadcast_s(&walk->net, bytes);
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
    const double gap_s = walk->clocks.lead_s + all_s - owner->now_s;
    const int64_t Q = walk->columns;
    double hop_s;

    /* Until then this process has no time for its part of the column. */
    walk->clocks.path_s = fmax(walk->clocks.path_s, walk->clocks.lead_path_s + all_s);
    if (walk->clocks.is_bound)
        return;
    if (gap_s > 0) {
        cyclic_until(owner, owner->now_s + gap_s - fmin(gap_s, all_s));
        cyclic_spend(owner, CYCLIC_BROADCAST, fmin(gap_s, told_s + sent_s));
        cyclic_spend(owner, CYCLIC_PANEL, fmin(fmax(0, gap_s - told_s - sent_s), factor_s));
    }
    hop_s = Q > 1 ? cyclic_row_s(&walk->net, f->column, f->next_column, 4) : 0;
    for (int64_t d = 1, q = f->next_column; d < Q; d++, q = q + 1 < Q ? q + 1 : 0)
        cyclic_until(&walk->clocks.of[q], walk->clocks.lead_s + factor_s + told_s +
                                              (double)cyclic_least(d, Q - d) * hop_s);
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

/* ---- one process column -----------------------------------------------------------------------
 */

/* Seconds to zero the product of a slice, which dgemm does again, and to add it to C (PB_COutV.c,
 * PB_CScatterV.c). */
static double add_slice_s(const struct cyclic_walk *walk, double rows)
{
    const double elements = rows * CYCLIC_SLICE;
    const double matrix_bytes = cyclic_matrix_bytes(walk, walk->v->n, walk->v->n);

    return 2 * cyclic_stream_s(&walk->kernels, 16 * elements, 8 * elements) +
           cyclic_stream_s(&walk->kernels, 8 * elements, 8 * elements) +
           cyclic_stream_s(&walk->kernels, 16 * elements, matrix_bytes);
}

/* Slices that follow each other down the column, each process beside the work of `work_s` for each:
 * it waits where the node takes longer to carry a slice for all of them, its memory for those whose
 * message stays, its interface for those whose message leaves. */
static double slices_down_s(const struct cholesky *f, double slices, double bytes, double work_s)
{
    const struct cyclic_network *net = &f->walk->net;
    const int64_t P = net->rows;
    const struct cyclic_busy busy = cyclic_busy_of(net, CYCLIC_ALONG_COLUMNS);
    const double hop_s = cyclic_column_s(net, f->next_row, (f->next_row + 1) % P, bytes);
    const double carried_s = bytes * fmax(busy.memory_s_per_byte, busy.interface_s_per_byte);

    return slices * fmax((double)cyclic_least(2, P - 1) * hop_s, carried_s - work_s) +
           (double)(P - 2) * hop_s;
}

/* A and C move in slices (PB_CpsyrkAC.c; docs/models/block_cyclic.md#one-process-column). */
static void update_one_column(struct cholesky *f)
{
    struct cyclic_walk *walk = f->walk;
    struct cyclic_clocks *clocks = &walk->clocks;
    const int64_t P = walk->rows, blocks = cyclic_blocks(f->below, walk->block);
    const double slices = ceil((double)f->below / CYCLIC_SLICE), jb = (double)f->width;
    const double bytes = 8 * CYCLIC_SLICE * jb;
    const int64_t candidate[] = { (blocks - 1) % P, P - 1 };
    double area = 0, rows, product_s, added_s;

    for (size_t i = 0; i < 2; i++)
        area = fmax(area, (double)(blocks * cyclic_places(candidate[i], P, blocks) -
                                   cyclic_sum_of_ceilings(blocks, 1, -candidate[i], P)));
    rows = (double)walk->block / (double)blocks * area;
    product_s = cyclic_gemm_s(&walk->kernels, rows, CYCLIC_SLICE, jb);
    added_s = add_slice_s(walk, rows);
    if (P > 1) {
        cyclic_spend_on(clocks, 0, CYCLIC_BROADCAST,
                        f->is_forced ? slices_down_s(f, slices, bytes, product_s + added_s)
                                     : slices * cyclic_broadcast_s(&walk->net, bytes));
        cyclic_count(clocks, slices * (double)(P - 1) / (double)P, bytes);
    }
    cyclic_spend_on(clocks, 0, CYCLIC_UPDATE, slices * product_s);
    cyclic_spend_on(clocks, 0, CYCLIC_COPY, slices * added_s);
    cholesky_lead_after(f, 0);
}

static bool step(void *context, int64_t number)
{
    struct cholesky *f = context;
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
        return true;
    solve_panel(f);
    if (walk->columns == 1) {
        update_one_column(f);
        return true;
    }
    cyclic_split_ring(&walk->clocks, f->column,
                      8 * (double)f->width * cyclic_most_rows(walk, n, f->first + f->width));
    cyclic_update_triangle(f);
    return true;
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
    struct cholesky f = {
        .walk = walk,
        .divisor = fr_common_divisor(walk->rows, walk->columns),
        .has_few_blocks = has_few_blocks(walk, walk->v->n),
    };

    return cyclic_follow_panels(walk, step, &f);
}

/* The lower triangle of a matrix of order n. */
static struct cyclic_course course(const struct cyclic_values *v)
{
    const double n = (double)v->n;
    struct cyclic_course course = { v->uplo == CYCLIC_UPPER ? cyclic_mirrored(v) : *v, walk_panels,
                                    n * n * n / 3 + n * n / 2, cyclic_factor_words(v, v->n, v->n) };

    course.seen.m = course.seen.n = v->n;
    return course;
}

static int resolve(void *values, const struct fr_calibration *cal, struct fr_faults *faults)
{
    static const struct cyclic_rules rules = { .needs_trsm = true,
                                               .work = work,
                                               .course = course,
                                               .work_of = cyclic_work_of_blocks,
                                               .dtrsm = dtrsm,
                                               .check = check };

    return cyclic_resolve(values, cal, &rules, faults);
}

const struct fr_model fr_model_pdpotrf = {
    .name = "pdpotrf",
    .summary = "Cholesky factorization of ScaLAPACK on a P x Q grid.",
    .source = "ScaLAPACK: pdpotrf.f, pdpotf2.f, PB_CptrsmAB.c, PB_CpsyrkA.c, PB_CpsyrkAC.c",
    .assumes = FR_TEXTS(
        "Process rows wait for each other in every panel, so that one clock for each process "
        "column suffices; a second clock follows the owner of the next diagonal block."),
    .blind_spots =
        FR_TEXTS("Grids with many more rows than columns: up to 18 % too fast.  Few panels: up to "
                 "25 % too slow.  Square grids, whose exchange shares links otherwise than the "
                 "measured shifts: from 17 % too fast to 25 % too slow.",
                 "Other jobs, and noise beyond what the calibration saw."),
    CYCLIC_COURSE,
    .error_fraction = 0.13,
    CYCLIC_MODEL(struct cyclic_values, FR_USE(DGEMM) | FR_USE(DTRSM) | FR_USE(DSYRK), CYCLIC_BLACS),
};
