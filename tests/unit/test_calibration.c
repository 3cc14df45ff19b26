/* Reading the calibration document: everything that calibration.md has, and what it refuses. */
#include "documents.h"

#include "json/calibration.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct loaded {
    struct fr_arena *arena;
    struct fr_calibration cal;
    char id[17];
};

static int begin(void **state)
{
    static struct loaded loaded;

    loaded.arena = fr_arena_new(1 << 24);
    *state = &loaded;
    return 0;
}

static int end(void **state)
{
    fr_arena_free(((struct loaded *)*state)->arena);
    return 0;
}

/* Decodes; the faults tell how it went. */
static struct fr_faults decode(struct loaded *loaded, json_t *document)
{
    struct fr_faults faults = { 0 };
    const int code =
        fr_calibration_decode(document, loaded->arena, &loaded->cal, loaded->id, &faults);

    assert_true((code == FR_OK) == (faults.count == 0));
    json_decref(document);
    return faults;
}

static const struct fr_calibration *accepted(struct loaded *loaded, json_t *document)
{
    const struct fr_faults faults = decode(loaded, document);

    if (faults.count)
        fail_msg("%s: %s", faults.fault[0].where, faults.fault[0].message);
    return &loaded->cal;
}

/* ---- what is read ---- */

static void every_value_of_node_and_network_is_read(void **state)
{
    const struct fr_calibration *cal = accepted(*state, full_json());

    assert_string_equal(cal->machine, "all-1.2_x");
    assert_string_equal(cal->created_at, "2026-11-20T12:00:00Z");
    assert_string_equal(cal->environment.blas.core, "x");
    assert_int_equal(cal->environment.processes, 64);
    assert_close(cal->tool.duration_s, 12.5, 0);
    assert_int_equal(cal->groups, FR_CAL_NODE | FR_CAL_NETWORK | FR_CAL_CONTENTION |
                                      FR_CAL_KERNELS | FR_CAL_MEMORY | FR_CAL_SPARSE | FR_CAL_CNC);
    assert_int_equal(cal->node.cores_per_node, 16);
    assert_close(cal->node.peak_flops_per_s, 1.6e11, 0);
    assert_close(cal->node.memory_bytes, 6.4e10, 0);
    assert_int_equal(cal->node.sockets, 2);
    assert_int_equal(cal->node.numa_domains, 4);
    assert_close(cal->node.clock_hz, 2.5e9, 0);
    assert_close(cal->core_peak_flops_per_s, 1e10, 0);
    assert_int_equal(cal->network.protocols.count, 3);
    assert_string_equal(cal->network.protocols.row[1].name, "eager");
    assert_close(cal->network.protocols.row[1].max_message_bytes, 65536, 0);
    assert_int_equal(cal->network.protocols.row[0].pipelined, 1);
    assert_int_equal(cal->network.protocols.row[1].pipelined, 0);
    assert_int_equal(cal->network.protocols.row[2].pipelined, -1);
    assert_true(isinf(cal->network.protocols.row[2].max_message_bytes));
    assert_close(cal->network.protocols.row[2].on_node.latency_s, 3e-6, 0);
    assert_close(cal->network.protocols.row[2].off_node.inverse_bandwidth_s_per_byte, 1e-10, 0);
    assert_int_equal(cal->network.broadcast.count, 3);
    assert_int_equal(cal->network.broadcast.row[2].algorithm, 2);
    assert_close(cal->network.node_bandwidth_bytes_per_s, 9e9, 0);
    assert_close(cal->network.stall_time_s, 1.2e-10, 0);
    assert_close(cal->network.bytes_per_traffic_unit, 3, 0);
    assert_close(cal->network.message_bandwidth.latency_s, 8e-6, 0);
    assert_int_equal(cal->network.message_bandwidth.kind, 0);
    assert_close(cal->network.message_bandwidth.points.row[1].bandwidth_bytes_per_s, 3e8, 0);
}

static void every_value_of_contention_and_kernels_is_read(void **state)
{
    const struct fr_calibration *cal = accepted(*state, full_json());
    const struct fr_routine_model *model = &cal->kernels.routine_models.row[0];

    assert_close(cal->contention.message_bytes, 1048576, 0);
    assert_int_equal(cal->contention.average.row[0].processes, 0);
    assert_int_equal(cal->contention.average.row[2].processes, 64);
    assert_close(cal->contention.maximum.row[1].factor, 1.5, 0);
    assert_string_equal(cal->contention.patterns.row[1].pattern, "barrier");
    assert_close(cal->contention.patterns.row[1].message_bytes, 0, 0);
    assert_close(cal->contention.patterns.row[0].maximum_s, 2e-4, 0);
    assert_close(cal->contention.exchange.row[0].average_s, 1e-5, 0);
    assert_close(cal->contention.burst.row[0].gap_s, 1e-6, 0);
    for (enum fr_routine routine = 0; routine < FR_ROUTINES; routine++) {
        assert_int_equal(cal->kernels.routine[routine].square.count, 2);
        assert_close(cal->kernels.routine[routine].square.row[0].efficiency_fraction, 0.5, 0);
        assert_close(cal->kernels.routine[routine].square.row[1].time_s, 0.064, 0);
        assert_int_equal(cal->kernels.routine[routine].rates.row[0].k, 30);
    }
    assert_close(cal->kernels.sparse_matvec.bandwidth_fraction, 0.8, 0);
    assert_close(cal->kernels.vector.bandwidth_fraction, 0.9, 0);
    assert_close(cal->kernels.out_of_cache_weight, 0.25, 0);
    assert_string_equal(model->routine, "dtrmm");
    assert_string_equal(model->flags.diag, "N");
    assert_null(model->flags.trans);
    assert_int_equal(model->parameters.count, 2);
    assert_int_equal(model->locality, 0);
    assert_int_equal(model->basis.count, 3);
    assert_close(model->basis.row[2].row[1], 1, 0);
    assert_close(model->regions.row[0].coef.min.row[2], -1e-9, 0);
    assert_int_equal(model->build.relative, 1);
}

static void every_value_of_memory_sparse_and_cnc_is_read(void **state)
{
    const struct fr_calibration *cal = accepted(*state, full_json());

    assert_close(cal->memory.core_bandwidth_bytes_per_s, 8e9, 0);
    assert_close(cal->memory.index_bytes, 4, 0);
    assert_string_equal(cal->memory.caches.row[1].name, "L2");
    assert_int_equal(cal->memory.caches.row[1].policy, 1);
    assert_close(cal->memory.caches.row[0].latency_s, 1e-9, 0);
    assert_close(cal->memory.memory_latency_tlb_miss_s, 1.5e-7, 0);
    assert_close(cal->sparse.flop_time_s, 1e-10, 0);
    assert_int_equal(cal->sparse.dgemm_block.k, 128);
    assert_int_equal(cal->sparse.dgemm_unroll.n, 4);
    assert_int_equal(cal->sparse.dtrsv_unroll, 2);
    assert_close(cal->sparse.fit.panel, 1.2, 0);
    assert_close(cal->sparse.fit.block_s, 0, 0);
    assert_int_equal(cal->sparse.supernode_relax, 20);
    assert_close(cal->cnc.peak_flops_per_core_per_s, 2e10, 0);
    assert_int_equal(cal->cnc.step_kernel.row[1].block_size, 128);
    assert_true(isnan(cal->cnc.step_kernel.row[1].rate_flops_per_s));
    assert_close(cal->cnc.volume_overhead.johnson, 1.3, 0);
    assert_int_equal(cal->sources.count, 2);
}

static void all_three_topologies_are_read(void **state)
{
    const struct fr_topology *topology = &accepted(*state, full_json())->network.topology;
    json_t *document;

    assert_int_equal(topology->type, FR_TORUS);
    assert_int_equal(topology->dimensions.count, 3);
    assert_close(topology->hop_latency_s.row[2], 3e-7, 0);

    document = full_json();
    put(document, "/network/topology/hop_latency_s", "1.08e-7");
    topology = &accepted(*state, document)->network.topology;
    assert_int_equal(topology->hop_latency_s.count, 1);
    assert_close(topology->hop_latency_s.row[0], 1.08e-7, 0);

    document = full_json();
    put(document, "/network/topology", dragonfly_topology);
    topology = &accepted(*state, document)->network.topology;
    assert_int_equal(topology->type, FR_DRAGONFLY);
    assert_int_equal(topology->chassis_per_group, 6);
    assert_close(topology->class_latency_s.global, 4e-7, 0);
    assert_close(topology->static_class_latency_s.group, 5e-7, 0);
    assert_close(topology->hop_classes.group.average.chassis, 0.9375, 0);
    assert_close(topology->hop_classes.global.max.group, 2, 0);

    document = full_json();
    put(document, "/network/topology", uniform_topology);
    topology = &accepted(*state, document)->network.topology;
    assert_int_equal(topology->type, FR_UNIFORM);
    assert_close(topology->hops.max, 2, 0);
    assert_close(topology->hops.best, 0, 0);
    assert_close(topology->hop_latency_s.row[0], 0, 0);
}

static void schema_and_machine_are_all_that_must_be_there(void **state)
{
    const struct fr_calibration *cal =
        accepted(*state, json_of("{'schema': 'forerun-calibration-1', 'machine': 'm'}"));

    assert_int_equal(cal->groups, 0);
    assert_int_equal(cal->node.cores_per_node, 0);
    assert_true(isnan(cal->node.peak_flops_per_s));
    assert_true(isnan(cal->core_peak_flops_per_s));
    assert_int_equal(cal->network.topology.type, -1);
    assert_false(cal->has_off_node);
}

static void null_is_as_good_as_absent(void **state)
{
    static const char *const pointers[] = {
        "/description",
        "/tool",
        "/environment/blas",
        "/node/memory_bytes",
        "/node/sockets",
        "/network/protocols/0/pipelined",
        "/network/protocols/0/on_node",
        "/network/topology",
        "/network/hop_ping",
        "/network/message_bandwidth/latency_s",
        "/contention/average/2/processes",
        "/contention/patterns",
        "/kernels/dgemm/square/0/time_s",
        "/kernels/dger",
        "/kernels/dtrsv/rates",
        "/memory",
        "/sparse/fit",
        "/cnc/step_kernel/0/time_s",
        "/sources",
    };

    for (size_t i = 0; i < sizeof pointers / sizeof pointers[0]; i++) {
        json_t *document = full_json();

        put(document, "/sources", "{}");
        if (strstr(pointers[i], "average/2")) /* without it, the row would repeat row 0 */
            put(document, "/contention/average/2/distance", "2");
        put(document, pointers[i], "null");
        accepted(*state, document);
    }
}

static void a_group_that_is_null_is_missing(void **state)
{
    json_t *document = full_json();

    put(document, "/sources", "{}");
    put(document, "/node", "null");
    put(document, "/cnc", NULL);
    assert_int_equal(accepted(*state, document)->groups, FR_CAL_NETWORK | FR_CAL_CONTENTION |
                                                             FR_CAL_KERNELS | FR_CAL_MEMORY |
                                                             FR_CAL_SPARSE);
}

/* ---- what is refused ---- */

static const struct {
    const char *pointer, *value;
    enum fr_code code;
    const char *where, *words;
} refusals[] = {
    { "/schema", "'forerun-calibration-2'", FR_CHOICE, "/schema", "forerun-calibration-1" },
    { "/schema", NULL, FR_MISSING, "/schema", "required" },
    { "/schema", "null", FR_MISSING, "/schema", "required" },
    { "/machine", NULL, FR_MISSING, "/machine", "required" },
    { "/machine", "5", FR_TYPE, "/machine", "text" },
    { "/nodes", "{}", FR_UNKNOWN_KEY, "/nodes", "did you mean node" },
    { "/xyzzy", "1", FR_UNKNOWN_KEY, "/xyzzy", "not known" },
    { "/node", "[]", FR_TYPE, "/node", "object" },
    { "/node/cores", "5", FR_UNKNOWN_KEY, "/node/cores", "did you mean cores_per_node" },
    { "/node/cores_per_node", "0", FR_RANGE, "/node/cores_per_node", "greater than 0" },
    { "/node/cores_per_node", "-4", FR_RANGE, "/node/cores_per_node", "greater than 0" },
    { "/node/cores_per_node", "1.5", FR_TYPE, "/node/cores_per_node", "whole number" },
    { "/node/cores_per_node", "'16'", FR_TYPE, "/node/cores_per_node", "a number" },
    { "/node/cores_per_node", "true", FR_TYPE, "/node/cores_per_node", "a number" },
    { "/node/peak_flops_per_s", "0", FR_RANGE, "/node/peak_flops_per_s", "greater than 0" },
    { "/node/peak_flops_per_s", "1.1e30", FR_RANGE, "/node/peak_flops_per_s", "outside" },
    { "/node/peak_flops_per_s", "9e-31", FR_RANGE, "/node/peak_flops_per_s", "outside" },
    { "/network/protocols", "{}", FR_TYPE, "/network/protocols", "array" },
    { "/network/protocols/1", "null", FR_TYPE, "/network/protocols/1", "object" },
    { "/network/protocols/1/name", NULL, FR_MISSING, "/network/protocols/1/name", "required" },
    { "/network/protocols/1/max_message_bytes", NULL, FR_MISSING,
      "/network/protocols/1/max_message_bytes", "required" },
    { "/network/protocols/1/max_message_bytes", "null", FR_RELATION,
      "/network/protocols/1/max_message_bytes", "only the last" },
    { "/network/protocols/1/max_message_bytes", "1024", FR_RELATION,
      "/network/protocols/1/max_message_bytes", "rise" },
    { "/network/protocols/2/max_message_bytes", "1e9", FR_RELATION,
      "/network/protocols/2/max_message_bytes", "must be null" },
    { "/network/protocols/1/pipelined", "1", FR_TYPE, "/network/protocols/1/pipelined",
      "true or false" },
    { "/network/protocols/1/off_node", NULL, FR_RELATION, "/network/protocols/1", "off_node" },
    { "/network/protocols/1/off_node/latency_s", NULL, FR_MISSING,
      "/network/protocols/1/off_node/latency_s", "required" },
    { "/network/protocols/1/off_node/latency_s", "0", FR_RANGE,
      "/network/protocols/1/off_node/latency_s", "greater than 0" },
    { "/network/protocols/1/off_node/bandwidth", "5", FR_UNKNOWN_KEY,
      "/network/protocols/1/off_node/bandwidth", "did you mean inverse_bandwidth_s_per_byte" },
    { "/network/protocols/2", "{'name': 'n', 'max_message_bytes': null}", FR_MISSING,
      "/network/protocols/2", "off_node, on_node or both" },
    { "/network/broadcast/0/algorithm", "'tree'", FR_CHOICE, "/network/broadcast/0/algorithm",
      "scatter_ring" },
    { "/network/broadcast/1/max_message_bytes", "100", FR_RELATION,
      "/network/broadcast/1/max_message_bytes", "rise" },
    { "/network/broadcast/2/max_message_bytes", "1e9", FR_RELATION,
      "/network/broadcast/2/max_message_bytes", "null" },
    { "/network/message_bandwidth/kind", "'real'", FR_CHOICE, "/network/message_bandwidth/kind",
      "effective" },
    { "/network/message_bandwidth/kind", NULL, FR_MISSING, "/network/message_bandwidth/kind",
      "required" },
    { "/network/topology/type", "'mesh'", FR_CHOICE, "/network/topology/type", "dragonfly" },
    { "/network/topology/type", NULL, FR_MISSING, "/network/topology/type", "required" },
    { "/network/topology/routers_per_chassis", "4", FR_UNKNOWN_KEY,
      "/network/topology/routers_per_chassis", "does not belong to this type" },
    { "/network/topology/hops", "{}", FR_UNKNOWN_KEY, "/network/topology/hops", "type" },
    { "/network/topology/dimensions", NULL, FR_MISSING, "/network/topology/dimensions",
      "required" },
    { "/network/topology/dimensions/0", "'x'", FR_TYPE, "/network/topology/dimensions/0",
      "number" },
    { "/network/topology/hop_latency_s", "[1e-7, 2e-7]", FR_RELATION,
      "/network/topology/hop_latency_s", "2 latencies for 3 dimensions" },
    { "/contention/average/0/distance", "0", FR_RANGE, "/contention/average/0/distance",
      "greater than 0" },
    { "/contention/average/0/distance", "1.5", FR_TYPE, "/contention/average/0/distance",
      "whole number" },
    { "/contention/average/1/distance", "1", FR_REPEATED, "/contention/average/1", "row 0" },
    { "/contention/maximum/1/processes", "16", FR_REPEATED, "/contention/maximum/1", "row 0" },
    { "/contention/maximum/1/processes", NULL, FR_MISSING, "/contention/maximum/1/processes",
      "required" },
    { "/contention/maximum/0/factor", "0", FR_RANGE, "/contention/maximum/0/factor",
      "greater than 0" },
    { "/contention/patterns/1",
      "{'pattern': 'shift_row', 'processes': 64, 'layers': 1, 'message_bytes': 65536,"
      " 'average_s': 1, 'maximum_s': 1}",
      FR_REPEATED, "/contention/patterns/1", "row 0" },
    { "/contention/patterns/0/average_s", "0", FR_RANGE, "/contention/patterns/0/average_s",
      "greater than 0" },
    { "/kernels/dgeem", "{}", FR_UNKNOWN_KEY, "/kernels/dgeem", "did you mean dgemm" },
    { "/kernels/dgemm/square/0/time_s", "1", FR_RELATION, "/kernels/dgemm/square/0",
      "exactly one" },
    { "/kernels/dtrsm/square/0/efficiency_fraction", NULL, FR_RELATION, "/kernels/dtrsm/square/0",
      "exactly one" },
    { "/kernels/dsyrk/square/1/n", "100", FR_REPEATED, "/kernels/dsyrk/square/1", "row 0" },
    { "/kernels/dpotrf/square/1/threads", NULL, FR_MISSING, "/kernels/dpotrf/square/1/threads",
      "required" },
    { "/kernels/dgemm/rates/0/rate_flops_per_s", NULL, FR_MISSING,
      "/kernels/dgemm/rates/0/rate_flops_per_s", "required" },
    { "/kernels/out_of_cache_weight", "1.5", FR_RANGE, "/kernels/out_of_cache_weight",
      "more than 1" },
    { "/kernels/routine_models/0/locality", "'warm'", FR_CHOICE,
      "/kernels/routine_models/0/locality", "out_of_cache" },
    { "/kernels/routine_models/0/parameters/1", "5", FR_TYPE,
      "/kernels/routine_models/0/parameters/1", "text" },
    { "/kernels/routine_models/0/basis/1", "[1]", FR_RELATION, "/kernels/routine_models/0",
      "1 numbers instead of 2" },
    { "/kernels/routine_models/0/basis/1", "[2, 0]", FR_RELATION, "/kernels/routine_models/0",
      "downward closed" },
    { "/kernels/routine_models/0/regions/0/coef/avg", "[1]", FR_RELATION,
      "/kernels/routine_models/0/regions/0", "coef.avg has 1 numbers instead of 3" },
    { "/kernels/routine_models/0/regions/0/max/0", "1", FR_RELATION,
      "/kernels/routine_models/0/regions/0", "min exceeds max in dimension 0" },
    { "/memory/caches/1/policy", "'random'", FR_CHOICE, "/memory/caches/1/policy", "fifo" },
    { "/memory/caches/1/name", NULL, FR_MISSING, "/memory/caches/1/name", "required" },
    { "/sparse/dgemm_block/k", NULL, FR_MISSING, "/sparse/dgemm_block/k", "required" },
    { "/sparse/fit/gemm", "-1", FR_RANGE, "/sparse/fit/gemm", "at least 0" },
    { "/cnc/step_kernel/0/time_s", "1", FR_RELATION, "/cnc/step_kernel/0", "exactly one" },
    { "/sources", "[]", FR_TYPE, "/sources", "object" },
    { "/sources/~1node~1clock", "'measured: x'", FR_NOT_FOUND, "/sources/~1node~1clock",
      "leads nowhere" },
};

/* put() knows no escapes: a key of sources is set by hand. */
static void put_source(json_t *document, const char *pointer, const char *text)
{
    json_object_set_new(json_object_get(document, "sources"), pointer, json_string(text));
}

static void every_rule_is_refused_at_its_place(void **state)
{
    for (size_t i = 0; i < sizeof refusals / sizeof refusals[0]; i++) {
        json_t *document = full_json();
        struct fr_faults faults;

        if (strncmp(refusals[i].pointer, "/sources/", 9) == 0) {
            put_source(document, "/node/clock", "measured: x");
        } else {
            put(document, "/sources", "{}");
            put(document, refusals[i].pointer, refusals[i].value);
        }
        faults = decode(*state, document);
        if (!faults.count)
            fail_msg("%s = %s is not refused", refusals[i].pointer,
                     refusals[i].value ? refusals[i].value : "nothing");
        assert_fault(&faults, refusals[i].code, refusals[i].where, refusals[i].words);
        if (faults.count != 1)
            fail_msg("%s: also refused: %s: %s", refusals[i].pointer, faults.fault[1].where,
                     faults.fault[1].message);
    }
}

static void all_faults_are_found_at_once(void **state)
{
    json_t *document = full_json();
    struct fr_faults faults;

    put(document, "/node/cores_per_node", "-1");
    put(document, "/network/protocols/1/name", "5");
    put(document, "/memory/caches/0/line", "64");
    put_source(document, "/nowhere", "measured: x");
    put(document, "/machine", "'No Name'");
    faults = decode(*state, document);
    assert_int_equal(faults.count, 5);
    assert_non_null(fault_at(&faults, "/node/cores_per_node"));
    assert_non_null(fault_at(&faults, "/network/protocols/1/name"));
    assert_non_null(fault_at(&faults, "/memory/caches/0/line"));
    assert_non_null(fault_at(&faults, "/sources/~1nowhere"));
    assert_non_null(fault_at(&faults, "/machine"));
}

static void more_faults_than_fit_are_counted(void **state)
{
    json_t *document = json_of("{'schema': 'forerun-calibration-1', 'machine': 'm', 'node': {}}");
    struct fr_faults faults;

    for (int i = 0; i < 50; i++) {
        char key[20];

        snprintf(key, sizeof key, "unknown_%d", i);
        json_object_set_new(json_object_get(document, "node"), key, json_null());
    }
    faults = decode(*state, document);
    assert_int_equal(faults.count, 50);
    assert_int_equal(fr_faults_kept(&faults), FR_MAX_FAULTS);
}

static void a_pointer_of_sources_must_lead_somewhere(void **state)
{
    static const char *const good[] = {
        "",
        "/node",
        "/node/clock_hz",
        "/network/protocols/0",
        "/network/protocols/2/name",
        "/kernels/routine_models/0/basis/1/0",
        "/network/hop_ping/anything/1/at",
    };
    static const char *const bad[] = {
        "node",
        "/nodes",
        "/node/",
        "/node/clock_hz/0",
        "/network/protocols/3",
        "/network/protocols/-1",
        "/network/protocols/-",
        "/network/protocols/00",
        "/network/protocols/+0",
        "/network/protocols/ 0",
        "/network/protocols/0x0",
        "/network/protocols/99999999999999999999999",
        "/network/protocols/eager",
        "/network/protocols/",
    };

    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        json_t *document = full_json();

        put_source(document, good[i], "measured: x");
        accepted(*state, document);
    }
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        json_t *document = full_json();
        struct fr_faults faults;

        put_source(document, bad[i], "measured: x");
        faults = decode(*state, document);
        if (faults.count != 1 || faults.fault[0].code != FR_NOT_FOUND)
            fail_msg("'%s' is not refused", bad[i]);
    }
}

static void a_machine_name_is_lower_case_letters_digits_and_three_signs(void **state)
{
    static const char *const good[] = { "a", "0", "hopper", "a.b_c-d", "9-" };
    static const char *const bad[] = { "",    "Hopper", "-a",       ".a", "_a",
                                       "a b", "a/b",    "\xc3\xa4", "..", "a:b" };
    char longest[66];

    (void)state;
    memset(longest, 'a', sizeof longest);
    longest[64] = '\0';
    assert_true(fr_machine_name_is_legal(longest));
    longest[64] = 'a';
    longest[65] = '\0';
    assert_false(fr_machine_name_is_legal(longest));
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++)
        assert_true(fr_machine_name_is_legal(good[i]));
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        if (fr_machine_name_is_legal(bad[i]))
            fail_msg("'%s' is taken for a name", bad[i]);
}

/* ---- the text ---- */

static void what_is_not_json_is_refused_as_syntax(void **state)
{
    static const char *const texts[] = {
        "",
        "{",
        "{'schema': 'forerun-calibration-1', 'machine': 'm'",
        "{'schema': 'forerun-calibration-1', 'machine': 'm'} x",
        "{'schema': 'forerun-calibration-1', 'machine': 'm', 'machine': 'm'}",
        "{'schema': 'forerun-calibration-1', 'machine': 'm', 'node': {'clock_hz': 1e999}}",
        "{'schema': 'forerun-calibration-1', 'machine': 'm', 'node': {'clock_hz': NaN}}",
        "{'schema': 'forerun-calibration-1', 'machine': 'm', 'node': {'clock_hz': 0x10}}",
        "{'schema': 'forerun-calibration-1', 'machine': 'm', 'description': '\xff'}",
        "{'schema': 'forerun-calibration-1', 'machine': 'm', 'description': '\\u0000'}",
    };

    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        const struct fr_faults faults = document_refused(texts[i]);

        assert_int_equal(faults.count, 1);
        assert_int_equal(faults.fault[0].code, FR_SYNTAX);
    }
}

static void what_is_json_but_no_object_is_refused_as_type(void **state)
{
    static const char *const texts[] = { "[]", "5", "null", "'text'" };

    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        const struct fr_faults faults = document_refused(texts[i]);

        assert_fault(&faults, FR_TYPE, "", "object");
    }
}

static void the_id_is_that_of_the_content_not_of_the_text(void **state)
{
    struct loaded *loaded = *state;
    char id[17];

    accepted(loaded, json_of("{'schema': 'forerun-calibration-1', 'machine': 'm',"
                             " 'node': {'cores_per_node': 10, 'clock_hz': 1e9}}"));
    memcpy(id, loaded->id, sizeof id);
    accepted(loaded, json_of("{ 'machine':'m','node':{'clock_hz':1000000000.0,\n"
                             "'cores_per_node':1e1},'schema':'forerun-calibration-1'}"));
    assert_string_equal(loaded->id, id);
    accepted(loaded, json_of("{'schema': 'forerun-calibration-1', 'machine': 'm',"
                             " 'node': {'cores_per_node': 11, 'clock_hz': 1e9}}"));
    assert_string_not_equal(loaded->id, id);
    assert_int_equal(strlen(loaded->id), 16);
    assert_int_equal(strspn(loaded->id, "0123456789abcdef"), 16);
}

static void a_table_has_at_most_ten_thousand_rows(void **state)
{
    json_t *document = full_json(), *rows = json_array();
    struct fr_faults faults;

    for (int i = 0; i < 10001; i++)
        json_array_append_new(rows, json_of("{'m': 1, 'n': 1, 'rate_flops_per_s': 1}"));
    json_object_set_new(json_object_get(json_object_get(document, "kernels"), "dger"), "rates",
                        rows);
    faults = decode(*state, document);
    assert_fault(&faults, FR_RANGE, "/kernels/dger/rates", "10001 rows");
}

/* ---- the shipped and published documents ---- */

static void rows_in_any_order_make_the_same_curve(void **state)
{
    struct loaded *loaded = *state;
    json_t *document = full_json();
    const struct fr_curves *curves;

    put(document, "/kernels/dgemm/square",
        "[{'threads': 2, 'n': 100, 'efficiency_fraction': 0.4},"
        " {'threads': 1, 'n': 400, 'efficiency_fraction': 0.9},"
        " {'threads': 2, 'n': 50, 'efficiency_fraction': 0.3},"
        " {'threads': 1, 'n': 100, 'time_s': 0.0004}]");
    curves = &accepted(loaded, document)->rate[FR_DGEMM];
    assert_int_equal(curves->count, 2);
    assert_int_equal(curves->key[0], 1);
    assert_int_equal(curves->key[1], 2);
    assert_close(curves->curve[0].x[0], log2(100), 0);
    assert_close(curves->curve[0].y[0], 2e6 / 0.0004, 1e-15); /* 5e9 of 1e10 */
    assert_close(curves->curve[0].y[1], 0.9e10, 1e-15);
    assert_close(curves->curve[1].y[0], 0.3e10, 1e-15);
    assert_close(curves->curve[1].y[1], 0.4e10, 1e-15);
}

/* dense-distributed.md 14.1: rows without a process count; where none, those of the largest. */
static void the_average_without_a_process_count_goes_first(void **state)
{
    json_t *document = full_json();
    const struct fr_calibration *cal = accepted(*state, full_json());

    assert_int_equal(cal->average.count, 2);
    assert_close(cal->average.y[1], 1.2, 0);
    put(document, "/contention/average",
        "[{'processes': 256, 'distance': 1, 'factor': 2}, {'processes': 64, 'distance': 1,"
        " 'factor': 1.1}]");
    cal = accepted(*state, document);
    assert_int_equal(cal->average.count, 1);
    assert_close(cal->average.y[0], 2, 0);
}

/* An efficiency means nothing without a peak: the row is left out, not guessed. */
static void without_a_peak_only_times_make_a_rate(void **state)
{
    json_t *document = full_json();
    const struct fr_calibration *cal;

    put(document, "/sources", "{}");
    put(document, "/node/peak_flops_per_s", NULL);
    cal = accepted(*state, document);
    assert_int_equal(cal->rate[FR_DGEMM].count, 1);
    assert_int_equal(cal->rate[FR_DGEMM].curve[0].count, 1);
    assert_close(cal->rate[FR_DGEMM].curve[0].y[0], 2 * 6.4e7 / 0.064, 1e-15);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_value_of_node_and_network_is_read),
        cmocka_unit_test(every_value_of_contention_and_kernels_is_read),
        cmocka_unit_test(every_value_of_memory_sparse_and_cnc_is_read),
        cmocka_unit_test(all_three_topologies_are_read),
        cmocka_unit_test(schema_and_machine_are_all_that_must_be_there),
        cmocka_unit_test(null_is_as_good_as_absent),
        cmocka_unit_test(a_group_that_is_null_is_missing),
        cmocka_unit_test(every_rule_is_refused_at_its_place),
        cmocka_unit_test(all_faults_are_found_at_once),
        cmocka_unit_test(more_faults_than_fit_are_counted),
        cmocka_unit_test(a_pointer_of_sources_must_lead_somewhere),
        cmocka_unit_test(a_machine_name_is_lower_case_letters_digits_and_three_signs),
        cmocka_unit_test(what_is_not_json_is_refused_as_syntax),
        cmocka_unit_test(what_is_json_but_no_object_is_refused_as_type),
        cmocka_unit_test(the_id_is_that_of_the_content_not_of_the_text),
        cmocka_unit_test(a_table_has_at_most_ten_thousand_rows),
        cmocka_unit_test(rows_in_any_order_make_the_same_curve),
        cmocka_unit_test(the_average_without_a_process_count_goes_first),
        cmocka_unit_test(without_a_peak_only_times_make_a_rate),
    };

    return cmocka_run_group_tests_name("calibration", tests, begin, end);
}
