/* A triangular solve that moves B alone (docs/models/block_cyclic.md#b-alone).
 *
 * Of each slice of right-hand sides, a block of the solution after the other is found by its owner,
 * sent down the owner's process column, and applied to the blocks that follow; what these have so
 * far goes to the process column that is next.  So one process column works at a time.
 */
#include "engine/block_cyclic/walk.h"

#include <math.h>

/* What a slice of some width costs each process column; every slice begins and ends at a time
 * common to all. */
struct slice {
    int64_t width, count; /* 0: unused */
    struct cyclic_clocks spent;
};
/* Process columns have three numbers of right-hand sides, each with slices of two widths. */
enum { SLICES = 6 };
struct alone {
    struct cyclic_walk *walk;
    int64_t order, chunk; /* rows that are solved before the rest is updated */
    bool is_turned, is_mirrored;
    double moves_s;                 /* of all slices */
    struct slice slice[SLICES + 1]; /* one stays unused */
};

/* Twice 32 rows for each process of the least common multiple of the grid. */
static int64_t chunk_of(int64_t process_rows, int64_t process_columns)
{
    return 2 * CYCLIC_SLICE *
           (process_rows / fr_common_divisor(process_rows, process_columns) * process_columns);
}

/* Rows of [first, end) that process row r has. */
static double rows_between(const struct alone *alone, int64_t r, int64_t first, int64_t end)
{
    const struct cyclic_walk *walk = alone->walk;

    return (double)(cyclic_rows(end, walk->block, r, walk->rows) -
                    cyclic_rows(first, walk->block, r, walk->rows));
}

/* The solution of a block reaches the next process row, which passes it on. */
static void send_down(struct cyclic_walk *walk, int64_t r, int64_t c, double bytes)
{
    struct cyclic_hop hop;

    if (walk->rows == 1)
        return;
    hop = cyclic_lone_hop(&walk->net, CYCLIC_ALONG_COLUMNS, r, (r + 1) % walk->rows, bytes);
    cyclic_spend_on(&walk->clocks, c, CYCLIC_BROADCAST, hop.time_s);
    if (walk->rows > 2)
        cyclic_spend_on(&walk->clocks, c, CYCLIC_BROADCAST,
                        hop.sender_waits ? hop.time_s : hop.busy_s);
    cyclic_count(&walk->clocks,
                 (double)(walk->rows - 1) / (double)walk->rows / (double)walk->columns, bytes);
}

static void solve_block(struct cyclic_walk *walk, int64_t r, int64_t c, double rows, double width)
{
    cyclic_spend_on(&walk->clocks, c, CYCLIC_SOLVE_TRIANGLE,
                    cyclic_trsm_s(&walk->kernels, rows, width));
    cyclic_spend_on(&walk->clocks, c, CYCLIC_COPY,
                    cyclic_turned_s(walk, rows, width, fmin(rows, width)));
    send_down(walk, r, c, 8 * rows * width);
}

/* A product with a part of the triangle, which each slice reads anew. */
static double gemm_s(const struct alone *alone, double rows, double width, double depth)
{
    return cyclic_gemm_of_matrix_s(&alone->walk->kernels, rows, width, depth,
                                   cyclic_matrix_bytes(alone->walk, alone->order, alone->order) /
                                       2);
}

/* A block that has been solved, in process column `column`. */
struct solved {
    int64_t column;
    double rows;
};

/* Applies the block before to the blocks of the next process columns, and hands these to the first
 * of them.  `r` is the process row whose turn it is. */
static void hand_on(struct alone *alone, const struct solved *before, int64_t r, int64_t first,
                    int64_t end, double width)
{
    struct cyclic_walk *walk = alone->walk;
    const int64_t c = first / walk->block % walk->columns;
    const double rows = rows_between(alone, r, first, end);
    struct cyclic_clocks *clocks = &walk->clocks;

    cyclic_spend_on(clocks, before->column, CYCLIC_UPDATE,
                    gemm_s(alone, rows, width, before->rows));
    if (before->column == c)
        return;
    cyclic_follow(clocks, before->column, c);
    cyclic_spend_on(clocks, c, CYCLIC_BROADCAST,
                    cyclic_crowded_row_s(&walk->net, before->column, c, 8 * rows * width));
    cyclic_spend_on(
        clocks, c, CYCLIC_COPY,
        cyclic_copy_s(&walk->kernels, rows, width, 24, alone->is_mirrored ? rows : width));
    cyclic_count(clocks, 1 / (double)walk->columns, 8 * rows * width);
}

/* The rows [first, end) of a slice (PB_Cptrsm.c). */
static void solve_chunk(struct alone *alone, int64_t first, int64_t end, double width)
{
    struct cyclic_walk *walk = alone->walk;
    const int64_t nb = walk->block;
    /* the next process columns, or the next block, get what they need before the others */
    const int64_t ahead = (cyclic_most(walk->columns, 2) - 1) * nb;
    struct solved before = { .rows = 0 };

    for (int64_t j = first; j < end;) {
        const int64_t next = cyclic_least(end, (j / nb + 1) * nb);
        const int64_t r = j / nb % walk->rows, c = j / nb % walk->columns;
        const int64_t urgent = cyclic_least(end, j + ahead);

        if (j > first)
            hand_on(alone, &before, r, j, urgent, width);
        solve_block(walk, r, c, (double)(next - j), width);
        /* The row whose turn is next finishes the block before, before it begins. */
        if (j > first)
            cyclic_spend_on(&walk->clocks, before.column, CYCLIC_UPDATE,
                            gemm_s(alone, rows_between(alone, (r + 1) % walk->rows, urgent, end),
                                   width, before.rows));
        before = (struct solved){ c, (double)(next - j) };
        j = next;
    }
}

/* All process columns apply the rows [first, end) of the solution to the rows below; those of the
 * next chunk first, which are combined along the rows. */
static void update_below(struct alone *alone, int64_t first, int64_t end, double width)
{
    struct cyclic_walk *walk = alone->walk;
    const int64_t r = end / walk->block % walk->rows;
    const int64_t urgent = cyclic_least(alone->order, end + alone->chunk);
    const double next = rows_between(alone, r, end, urgent);
    const double rest = rows_between(alone, r, urgent, alone->order);
    const struct cyclic_spans spans = cyclic_column_spans(walk, end, first);

    for (int pass = 0; pass < 2; pass++) {
        for (size_t i = 0; i < spans.count; i++)
            cyclic_spend_each(&walk->clocks, &spans.of[i], CYCLIC_UPDATE,
                              gemm_s(alone, pass ? rest : next, width, (double)spans.of[i].share));
        if (pass == 0)
            cyclic_combine_rows(walk, 8 * next * width);
        if (pass == 0) /* all clocks are equal */
            walk->clocks.path_at = end / walk->block % walk->columns;
    }
}

/* One slice of right-hand sides that lies in process column 0. */
static void solve_slice(struct alone *alone, double width)
{
    struct cyclic_walk *walk = alone->walk;
    const int64_t order = alone->order;
    const double rows = (double)cyclic_rows(order, walk->block, 0, walk->rows);
    const double last = 8 * width * (double)cyclic_least(walk->block, order);

    for (int64_t k = 0; k < order; k += alone->chunk) {
        const int64_t end = cyclic_least(order, k + alone->chunk);

        solve_chunk(alone, k, end, width);
        if (end < order)
            update_below(alone, k, end, width);
    }
    if (walk->rows > 2)
        cyclic_spend_all(&walk->clocks, CYCLIC_BROADCAST,
                         (double)(walk->rows - 2) *
                             cyclic_lone_hop(&walk->net, CYCLIC_ALONG_COLUMNS, 0, 1, last).time_s);
    cyclic_combine_rows(walk, 8 * rows * width);
}

/* The slices of a width, whose costs are computed once; NULL: out of memory. */
static struct slice *slice_of(struct alone *alone, int64_t width)
{
    struct cyclic_clocks *clocks = &alone->walk->clocks;
    const struct cyclic_clocks others = *clocks;
    struct slice *slice = alone->slice;

    while (slice->width && slice->width != width)
        slice++;
    if (slice->width)
        return slice;
    if (cyclic_clocks_begin(clocks, others.net) == FR_OK) {
        clocks->is_bound = others.is_bound;
        solve_slice(alone, (double)width);
        *slice = (struct slice){ width, 0, *clocks };
    }
    *clocks = others;
    clocks->steps += slice->spent.steps;
    return slice->width ? slice : NULL;
}

/* Before a slice is solved, its rows go from process column `from` to column 0; turned ones from a
 * process row, and back. */
static double move_s(const struct alone *alone, int64_t from, double width)
{
    const struct cyclic_walk *walk = alone->walk;
    const double high = (double)cyclic_rows(alone->order, walk->block, 0, walk->rows);
    const double wide = (double)cyclic_rows(alone->order, walk->block, 0, walk->columns);
    const double order = (double)alone->order;
    struct cyclic_turn there, back;

    if (!alone->is_turned)
        return from == 0 ? 0 : cyclic_row_s(&walk->net, from, 0, 8 * high * width);
    there = cyclic_turn_of(walk, CYCLIC_ALONG_ROWS, order, high, width);
    back = cyclic_turn_of(walk, CYCLIC_ALONG_COLUMNS, order, wide, width);
    if (walk->columns > 1)
        return cyclic_turned_all_s(&there) + cyclic_turned_all_s(&back);
    /* In a single column the processes need their parts, and return them, one after the other. */
    return there.pack_s + there.hop_s + there.copy_s + back.hop_s + back.copy_s / back.received;
}

/* `count` slices of the process column, or row, `from`; their moves take no part in the slices'
 * costs. */
static void add_slices(struct alone *alone, int64_t from, int64_t width, int64_t count)
{
    struct slice *slice = width && count ? slice_of(alone, width) : NULL;

    if (!slice)
        return;
    slice->count += count;
    alone->moves_s += (double)count * move_s(alone, from, (double)width);
}

/* All slices that were added. */
static void spend_slices(const struct alone *alone)
{
    struct cyclic_clocks *clocks = &alone->walk->clocks;

    cyclic_spend_all(clocks, CYCLIC_BROADCAST, alone->moves_s);
    for (const struct slice *slice = alone->slice; slice->width; slice++)
        cyclic_repeat(clocks, &slice->spent, (double)slice->count);
}

bool cyclic_solve_moving_b(struct cyclic_walk *walk, int64_t order, int64_t sides, bool is_turned,
                           bool is_mirrored)
{
    const int64_t P = walk->rows, Q = walk->columns, members = is_turned ? P : Q;
    struct alone alone = {
        .walk = walk,
        .order = order,
        .is_turned = is_turned,
        .is_mirrored = is_mirrored,
        .chunk = chunk_of(P, Q),
    };

    for (int64_t p = 0; p < members && !walk->run->faults->count; p++) {
        const int64_t mine = cyclic_rows(sides, walk->block, p, members);
        /* slices of equal width, as near to 32 as their number allows, and what is left */
        const int64_t width = mine ? mine / cyclic_blocks(mine, CYCLIC_SLICE) : 0;

        if (!mine)
            continue;
        add_slices(&alone, p, width, mine / width);
        add_slices(&alone, p, mine % width, 1);
    }
    spend_slices(&alone);
    return !walk->run->faults->count;
}

double cyclic_solve_moving_b_work(const struct cyclic_values *v, int64_t order)
{
    const double widths = SLICES, updates = 4; /* at most; of a block */
    const int64_t chunks = cyclic_blocks(order, chunk_of(v->process_rows, v->process_columns));

    return widths * (updates * (double)cyclic_blocks(order, v->block_size) +
                     (double)chunks * (double)(v->process_rows + v->process_columns));
}
