/* Triangular solves that move A and B, in slices of 32 (docs/models/block_cyclic.md#pdtrsm). */
#include "engine/block_cyclic/walk.h"

#include <math.h>

/* A slice of A on its way to the process columns. */
struct passage {
    bool is_ring, is_turned;
    bool is_longest;      /* the slice that fills the pipe */
    double width, length; /* of the slice */
    double fill_s;        /* the filling of the pipe down a column */
};

/* The slice of A travels down the columns; a process column gets `length` of it.  Owners that turn
 * it before keep the pace, or those that receive and pass on. */
static double passage_s(struct cyclic_walk *walk, struct passage *passage, int64_t row,
                        double length, double turn_s)
{
    const double bytes = 8 * passage->width * length;
    double hop_s;

    if (passage->is_turned && walk->columns == 1)
        return cyclic_turned_s(walk, length / (double)walk->rows, passage->width, passage->width) +
               cyclic_reduce_s(&walk->net, bytes);
    if (walk->rows == 1)
        return turn_s;
    if (!passage->is_ring)
        return turn_s + cyclic_broadcast_s(&walk->net, bytes);
    hop_s = cyclic_column_s(&walk->net, row, (row + 1) % walk->rows, bytes);
    if (passage->is_longest)
        passage->fill_s = fmax(passage->fill_s, (double)(walk->rows - 2) * hop_s);
    return fmax(turn_s + hop_s, hop_s * (walk->rows > 2 ? 2 : 1));
}

/* Seconds until a process has its part of a slice that column `owner` packs, and turned it. */
static double turn_s(struct cyclic_walk *walk, const struct passage *passage, double length,
                     bool is_owner)
{
    const struct cyclic_turn turn =
        cyclic_turn_of(walk, CYCLIC_ALONG_COLUMNS, passage->length, length, passage->width);

    return turn.copy_s + (is_owner ? 0 : fmax(turn.hop_s, turn.receive_s - turn.pack_s));
}

/* A slice that lies along the process column `owner`: all wait until that has packed it. */
static void pack(struct cyclic_walk *walk, const struct passage *passage, int64_t owner)
{
    const struct cyclic_turn turn =
        cyclic_turn_of(walk, CYCLIC_ALONG_COLUMNS, passage->length,
                       ceil(passage->length / (double)walk->columns), passage->width);

    if (walk->columns == 1)
        return;
    cyclic_spend_on(&walk->clocks, owner, CYCLIC_COPY, turn.pack_s);
    cyclic_all_until(&walk->clocks, walk->clocks.of[owner].now_s);
}

/* The columns of a span get their part of a slice that lies along process row r, or that column
 * `owner` packed. */
static void send_part(struct cyclic_walk *walk, struct passage *passage, int64_t r, int64_t owner,
                      const struct cyclic_span *span)
{
    struct cyclic_clocks *clocks = &walk->clocks;
    const double length = (double)span->share;
    const int64_t at = owner < span->first ? owner + walk->columns : owner;
    const struct cyclic_span after = { at + 1, span->end, span->share };
    struct cyclic_span before = *span;
    double cost_s;

    if (passage->is_turned && at < span->end) {
        before.end = at;
        cyclic_spend_on(clocks, owner, CYCLIC_BROADCAST,
                        passage_s(walk, passage, r, length, turn_s(walk, passage, length, true)));
    }
    if (span->end - span->first == 1 && before.end == span->first)
        return;
    cost_s = passage_s(walk, passage, r, length,
                       passage->is_turned ? turn_s(walk, passage, length, false) : 0);
    if (before.first < before.end)
        cyclic_spend_each(clocks, &before, CYCLIC_BROADCAST, cost_s);
    if (before.end < span->end && after.first < after.end)
        cyclic_spend_each(clocks, &after, CYCLIC_BROADCAST, cost_s);
}

/* Of each process column the part of the slice at s from global column `first` to `end`. */
static void send_slice(struct cyclic_walk *walk, struct passage *passage, int64_t s, double width,
                       int64_t first, int64_t end)
{
    const int64_t r = s / walk->block % walk->rows, c = s / walk->block % walk->columns;
    const double passed_on = (double)(walk->rows - 1) / (double)walk->rows;
    const struct cyclic_spans spans = cyclic_column_spans(walk, end, first);

    passage->width = width;
    passage->length = (double)(end - first);
    passage->is_longest = first == 0 && end == walk->v->n;
    if (passage->is_turned)
        pack(walk, passage, c);
    for (size_t i = 0; i < spans.count; i++) {
        if (cyclic_span_has(&spans.of[i], 0, walk->columns))
            cyclic_count(&walk->clocks, passed_on, 8 * width * (double)spans.of[i].share);
        send_part(walk, passage, r, c, &spans.of[i]);
    }
}

/* Every process column multiplies what it has of the columns from `first` to `end`. */
static void update(struct cyclic_walk *walk, int64_t first, int64_t end, double rows, double width)
{
    const struct cyclic_spans spans = cyclic_column_spans(walk, end, first);

    for (size_t i = 0; i < spans.count; i++)
        cyclic_spend_each(&walk->clocks, &spans.of[i], CYCLIC_UPDATE,
                          cyclic_gemm_s(&walk->kernels, rows, (double)spans.of[i].share, width));
}

/* A solve slice by slice. */
struct slice_by_slice {
    struct cyclic_walk *walk;
    struct passage passage;
    bool is_transposed, is_mirrored;
};

static struct slice_by_slice slice_by_slice(struct cyclic_walk *walk)
{
    return (struct slice_by_slice){
        .walk = walk,
        .passage = { .is_ring = cyclic_least(walk->v->m, walk->v->n) > CYCLIC_SLICE },
    };
}

static bool follow_slices(struct slice_by_slice *solve, const struct cyclic_sequence *slices,
                          bool (*step)(void *context, int64_t number))
{
    if (!cyclic_follow_steps(solve->walk, slices, step, solve))
        return false;
    cyclic_spend_all(&solve->walk->clocks, CYCLIC_BROADCAST, solve->passage.fill_s);
    return true;
}

static double rows_of_b(const struct cyclic_walk *walk)
{
    return (double)cyclic_rows(walk->v->m, walk->block, 0, walk->rows);
}

/* Solved columns travel along the rows, and all that is right of them is updated. */
static bool solve_and_update(void *context, int64_t number)
{
    struct slice_by_slice *solve = context;
    struct passage *passage = &solve->passage;
    struct cyclic_walk *walk = solve->walk;
    const struct cyclic_values *v = walk->v;
    const double rows = rows_of_b(walk);
    const int64_t s = number * CYCLIC_SLICE, width = cyclic_least(CYCLIC_SLICE, v->n - s);
    const int64_t c = s / walk->block % walk->columns;

    if (walk->rows > 1 || solve->is_transposed)
        send_slice(walk, passage, s, (double)width, s, v->n);
    cyclic_spend_on(&walk->clocks, c, CYCLIC_SOLVE_TRIANGLE,
                    cyclic_trsm_s(&walk->kernels, (double)width, rows));
    if (s + width >= v->n)
        return true;
    if (v->n > walk->block && passage->is_ring)
        cyclic_ring(&walk->clocks, c, 8 * rows * (double)width);
    else if (v->n > walk->block)
        cyclic_row_tree(&walk->clocks, c, 8 * rows * (double)width);
    update(walk, s + width, v->n, rows, (double)width);
    return true;
}

bool cyclic_solve_moving_both(struct cyclic_walk *walk, bool is_transposed)
{
    const struct cyclic_sequence slices = cyclic_slices(walk->v, walk->v->n);
    struct slice_by_slice solve = slice_by_slice(walk);

    solve.is_transposed = solve.passage.is_turned = is_transposed;
    return follow_slices(&solve, &slices, solve_and_update);
}

/* What the columns solved so far add to a slice is combined along the rows before its owner solves
 * it.  The first block is solved alone. */
static bool combine_and_solve(void *context, int64_t number)
{
    struct slice_by_slice *solve = context;
    struct cyclic_walk *walk = solve->walk;
    const struct cyclic_values *v = walk->v;
    const double rows = rows_of_b(walk);
    const int64_t s = number ? walk->block + (number - 1) * CYCLIC_SLICE : 0;
    const int64_t end = cyclic_least(v->n, s + (s ? CYCLIC_SLICE : walk->block));
    const int64_t c = s / walk->block % walk->columns;
    const double width = (double)(end - s);

    if (walk->rows > 1)
        send_slice(walk, &solve->passage, s, width, 0, end);
    if (s) {
        update(walk, 0, s, rows, width);
        cyclic_combine_rows(walk, 8 * rows * width);
        walk->clocks.path_at = c; /* all clocks are equal */
        cyclic_spend_on(
            &walk->clocks, c, CYCLIC_COPY,
            cyclic_copy_s(&walk->kernels, rows, width, 24, solve->is_mirrored ? rows : width));
    }
    cyclic_spend_on(&walk->clocks, c, CYCLIC_SOLVE_TRIANGLE,
                    cyclic_trsm_s(&walk->kernels, width, rows));
    return true;
}

bool cyclic_solve_combining(struct cyclic_walk *walk, bool is_mirrored)
{
    const int64_t n = walk->v->n;
    struct cyclic_sequence slices = cyclic_slices(walk->v, cyclic_most(0, n - walk->block));
    struct slice_by_slice solve = slice_by_slice(walk);

    slices.count++; /* the first block */
    solve.is_mirrored = is_mirrored;
    return follow_slices(&solve, &slices, combine_and_solve);
}
