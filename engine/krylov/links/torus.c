/* Loads of the links of a torus (docs/models/krylov-links.md#routes).
 *
 * A flow loads all links of a way along a line alike, so only the changes at both ends of the way
 * are kept: a flow costs two changes in each dimension, however far it goes. */
#include "engine/krylov/links/links.h"

#include <assert.h>

int64_t krylov_ring_way(int64_t from, int64_t to, int64_t ring)
{
    const int64_t up = to >= from ? to - from : to - from + ring;

    return 2 * up > ring ? up - ring : up;
}

/* Whether the way between two routers of the block may lead around the ring: upwards at the half.
 */
static bool is_closed(int64_t extent, int64_t ring)
{
    return 2 * (extent - 1) >= ring;
}

void krylov_torus_measure(struct krylov_network *network, const struct fr_vector *allocation)
{
    double routers = 1;

    for (size_t d = 0; d < FR_MAX_EXTENTS; d++) {
        const bool is_there = d < allocation->count;
        const int64_t x = is_there ? allocation->at[d] : 1;
        const int64_t ring = is_there ? (int64_t)network->topology->dimensions.row[d] : 1;

        network->extent[d] = x;
        network->ring[d] = ring;
        network->line[d] = is_closed(x, ring) ? x + ring / 2 : x;
        routers *= (double)x;
    }
    for (size_t d = 0; d < FR_MAX_EXTENTS; d++) {
        const double lines = 2 * routers / (double)network->extent[d];

        krylov_count_links(network, (enum krylov_link)(LINK_TORUS + d),
                           lines * (double)network->line[d]);
    }
}

/* The changes of a way by distance, with those of ways downwards behind those upwards.  A way is
 * counted from its lower end, and may end beyond the ring. */
static void fill_ways(const struct krylov_network *network, size_t d, struct krylov_way *way)
{
    const int64_t last = network->extent[d] - 1;

    for (int64_t distance = -last; distance <= last; distance++) {
        const int64_t hops = krylov_ring_way(0, distance, network->ring[d]);
        const int64_t first = hops < 0 ? network->line[d] + distance : 0;
        const int64_t end = first + (hops < 0 ? -hops : hops);

        /* from the highest start that has this distance, it ends on its own line */
        assert((distance > 0 ? last - distance : last) + end <
               (hops < 0 ? 2 : 1) * network->line[d]);
        way[distance] = (struct krylov_way){ (int32_t)first, (int32_t)end };
    }
}

/* The lines of a dimension are numbered by the coordinates of the other two. */
static struct krylov_torus_node node_at(const struct krylov_network *network,
                                        const struct krylov_place *place)
{
    const int64_t x = network->extent[0], y = network->extent[1];
    const int64_t *line = network->line;
    const int32_t *at = place->at;

    return (struct krylov_torus_node){
        .at = { at[0], at[1], at[2] },
        .first = (int32_t)(2 * line[0] * (at[1] + y * at[2]) + at[0]),
        .second_from = (int32_t)(2 * line[1] * (x * at[2]) + at[1]),
        .second_to = (int32_t)(2 * line[1] * at[0]),
        .third = (int32_t)(2 * line[2] * (at[0] + x * at[1])),
    };
}

bool krylov_torus_prepare(struct krylov_network *network, int64_t nodes, struct fr_arena *arena)
{
    struct krylov_torus_node *node = fr_arena_zeroed(arena, (size_t)nodes, sizeof *node);

    for (size_t d = 0; d < FR_MAX_EXTENTS; d++) {
        const size_t most = (size_t)network->extent[d] - 1;
        struct krylov_way *way = fr_arena_zeroed(arena, 2 * most + 1, sizeof *way);

        if (!way)
            return false;
        network->way[d] = way + most;
        fill_ways(network, d, way + most);
    }
    for (int64_t k = 0; node && k < nodes; k++)
        node[k] = node_at(network, &network->place[k]);
    network->node = node;
    return node;
}

/* Along one dimension, from `start` over `distance`. */
static inline void add_way(struct krylov_load *start, const struct krylov_way *ways,
                           ptrdiff_t distance, struct krylov_load flow)
{
    if (distance) {
        krylov_load_add(&start[ways[distance].first], flow);
        krylov_load_subtract(&start[ways[distance].last], flow);
    }
}

static void add_rows(const struct krylov_network *network, const struct krylov_flows *flows,
                     struct krylov_load flow)
{
    struct krylov_load *const *load = network->load + LINK_TORUS;
    struct krylov_load *const first = load[0], *const second = load[1], *const third = load[2];
    const struct krylov_way *const *way = network->way;
    const struct krylov_way *const along_first = way[0], *const along_second = way[1],
                                   *const along_third = way[2];
    const struct krylov_torus_node *from = network->node + flows->from;
    const struct krylov_torus_node *to = network->node + flows->to;
    const int64_t count = flows->count, stride = flows->stride;

    for (int64_t rows = flows->rows; rows > 0; rows--, from += stride, to += stride)
        for (const struct krylov_torus_node *a = from, *b = to; a < from + count; a++, b++) {
            add_way(first + a->first, along_first, b->at[0] - a->at[0], flow);
            add_way(second + (a->second_from + b->second_to), along_second, b->at[1] - a->at[1],
                    flow);
            add_way(third + (b->third + a->at[2]), along_third, b->at[2] - a->at[2], flow);
        }
}

void krylov_torus_add(const struct krylov_network *network, const struct krylov_flows *flows,
                      struct krylov_load each)
{
    if (!krylov_has_runs(network, flows->count)) {
        add_rows(network, flows, each);
        return;
    }
    for (int64_t r = 0; r < flows->rows; r++)
        krylov_runs_add(network, flows->from + r * flows->stride, flows->to + r * flows->stride,
                        flows->count, each);
}

/* What ends beyond the ring has crossed the links from the start of the line.  The changes of a
 * line sum to 0, so the load there is what the changes beyond take back. */
static void add_line(const struct krylov_load *change, int64_t ring, int64_t line,
                     struct krylov_load *most)
{
    struct krylov_load sum = { 0, 0 };

    for (int64_t i = ring; i < line; i++)
        krylov_load_subtract(&sum, change[i]);
    for (int64_t i = 0; i < (line < ring ? line : ring); i++) {
        krylov_load_add(&sum, change[i]);
        if (ring + i < line)
            krylov_load_add(&sum, change[ring + i]);
        krylov_load_raise(most, sum);
    }
}

struct krylov_load krylov_torus_most(const struct krylov_network *network, size_t d)
{
    const size_t kind = LINK_TORUS + d;
    const int64_t line = network->line[d];
    struct krylov_load most = { 0, 0 };

    for (int64_t begin = 0; begin < network->count[kind]; begin += line)
        add_line(network->load[kind] + begin, network->ring[d], line, &most);
    return most;
}
