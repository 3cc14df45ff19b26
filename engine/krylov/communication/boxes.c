/* Classes of processes in a layout where every node holds a box.  In each dimension only the
 * locations of the two neighbours matter (docs/models/krylov.md#classes-of-processes). */
#include "engine/krylov/communication/krylov.h"

enum side { NONE, SAME_NODE, SAME_ROUTER, ELSEWHERE };

/* Processes with the same pair of neighbour locations in one dimension, in either order. */
struct sides {
    enum side a, b;
    int64_t first; /* smallest index among them */
    double count;
};
enum { MOST_SIDES = 10 };
struct side_list {
    struct sides row[MOST_SIDES];
    size_t count;
};

static void add_sides(struct side_list *list, enum side a, enum side b, int64_t first, double count)
{
    size_t i = 0;

    if (a > b) {
        const enum side swapped = a;

        a = b;
        b = swapped;
    }
    while (i < list->count && (list->row[i].a != a || list->row[i].b != b))
        i++;
    if (i == list->count)
        list->row[list->count++] = (struct sides){ a, b, first, 0 };
    list->row[i].count += count;
    if (first < list->row[i].first)
        list->row[i].first = first;
}

/* By first index: of equally slow processes the first is reported. */
static void order_sides(struct side_list *list)
{
    for (size_t i = 1; i < list->count; i++) {
        const struct sides sides = list->row[i];
        size_t at = i;

        for (; at > 0 && list->row[at - 1].first > sides.first; at--)
            list->row[at] = list->row[at - 1];
        list->row[at] = sides;
    }
}

size_t halo_ranges(int64_t extent, struct halo_range out[3])
{
    size_t count = 0;

    if (extent == 1) {
        out[count++] = (struct halo_range){ 0, 1, true, true };
        return count;
    }
    out[count++] = (struct halo_range){ 0, 1, true, false };
    out[count++] = (struct halo_range){ extent - 1, 1, false, true };
    if (extent > 2)
        out[count++] = (struct halo_range){ 1, extent - 2, false, false };
    return count;
}

/* The neighbour beyond the boundary of the grid. */
static enum side wrapped(const struct halo_grid *grid, size_t d)
{
    if (!grid->is_periodic || grid->process[d] == 1)
        return NONE;
    if (grid->process[d] == grid->on_node[d])
        return SAME_NODE;
    return grid->process[d] == grid->on_node[d] * grid->host[d] ? SAME_ROUTER : ELSEWHERE;
}

/* The neighbour above. */
static enum side above(const struct halo_grid *grid, enum side side)
{
    return grid->is_one_sided ? NONE : side;
}

/* The neighbour of a process at an end of its node, of its router and of the grid. */
static enum side side_of(bool ends_node, bool ends_router, bool ends_grid, enum side around)
{
    if (!ends_node)
        return SAME_NODE;
    if (!ends_router)
        return SAME_ROUTER;
    return ends_grid ? around : ELSEWHERE;
}

static void list_sides(const struct halo_grid *grid, size_t d, struct side_list *list)
{
    const enum side around = wrapped(grid, d);
    struct halo_range node[3], router[3], whole[3];
    const size_t in_node = halo_ranges(grid->on_node[d], node);
    const size_t in_router = halo_ranges(grid->host[d], router);
    const size_t in_grid =
        halo_ranges(grid->process[d] / (grid->on_node[d] * grid->host[d]), whole);

    list->count = 0;
    for (size_t i = 0; i < in_node; i++)
        for (size_t j = 0; j < in_router; j++)
            for (size_t k = 0; k < in_grid; k++)
                add_sides(list,
                          side_of(node[i].is_first, router[j].is_first, whole[k].is_first, around),
                          above(grid, side_of(node[i].is_last, router[j].is_last, whole[k].is_last,
                                              around)),
                          (whole[k].begin * grid->host[d] + router[j].begin) * grid->on_node[d] +
                              node[i].begin,
                          (double)(node[i].count * router[j].count * whole[k].count));
    order_sides(list);
}

/* Counts the messages along the dimensions of `kind`, in all directions. */
static void add_kind(const struct sides *const sides[FR_MAX_EXTENTS], unsigned kind,
                     struct halo_counts *counts)
{
    for (unsigned ways = 0; ways < KINDS; ways++) {
        bool is_there = !(ways & ~kind), is_off = false;
        unsigned crossings = 0;

        for (size_t d = 0; is_there && d < FR_MAX_EXTENTS; d++) {
            const enum side side = ways & 1u << d ? sides[d]->b : sides[d]->a;

            if (!(kind & 1u << d))
                continue;
            is_there = side != NONE;
            is_off = is_off || side > SAME_NODE;
            crossings += side == ELSEWHERE;
        }
        if (is_there)
            counts->count[kind][is_off ? OFF_NODE + crossings : ON_NODE] += 1;
    }
}

static void visit(const struct halo_grid *grid, const struct sides *const sides[FR_MAX_EXTENTS],
                  struct halo_visitor visitor)
{
    struct halo_counts counts = { { { 0 } } };

    for (unsigned kind = 1; kind < KINDS; kind++)
        if (grid->is_full || !(kind & (kind - 1)))
            add_kind(sides, kind, &counts);
    visitor.visit(visitor.context, sides[0]->count * sides[1]->count * sides[2]->count, &counts);
}

void halo_visit_boxes(const struct halo_grid *grid, struct halo_visitor visitor)
{
    struct side_list list[FR_MAX_EXTENTS];

    for (size_t d = 0; d < FR_MAX_EXTENTS; d++)
        list_sides(grid, d, &list[d]);
    for (size_t i = 0; i < list[0].count; i++)
        for (size_t j = 0; j < list[1].count; j++)
            for (size_t k = 0; k < list[2].count; k++) {
                const struct sides *const sides[FR_MAX_EXTENTS] = {
                    &list[0].row[i],
                    &list[1].row[j],
                    &list[2].row[k],
                };

                visit(grid, sides, visitor);
            }
}
