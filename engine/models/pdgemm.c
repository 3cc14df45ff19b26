/* pdgemm: C += A B on a grid of processes by the PBLAS, in slices of 32 of the inner dimension
 * (docs/models/block_cyclic.md#pdgemm).
 *
 * The variant with the least estimated volume leaves C, B or A in its place (AB, AC, BC).
 */
#include "engine/block_cyclic/walk.h"

#include <math.h>

struct pdgemm {
    struct cyclic_values common;
};

static const struct fr_param params[] = {
    CYCLIC_SIZE(m, "Rows of C and A."),
    CYCLIC_SIZE(n, "Columns of C and B."),
    CYCLIC_SIZE(k, "Columns of A and rows of B."),
    CYCLIC_PARAMS,
    CYCLIC_TRANSPOSE(transa, "A"),
    CYCLIC_TRANSPOSE(transb, "B"),
    FR_PARAMS_END,
};

static double work(const void *values)
{
    const struct cyclic_values *v = values;
    const int64_t longest = cyclic_most(cyclic_most(v->m, v->n), v->k);

    return (double)cyclic_blocks(longest, CYCLIC_SLICE) *
           ((double)v->process_rows + (double)v->process_columns);
}

static const char *work_of(const void *values)
{
    (void)values;
    return "k";
}

static int resolve(void *values, const struct fr_calibration *cal, struct fr_faults *faults)
{
    static const struct cyclic_rules rules = { .work = work, .work_of = work_of };

    return cyclic_resolve(values, cal, &rules, faults);
}

enum stays { C_STAYS, B_STAYS, A_STAYS };

static double share(int64_t n, int64_t nb, int64_t processes)
{
    return (double)(cyclic_blocks(cyclic_blocks(n, nb), processes) * nb);
}

/* The estimated volumes of the variants (pdgemm_.c). */
static enum stays variant_of(const struct cyclic_values *v)
{
    const int64_t nb = v->block_size, P = v->process_rows, Q = v->process_columns;
    const double m = share(v->m, nb, P), n = share(v->n, nb, Q), reduction = 1.3;
    const double inner = fmax(share(v->k, nb, P), share(v->k, nb, Q));
    const double AB = (double)v->k * ((Q > 1 ? m : 0) + (P > 1 ? n : 0));
    const double AC =
        (double)v->m * ((Q > 1 ? share(v->k, nb, P) : 0) + inner + (P > 1 ? reduction * n : 0));
    const double BC =
        (double)v->n * ((Q > 1 ? reduction * m : 0) + (P > 1 ? share(v->k, nb, Q) : 0) + inner);

    if (AB <= reduction * BC && AB <= reduction * AC)
        return C_STAYS;
    return BC <= AC && reduction * BC <= AB ? A_STAYS : B_STAYS;
}

/* What a slice costs each column with the same number of columns of C. */
struct slice_costs {
    double broadcast_s, copy_s, update_s;
};

/* The process columns, by their number of columns of C. */
struct columns {
    struct cyclic_widths widths;
    unsigned char *class; /* of each, an index of widths; NULL: out of memory */
};

static struct columns columns_of(struct cyclic_walk *walk, int64_t n)
{
    struct columns columns = { .class = fr_arena_zeroed(walk->run->arena, (size_t)walk->columns,
                                                        sizeof *columns.class) };
    bool is_new;

    for (int64_t q = 0; columns.class && q < walk->columns; q++)
        columns.class[q] = (unsigned char)cyclic_width_index(
            &columns.widths, cyclic_rows(n, walk->block, q, walk->columns), &is_new);
    if (!columns.class)
        fr_fault(walk->run->faults, FR_NOMEM, "process_columns", "too many for a request");
    return columns;
}

/* Every column with columns of C spends the cost of its class on a slice of `width`, of which each
 * process sends a share. */
static void spend_slice(struct cyclic_walk *walk, const struct columns *columns,
                        const struct slice_costs *costs, double width)
{
    const double share = (double)(walk->rows - 1) / (double)walk->rows / (double)walk->columns;

    for (int64_t q = 0; q < walk->columns; q++) {
        const size_t class = columns->class[q];
        struct cyclic_clock *clock = &walk->clocks.of[q];

        if (columns->widths.width[class] == 0)
            continue;
        cyclic_spend(clock, CYCLIC_BROADCAST, costs[class].broadcast_s);
        cyclic_spend(clock, CYCLIC_COPY, costs[class].copy_s);
        cyclic_spend(clock, CYCLIC_UPDATE, costs[class].update_s);
        cyclic_count(&walk->clocks, share, 8 * width * (double)columns->widths.width[class]);
    }
}

static void send_along_rows(struct cyclic_walk *walk, bool is_ring, int64_t c, double bytes)
{
    if (is_ring)
        cyclic_ring(&walk->clocks, c, bytes);
    else
        cyclic_row_tree(&walk->clocks, c, bytes);
}

/* C stays: slices of A travel along the rows, slices of B down the columns (PB_CpgemmAB.c). */
struct product {
    double rows; /* of C in a process */
    bool is_one, is_ring;
    double fill_s[CYCLIC_WIDTHS]; /* the filling of the pipe down a column */
};

/* Owners copy and send, the others receive and pass on; the slower sets the pace of the pipe. */
static struct slice_costs slice_costs(struct cyclic_walk *walk, const struct product *product,
                                      double columns, double width, double hop_s)
{
    const double pace_s = hop_s * (walk->rows > 2 ? 2 : 1);
    struct slice_costs costs = {
        .copy_s = product->is_one ? 0 : cyclic_packed_s(walk, width, columns, columns),
        .update_s = cyclic_gemm_s(&walk->kernels, product->rows, columns, width),
    };

    if (walk->rows == 1)
        return costs;
    if (!product->is_ring)
        costs.broadcast_s = cyclic_broadcast_s(&walk->net, 8 * width * columns);
    else if (costs.copy_s + hop_s > pace_s)
        costs.broadcast_s = fmin(hop_s, pace_s);
    else
        costs = (struct slice_costs){ pace_s, 0, costs.update_s };
    return costs;
}

static void multiply_slice(struct cyclic_walk *walk, struct product *product,
                           const struct columns *columns, int64_t first, int64_t step)
{
    const int64_t k = walk->v->k;
    const double width = (double)cyclic_least(step, k - first);
    const struct cyclic_owner owner =
        cyclic_slice_owner(first, k, walk->block, walk->rows, walk->columns);
    struct slice_costs costs[CYCLIC_WIDTHS];

    if (!product->is_one)
        cyclic_spend(&walk->clocks.of[owner.column], CYCLIC_COPY,
                     cyclic_packed_s(walk, product->rows, width, width));
    send_along_rows(walk, product->is_ring, owner.column, 8 * product->rows * width);
    for (size_t i = 0; i < columns->widths.count; i++) {
        const double wide = (double)columns->widths.width[i];
        const double hop_s = walk->rows > 1 && product->is_ring
                                 ? cyclic_column_s(&walk->net, owner.row,
                                                   (owner.row + 1) % walk->rows, 8 * width * wide)
                                 : 0;

        costs[i] = slice_costs(walk, product, wide, width, hop_s);
        product->fill_s[i] = fmax(product->fill_s[i], (double)(walk->rows - 2) * hop_s);
    }
    spend_slice(walk, columns, costs, width);
}

static void walk_c_stays(struct cyclic_walk *walk)
{
    const struct cyclic_values *v = walk->v;
    const bool is_one = v->k <= walk->block;
    const int64_t step = is_one ? v->k : CYCLIC_SLICE;
    const struct columns columns = columns_of(walk, v->n);
    struct product product = {
        .rows = (double)cyclic_rows(v->m, walk->block, 0, walk->rows),
        .is_one = is_one,
        .is_ring = !is_one || cyclic_least(cyclic_least(v->m, v->n), v->k) > CYCLIC_SLICE,
    };

    if (!columns.class)
        return;
    for (int64_t s = 0; s < v->k; s += step)
        multiply_slice(walk, &product, &columns, s, step);
    for (int64_t q = 0; q < walk->columns; q++)
        cyclic_spend(&walk->clocks.of[q], CYCLIC_BROADCAST, product.fill_s[columns.class[q]]);
}

/* The owner of a slice of A sends it to where the columns of B lie, and turns it. */
static void turn_slice(struct cyclic_walk *walk, int64_t first, double width, double rows)
{
    const int64_t P = walk->rows, Q = walk->columns;
    const int64_t r = first / walk->block % P, c = first / walk->block % Q;
    const double blocks = ceil(rows / (double)walk->block);
    const double parts = P == Q ? 1 : fmin((double)(Q / cyclic_common_divisor(P, Q)), blocks);
    const double bytes = 8 * width * rows / parts;
    double hop_s = 0;

    if (Q > 1)
        hop_s = cyclic_row_s(&walk->net, (c + 1) % Q, c, bytes);
    if (P > 1)
        hop_s = fmax(hop_s, cyclic_column_s(&walk->net, r, (r + 1) % P, bytes));
    cyclic_spend(&walk->clocks.of[c], CYCLIC_BROADCAST, parts * hop_s);
    cyclic_spend(&walk->clocks.of[c], CYCLIC_COPY,
                 cyclic_turned_s(walk, rows, width, width * (P == Q ? 1 : blocks)));
}

/* B stays: rows of A travel, rows of C are combined (PB_CpgemmAC.c). */
static void walk_b_stays(struct cyclic_walk *walk)
{
    const struct cyclic_values *v = walk->v;
    const double rows = (double)cyclic_rows(v->k, walk->block, 0, walk->rows);
    const bool is_ring = cyclic_least(cyclic_least(v->m, v->n), v->k) > CYCLIC_SLICE;
    const struct columns columns = columns_of(walk, v->n);

    for (int64_t s = 0; columns.class && s < v->m; s += CYCLIC_SLICE) {
        const double width = (double)cyclic_least(CYCLIC_SLICE, v->m - s);
        struct slice_costs costs[CYCLIC_WIDTHS];

        turn_slice(walk, s, width, rows);
        send_along_rows(walk, is_ring, s / walk->block % walk->columns, 8 * width * rows);
        for (size_t i = 0; i < columns.widths.count; i++) {
            const double wide = (double)columns.widths.width[i];

            costs[i] = (struct slice_costs){
                .update_s = cyclic_gemm_s(&walk->kernels, width, wide, rows),
                .broadcast_s = cyclic_reduce_s(&walk->net, 8 * width * wide),
                .copy_s = cyclic_copy_s(&walk->kernels, width, wide, 24, wide),
            };
        }
        spend_slice(walk, &columns, costs, width);
    }
}

static double memory_words(const struct cyclic_values *v)
{
    const int64_t nb = v->block_size, P = v->process_rows, Q = v->process_columns;
    const double am = (double)cyclic_rows(v->m, nb, 0, P), ak = (double)cyclic_rows(v->k, nb, 0, P);
    const double bn = (double)cyclic_rows(v->n, nb, 0, Q), bk = (double)cyclic_rows(v->k, nb, 0, Q);

    return am * bk + ak * bn + am * bn + CYCLIC_SLICE * (am + bn);
}

static void predict(const void *values, struct fr_evaluation *run)
{
    const struct cyclic_values *v = values;
    const enum stays stays = variant_of(v);
    const struct cyclic_values seen = stays == A_STAYS ? cyclic_mirrored(v) : *v;
    struct cyclic_walk walk;

    if (cyclic_begin(&walk, &seen, run) != FR_OK)
        return;
    if (stays == C_STAYS)
        walk_c_stays(&walk);
    else
        walk_b_stays(&walk);
    cyclic_finish(&walk, v, 2 * (double)v->m * (double)v->n * (double)v->k, memory_words(v));
}

static const char *const assumes[] = {
    "The PBLAS of ScaLAPACK, which multiply in slices of 32 whatever the block size.",
    "Process rows wait for each other, so that one clock for each process column suffices.",
    NULL,
};
static const char *const blind_spots[] = {
    "Transposed operands, noise, other jobs, kernels slowed by the other cores of a node.",
    NULL,
};

const struct fr_model fr_model_pdgemm = {
    .name = "pdgemm",
    .summary = "Matrix product of ScaLAPACK (PBLAS) on a P x Q grid.",
    .source = "ScaLAPACK: pdgemm_.c, PB_CpgemmAB.c, PB_CpgemmAC.c; van de Geijn, Watts: SUMMA "
              "(1997)",
    .assumes = assumes,
    .blind_spots = blind_spots,
    CYCLIC_MODEL(struct pdgemm),
};
