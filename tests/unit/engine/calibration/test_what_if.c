/* What if: every way to change calibrated values for one request. */
#include "tests/unit/support/documents.h"

#include "server/calibrations/document.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct ground {
    struct fr_arena *arena;
    const struct fr_calibration *full, *round;
};

static const struct fr_calibration *decoded(json_t *document, struct fr_arena *arena)
{
    struct fr_calibration *cal = fr_arena_zeroed(arena, 1, sizeof *cal);
    struct fr_faults faults = { 0 };
    char id[17];

    if (fr_calibration_decode(document, arena, cal, id, &faults) != FR_OK)
        fail_msg("%s: %s", faults.fault[0].where, faults.fault[0].message);
    json_decref(document);
    return cal;
}

static int begin(void **state)
{
    static struct ground ground;

    ground.arena = fr_arena_new(1 << 26);
    ground.full = decoded(full_json(), ground.arena);
    ground.round = calibration_of(round_machine, ground.arena);
    *state = &ground;
    return 0;
}

static const struct fr_calibration *changed(void **state, const struct fr_calibration *cal,
                                            const char *path, const char *value)
{
    const struct ground *ground = *state;
    const struct fr_change change = { path, value };
    struct fr_faults faults = { 0 };
    const struct fr_calibration *copy = fr_what_if(cal, &change, 1, ground->arena, &faults);

    if (!copy)
        fail_msg("%s: %s", faults.fault[0].where, faults.fault[0].message);
    assert_int_equal(faults.count, 0);
    return copy;
}

static struct fr_faults not_changed(void **state, const char *path, const char *value)
{
    const struct ground *ground = *state;
    const struct fr_change change = { path, value };
    struct fr_faults faults = { 0 };

    if (fr_what_if(ground->full, &change, 1, ground->arena, &faults))
        fail_msg("what_if.%s=%s is accepted", path, value);
    assert_int_equal(faults.count, 1);
    return faults;
}

#define WITH(path, value) changed(state, ((struct ground *)*state)->full, path, value)

/* ---- paths ---- */

TEST(a_value_is_set_and_a_factor_multiplies)
{
    assert_close(WITH("network.stall_time_s", "1e-9")->network.stall_time_s, 1e-9, 0);
    assert_close(WITH("network.stall_time_s", "*2")->network.stall_time_s, 2.4e-10, 1e-15);
    assert_close(WITH("network.stall_time_s", "*0.5")->network.stall_time_s, 6e-11, 1e-15);
    assert_int_equal(WITH("node.cores_per_node", "32")->node.cores_per_node, 32);
    assert_int_equal(WITH("node.cores_per_node", "*0.5")->node.cores_per_node, 8);
    assert_int_equal(WITH("sparse.dgemm_block.k", "256")->sparse.dgemm_block.k, 256);
    assert_close(WITH("sparse.fit.block_s", "0")->sparse.fit.block_s, 0, 0);
}

TEST(a_row_is_found_by_its_name_or_its_place)
{
    const char *const ways[] = { "network.protocols.eager.off_node.latency_s",
                                 "network.protocols.1.off_node.latency_s" };

    for (size_t i = 0; i < 2; i++) {
        const struct fr_calibration *cal = WITH(ways[i], "5e-6");

        assert_close(cal->network.protocols.row[0].off_node.latency_s, 1e-6, 0);
        assert_close(cal->network.protocols.row[1].off_node.latency_s, 5e-6, 0);
        assert_close(cal->network.protocols.row[2].off_node.latency_s, 8e-6, 0);
        assert_close(cal->network.protocols.row[1].on_node.latency_s, 6e-7, 0);
    }
    assert_close(WITH("memory.caches.L2.latency_s", "*2")->memory.caches.row[1].latency_s, 8e-9,
                 1e-15);
    assert_close(WITH("contention.maximum.1.factor", "3")->contention.maximum.row[1].factor, 3, 0);
}

#define CASE(name) TEST_OF(name, struct ground *ground, NULL, NULL)

/* A cache may be called "1"; its name goes before its place. */
CASE(a_name_goes_before_a_place)
{
    json_t *document = full_json();
    const struct fr_calibration *cal;

    put(document, "/memory/caches/0/name", "'1'");
    cal = changed(state, decoded(document, ground->arena), "memory.caches.1.latency_s", "7");
    assert_close(cal->memory.caches.row[0].latency_s, 7, 0);
    assert_close(cal->memory.caches.row[1].latency_s, 4e-9, 0);
}

TEST(a_table_takes_a_factor_on_its_measured_column)
{
    const struct fr_calibration *cal = WITH("contention.average", "*2");

    assert_close(cal->contention.average.row[0].factor, 2, 0);
    assert_close(cal->contention.average.row[1].factor, 2.4, 1e-15);
    assert_int_equal(cal->contention.average.row[1].distance, 4);
    assert_int_equal(cal->contention.average.row[2].processes, 64);
    cal = WITH("network.protocols", "*2");
    assert_close(cal->network.protocols.row[0].max_message_bytes, 1024, 0);
    cal = WITH("network.topology.hop_latency_s", "*10");
    assert_close(cal->network.topology.hop_latency_s.row[2], 3e-6, 1e-15);
    assert_true(isinf(WITH("network.protocols", "*2")->network.protocols.row[2].max_message_bytes));
}

TEST(more_bandwidth_multiplies_bandwidths_and_divides_their_inverses)
{
    const struct fr_calibration *cal = WITH("network.bandwidth", "*2");

    assert_close(cal->network.protocols.row[0].off_node.inverse_bandwidth_s_per_byte, 2e-10, 1e-15);
    assert_close(cal->network.protocols.row[2].on_node.inverse_bandwidth_s_per_byte, 2.5e-11,
                 1e-15);
    assert_close(cal->network.node_bandwidth_bytes_per_s, 1.8e10, 1e-15);
    assert_close(cal->network.message_bandwidth.points.row[0].bandwidth_bytes_per_s, 2e6, 1e-15);
    assert_close(cal->network.message_bandwidth.points.row[0].message_bytes, 10, 0);
    assert_close(cal->network.protocols.row[0].off_node.latency_s, 1e-6, 0);
    assert_close(cal->network.stall_time_s, 1.2e-10, 0);
    assert_close(cal->memory.node_bandwidth_bytes_per_s, 5e10, 0);
    assert_close(cal->cnc.inter_node_bandwidth_bytes_per_s, 1e9, 0);
}

TEST(more_latency_multiplies_every_latency_of_the_network)
{
    const struct fr_calibration *cal = WITH("network.latency", "*3");

    assert_close(cal->network.protocols.row[0].off_node.latency_s, 3e-6, 1e-15);
    assert_close(cal->network.protocols.row[2].on_node.latency_s, 9e-6, 1e-15);
    assert_close(cal->network.message_bandwidth.latency_s, 2.4e-5, 1e-15);
    assert_close(cal->network.topology.hop_latency_s.row[0], 3e-7, 1e-15);
    assert_close(cal->network.protocols.row[0].off_node.inverse_bandwidth_s_per_byte, 4e-10, 0);
    assert_close(cal->memory.caches.row[0].latency_s, 1e-9, 0);
}

TEST(a_faster_kernel_has_higher_efficiencies_and_shorter_times)
{
    const struct fr_calibration *cal = WITH("kernels.dgemm.rate", "*4");
    const struct fr_kernel *dgemm = &cal->kernels.routine[FR_DGEMM];

    assert_close(dgemm->square.row[0].efficiency_fraction, 2, 0);
    assert_close(dgemm->square.row[1].time_s, 0.016, 1e-15);
    assert_close(dgemm->rates.row[0].rate_flops_per_s, 4e9, 0);
    assert_int_equal(dgemm->square.row[0].n, 100);
    assert_close(cal->kernels.calls.row[1].multiply_add_s, 1.25e-11, 0);
    assert_close(cal->kernels.calls.row[2].c_element_s, 5e-11, 0);
    assert_close(cal->kernels.calls.row[1].max_depth, 256, 0);
    assert_close(cal->kernels.calls.row[0].multiply_add_s, 4.5e-11, 0); /* of dtrsm */
    assert_close(cal->kernels.routine[FR_DTRSM].square.row[1].time_s, 0.064, 0);
    /* The curve that predictions read is new too: 0.5 of 1e10, and 2 400^3 / 0.016. */
    assert_close(cal->rate[FR_DGEMM].curve[0].y[0], 2e10, 1e-15);
    assert_close(cal->rate[FR_DGEMM].curve[0].y[1], 8e9, 1e-15);
    assert_close(
        WITH("kernels.vector.rate", "*0.5")->kernels.stream[FR_VECTOR_KERNEL].bandwidth_fraction,
        0.45, 1e-15);
}

CASE(several_changes_hold_together_in_their_order)
{
    const struct fr_change changes[] = {
        { "network.stall_time_s", "1e-9" },
        { "network.stall_time_s", "*3" },
        { "network.protocols.0.off_node.latency_s", "4" },
        { "network.protocols.1.off_node.latency_s", "5" },
        { "network.latency", "*2" },
    };
    struct fr_faults faults = { 0 };
    const struct fr_calibration *cal = fr_what_if(ground->full, changes, 5, ground->arena, &faults);

    assert_non_null(cal);
    assert_close(cal->network.stall_time_s, 3e-9, 1e-15);
    assert_close(cal->network.protocols.row[0].off_node.latency_s, 8, 0);
    assert_close(cal->network.protocols.row[1].off_node.latency_s, 10, 0);
    assert_close(cal->network.protocols.row[2].off_node.latency_s, 1.6e-5, 1e-15);
}

CASE(a_field_of_a_dragonfly_is_found_beside_that_of_a_torus)
{
    json_t *document = full_json();
    const struct fr_calibration *cal;

    put(document, "/network/topology", dragonfly_topology);
    cal = decoded(document, ground->arena);
    cal = changed(state, cal, "network.topology.hop_latency_s.global", "1e-3");
    assert_close(cal->network.topology.class_latency_s.global, 1e-3, 0);
    cal = changed(state, cal, "network.latency", "*2");
    assert_close(cal->network.topology.class_latency_s.global, 2e-3, 0);
    assert_close(cal->network.topology.static_class_latency_s.chassis, 6e-7, 1e-15);
}

/* What is absent may be set, which may make a prediction possible. */
CASE(a_missing_value_can_be_set_but_not_multiplied)
{
    const struct fr_calibration *none =
        calibration_of("{'schema': 'forerun-calibration-1', 'machine': 'm'}", ground->arena);
    const struct fr_change set = { "node.peak_flops_per_s", "1e11" };
    const struct fr_change multiply = { "node.peak_flops_per_s", "*2" };
    const struct fr_change cores = { "node.cores_per_node", "*2" };
    const struct fr_change table = { "kernels.dgemm.rate", "*2" };
    const struct fr_change network = { "network.bandwidth", "*2" };
    const struct fr_change *const nothing_there[] = { &multiply, &cores, &table, &network };
    struct fr_faults faults = { 0 };
    const struct fr_calibration *cal = fr_what_if(none, &set, 1, ground->arena, &faults);

    assert_non_null(cal);
    assert_close(cal->node.peak_flops_per_s, 1e11, 0);
    assert_int_equal(cal->groups, FR_CAL_NODE);
    for (size_t i = 0; i < 4; i++) {
        struct fr_faults missing = { 0 };
        char where[80];

        snprintf(where, sizeof where, "what_if.%s", nothing_there[i]->path);
        assert_null(fr_what_if(none, nothing_there[i], 1, ground->arena, &missing));
        assert_fault(&missing, FR_NOT_FOUND, where, "to multiply");
    }
}

/* ---- refusals ---- */

static const struct {
    const char *path, *value;
    enum fr_code code;
    const char *words;
} refusals[] = {
    { "network.stall_time", "*2", FR_UNKNOWN_PARAMETER, "did you mean stall_time_s" },
    { "netwrk.stall_time_s", "*2", FR_UNKNOWN_PARAMETER, "did you mean network" },
    { "network.bandwith", "*2", FR_UNKNOWN_PARAMETER, "did you mean network.bandwidth" },
    { "network.latncy", "*2", FR_UNKNOWN_PARAMETER, "did you mean network.latency" },
    { "network.protocols.eager.off_node.latency", "*2", FR_UNKNOWN_PARAMETER,
      "did you mean latency_s" },
    { "kernels.dgem.rate", "*2", FR_UNKNOWN_PARAMETER, "did you mean dgemm" },
    { "kernels.dgemm.bogus.rate", "*2", FR_UNKNOWN_PARAMETER, "bogus" },
    { "kernels.dgemm.square.rate", "*2", FR_NOT_FOUND, "no row 'rate'" },
    { "kernels.dgemm.rate.rate", "*2", FR_UNKNOWN_PARAMETER, "rate" },
    { "kernels.dgemm.square.0.rate", "*2", FR_UNKNOWN_PARAMETER, "rate" },
    { "", "*2", FR_UNKNOWN_PARAMETER, "" },
    { ".", "*2", FR_UNKNOWN_PARAMETER, "" },
    { "network.", "*2", FR_UNKNOWN_PARAMETER, "" },
    { "network.stall_time_s.", "*2", FR_UNKNOWN_PARAMETER, "" },
    { "network.stall_time_s.x", "*2", FR_UNKNOWN_PARAMETER, "" },
    { "network.protocols.late.off_node.latency_s", "*2", FR_NOT_FOUND, "no row 'late'" },
    { "network.protocols.3.off_node.latency_s", "*2", FR_NOT_FOUND, "it has 3 rows" },
    { "network.protocols.-1.off_node.latency_s", "*2", FR_NOT_FOUND, "it has 3 rows" },
    { "network.protocols.+1.off_node.latency_s", "*2", FR_NOT_FOUND, "it has 3 rows" },
    { "network.protocols. 1.off_node.latency_s", "*2", FR_NOT_FOUND, "it has 3 rows" },
    { "network.protocols..off_node.latency_s", "*2", FR_NOT_FOUND, "it has 3 rows" },
    { "network.protocols.1x.off_node.latency_s", "*2", FR_NOT_FOUND, "it has 3 rows" },
    { "network.protocols.eager", "*2", FR_TYPE, "names a row" },
    { "network.protocols.eager.name", "*2", FR_TYPE, "not a number" },
    { "network.protocols.eager.pipelined", "1", FR_TYPE, "not a number" },
    { "network.topology.type", "1", FR_TYPE, "not a number" },
    { "network.topology.hop_latency_s.0", "*2", FR_TYPE, "as a whole" },
    { "network.topology.routers_per_chassis", "4", FR_UNKNOWN_PARAMETER, "" },
    { "network.hop_ping", "*2", FR_TYPE, "not a number" },
    { "machine", "*2", FR_TYPE, "not a number" },
    { "schema", "2", FR_TYPE, "not a number" },
    { "sources", "2", FR_TYPE, "not a number" },
    { "tool.duration_s", "*2", FR_UNKNOWN_PARAMETER, "" },
    { "environment.hosts", "*2", FR_UNKNOWN_PARAMETER, "" },
    { "network.bandwidth", "5", FR_RELATION, "factor" },
    { "network.latency", "1e-6", FR_RELATION, "factor" },
    { "kernels.dgemm.rate", "1e9", FR_RELATION, "factor" },
    { "contention.average", "2", FR_RELATION, "factor" },
    { "sparse.dgemm_block", "*2", FR_NOT_FOUND, "multiply" },
    { "node.clock_hz", "fast", FR_SYNTAX, "neither a number nor *FACTOR" },
    { "node.clock_hz", "", FR_SYNTAX, "neither a number nor *FACTOR" },
    { "node.clock_hz", "*", FR_SYNTAX, "neither a number nor *FACTOR" },
    { "node.clock_hz", "**2", FR_SYNTAX, "neither a number nor *FACTOR" },
    { "node.clock_hz", "* 2", FR_SYNTAX, "neither a number nor *FACTOR" },
    { "node.clock_hz", "nan", FR_SYNTAX, "neither a number nor *FACTOR" },
    { "node.clock_hz", "0x10", FR_SYNTAX, "neither a number nor *FACTOR" },
    { "node.clock_hz", "*0", FR_RANGE, "positive" },
    { "node.clock_hz", "0", FR_RANGE, "outside" },
    { "node.clock_hz", "-1", FR_RANGE, "positive" },
    { "node.clock_hz", "1e999", FR_RANGE, "positive" },
    { "node.clock_hz", "*1e308", FR_RANGE, "outside" },
    { "node.cores_per_node", "1.5", FR_TYPE, "whole number" },
    { "node.cores_per_node", "*0.3", FR_TYPE, "whole number" },
    { "network.protocols.short.max_message_bytes", "1e6", FR_RELATION, "rise" },
    { "network.protocols.rendezvous.max_message_bytes", "1e9", FR_RELATION, "null" },
    { "network.protocols.rendezvous.max_message_bytes", "*2", FR_NOT_FOUND, "multiply" },
    { "kernels.dgemm.square.0.time_s", "1", FR_RELATION, "exactly one" },
    { "contention.average.1.distance", "1", FR_RELATION, "repeats" },
};

TEST(what_cannot_be_changed_is_refused_by_its_path)
{
    for (size_t i = 0; i < sizeof refusals / sizeof refusals[0]; i++) {
        const struct fr_faults faults = not_changed(state, refusals[i].path, refusals[i].value);
        char where[100];

        snprintf(where, sizeof where, "what_if.%s", refusals[i].path);
        assert_fault(&faults, refusals[i].code, where, refusals[i].words);
    }
}

CASE(every_bad_change_is_told)
{
    const struct fr_change changes[] = { { "node.bogus", "1" },
                                         { "node.clock_hz", "*2" },
                                         { "network.bandwidth", "x" },
                                         { "machine", "1" } };
    struct fr_faults faults = { 0 };

    assert_null(fr_what_if(ground->full, changes, 4, ground->arena, &faults));
    assert_int_equal(faults.count, 3);
    assert_non_null(fault_at(&faults, "what_if.node.bogus"));
    assert_non_null(fault_at(&faults, "what_if.network.bandwidth"));
    assert_non_null(fault_at(&faults, "what_if.machine"));
}

/* ---- every path of the table ---- */

struct walk {
    void **state;
    int changed;
};

/* Whether the full document, which has a torus, has this field. */
static bool is_there(const char *path, const struct fr_field *field)
{
    return !field->when || (field->when & 1u << FR_TORUS && strstr(path, "topology"));
}

static void walk_fields(struct walk *walk, const struct fr_field *fields, const char *above,
                        unsigned group)
{
    for (; fields->name; fields++) {
        const unsigned inside = group ? group : fields->group;
        char path[200];

        snprintf(path, sizeof path, "%s%s%s", above, *above ? "." : "", fields->name);
        if (!inside || !is_there(path, fields))
            continue;
        if (fields->kind == FR_FIELD_TABLE)
            snprintf(path, sizeof path, "%s%s%s.0", above, *above ? "." : "", fields->name);
        if (fields->kind == FR_FIELD_NUMBER || fields->kind == FR_FIELD_COUNT) {
            const struct ground *ground = *walk->state;
            const struct fr_change change = { path, "*2" };
            struct fr_faults faults = { 0 };

            walk->changed += fr_what_if(ground->full, &change, 1, ground->arena, &faults) != NULL;
            if (faults.count && faults.fault[0].code != FR_NOT_FOUND)
                fail_msg("%s: %s", path, faults.fault[0].message);
        }
        if (fields->fields)
            walk_fields(walk, fields->fields, path, inside);
    }
}

CASE(every_number_of_the_document_can_be_doubled)
{
    const struct fr_arena_mark mark = fr_arena_mark(ground->arena);
    struct walk walk = { state, 0 };

    walk_fields(&walk, fr_calibration_fields, "", 0);
    assert_true(walk.changed > 100);
    fr_arena_release(ground->arena, mark);
}

/* ---- what it leads to ---- */

CASE(the_calibration_itself_stays_as_it_was)
{
    static const char *const paths[] = { "network.bandwidth",
                                         "network.latency",
                                         "kernels.dgemm.rate",
                                         "contention.average",
                                         "contention.maximum",
                                         "node.peak_flops_per_s",
                                         "network.protocols.0.off_node.latency_s",
                                         "kernels.routine_models",
                                         "network.topology.hop_latency_s" };
    const struct fr_calibration before = *ground->full;
    const struct fr_protocol protocol = before.network.protocols.row[0];
    const double factor = before.contention.maximum.row[0].factor;
    const double hop = before.network.topology.hop_latency_s.row[0];
    const double coefficient = before.kernels.routine_models.row[0].regions.row[0].coef.avg.row[0];
    const double rate = before.rate[FR_DGEMM].curve[0].y[0];

    for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++)
        WITH(paths[i], "*3");
    assert_memory_equal(ground->full, &before, sizeof before);
    assert_memory_equal(&ground->full->network.protocols.row[0], &protocol, sizeof protocol);
    assert_true(ground->full->contention.maximum.row[0].factor == factor);
    assert_true(ground->full->network.topology.hop_latency_s.row[0] == hop);
    assert_true(ground->full->kernels.routine_models.row[0].regions.row[0].coef.avg.row[0] ==
                coefficient);
    assert_true(ground->full->rate[FR_DGEMM].curve[0].y[0] == rate);
}

static void assert_scales(void **state, const char *path, const char *value, const char *phase,
                          double ratio)
{
    static const char question[] =
        "contention_model=paper&variant=2d&n=64&processes=16&blocks_per_process=2";
    const struct ground *ground = *state;
    const struct fr_prediction before = predicted("cholesky", question, ground->round);
    const struct fr_prediction after =
        predicted("cholesky", question, changed(state, ground->round, path, value));

    assert_int_equal(before.phase_count, after.phase_count);
    for (size_t i = 0; i < before.phase_count; i++) {
        const bool is_it = strstr(before.phase[i].name, phase) != NULL;

        assert_true(after.phase[i].time_s == before.phase[i].time_s * (is_it ? ratio : 1));
    }
}

TEST(a_kernel_four_times_as_fast_takes_exactly_a_quarter)
{
    assert_scales(state, "kernels.dgemm.rate", "*4", "dgemm", 0.25);
    assert_scales(state, "kernels.dtrsm.rate", "*0.5", "dtrsm", 2);
    assert_scales(state, "contention.average", "*1", "dgemm", 1);
}

/* On the round machine a synchronised message is twice the average one. */
CASE(twice_the_contention_is_twice_the_time_of_messages)
{
    const char *question = "contention_model=paper&algorithm=cannon&variant=2d&n=64&processes=16";
    const struct fr_calibration *cal = changed(state, ground->round, "contention.maximum", "*2");

    assert_close(predicted("matmul", question, cal).communication_s,
                 2 * predicted("matmul", question, ground->round).communication_s, 1e-15);
    assert_close(predicted("matmul", question, cal).computation_s,
                 predicted("matmul", question, ground->round).computation_s, 0);
}

CASE(bandwidth_and_latency_scale_their_part_of_a_message)
{
    const char *question = "contention_model=paper&algorithm=cannon&variant=2d&n=4&processes=4";

    /* Two rounds of two shifts of 2 (1 + 4) s each, two products of 16 s. */
    assert_close(predicted("matmul", question, ground->round).time_s, 40 + 32, 1e-15);
    assert_close(
        predicted("matmul", question, changed(state, ground->round, "network.bandwidth", "*4"))
            .time_s,
        4 * 2 * (1 + 1) + 32, 1e-15);
    assert_close(
        predicted("matmul", question, changed(state, ground->round, "network.latency", "*3"))
            .time_s,
        4 * 2 * (3 + 4) + 32, 1e-15);
    assert_close(
        predicted("matmul", question,
                  changed(state, ground->round, "network.protocols.all.off_node.latency_s", "0.5"))
            .time_s,
        4 * 2 * (0.5 + 4) + 32, 1e-15);
}

/* The order of the changes does not matter. */
CASE(more_cores_on_a_node_of_the_same_peak_are_slower_ones)
{
    static const struct fr_change change[] = { { "node.peak_flops_per_s", "*1" },
                                               { "node.cores_per_node", "8" },
                                               { "node.peak_flops_per_s", "*1" } };

    for (size_t i = 0; i < 2; i++) {
        struct fr_faults faults = { 0 };
        const struct fr_calibration *cal =
            fr_what_if(ground->round, change + i, 2, ground->arena, &faults);
        const struct fr_prediction out = predicted(
            "matmul", "contention_model=paper&algorithm=cannon&variant=2d&n=8&processes=1", cal);

        assert_close(out.time_s, 2 * 2 * 512, 1e-15);
        assert_close(out.memory_limit_bytes_per_process, 5e5, 0);
    }
}

CASE(more_cores_alone_are_as_fast_as_before)
{
    static const char question[] =
        "contention_model=paper&algorithm=cannon&variant=2d&n=8&processes=1";
    const struct fr_calibration *cal = changed(state, ground->round, "node.cores_per_node", "8");
    const struct fr_prediction out = predicted("matmul", question, cal);
    const struct fr_prediction before = predicted("matmul", question, ground->round);

    assert_close(out.time_s, 2 * 512, 1e-15);
    assert_close(before.time_s, 2 * 512, 1e-15);
    assert_close(out.percent_of_peak, before.percent_of_peak, 1e-15);
    assert_close(out.memory_limit_bytes_per_process, 5e5, 0);
    cal = changed(state, ground->full, "node.cores_per_node", "*0.5");
    assert_close(cal->node.peak_flops_per_s, ground->full->node.peak_flops_per_s / 2, 1e-15);
    assert_close(cal->node.memory_bytes, ground->full->node.memory_bytes, 0);
}

CASE(a_rate_above_the_peak_is_warned_of)
{
    static const char question[] =
        "contention_model=paper&algorithm=cannon&variant=2d&n=8&processes=1";
    static const char *const factors[] = { "*0.5", "*100" };

    for (size_t i = 0; i < 2; i++) {
        const struct fr_prediction out = predicted(
            "matmul", question, changed(state, ground->round, "kernels.dgemm.rate", factors[i]));

        assert_int_equal(out.percent_of_peak > 100, i);
        assert_int_equal(has_warning(&out, FR_WARN_BELOW_BOUND, "work"), i);
    }
}

/* 4 cores with 16 flop/s, cnc with 10 a core. */
CASE(the_peaks_follow_what_they_are_made_of)
{
    static const char peak[] = "node.peak_flops_per_s", clock[] = "node.clock_hz",
                      cores[] = "node.cores_per_node", single[] = "node.peak_single_flops_per_s",
                      cnc[] = "cnc.peak_flops_per_core_per_s";
    static const struct {
        struct fr_change change[2];
        double peak, single, cnc;
    } cases[] = {
        { { { clock, "*2" } }, 32, 64, 20 },
        { { { cores, "8" } }, 32, 64, 10 },
        { { { cores, "8" }, { clock, "*2" } }, 64, 128, 20 },
        { { { peak, "*2" } }, 32, 64, 20 },
        { { { peak, "*2" }, { clock, "*2" } }, 32, 64, 20 },
        { { { peak, "*1" }, { cores, "8" } }, 16, 32, 5 },
        { { { peak, "*2" }, { single, "*1" } }, 32, 32, 20 },
        { { { cnc, "*1" }, { peak, "*2" } }, 32, 64, 10 },
        { { { "node", "*2" } }, 32, 64, 20 },
        { { { "cnc", "*2" }, { clock, "*2" } }, 32, 64, 20 },
    };
    struct fr_calibration cal = *ground->round;
    struct fr_faults faults = { 0 };

    cal.node.cores_per_node = 4;
    cal.node.peak_flops_per_s = 16;
    cal.node.peak_single_flops_per_s = 32;
    cal.node.clock_hz = 2;
    cal.cnc.peak_flops_per_core_per_s = 10;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct fr_calibration *made = fr_what_if(
            &cal, cases[i].change, cases[i].change[1].path ? 2 : 1, ground->arena, &faults);

        assert_non_null(made);
        assert_close(made->node.peak_flops_per_s, cases[i].peak, 1e-15);
        assert_close(made->node.peak_single_flops_per_s, cases[i].single, 1e-15);
        assert_close(made->cnc.peak_flops_per_core_per_s, cases[i].cnc, 1e-15);
    }
    cal.node.peak_flops_per_s = 1e30;
    assert_null(fr_what_if(&cal, cases[0].change, 1, ground->arena, &faults));
    assert_fault(&faults, FR_RANGE, "what_if.node", "one of them would be outside");
}

/* The owner's machine has 4 cores and 1 MB a node. */
CASE(what_the_owner_states_of_a_node_follows_it)
{
    struct fr_calibration owned = *ground->round;
    const struct fr_calibration *cal;

    owned.facts.cores_per_node = owned.node.cores_per_node;
    owned.facts.memory_bytes_per_node = owned.node.memory_bytes;
    cal = changed(state, &owned, "node.cores_per_node", "8");
    assert_int_equal(cal->facts.cores_per_node, 8);
    assert_close(cal->facts.memory_bytes_per_node, owned.node.memory_bytes, 0);
    cal = changed(state, &owned, "node.memory_bytes", "*2");
    assert_close(cal->facts.memory_bytes_per_node, 2 * owned.node.memory_bytes, 0);
}

GROUP(begin, place_end)
