/* Classes of processes in a layout where a node holds c consecutive ranks that do not form a box
 * (docs/models/krylov.md#classes-of-processes).
 *
 * All processes at the same position of the grid (in each dimension at the lower end, at the upper
 * end, or between) have their neighbours at the same distances in ranks.  So only rank modulo c
 * decides whether a neighbour shares the node. */
#include "engine/krylov/communication/krylov.h"

#include <assert.h>
#include <string.h>

/* A message to the rank that is `distance` away. */
struct message {
    unsigned kind;
    int64_t distance;
};
enum { MOST_MESSAGES = 26 };

/* Extends a direction by dimension d; false if there is no neighbour. */
static bool extend(const struct halo_grid *grid, const struct halo_range *at, size_t d, int step,
                   int64_t stride, struct message *message)
{
    const int64_t extent = grid->process[d];
    const bool is_edge = step < 0 ? at->is_first : at->is_last;

    if (step == 0)
        return true;
    if (extent == 1 || (is_edge && !grid->is_periodic) || (step > 0 && grid->is_one_sided))
        return false;
    message->kind |= 1u << d;
    message->distance += stride * step * (is_edge ? 1 - extent : 1);
    return true;
}

static size_t messages_of(const struct halo_grid *grid, const struct halo_range *const at[3],
                          struct message out[MOST_MESSAGES])
{
    const int64_t stride[] = { grid->process[1] * grid->process[2], grid->process[2], 1 };
    size_t count = 0;

    for (int i = 0; i < 27; i++) {
        const int step[] = { i / 9 - 1, i / 3 % 3 - 1, i % 3 - 1 };
        struct message message = { 0, 0 };
        bool is_there = true;

        for (size_t d = 0; is_there && d < 3; d++)
            is_there = extend(grid, at[d], d, step[d], stride[d], &message);
        if (is_there && message.kind && (grid->is_full || !(message.kind & (message.kind - 1))))
            out[count++] = message;
    }
    return count;
}

/* Moves the messages that may stay on a node to the front and returns their number. */
static size_t move_near_to_front(struct message *message, size_t count, int64_t c)
{
    size_t near = 0;

    for (size_t i = 0; i < count; i++) {
        const struct message at = message[i];

        if (at.distance <= -c || at.distance >= c)
            continue;
        message[i] = message[near];
        message[near++] = at;
    }
    return near;
}

/* Lines whose indices differ by the period begin at the same rank modulo c. */
static int64_t period_of(int64_t stride, int64_t c)
{
    return c / fr_common_divisor(c, stride);
}

/* The number of indices of the range that lie 0 or more periods above this one. */
static int64_t count_congruent(const struct halo_range *range, int64_t index, int64_t period)
{
    return (range->begin + range->count - 1 - index) / period + 1;
}

static int64_t end_of(const struct halo_range *range, int64_t period)
{
    return range->begin + (range->count < period ? range->count : period);
}

/* Counts these processes by their place in the block, rank modulo c.  Their ranks form runs of
 * consecutive numbers; `change` holds the difference of the counts of adjacent places. */
static void count_places(const struct halo_grid *grid, const struct halo_range *const at[3],
                         int64_t places[KRYLOV_MOST_PER_NODE])
{
    const int64_t c = grid->c, length = at[2]->count, line = grid->process[2];
    const int64_t slab = grid->process[1] * line;
    const int64_t i_period = period_of(slab, c), j_period = period_of(line, c);
    int64_t change[KRYLOV_MOST_PER_NODE + 1], count;

    memset(change, 0, ((size_t)c + 1) * sizeof *change);
    for (int64_t i = at[0]->begin; i < end_of(at[0], i_period); i++)
        for (int64_t j = at[1]->begin; j < end_of(at[1], j_period); j++) {
            const int64_t lines =
                count_congruent(at[0], i, i_period) * count_congruent(at[1], j, j_period);
            const int64_t from = (i * slab + j * line + at[2]->begin) % c, to = from + length % c;

            change[from] += lines;
            change[to < c ? to : c] -= lines;
            if (to > c) {
                change[0] += lines;
                change[to - c] -= lines;
            }
        }
    count = at[0]->count * at[1]->count * (length / c);
    for (int64_t place = 0; place < c; place++) {
        count += change[place];
        places[place] = count;
    }
}

/* The set of messages that stay on the node, as bits. */
static unsigned on_node_set(const struct message *message, size_t near, int64_t place, int64_t c)
{
    unsigned set = 0;

    for (size_t i = 0; i < near; i++)
        if (place + message[i].distance >= 0 && place + message[i].distance < c)
            set |= 1u << i;
    return set;
}

static void visit_class(const struct message *message, size_t count, unsigned on_node,
                        int64_t processes, struct halo_visitor visitor)
{
    struct halo_counts counts = { { { 0 } } };

    if (!processes)
        return;
    for (size_t i = 0; i < count; i++)
        counts.count[message[i].kind][on_node & 1u << i ? ON_NODE : OFF_NODE] += 1;
    visitor.visit(visitor.context, (double)processes, &counts);
}

/* Adjacent places mostly send the same messages: each run of them is one class. */
static void visit(const struct halo_grid *grid, const struct halo_range *const at[3],
                  struct halo_visitor visitor)
{
    int64_t places[KRYLOV_MOST_PER_NODE], processes = 0;
    struct message message[MOST_MESSAGES];
    const size_t count = messages_of(grid, at, message);
    const size_t near = move_near_to_front(message, count, grid->c);
    unsigned known = 0;

    count_places(grid, at, places);
    for (int64_t place = 0; place < grid->c; place++) {
        const unsigned set = on_node_set(message, near, place, grid->c);

        if (set != known) {
            visit_class(message, count, known, processes, visitor);
            processes = 0;
        }
        known = set;
        processes += places[place];
    }
    visit_class(message, count, known, processes, visitor);
}

void halo_visit_ranks(const struct halo_grid *grid, struct halo_visitor visitor)
{
    struct halo_range range[3][3];
    size_t count[3];

    assert(grid->c <= KRYLOV_MOST_PER_NODE);
    for (size_t d = 0; d < 3; d++)
        count[d] = halo_ranges(grid->process[d], range[d]);
    for (size_t i = 0; i < count[0]; i++)
        for (size_t j = 0; j < count[1]; j++)
            for (size_t k = 0; k < count[2]; k++) {
                const struct halo_range *const at[] = { &range[0][i], &range[1][j], &range[2][k] };

                visit(grid, at, visitor);
            }
}

int64_t halo_rank_lines(const struct fr_vector *process_grid)
{
    int64_t lines = 1;

    for (size_t d = 0; d + 1 < process_grid->count; d++)
        lines *= process_grid->at[d];
    return lines;
}
