/* Loads of links, compared with a walk of every message, hop by hop, and their limits
 * (docs/models/krylov-links.md). */
#include "engine/krylov/links/links.h"
#include "tests/unit/support/question.h"

#include <stdio.h>
#include <stdlib.h>

/* Three networks whose links differ in speed, and two protocols. */
#define MACHINE(topology)                                                           \
    "{'schema': 'forerun-calibration-1', 'machine': 'm', 'network': {"              \
    "'protocols': [{'name': 'eager', 'max_message_bytes': 1000, 'pipelined': true," \
    "'off_node': {'latency_s': 2, 'inverse_bandwidth_s_per_byte': 3},"              \
    "'on_node': {'latency_s': 1, 'inverse_bandwidth_s_per_byte': 1}},"              \
    "{'name': 'rendezvous', 'max_message_bytes': null,"                             \
    "'off_node': {'latency_s': 4, 'inverse_bandwidth_s_per_byte': 2},"              \
    "'on_node': {'latency_s': 2, 'inverse_bandwidth_s_per_byte': 1}}],"             \
    "'node_bandwidth_bytes_per_s': 0.5, 'topology': " topology "}}"
#define TORUS                                                                               \
    "{'type': 'torus', 'dimensions': [6, 5, 4], 'nodes_per_router': 2, 'hop_latency_s': 1," \
    "'link_bandwidth_bytes_per_s': 0.25}"
#define LONG_TORUS(nodes_per_router)                                                        \
    "{'type': 'torus', 'dimensions': [9, 5, 3], 'nodes_per_router': " #nodes_per_router "," \
    "'hop_latency_s': 1, 'link_bandwidth_bytes_per_s': 0.25}"
#define CLASS "{'best': {}, 'average': {}, 'max': {}}"
#define DRAGONFLY                                                                       \
    "{'type': 'dragonfly', 'nodes_per_router': 2, 'routers_per_chassis': 4,"            \
    "'chassis_per_group': 3, 'hop_latency_s': {'chassis': 1, 'group': 1, 'global': 1}," \
    "'hop_classes': {'chassis': " CLASS ", 'group': " CLASS ", 'global': " CLASS "},"   \
    "'link_bandwidth_bytes_per_s': {'chassis': 0.125, 'group': 0.25, 'global': 1}}"
#define TREE                                                                               \
    "{'type': 'uniform', 'hops': {'best': 1, 'average': 2, 'max': 3}, 'hop_latency_s': 1," \
    "'nodes_per_leaf': 6, 'uplinks_per_leaf': 4,"                                          \
    "'link_bandwidth_bytes_per_s': {'up': 0.25, 'down': 0.125}}"

/* ---- the walk ------------------------------------------------------------------------------- */

/* Links by their class and ends: a plain list that is searched. */
struct walked {
    double bandwidth;
    int name[8];
    double bytes, weighted;
};
enum { MOST_WALKED = 20000 };
struct walk {
    const struct fr_topology *topology;
    const struct krylov_place *place;
    struct walked link[MOST_WALKED];
    size_t count;
};

static void cross(struct walk *walk, double bandwidth, const int name[8], double bytes)
{
    const double weighted = bytes * (bytes <= 1000 ? 1.5 : 1);
    size_t i = 0;

    while (i < walk->count && memcmp(walk->link[i].name, name, sizeof walk->link[i].name) != 0)
        i++;
    assert_true(i < MOST_WALKED);
    if (i == walk->count) {
        walk->link[walk->count++] = (struct walked){ .bandwidth = bandwidth };
        memcpy(walk->link[i].name, name, sizeof walk->link[i].name);
    }
    walk->link[i].bytes += bytes;
    walk->link[i].weighted += weighted;
}

static void walk_torus(struct walk *walk, const int32_t *from, const int32_t *to, double bytes)
{
    int at[3] = { from[0], from[1], from[2] };

    for (int d = 0; d < 3; d++) {
        const int ring = (int)walk->topology->dimensions.row[d];
        const int up = ((to[d] - at[d]) % ring + ring) % ring, step = up * 2 <= ring ? 1 : -1;

        while (at[d] != to[d]) {
            cross(walk, 0.25, (int[8]){ 2, at[0], at[1], at[2], d, step }, bytes);
            at[d] = (at[d] + step + ring) % ring;
        }
    }
}

static void walk_group(struct walk *walk, const int32_t *from, const int32_t *to, double bytes)
{
    if (from[2] != to[2])
        cross(walk, 0.125, (int[8]){ 2, from[0], from[1], from[2], to[2] }, bytes);
    if (from[1] != to[1])
        cross(walk, 0.25, (int[8]){ 3, from[0], to[2], from[1], to[1] }, bytes);
}

static void walk_dragonfly(struct walk *walk, const int32_t *from, const int32_t *to, double bytes)
{
    const int32_t out = to[0] % 12, in = from[0] % 12;

    if (from[0] == to[0]) {
        walk_group(walk, from, to, bytes);
        return;
    }
    walk_group(walk, from, (int32_t[]){ from[0], out / 4, out % 4 }, bytes);
    cross(walk, 1, (int[8]){ 4, from[0], to[0] }, bytes);
    walk_group(walk, (int32_t[]){ to[0], in / 4, in % 4 }, to, bytes);
}

static void walk_message(struct walk *walk, int64_t from, int64_t to, double bytes)
{
    const struct krylov_place *a = &walk->place[from], *b = &walk->place[to];

    if (from == to)
        return;
    cross(walk, 0.5, (int[8]){ 0, (int)from }, bytes);
    cross(walk, 0.5, (int[8]){ 1, (int)to }, bytes);
    if (walk->topology->type == FR_TORUS)
        walk_torus(walk, a->at, b->at, bytes);
    else if (walk->topology->type == FR_DRAGONFLY)
        walk_dragonfly(walk, a->at, b->at, bytes);
    else if (a->at[0] != b->at[0]) {
        cross(walk, 0.25, (int[8]){ 5, a->at[0], b->index % 4 }, bytes);
        cross(walk, 0.125, (int[8]){ 6, b->at[0], b->index % 4 }, bytes);
    }
}

/* The node of a process in a grid of dimensions padded to three. */
static int64_t node_of(const struct halo_grid *grid, const int64_t *at)
{
    int64_t rank = 0, node = 0;

    for (size_t d = 0; d < 3; d++) {
        rank = rank * grid->process[d] + at[d];
        if (grid->is_boxed)
            node = node * (grid->process[d] / grid->on_node[d]) + at[d] / grid->on_node[d];
    }
    return grid->is_boxed ? node : rank / grid->c;
}

static void walk_process(struct walk *walk, const struct halo_grid *grid,
                         const struct krylov_stencil *wide, const int64_t *at)
{
    for (int i = 0; i < 27; i++) {
        const int step[] = { i / 9 - 1, i / 3 % 3 - 1, i % 3 - 1 };
        unsigned kind = 0;
        bool is_there = true;
        int64_t to[3];

        for (size_t d = 0; d < 3; d++) {
            const int64_t extent = grid->process[d];

            to[d] = (at[d] + step[d] + extent) % extent;
            kind |= step[d] ? 1u << d : 0;
            is_there &= !step[d] || (extent > 1 && (grid->is_periodic || to[d] == at[d] + step[d]));
        }
        if (kind && is_there && (grid->is_full || !(kind & (kind - 1))))
            walk_message(walk, node_of(grid, at), node_of(grid, to),
                         krylov_message_bytes(wide, kind));
    }
}

static struct krylov_link_load walked_load(const struct walk *walk)
{
    struct krylov_link_load load = { 0, 0, 0, 1 };

    for (size_t i = 0; i < walk->count; i++) {
        const struct walked *link = &walk->link[i];
        const double s = link->bytes / link->bandwidth;

        load.link_protocol_s = fmax(load.link_protocol_s, link->weighted / link->bandwidth);
        if (s > load.link_s || (s == load.link_s && link->bytes > load.link_bytes))
            load.link_bytes = link->bytes;
        load.link_s = fmax(load.link_s, s);
    }
    return load;
}

static struct krylov_link_load walk_all(const struct krylov_grid_values *v,
                                        const struct krylov_stencil *stencil,
                                        const struct krylov_place *place,
                                        const struct fr_topology *topology)
{
    const struct halo_grid grid = halo_grid_of(v, stencil);
    const struct krylov_stencil wide = halo_padded(stencil);
    struct walk *walk = calloc(1, sizeof *walk);
    struct krylov_link_load load;

    walk->topology = topology;
    walk->place = place;
    for (int64_t i = 0; i < grid.process[0]; i++)
        for (int64_t j = 0; j < grid.process[1]; j++)
            for (int64_t k = 0; k < grid.process[2]; k++)
                walk_process(walk, &grid, &wide, (const int64_t[]){ i, j, k });
    load = walked_load(walk);
    free(walk);
    return load;
}

/* ---- questions ------------------------------------------------------------------------------ */

struct question {
    struct fr_arena *arena;
    struct fr_prediction out;
    struct fr_faults faults;
    struct fr_evaluation run;
};

static struct question *begin(const char *document)
{
    struct question *question = calloc(1, sizeof *question);

    question->arena = fr_arena_new(1 << 28);
    fr_prediction_clear(&question->out);
    question->run = (struct fr_evaluation){ .cal = calibration_of(document, question->arena),
                                            .arena = question->arena,
                                            .out = &question->out,
                                            .faults = &question->faults };
    return question;
}

static void end(struct question *question)
{
    fr_arena_free(question->arena);
    free(question);
}

static struct krylov_grid_values *grid_values(struct question *question, const char *query)
{
    void *values;

    resolved("halo_exchange", query, question->run.cal, question->arena, &values);
    return values;
}

static struct krylov_stencil stencil_of(const struct krylov_grid_values *values, bool is_full)
{
    return (struct krylov_stencil){ .dimensions = values->local_grid.count,
                                    .is_full = is_full,
                                    .message_bytes = NAN,
                                    .values_per_point = 1,
                                    .local_grid = values->local_grid };
}

static void compare(const char *document, const char *query, enum fr_placement placement,
                    bool is_full)
{
    struct question *question = begin(document);
    const struct fr_topology *topology = &question->run.cal->network.topology;
    const struct krylov_grid_values *values = grid_values(question, query);
    const struct krylov_stencil stencil = stencil_of(values, is_full);
    const int64_t nodes = values->common.nodes;
    const int64_t slots = (int64_t)krylov_slots(topology, &values->common.allocation, nodes);
    struct krylov_place *place = fr_arena_zeroed(question->arena, (size_t)nodes, sizeof *place);
    int32_t *slot = fr_arena_zeroed(question->arena, (size_t)slots, sizeof *slot);
    struct krylov_link_load got = krylov_grid_load(values, &stencil, placement, &question->run);
    struct krylov_link_load want;

    krylov_shuffle(slots, slot);
    for (int64_t k = 0; k < nodes; k++)
        place[k] = krylov_place_of(topology, &values->common.allocation, nodes,
                                   placement == FR_BLOCK ? k : slot[k]);
    want = walk_all(values, &stencil, place, topology);
    assert_true(want.link_s > 0);
    assert_close(got.link_s, want.link_s, 1e-12);
    assert_close(got.link_bytes, want.link_bytes, 1e-12);
    assert_close(got.link_protocol_s, want.link_protocol_s, 1e-12);
    assert_int_equal(question->out.warning_count, 0);
    end(question);
}

TEST(loads_are_those_of_all_messages)
{
    static const char *const documents[] = { MACHINE(TORUS), MACHINE(TORUS), MACHINE(DRAGONFLY),
                                             MACHINE(TREE) };
    /* whole rings, and a part from which a shorter way leads around */
    static const char *const allocations[] = { "&allocation=6x5x2", "&allocation=5x4x3",
                                               "&allocation=25x9x4", "" };
    static const char *const shapes[] = {
        "nodes=50&processes_per_node=4&local_grid=5x9x3",
        "nodes=50&processes_per_node=4&local_grid=5x9x3&mapping=node_aware",
        "nodes=45&processes_per_node=7&local_grid=20x9x30&periodic=false",
        "nodes=36&processes_per_node=6&local_grid=40x3&dimensions=2",
        "nodes=48&processes_per_node=2&local_grid=7&dimensions=1&periodic=false",
    };

    for (size_t i = 0; i < sizeof documents / sizeof *documents; i++)
        for (size_t j = 0; j < sizeof shapes / sizeof *shapes; j++)
            for (int k = 0; k < 4; k++) {
                char query[200];

                snprintf(query, sizeof query, "%s%s", shapes[j], allocations[i]);
                compare(documents[i], query, k & 1 ? FR_SCATTERED : FR_BLOCK, k & 2);
            }
}

/* On lines of at least 8 routers the flows of nodes in order are counted in runs: of nodes of one
 * router and of several, of whole rows and of rows with gaps, across the ends of lines. */
TEST(runs_of_nodes_in_order_are_counted)
{
    static const char *const documents[] = { MACHINE(LONG_TORUS(1)), MACHINE(LONG_TORUS(2)),
                                             MACHINE(LONG_TORUS(3)) };
    static const char *const shapes[] = {
        "nodes=72&processes_per_node=1&local_grid=5x9x3&allocation=9x4x2",
        "nodes=70&processes_per_node=2&local_grid=5x9x3&allocation=9x3x3&mapping=node_aware",
        "nodes=64&processes_per_node=1&local_grid=20x9x30&allocation=8x4x2&periodic=false",
        "nodes=66&processes_per_node=1&local_grid=40x3&dimensions=2&allocation=8x3x3",
        "nodes=65&processes_per_node=2&local_grid=7&dimensions=1&allocation=9x4x2",
    };

    for (size_t i = 0; i < sizeof documents / sizeof *documents; i++)
        for (size_t j = 0; j < sizeof shapes / sizeof *shapes; j++)
            for (int is_full = 0; is_full < 2; is_full++)
                compare(documents[i], shapes[j], FR_BLOCK, is_full);
}

/* Lines from one router to half of a ring and to the whole of it, both of even and of odd length:
 * the links along them are the busiest. */
TEST(ways_around_every_ring_are_counted)
{
    static const char *const lines[] = {
        "nodes=6&allocation=1x1x3",  "nodes=8&allocation=1x1x4",  "nodes=8&allocation=4x1x1",
        "nodes=12&allocation=6x1x1", "nodes=8&allocation=1x4x1",  "nodes=10&allocation=1x5x1",
        "nodes=18&allocation=3x1x3", "nodes=24&allocation=4x1x3",
    };

    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        for (int k = 0; k < 4; k++) {
            char query[200];

            snprintf(query, sizeof query, "%s&processes_per_node=1&local_grid=9&dimensions=1%s",
                     lines[i], k & 2 ? "&periodic=false" : "");
            compare(MACHINE(TORUS), query, k & 1 ? FR_SCATTERED : FR_BLOCK, false);
        }
}

/* A block of 2 x 2 x 2 routers of two nodes: the grid of nodes is 2 x 4 x 2, and a face of
 * 8 * 3 * 3 bytes leaves each process of the node's faces. */
TEST(a_mapping_along_the_torus_crosses_one_link)
{
    struct question *question = begin(MACHINE(TORUS));
    const struct krylov_grid_values *values =
        grid_values(question, "nodes=16&processes_per_node=8&allocation=2x2x2&periodic=false&"
                              "mapping=topology_aware&local_grid=3x3x3");
    const struct krylov_stencil stencil = stencil_of(values, false);
    const struct krylov_link_load load =
        krylov_grid_load(values, &stencil, FR_SCATTERED, &question->run);

    /* out of a node inside the second dimension, to 4 neighbors, 4 processes to each; a link along
     * the first dimension has half the load and half the bandwidth, so it is as busy */
    assert_close(load.link_bytes, 4 * 4 * 72, 0);
    assert_close(load.link_s, 2 * 4 * 72 / 0.25, 0);
    assert_close(load.link_protocol_s, 1.5 * 2 * 4 * 72 / 0.25, 1e-15);
    end(question);
}

TEST(messages_of_a_partition_meet_on_links)
{
    static const struct krylov_words message[] = { { 0, 1, 5 }, { 0, 2, 10 }, { 1, 3, 20 } };
    struct question *question = begin(MACHINE(TREE));
    const struct krylov_values values = { .nodes = 2,
                                          .processes_per_node = 2,
                                          .eager_limit_bytes = NAN };
    const struct krylov_link_load load =
        krylov_partition_load(&values, message, 3, FR_BLOCK, &question->run);

    assert_close(load.link_bytes, 240, 0); /* both nodes are below one leaf; one message stays */
    assert_close(load.link_s, 480, 0);
    assert_close(load.link_protocol_s, 720, 0);
    end(question);
}

static void check_skipped(const char *document, const char *query)
{
    struct question *question = begin(document);
    const struct krylov_grid_values *values = grid_values(question, query);
    const struct krylov_stencil stencil = stencil_of(values, true);
    const struct krylov_link_load load =
        krylov_grid_load(values, &stencil, FR_BLOCK, &question->run);

    assert_true(isnan(load.link_s) && isnan(load.link_bytes) && isnan(load.link_protocol_s));
    assert_true(has_warning(&question->out, FR_WARN_LINKS_SKIPPED, NULL));
    assert_int_equal(question->faults.count, 0);
    end(question);
}

TEST(what_is_too_large_is_skipped)
{
    check_skipped(MACHINE(TREE), "nodes=32769&processes_per_node=1&local_grid=4x4x4");
    check_skipped(MACHINE(TREE), "nodes=10923&processes_per_node=12&local_grid=4x4x4");
    check_skipped(MACHINE(DRAGONFLY),
                  "nodes=24&processes_per_node=2&local_grid=4x4x4&mapping=topology_aware");
    check_skipped(MACHINE(TORUS), "nodes=16&processes_per_node=8&allocation=2x2x2&dimensions=2&"
                                  "mapping=topology_aware&local_grid=3x3");
}

TEST(one_node_has_no_load)
{
    struct question *question = begin(MACHINE(TREE));
    const struct krylov_grid_values *values =
        grid_values(question, "nodes=1&processes_per_node=8&local_grid=4x4x4");
    const struct krylov_stencil stencil = stencil_of(values, true);

    assert_true(isnan(krylov_grid_load(values, &stencil, FR_BLOCK, &question->run).link_s));
    assert_int_equal(question->out.warning_count, 0);
    end(question);
}

TEST(links_need_a_bandwidth)
{
    struct fr_calibration cal;
    struct fr_faults faults = { 0 };

    fr_calibration_clear(&cal);
    assert_int_equal(krylov_check_links(&cal, &faults), FR_GROUP_MISSING);
    assert_fault(&faults, FR_GROUP_MISSING, "calibration", "injection_bandwidth_bytes_per_s");
    cal.network.injection_bandwidth_bytes_per_s = 1;
    assert_int_equal(krylov_check_links(&cal, &faults), FR_OK);
    cal.network.topology.type = FR_UNIFORM;
    assert_false(krylov_has_links(&cal.network.topology));
    cal.network.topology.nodes_per_leaf = cal.network.topology.uplinks_per_leaf = 4;
    assert_true(krylov_has_links(&cal.network.topology));
}
