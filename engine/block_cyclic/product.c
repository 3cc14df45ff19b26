/* Products in slices of 32 or in one (docs/models/block_cyclic.md#pdgemm). */
#include "engine/block_cyclic/walk.h"

#include <math.h>

/* ---- C stays -------------------------------------------------------------------------------- */

/* A slice of B around the rings of the columns, which follow each other as the slice of A reaches
 * them. */
struct pipe {
    double bytes;  /* of a column */
    double pace_s; /* a process receives, then passes on: the slowest of all; 0: unknown */
    double fill_s; /* a hop of the first slice, in which the columns part on their way */
};

struct product {
    struct cyclic_walk *walk;
    struct cyclic_spans spans;
    int64_t step; /* columns of a slice */
    double rows;  /* of C in a process */
    int64_t divisor;
    bool is_one, is_ring;
    struct cyclic_busy a, b;        /* for each byte of a slice of A, and of B */
    int64_t columns;                /* that have some of C */
    double lag_s;                   /* of a column behind the one to its left */
    struct pipe pipe[CYCLIC_SPANS]; /* of each span */
    double fill_s[CYCLIC_SPANS];    /* of each span: the filling of the pipe down a column */
};

/* Of `members` the last that differs from `place` by a multiple of the divisor: the farthest
 * process that a row, or a column, sends its part of a turned slice. */
static int64_t farthest(const struct product *product, int64_t place, int64_t members)
{
    const int64_t first = place % product->divisor;

    return first + (members - 1 - first) / product->divisor * product->divisor;
}

static void send_a(struct cyclic_walk *walk, const struct product *product,
                   const struct cyclic_owner *owner, double width)
{
    if (walk->v->transa) {
        cyclic_send_turned(walk, product->is_ring, owner, (double)walk->v->m, product->rows, width);
        return;
    }
    if (!product->is_one)
        cyclic_spend_on(&walk->clocks, owner->column, CYCLIC_COPY,
                        cyclic_packed_s(walk, product->rows, width, width));
    cyclic_send_along_rows(walk, product->is_ring, owner->column, 8 * product->rows * width);
}

static int64_t next_row(const struct product *product, int64_t row)
{
    return row + 1 < product->walk->rows ? row + 1 : 0;
}

static double hop_from(const struct product *product, int64_t row, double lag_s, double bytes)
{
    return cyclic_lagging_column_s(&product->walk->net, row, next_row(product, row),
                                   product->columns, lag_s, bytes);
}

/* A process receives a slice, then passes it on; of two rows one does either, and the first hop of
 * a single slice is all that is not filling. */
static double passed_on_s(const struct product *product, int64_t row, double bytes)
{
    const int64_t P = product->walk->rows;
    const double sent_s = hop_from(product, row, product->lag_s, bytes);

    if (P == 2 || product->is_one)
        return sent_s;
    return sent_s + hop_from(product, row ? row - 1 : P - 1, product->lag_s, bytes);
}

static double filled_s(const struct product *product, int64_t row, double bytes)
{
    const double alone_s = cyclic_lone_hop(&product->walk->net, CYCLIC_ALONG_COLUMNS, row,
                                           next_row(product, row), bytes)
                               .time_s;

    return sqrt(alone_s * hop_from(product, row, 0, bytes));
}

/* Places on nodes repeat down a column, but for the hop from the last row to the first, which a
 * single slice does not make. */
static struct pipe plain_pipe(const struct product *product, double bytes)
{
    const int64_t period = product->walk->net.period[CYCLIC_ALONG_ROWS];
    const int64_t down = product->walk->rows - 1, hops = down + !product->is_one;
    struct pipe pipe = { .bytes = bytes };

    for (int64_t row = 0; row < cyclic_least(down, period + 1); row++) {
        pipe.pace_s = fmax(pipe.pace_s, passed_on_s(product, row, bytes));
        if (row < period)
            pipe.fill_s +=
                (double)cyclic_blocks(down - row, period) * filled_s(product, row, bytes);
    }
    if (!product->is_one) {
        pipe.pace_s = fmax(pipe.pace_s, passed_on_s(product, down, bytes));
        pipe.fill_s += filled_s(product, down, bytes);
    }
    pipe.fill_s /= (double)hops;
    return pipe;
}

/* Of a transposed B, which row 0 turns: the columns have waited for the owner of the slice. */
static struct pipe turned_pipe(const struct product *product, double bytes)
{
    const double hop_s = cyclic_column_s(&product->walk->net, 0, 1, bytes);

    return (struct pipe){ bytes, hop_s * (product->walk->rows > 2 ? 2 : 1), hop_s };
}

/* Owners copy and send, the others receive and pass on; the slower sets the pace of the pipe. */
static struct cyclic_slice plain_costs(struct cyclic_walk *walk, const struct product *product,
                                       double columns, double width, double hop_s, double pace_s)
{
    struct cyclic_slice costs = {
        .copy_s = product->is_one ? 0 : cyclic_packed_s(walk, width, columns, columns),
    };

    if (walk->rows == 1)
        return costs;
    if (!product->is_ring)
        costs.broadcast_s = cyclic_broadcast_s(&walk->net, 8 * width * columns);
    else if (costs.copy_s + hop_s > pace_s)
        costs.broadcast_s = hop_s;
    else
        costs = (struct cyclic_slice){ pace_s, 0, 0 };
    return costs;
}

/* A node carries a slice of A and one of B for each of its processes; its memory or its interface
 * may be what sets the pace. */
static void keep_pace(const struct product *product, double width, double columns,
                      struct cyclic_slice *costs)
{
    const double of_a = 8 * product->rows * width, of_b = 8 * width * columns;
    const double pace_s =
        fmax(of_a * product->a.memory_s_per_byte + of_b * product->b.memory_s_per_byte,
             of_a * product->a.interface_s_per_byte + of_b * product->b.interface_s_per_byte);

    costs->broadcast_s = fmax(costs->broadcast_s, pace_s - costs->copy_s - costs->update_s);
}

/* Row 0 turns the slice before it sends it.  On one process column every process adds its part
 * instead. */
static struct cyclic_slice turned_costs(struct cyclic_walk *walk, const struct product *product,
                                        const struct cyclic_turn *turn, double columns,
                                        double width, double hop_s, double pace_s)
{
    const double receive_s = fmax(turn->received * turn->hop_s, turn->receive_s - turn->pack_s);

    if (walk->columns == 1)
        return (struct cyclic_slice){
            .copy_s = cyclic_turned_s(walk, columns / (double)walk->rows, width, width),
            .broadcast_s = cyclic_reduce_s(&walk->net, 8 * width * columns),
        };
    if (!product->is_ring)
        return (struct cyclic_slice){
            .copy_s = turn->copy_s,
            .broadcast_s = receive_s + cyclic_broadcast_s(&walk->net, 8 * width * columns),
        };
    if (receive_s + turn->copy_s + hop_s < pace_s)
        return (struct cyclic_slice){ .broadcast_s = pace_s };
    return (struct cyclic_slice){ .copy_s = turn->copy_s, .broadcast_s = receive_s + hop_s };
}

/* The column that has a slice of a transposed B packs it; all wait for that. */
static void wait_for_owner(struct cyclic_walk *walk, int64_t column, double pack_s)
{
    cyclic_spend_on(&walk->clocks, column, CYCLIC_COPY, pack_s);
    cyclic_all_until(&walk->clocks, walk->clocks.of[column].now_s);
}

/* The slices are visited in the order of the process rows and columns that they lie in. */
static struct cyclic_owner visited_owner(const struct cyclic_walk *walk, int64_t first)
{
    const struct cyclic_values *v = walk->v;

    return cyclic_slice_owner(first, v->k, walk->block, v->transb && !v->transa ? 1 : walk->rows,
                              v->transa && !v->transb ? 1 : walk->columns);
}

static bool multiply_slice(void *context, int64_t number)
{
    struct product *product = context;
    struct cyclic_walk *walk = product->walk;
    const struct cyclic_values *v = walk->v;
    const struct cyclic_spans *spans = &product->spans;
    const int64_t first = number * product->step;
    const double width = (double)cyclic_least(product->step, v->k - first);
    const struct cyclic_owner owner = visited_owner(walk, first);
    struct cyclic_slice costs[CYCLIC_SPANS];
    const bool is_piped = walk->rows > 1 && product->is_ring;
    double hop_s = 0, pack_s = 0, most_s = 0;

    send_a(walk, product, &owner, width);
    for (size_t i = 0; i < spans->count; i++) {
        const double wide = (double)spans->of[i].share, bytes = 8 * width * wide;
        struct pipe *pipe = &product->pipe[i];

        if (is_piped && (pipe->pace_s == 0 || pipe->bytes != bytes))
            *pipe = v->transb ? turned_pipe(product, bytes) : plain_pipe(product, bytes);
        if (is_piped)
            hop_s = v->transb ? pipe->fill_s : hop_from(product, owner.row, product->lag_s, bytes);
        if (v->transb) {
            const struct cyclic_turn turn =
                cyclic_turn_of(walk, CYCLIC_ALONG_COLUMNS, (double)v->n, wide, width);

            costs[i] = turned_costs(walk, product, &turn, wide, width, hop_s, pipe->pace_s);
            pack_s = fmax(pack_s, turn.pack_s);
        } else {
            costs[i] = plain_costs(walk, product, wide, width, hop_s, pipe->pace_s);
        }
        costs[i].update_s = cyclic_gemm_s(&walk->kernels, product->rows, wide, width);
        if (product->is_ring)
            keep_pace(product, width, wide, &costs[i]);
        if (!v->transb || walk->columns > 1) /* else all add their parts */
            product->fill_s[i] =
                fmax(product->fill_s[i],
                     (double)(walk->rows - 2) * fmax(pipe->fill_s, costs[i].broadcast_s / 4));
        most_s = fmax(most_s, hop_s);
    }
    if (v->transb && walk->columns > 1)
        wait_for_owner(walk, owner.column, pack_s);
    cyclic_spend_slice(walk, spans, costs, width);
    /* That column has what it needs for the next slice when its farthest row has this one. */
    if (v->transb && walk->columns > 1)
        cyclic_spend_on(&walk->clocks, owner.column, CYCLIC_BROADCAST,
                        fmax(0, (double)farthest(product, owner.column, walk->rows) - 1) * most_s);
    return true;
}

/* All process columns: those without columns of C fill the pipe, too. */
static struct cyclic_spans spans_of_all(const struct cyclic_walk *walk, int64_t n)
{
    const int64_t blocks = cyclic_blocks(n, walk->block);
    struct cyclic_spans spans = cyclic_column_spans(walk, n, 0);

    if (blocks < walk->columns)
        spans.of[spans.count++] = (struct cyclic_span){ blocks, walk->columns, 0 };
    return spans;
}

bool cyclic_is_one_slice(const struct cyclic_values *v)
{
    const int64_t of_a = v->transa ? v->process_rows : v->process_columns;
    const int64_t of_b = v->transb ? v->process_columns : v->process_rows;

    return v->k <= v->block_size || (of_a == 1 && of_b == 1);
}

/* The mean hop of a slice of A from column to column, around the ring: owners take turns. */
static double lag_s(const struct product *product)
{
    const struct cyclic_network *net = &product->walk->net;
    const double bytes = 8 * product->rows * (double)product->step;
    const int64_t Q = product->walk->columns;
    double sum_s = 0;

    for (int64_t q = 0; q < Q && Q > 1; q++)
        sum_s += cyclic_lone_hop(net, CYCLIC_ALONG_ROWS, q, q + 1 < Q ? q + 1 : 0, bytes).time_s;
    return sum_s / (double)Q;
}

bool cyclic_multiply_c_stays(struct cyclic_walk *walk)
{
    const struct cyclic_values *v = walk->v;
    const bool is_one = cyclic_is_one_slice(v);
    const struct cyclic_sequence slices = cyclic_product_slices(v);
    struct product product = {
        .walk = walk,
        .spans = spans_of_all(walk, v->n),
        .step = slices.width,
        .rows = (double)cyclic_rows(v->m, walk->block, 0, walk->rows),
        .columns = cyclic_least(walk->columns, cyclic_blocks(v->n, walk->block)),
        .divisor = fr_common_divisor(walk->rows, walk->columns),
        .is_one = is_one,
        .is_ring = !is_one || cyclic_least(cyclic_least(v->m, v->n), v->k) > CYCLIC_SLICE,
        .a = cyclic_busy_of(&walk->net, CYCLIC_ALONG_ROWS),
        .b = cyclic_busy_of(&walk->net, CYCLIC_ALONG_COLUMNS),
    };

    if (walk->rows > 1 && !is_one && !v->transb)
        product.lag_s = lag_s(&product);
    if (!cyclic_follow_steps(walk, &slices, multiply_slice, &product))
        return false;
    for (size_t i = 0; i < product.spans.count; i++)
        cyclic_spend_each(&walk->clocks, &product.spans.of[i], CYCLIC_BROADCAST, product.fill_s[i]);
    return true;
}

struct cyclic_sequence cyclic_product_slices(const struct cyclic_values *v)
{
    const int64_t rows = v->transb && !v->transa ? 1 : v->process_rows;
    const int64_t columns = v->transa && !v->transb ? 1 : v->process_columns;
    const int64_t owners = rows / fr_common_divisor(rows, columns) * columns;
    struct cyclic_sequence slices = cyclic_slices(v, v->k);

    if (cyclic_is_one_slice(v))
        slices = (struct cyclic_sequence){ 1, v->k, v->k, 0 };
    slices.block *= cyclic_blocks(cyclic_blocks(v->k, v->block_size), owners);
    return slices;
}

/* ---- B stays, or a transposed A -------------------------------------------------------------- */

struct kept_operand {
    struct cyclic_walk *walk;
    struct cyclic_spans spans; /* of columns of the operand that stays */
    bool is_ring;
};

static struct cyclic_owner owner_of(const struct cyclic_walk *walk, int64_t first)
{
    const int64_t block = first / walk->block;

    return (struct cyclic_owner){ block % walk->rows, block % walk->columns };
}

/* The owner of a slice that lies along a process row sends it to where the columns of B lie, and
 * turns it. */
static void turn_row(struct cyclic_walk *walk, const struct cyclic_owner *owner, double rows,
                     double width)
{
    const int64_t P = walk->rows, Q = walk->columns, r = owner->row, c = owner->column;
    const double blocks = ceil(rows / (double)walk->block);
    const double parts = P == Q ? 1 : fmin((double)(Q / fr_common_divisor(P, Q)), blocks);
    const double bytes = 8 * width * rows / parts;
    double hop_s = 0;

    if (Q > 1)
        hop_s = cyclic_row_s(&walk->net, (c + 1) % Q, c, bytes);
    if (P > 1)
        hop_s = fmax(hop_s, cyclic_column_s(&walk->net, r, (r + 1) % P, bytes));
    cyclic_spend_on(&walk->clocks, c, CYCLIC_BROADCAST, parts * hop_s);
    cyclic_spend_on(&walk->clocks, c, CYCLIC_COPY,
                    cyclic_turned_s(walk, rows, width, width * (P == Q ? 1 : blocks)));
}

/* Rows of C are combined down the columns.  Of a transposed A the slice lies along a process column
 * already. */
static bool multiply_rows(void *context, int64_t number)
{
    const struct kept_operand *kept = context;
    const struct cyclic_spans *spans = &kept->spans;
    struct cyclic_walk *walk = kept->walk;
    const int64_t first = number * CYCLIC_SLICE;
    const double width = (double)cyclic_least(CYCLIC_SLICE, walk->v->m - first);
    const double rows = (double)cyclic_rows(walk->v->k, walk->block, 0, walk->rows);
    const struct cyclic_owner owner = owner_of(walk, first);
    struct cyclic_slice costs[CYCLIC_SPANS];

    if (!walk->v->transa)
        turn_row(walk, &owner, rows, width);
    cyclic_send_along_rows(walk, kept->is_ring, owner.column, 8 * width * rows);
    for (size_t i = 0; i < spans->count; i++) {
        const double wide = (double)spans->of[i].share;

        costs[i] = (struct cyclic_slice){
            .update_s = cyclic_gemm_s(&walk->kernels, width, wide, rows),
            .broadcast_s = cyclic_reduce_s(&walk->net, 8 * width * wide),
            .copy_s = cyclic_copy_s(&walk->kernels, width, wide, 24, wide),
        };
    }
    cyclic_spend_slice(walk, spans, costs, width);
    return true;
}

/* Columns of C are combined down the columns in process row 0, and turned to where they lie: their
 * owner has them when the last column has sent its part. */
static bool multiply_columns(void *context, int64_t number)
{
    const struct kept_operand *kept = context;
    const struct cyclic_spans *spans = &kept->spans;
    struct cyclic_walk *walk = kept->walk;
    const struct cyclic_values *v = walk->v;
    const int64_t first = number * CYCLIC_SLICE;
    const double width = (double)cyclic_least(CYCLIC_SLICE, v->n - first);
    const double rows = (double)cyclic_rows(v->k, walk->block, 0, walk->rows);
    const double length = (double)cyclic_rows(v->m, walk->block, 0, walk->rows);
    const double line = walk->kernels.line_bytes;
    const struct cyclic_owner owner = owner_of(walk, first);
    const struct cyclic_turn turn =
        cyclic_turn_of(walk, CYCLIC_ALONG_ROWS, (double)v->m, length, width);
    const double add_s = cyclic_copy_s(&walk->kernels, length, width,
                                       length < width ? 16 + line : 8 + 2 * line, width);
    const int64_t Q = walk->columns, divisor = fr_common_divisor(walk->rows, Q);
    struct cyclic_clocks *clocks = &walk->clocks;
    struct cyclic_slice costs[CYCLIC_SPANS];

    if (v->transb)
        cyclic_send_turned(walk, kept->is_ring, &owner, (double)v->k, rows, width);
    else
        cyclic_send_along_rows(walk, kept->is_ring, owner.column, 8 * width * rows);
    for (size_t i = 0; i < spans->count; i++) {
        const double wide = (double)spans->of[i].share;

        costs[i] = (struct cyclic_slice){
            .update_s = cyclic_gemm_s(&walk->kernels, wide, width, rows),
            .broadcast_s = cyclic_reduce_s(&walk->net, 8 * width * wide),
        };
    }
    cyclic_spend_slice(walk, spans, costs, width);
    cyclic_spend_on(clocks, owner.column, CYCLIC_COPY, turn.pack_s);
    for (int64_t q = (owner.column + Q - 1) % divisor; q < Q; q += divisor) {
        const double part = (double)divisor / (double)Q;

        cyclic_follow(clocks, q, owner.column);
        cyclic_spend_on(clocks, owner.column, CYCLIC_BROADCAST, part * turn.receive_s);
        cyclic_spend_on(clocks, owner.column, CYCLIC_COPY, part * add_s);
    }
    cyclic_count(clocks, turn.received / (double)walk->columns, turn.bytes);
    return true;
}

/* Slices of `size` rows or columns of C, while the operand with `columns` stays. */
static bool multiply_kept(struct cyclic_walk *walk, int64_t size, int64_t columns,
                          bool (*multiply)(void *context, int64_t number))
{
    const struct cyclic_values *v = walk->v;
    const struct cyclic_sequence slices = cyclic_slices(v, size);
    struct kept_operand kept = {
        .walk = walk,
        .spans = cyclic_column_spans(walk, columns, 0),
        .is_ring = cyclic_least(cyclic_least(v->m, v->n), v->k) > CYCLIC_SLICE,
    };

    return cyclic_follow_steps(walk, &slices, multiply, &kept);
}

bool cyclic_multiply_b_stays(struct cyclic_walk *walk)
{
    return multiply_kept(walk, walk->v->m, walk->v->n, multiply_rows);
}

bool cyclic_multiply_transposed_a_stays(struct cyclic_walk *walk)
{
    return multiply_kept(walk, walk->v->n, walk->v->m, multiply_columns);
}
