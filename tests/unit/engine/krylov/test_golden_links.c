/* Golden cases of places, routes, loads of links and exchanges with links
 * (docs/models/krylov-links.md). */
#include "engine/krylov/halo/halo.h"
#include "engine/krylov/links/links.h"
#include "tests/unit/support/golden.h"
#include "tests/unit/support/question.h"

#include <stdio.h>
#include <string.h>

static bool is_text(json_t *object, const char *name, const char *text)
{
    const char *value = json_string_value(json_object_get(object, name));

    return value && strcmp(value, text) == 0;
}

/* The topology of a case's arguments, as part of a calibration. */
static const struct fr_topology *topology_of(json_t *arguments, struct fr_arena *arena)
{
    json_t *golden = json_pack("{s:{s:{s:{s:O}}}}", "calibrations", "case", "network", "topology",
                               json_object_get(arguments, "topology"));
    const struct fr_calibration *cal = golden_calibration(golden, "case", arena);

    json_decref(golden);
    return &cal->network.topology;
}

static struct krylov_place place_from(json_t *list)
{
    const struct fr_vector at = golden_vector(list);

    return (struct krylov_place){ { (int32_t)at.at[0], (int32_t)at.at[1], (int32_t)at.at[2] }, 0 };
}

static void check_shuffle(json_t *arguments, json_t *want)
{
    int32_t slot[64];
    size_t i;
    json_t *value;

    assert_int_equal(golden_number(arguments, "count"), json_array_size(want));
    krylov_shuffle((int64_t)json_array_size(want), slot);
    json_array_foreach(want, i, value) assert_int_equal(slot[i], json_number_value(value));
}

static void check_places(json_t *arguments, json_t *want)
{
    struct fr_arena *arena = fr_arena_new(1 << 24);
    const struct fr_topology *topology = topology_of(arguments, arena);
    const struct fr_vector allocation = golden_vector(json_object_get(arguments, "allocation"));
    const int64_t nodes = (int64_t)golden_number(arguments, "nodes");
    const int64_t slots = (int64_t)krylov_slots(topology, &allocation, nodes);
    int32_t slot[256];
    size_t k;
    json_t *value;

    assert_in_range(slots, nodes, 256);
    krylov_shuffle(slots, slot);
    for (int32_t i = 0; is_text(arguments, "placement", "block") && i < slots; i++)
        slot[i] = i;
    json_array_foreach(want, k, value)
    {
        const struct krylov_place expected = place_from(value);
        const struct krylov_place got = krylov_place_of(topology, &allocation, nodes, slot[k]);

        assert_memory_equal(got.at, expected.at, sizeof got.at);
    }
    assert_int_equal(k, nodes);
    fr_arena_free(arena);
}

/* The expected links name the router where a hop starts, the dimension and the direction. */
static void check_torus_route(json_t *arguments, json_t *want)
{
    const struct fr_vector ring = golden_vector(json_object_get(arguments, "dimensions"));
    const struct fr_vector to = golden_vector(json_object_get(arguments, "to"));
    struct fr_vector at = golden_vector(json_object_get(arguments, "from"));
    size_t hop = 0;

    for (size_t d = 0; d < ring.count; d++) {
        const int64_t way = krylov_ring_way(at.at[d], to.at[d], ring.at[d]);

        for (int64_t i = 0; i < (way < 0 ? -way : way); i++) {
            json_t *expected = json_array_get(want, hop++);
            const struct fr_vector router = golden_vector(json_array_get(expected, 0));

            assert_true(fr_vector_equal(&at, &router));
            assert_int_equal(json_number_value(json_array_get(expected, 1)), d);
            assert_int_equal(json_number_value(json_array_get(expected, 2)), way < 0 ? -1 : 1);
            at.at[d] = (at.at[d] + (way < 0 ? ring.at[d] - 1 : 1)) % ring.at[d];
        }
    }
    assert_true(fr_vector_equal(&at, &to));
    assert_int_equal(hop, json_array_size(want));
}

static const char *const link_names[LINKS] = {
    [LINK_CHASSIS] = "chassis", [LINK_GROUP] = "group", [LINK_GLOBAL] = "global",
    [LINK_UP] = "up",           [LINK_DOWN] = "down",
};

static void check_dragonfly_route(json_t *arguments, json_t *want)
{
    struct fr_arena *arena = fr_arena_new(1 << 24);
    const struct fr_topology *topology = topology_of(arguments, arena);
    const struct fr_vector allocation = { 3, { 48, 12, 4 } }; /* all four groups */
    const struct krylov_place from = place_from(json_object_get(arguments, "from"));
    const struct krylov_place to = place_from(json_object_get(arguments, "to"));
    struct krylov_hop hop[KRYLOV_MOST_HOPS];
    struct krylov_network network;
    size_t i;
    json_t *value;

    krylov_network_measure(&network, topology, &allocation, 96);
    assert_int_equal(krylov_dragonfly_route(&network, &from, &to, hop), json_array_size(want));
    json_array_foreach(want, i, value)
    {
        assert_string_equal(link_names[hop[i].kind], json_string_value(value));
        assert_in_range(hop[i].index, 0, network.count[hop[i].kind] - 1);
    }
    fr_arena_free(arena);
}

/* The expected links name the class, the leaf and the number of the cable. */
static void check_leaf_route(json_t *arguments, json_t *want)
{
    struct fr_arena *arena = fr_arena_new(1 << 24);
    const struct fr_topology *topology = topology_of(arguments, arena);
    const struct fr_vector none = { 0 };
    const struct krylov_place from =
        krylov_place_of(topology, &none, 24, (int64_t)golden_number(arguments, "from"));
    const struct krylov_place to =
        krylov_place_of(topology, &none, 24, (int64_t)golden_number(arguments, "to"));
    struct krylov_hop hop[KRYLOV_MOST_HOPS];
    struct krylov_network network;
    size_t i;
    json_t *value;

    krylov_network_measure(&network, topology, &none, 24);
    assert_int_equal(krylov_tree_route(&network, &from, &to, hop), json_array_size(want));
    json_array_foreach(want, i, value)
    {
        const double leaf = json_number_value(json_array_get(value, 1));
        const double cable = json_number_value(json_array_get(value, 2));

        assert_string_equal(link_names[hop[i].kind], json_string_value(json_array_get(value, 0)));
        assert_int_equal(hop[i].index, leaf * (double)topology->uplinks_per_leaf + cable);
    }
    fr_arena_free(arena);
}

/* ---- loads of whole exchanges ---------------------------------------------------------------- */

static struct fr_evaluation begin(const struct fr_calibration *cal, struct fr_arena *arena,
                                  struct fr_prediction *out, struct fr_faults *faults)
{
    *faults = (struct fr_faults){ 0 };
    fr_prediction_clear(out);
    return (struct fr_evaluation){ .cal = cal, .arena = arena, .out = out, .faults = faults };
}

static void set(const struct fr_model *model, void *values, const char *name, json_t *value)
{
    const struct fr_param *param = fr_param_find(model->params, name);
    struct fr_vector *list;

    if (!json_is_array(value)) {
        fr_param_set(param, values, json_is_true(value) ? 1 : json_number_value(value));
        return;
    }
    list = (struct fr_vector *)(void *)((char *)values + param->offset);
    *list = golden_vector(value);
}

/* The grids are the expected ones; `halo_exchange` resolves the allocation and the layout. */
static struct krylov_grid_values *grid_values(json_t *item, const struct fr_calibration *cal,
                                              struct fr_arena *arena)
{
    static const char *const given[] = { "nodes",      "processes_per_node",
                                         "allocation", "eager_limit_bytes",
                                         "periodic",   "stalls_per_byte",
                                         "overlap" };
    json_t *asked = json_object_get(item, "parameters"), *want = json_object_get(item, "expect");
    const struct fr_model *model = fr_model_find("halo_exchange");
    const bool is_aware = is_text(asked, "mapping", "topology_aware");
    struct krylov_grid_values *values = fr_arena_zeroed(arena, 1, model->values_size);
    struct fr_faults faults = { 0 };

    fr_params_clear(model->params, values);
    values->periodic = 0;
    for (size_t i = 0; i < sizeof given / sizeof *given; i++)
        if (json_object_get(asked, given[i]))
            set(model, values, given[i], json_object_get(asked, given[i]));
    set(model, values, "local_grid", json_object_get(want, "local_grid"));
    fr_param_set(fr_param_find(model->params, "dimensions"), values,
                 (double)values->local_grid.count);
    if (is_text(asked, "contention_model", "paper"))
        values->common.contention_model = KRYLOV_PAPER;
    if (json_is_array(json_object_get(asked, "penalties")))
        values->common.penalties = 1 << MAX_RATE;
    if (is_aware)
        values->mapping = MAPPING_TOPOLOGY_AWARE;
    else
        set(model, values, "process_grid", json_object_get(want, "process_grid"));
    if (!is_aware && json_is_array(json_object_get(want, "on_node_grid")))
        set(model, values, "on_node_grid", json_object_get(want, "on_node_grid"));
    if (fr_model_resolve(model, values, cal, &faults) != FR_OK)
        fail_msg("%s: %s", faults.fault[0].where, faults.fault[0].message);
    return values;
}

static enum fr_placement placement_of(json_t *item)
{
    return is_text(json_object_get(item, "parameters"), "placement", "scattered") ? FR_SCATTERED
                                                                                  : FR_BLOCK;
}

static bool has_load(json_t *item)
{
    return json_is_number(json_object_get(json_object_get(item, "expect"), "link_s"));
}

/* The part of a product's entries that needs no neighbor. */
static double inside_fraction(const struct krylov_stencil *stencil)
{
    double rows = 1, box = 1, full = 1, star = 1;

    for (size_t d = 0; d < stencil->dimensions; d++) {
        const double l = (double)stencil->local_grid.at[d];

        rows *= l;
        box *= 3 * l - 2;
        full *= 3;
        star += 2 * (l - 1) / l;
    }
    return stencil->is_full ? box / full / rows : star / (2 * (double)stencil->dimensions + 1);
}

static struct krylov_overlap overlap_of(json_t *item, double fraction)
{
    json_t *asked = json_object_get(item, "parameters");
    json_t *phases = json_object_get(json_object_get(item, "expect"), "phases");
    struct krylov_overlap overlap = {
        .is_blocking = json_is_false(json_object_get(asked, "matvec_overlap")),
        .seconds = fraction * golden_number(phases, "matvec_s"),
        .progress = PROGRESS_EAGER,
    };

    if (is_text(asked, "progress", "all"))
        overlap.progress = PROGRESS_ALL;
    else if (is_text(asked, "progress", "penalties"))
        overlap.progress = PROGRESS_PENALTIES;
    return overlap;
}

/* What an exchange puts on the links and takes. */
struct exchange {
    struct krylov_link_load load;
    struct krylov_time halo;
};

static struct exchange exchange_on_grid(json_t *item, struct fr_arena *arena,
                                        struct fr_evaluation *run)
{
    const struct krylov_grid_values *values = grid_values(item, run->cal, arena);
    const struct krylov_stencil stencil = {
        .dimensions = values->local_grid.count,
        .is_full = !is_text(json_object_get(item, "parameters"), "stencil", "star"),
        .message_bytes = NAN,
        .values_per_point = 1,
        .local_grid = values->local_grid,
    };
    struct krylov_overlap overlap = overlap_of(item, inside_fraction(&stencil));
    struct exchange exchange;

    exchange.load = krylov_no_load;
    if (has_load(item))
        exchange.load = krylov_grid_load(values, &stencil, placement_of(item), run);
    overlap.load = &exchange.load;
    exchange.halo = krylov_halo_exchange(values, &stencil, run, &overlap).chosen;
    return exchange;
}

static double sum_of(json_t *list)
{
    double sum = 0;
    size_t i;
    json_t *value;

    json_array_foreach(list, i, value) sum += json_number_value(value);
    return sum;
}

static struct exchange exchange_of_partition(json_t *item, struct fr_arena *arena,
                                             struct fr_evaluation *run)
{
    json_t *facts = json_object_get(item, "facts");
    const double diagonal = sum_of(json_object_get(facts, "diagonal"));
    struct krylov_overlap overlap =
        overlap_of(item, diagonal / (diagonal + sum_of(json_object_get(facts, "offdiagonal"))));
    struct exchange exchange;
    json_t *list = json_object_get(json_object_get(item, "facts"), "messages"), *row;
    json_t *asked = json_object_get(item, "parameters");
    const size_t count = json_array_size(list);
    struct krylov_words *message = fr_arena_zeroed(arena, count, sizeof *message);
    struct krylov_values values = {
        .nodes = (int64_t)golden_number(asked, "nodes"),
        .processes_per_node = (int64_t)golden_number(asked, "processes_per_node"),
        .eager_limit_bytes = NAN,
        .stalls_per_byte = NAN,
        .penalties = 1 << MAX_RATE | 1 << HOPS | 1 << CONGESTION_HOPS,
        .overlap = 1,
        .hop_estimate = HOPS_AVERAGE,
        .contention_model =
            run->cal->exchange.count || run->cal->burst.count ? KRYLOV_REFINED : KRYLOV_PAPER,
    };
    size_t i;

    values.allocation = krylov_assumed_allocation(&run->cal->network.topology, values.nodes);
    json_array_foreach(list, i, row)
    {
        const struct fr_vector each = golden_vector(row);

        message[i] = (struct krylov_words){ (int32_t)each.at[0], (int32_t)each.at[1], each.at[2] };
    }
    exchange.load = krylov_no_load;
    if (has_load(item))
        exchange.load = krylov_partition_load(&values, message, count, placement_of(item), run);
    overlap.load = &exchange.load;
    exchange.halo = krylov_partition_halo(&values, message, count, run, &overlap);
    return exchange;
}

static void check_number(double got, double want, const char *id)
{
    if (!(fabs(got - want) <= 1e-9 * want))
        fail_msg("%s: %.17g instead of %.17g", id, got, want);
}

static void check_halo(const struct krylov_time *halo, json_t *want, const char *id)
{
    check_number(halo->on_node_messages, golden_number(want, "on_node_messages"), id);
    check_number(halo->off_node_messages, golden_number(want, "off_node_messages"), id);
    check_number(halo->on_node_bytes, golden_number(want, "on_node_bytes"), id);
    check_number(halo->off_node_bytes, golden_number(want, "off_node_bytes"), id);
    if (json_is_number(json_object_get(want, "hops")))
        check_number(halo->hops, golden_number(want, "hops"), id);
    check_number(halo->postal_s, golden_number(want, "postal_s"), id);
    check_number(halo->penalty_s, golden_number(want, "penalty_s"), id);
    check_number(halo->hidden_s, golden_number(want, "hidden_s"), id);
    check_number(halo->time_s, golden_number(want, "time_s"), id);
}

static bool has_text(json_t *list, const char *text)
{
    size_t i;
    json_t *value;

    json_array_foreach(list, i, value) if (strcmp(json_string_value(value), text) == 0) return true;
    return false;
}

static void check_exchange(json_t *golden, json_t *item, const char *id)
{
    struct fr_arena *arena = fr_arena_new(1 << 26);
    json_t *want = json_object_get(item, "expect");
    const struct fr_calibration *cal =
        golden_calibration(golden, json_string_value(json_object_get(item, "machine")), arena);
    struct fr_prediction out;
    struct fr_faults faults;
    struct fr_evaluation run = begin(cal, arena, &out, &faults);
    const struct exchange exchange = json_object_get(item, "facts")
                                         ? exchange_of_partition(item, arena, &run)
                                         : exchange_on_grid(item, arena, &run);

    assert_int_equal(faults.count, 0);
    if (has_load(item)) {
        check_number(exchange.load.link_s, golden_number(want, "link_s"), id);
        check_number(exchange.load.link_bytes, golden_number(want, "link_bytes"), id);
        check_number(exchange.load.link_protocol_s, golden_number(want, "link_protocol_s"), id);
        assert_int_equal(has_warning(&out, FR_WARN_LINK_BANDWIDTH, NULL),
                         has_text(json_object_get(want, "warnings"), "link_bandwidth_assumed"));
    }
    check_halo(&exchange.halo, json_object_get(want, "halo"), id);
    fr_arena_free(arena);
}

/* Cases of other functions have tests of their own. */
static bool check_function(json_t *item, const char *name)
{
    static const struct {
        const char *name;
        void (*check)(json_t *arguments, json_t *want);
    } functions[] = {
        { "shuffle", check_shuffle },         { "places", check_places },
        { "torus_route", check_torus_route }, { "dragonfly_route", check_dragonfly_route },
        { "leaf_route", check_leaf_route },
    };

    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        if (strcmp(functions[i].name, name) == 0) {
            functions[i].check(json_object_get(item, "arguments"),
                               json_object_get(json_object_get(item, "expect"), "value"));
            return true;
        }
    return false;
}

/* Not of several unknowns in a point, whose messages are larger. */
static bool has_halo(json_t *item)
{
    return json_is_object(json_object_get(json_object_get(item, "expect"), "halo")) &&
           is_text(item, "model", "solve") &&
           !json_object_get(json_object_get(item, "parameters"), "dof");
}

TEST(every_golden_case_is_met)
{
    json_t *golden = golden_load("krylov-problem.json"), *item;
    size_t index, functions = 0, exchanges = 0;

    json_array_foreach(json_object_get(golden, "cases"), index, item)
    {
        const char *function = json_string_value(json_object_get(item, "function"));

        if (function) {
            functions += check_function(item, function);
        } else if (has_halo(item)) {
            check_exchange(golden, item, json_string_value(json_object_get(item, "id")));
            exchanges++;
        }
    }
    assert_int_equal(functions, 9);
    assert_int_equal(exchanges, 37);
    json_decref(golden);
}
