/* Runs of flows on a torus whose nodes lie in order, compared with the same flows one by one. */
#include "engine/krylov/links/links.h"
#include "tests/unit/support/question.h"

#include <stdlib.h>

static double ring[] = { 11, 6, 5 };

/* A block whose nodes lie in order; `has_runs`: their flows may be added in runs. */
static struct krylov_network network_of(const struct fr_topology *topology,
                                        const struct fr_vector *block, bool has_runs,
                                        struct fr_arena *arena)
{
    const int64_t nodes = (int64_t)krylov_slots(topology, block, 0);
    struct krylov_network network;

    krylov_network_measure(&network, topology, block, nodes);
    network.place = fr_arena_zeroed(arena, (size_t)nodes, sizeof *network.place);
    for (int64_t k = 0; k < nodes; k++)
        network.place[k] = krylov_place_of(topology, block, nodes, k);
    for (size_t kind = 0; kind < LINKS; kind++)
        network.load[kind] =
            fr_arena_zeroed(arena, (size_t)network.count[kind] + 1, sizeof **network.load);
    assert_true(krylov_torus_prepare(&network, nodes, arena));
    assert_true(!has_runs || krylov_runs_prepare(&network, arena));
    return network;
}

static struct krylov_flows flows_among(int64_t nodes)
{
    const int64_t from = rand() % nodes, to = rand() % nodes;
    const int64_t room = nodes - (from > to ? from : to), count = 1 + rand() % room;
    const int64_t stride = count + rand() % 3, rows = 1 + (room - count) / stride;

    return (struct krylov_flows){ from, to, count, rows, stride };
}

static void add_singly(struct krylov_network *network, const struct krylov_flows *flows,
                       struct krylov_load each)
{
    for (int64_t r = 0; r < flows->rows; r++)
        for (int64_t i = 0; i < flows->count; i++) {
            const int64_t ahead = r * flows->stride + i;
            const struct krylov_flows one = { flows->from + ahead, flows->to + ahead, 1, 1, 0 };

            krylov_network_add(network, &one, each);
        }
}

static void check_equal(const struct krylov_network *a, const struct krylov_network *b)
{
    for (size_t kind = LINK_TORUS; kind < LINK_CHASSIS; kind++)
        for (int64_t i = 0; i < a->count[kind]; i++) {
            if (a->load[kind][i].bytes != b->load[kind][i].bytes ||
                a->load[kind][i].weighted != b->load[kind][i].weighted)
                fail_msg("dimension %zu, change %d", kind - LINK_TORUS, (int)i);
        }
}

static void compare(int64_t nodes_per_router, struct fr_vector block)
{
    const struct fr_topology topology = { .type = FR_TORUS,
                                          .dimensions = { ring, FR_MAX_EXTENTS },
                                          .nodes_per_router = nodes_per_router };
    struct fr_arena *arena = fr_arena_new(1 << 24);
    struct krylov_network runs = network_of(&topology, &block, true, arena);
    struct krylov_network singles = network_of(&topology, &block, false, arena);
    const int64_t nodes = (int64_t)krylov_slots(&topology, &block, 0);

    assert_true(krylov_has_runs(&runs, nodes) && !krylov_has_runs(&singles, nodes));
    for (int i = 0; i < 40; i++) {
        const struct krylov_flows flows = flows_among(nodes);
        const struct krylov_load each = { 1 + rand() % 1000, 1 + rand() % 1000 };

        krylov_network_add(&runs, &flows, each);
        add_singly(&singles, &flows, each);
    }
    krylov_runs_finish(&runs);
    krylov_runs_finish(&singles);
    check_equal(&runs, &singles);
    fr_arena_free(arena);
}

/* A part of each ring, from which a shorter way leads around, and whole rings. */
TEST(runs_change_what_their_flows_change)
{
    srand(1);
    for (int64_t h = 1; h <= 3; h++) {
        compare(h, (struct fr_vector){ 3, { 8, 4, 3 } });
        compare(h, (struct fr_vector){ 3, { 11, 6, 5 } });
        compare(h, (struct fr_vector){ 3, { 9, 1, 5 } });
        compare(h, (struct fr_vector){ 3, { 10, 6, 1 } });
    }
}

ARENA_TEST(short_lines_have_no_runs)
{
    const struct fr_topology topology = { .type = FR_TORUS,
                                          .dimensions = { ring, FR_MAX_EXTENTS },
                                          .nodes_per_router = 2 };
    const struct fr_vector block = { 3, { 4, 6, 5 } };
    const struct krylov_network network = network_of(&topology, &block, true, arena);

    assert_false(krylov_has_runs(&network, 240));
}
