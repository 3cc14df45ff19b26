/* What a calibration document is refused for: every rule, at its JSON pointer. */
#include "tests/unit/support/documents.h"

#include "server/calibrations/document.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *pointer, *value;
    enum fr_code code;
    const char *where, *words; /* where: NULL is at the pointer */
} refusals[] = {
    { "/schema", "'forerun-calibration-2'", FR_CHOICE, NULL, "forerun-calibration-1" },
    { "/schema", NULL, FR_MISSING, NULL, "required" },
    { "/schema", "null", FR_MISSING, NULL, "required" },
    { "/machine", NULL, FR_MISSING, NULL, "required" },
    { "/machine", "5", FR_TYPE, NULL, "string" },
    { "/nodes", "{}", FR_UNKNOWN_KEY, NULL, "did you mean node" },
    { "/xyzzy", "1", FR_UNKNOWN_KEY, NULL, "unknown key" },
    { "/node", "[]", FR_TYPE, NULL, "object" },
    { "/node/cores", "5", FR_UNKNOWN_KEY, NULL, "did you mean cores_per_node" },
    { "/node/cores_per_node", "0", FR_RANGE, NULL, "greater than 0" },
    { "/node/cores_per_node", "-4", FR_RANGE, NULL, "greater than 0" },
    { "/node/cores_per_node", "1.5", FR_TYPE, NULL, "whole number" },
    { "/node/cores_per_node", "'16'", FR_TYPE, NULL, "a number" },
    { "/node/cores_per_node", "true", FR_TYPE, NULL, "a number" },
    { "/node/peak_flops_per_s", "0", FR_RANGE, NULL, "greater than 0" },
    { "/node/peak_flops_per_s", "1.1e30", FR_RANGE, NULL, "outside" },
    { "/node/peak_flops_per_s", "9e-31", FR_RANGE, NULL, "outside" },
    { "/network/protocols", "{}", FR_TYPE, NULL, "array" },
    { "/network/protocols/1", "null", FR_TYPE, NULL, "object" },
    { "/network/protocols/1/name", NULL, FR_MISSING, NULL, "required" },
    { "/network/protocols/1/max_message_bytes", NULL, FR_MISSING, NULL, "required" },
    { "/network/protocols/1/max_message_bytes", "null", FR_RELATION, NULL, "only the last" },
    { "/memory/streams/1/max_operand_bytes", "2097152", FR_RELATION, NULL, "must be null" },
    { "/memory/streams/0/max_operand_bytes", "null", FR_RELATION, NULL, "only the last" },
    { "/memory/row_swaps/1/max_matrix_bytes", "1e9", FR_RELATION, NULL, "must be null" },
    { "/kernels/calls/2/max_depth", "512", FR_RELATION, "/kernels/calls/2",
      "the last row of dgemm on 1 threads" },
    { "/kernels/calls/0/max_width", "512", FR_RELATION, "/kernels/calls/0", "dtrsm_RUN" },
    { "/kernels/calls/0/call", "'dgemm'", FR_REPEATED, "/kernels/calls/2", "row 0" },
    { "/kernels/calls/0/call", "'dger'", FR_CHOICE, NULL, "dsyrk" },
    { "/kernels/calls/0/multiply_add_s", "-1", FR_RANGE, NULL, "0" },
    { "/memory/line_bytes", "0", FR_RANGE, NULL, "0" },
    { "/network/protocols/1/max_message_bytes", "1024", FR_RELATION, NULL, "rise" },
    { "/network/protocols/2/max_message_bytes", "1e9", FR_RELATION, NULL, "must be null" },
    { "/network/latency_by_distance/1/distance", "1", FR_REPEATED, "/network/latency_by_distance/1",
      "row 0" },
    { "/network/latency_by_distance/1/max_message_bytes", "4096", FR_MISSING,
      "/network/latency_by_distance/1", "distance 4 has no row" },
    { "/network/protocols/1/pipelined", "1", FR_TYPE, NULL, "true or false" },
    { "/network/protocols/1/off_node", NULL, FR_RELATION, "/network/protocols/1", "off_node" },
    { "/network/protocols/1/off_node/latency_s", NULL, FR_MISSING, NULL, "required" },
    { "/network/protocols/1/off_node/latency_s", "0", FR_RANGE, NULL, "greater than 0" },
    { "/network/protocols/1/off_node/bandwidth", "5", FR_UNKNOWN_KEY, NULL,
      "did you mean inverse_bandwidth_s_per_byte" },
    { "/network/protocols/2", "{'name': 'n', 'max_message_bytes': null}", FR_MISSING, NULL,
      "off_node, on_node or both" },
    { "/network/broadcast/0/algorithm", "'tree'", FR_CHOICE, NULL, "scatter_ring" },
    { "/network/broadcast/1/max_message_bytes", "100", FR_RELATION, NULL, "rise" },
    { "/network/broadcast/2/max_message_bytes", "1e9", FR_RELATION, NULL, "null" },
    { "/network/message_bandwidth/kind", "'real'", FR_CHOICE, NULL, "effective" },
    { "/network/message_bandwidth/kind", NULL, FR_MISSING, NULL, "required" },
    { "/network/topology/type", "'mesh'", FR_CHOICE, NULL, "dragonfly" },
    { "/network/topology/type", NULL, FR_MISSING, NULL, "required" },
    { "/network/topology/routers_per_chassis", "4", FR_UNKNOWN_KEY, NULL,
      "does not belong to this type" },
    { "/network/topology/hops", "{}", FR_UNKNOWN_KEY, NULL, "type" },
    { "/network/topology/dimensions", NULL, FR_MISSING, NULL, "required" },
    { "/network/topology/dimensions/0", "'x'", FR_TYPE, NULL, "number" },
    { "/network/topology/dimensions/1", "2.5", FR_TYPE, "/network/topology/dimensions",
      "whole number" },
    { "/network/topology/hop_latency_s", "[1e-7, 2e-7]", FR_RELATION, NULL,
      "2 latencies for 3 dimensions" },
    { "/network/topology/link_bandwidth_bytes_per_s", "0", FR_RANGE, NULL, "greater than 0" },
    { "/network/topology/link_bandwidth_bytes_per_s", "[1]", FR_TYPE, NULL, "an object" },
    { "/network/topology/link_bandwidth_bytes_per_s", "{'up': 1e9}", FR_UNKNOWN_KEY,
      "/network/topology/link_bandwidth_bytes_per_s/up", "unknown key" },
    { "/network/topology",
      "{'type': 'uniform', 'hops': {'best': 0, 'average': 1, 'max': 2}, 'hop_latency_s': 0,"
      " 'nodes_per_leaf': 24}",
      FR_RELATION, NULL, "uplinks_per_leaf belong together" },
    { "/network/topology/nodes_per_leaf", "24", FR_UNKNOWN_KEY, NULL,
      "does not belong to this type" },
    { "/contention/average/0/distance", "0", FR_RANGE, NULL, "greater than 0" },
    { "/contention/average/0/distance", "1.5", FR_TYPE, NULL, "whole number" },
    { "/contention/average/1/distance", "1", FR_REPEATED, "/contention/average/1", "row 0" },
    { "/contention/maximum/1/processes", "16", FR_REPEATED, "/contention/maximum/1", "row 0" },
    { "/contention/maximum/1/processes", NULL, FR_MISSING, NULL, "required" },
    { "/contention/maximum/0/factor", "0", FR_RANGE, NULL, "greater than 0" },
    { "/contention/patterns/1",
      "{'pattern': 'shift_row', 'processes': 64, 'layers': 1, 'message_bytes': 65536,"
      " 'average_s': 1, 'maximum_s': 1}",
      FR_REPEATED, NULL, "row 0" },
    { "/contention/patterns/0/average_s", "0", FR_RANGE, NULL, "greater than 0" },
    { "/contention/patterns/0/maximum_s", "-1", FR_RANGE, NULL, "greater than 0" },
    { "/contention/patterns/0/pattern", "'shift_diagonal'", FR_CHOICE, NULL,
      "broadcast_column_alone, barrier" },
    { "/contention/patterns/0/layers", NULL, FR_MISSING, NULL, "required" },
    { "/contention/patterns/0/message_bytes", "0.5", FR_RANGE, NULL, "at least 1" },
    { "/contention/patterns/0/message_bytes", "0", FR_RANGE, NULL, "a barrier alone" },
    { "/contention/patterns/1/message_bytes", "8", FR_RANGE, NULL, "8 bytes; a barrier has 0" },
    { "/contention/exchange/1",
      "{'processes': 64, 'distance': 2, 'message_bytes': 8, 'average_s': 1}", FR_REPEATED, NULL,
      "row 0" },
    { "/contention/exchange/0/average_s", "0", FR_RANGE, NULL, "greater than 0" },
    { "/contention/exchange/0/distance", "0", FR_RANGE, NULL, "greater than 0" },
    { "/contention/process_times/1", "{'distance': 1, 'times_s': [1, 1]}", FR_REPEATED, NULL,
      "row 0" },
    { "/contention/process_times/0/times_s", "[]", FR_MISSING, NULL, "at least one process" },
    { "/contention/process_times/0/times_s", "[0]", FR_RANGE,
      "/contention/process_times/0/times_s/0", "greater than 0" },
    { "/contention/fold/1", "{'processes': 64, 'message_bytes': 8, 'message_s': 1}", FR_REPEATED,
      NULL, "row 0" },
    { "/contention/fold/0/message_s", "0", FR_RANGE, NULL, "greater than 0" },
    { "/contention/burst/1", "{'processes': 64, 'message_bytes': 8, 'gap_s': 1}", FR_REPEATED, NULL,
      "row 0" },
    { "/contention/burst/0/gap_s", "0", FR_RANGE, NULL, "greater than 0" },
    { "/kernels/dgeem", "{}", FR_UNKNOWN_KEY, NULL, "did you mean dgemm" },
    { "/kernels/dgemm/square/0/time_s", "1", FR_RELATION, "/kernels/dgemm/square/0",
      "exactly one" },
    { "/kernels/dtrsm/square/0/efficiency_fraction", NULL, FR_RELATION, "/kernels/dtrsm/square/0",
      "exactly one" },
    { "/kernels/dsyrk/square/1/n", "100", FR_REPEATED, "/kernels/dsyrk/square/1", "row 0" },
    { "/kernels/dpotrf/square/1/threads", NULL, FR_MISSING, NULL, "required" },
    { "/kernels/dgemm/rates/0/rate_flops_per_s", NULL, FR_MISSING, NULL, "required" },
    { "/kernels/sparse_matvec/by_size/2/working_set_bytes", "16777216", FR_REPEATED,
      "/kernels/sparse_matvec/by_size/2", "row 1" },
    { "/kernels/sparse_matvec/by_size/0/processes", NULL, FR_MISSING, NULL, "required" },
    { "/kernels/sparse_matvec/by_size/0/bandwidth_bytes_per_s", "0", FR_RANGE, NULL,
      "greater than 0" },
    { "/kernels/extra_columns", "{'by_remainder': [0, -1], 'depth_64': 0, 'depth_128': 1}",
      FR_RANGE, "/kernels/extra_columns/by_remainder/1", "at least 0" },
    { "/kernels/extra_columns", "{'by_remainder': [0], 'depth_64': 0}", FR_MISSING,
      "/kernels/extra_columns/depth_128", "required" },
    { "/kernels/out_of_cache_weight", "1.5", FR_RANGE, NULL, "at most 1" },
    { "/kernels/reuse/0/out_of_cache_share", "-0.1", FR_RANGE, NULL, "at least 0" },
    { "/kernels/reuse/1/distance_bytes", "65536", FR_RELATION, NULL,
      "not above 65536 of the row before" },
    { "/kernels/routine_models/0/locality", "'warm'", FR_CHOICE, NULL, "out_of_cache" },
    { "/kernels/routine_models/0/parameters/1", "5", FR_TYPE, NULL, "string" },
    { "/kernels/routine_models/0/basis/1", "[1]", FR_RELATION, "/kernels/routine_models/0",
      "1 numbers instead of 2" },
    { "/kernels/routine_models/0/basis/1", "[2, 0]", FR_RELATION, "/kernels/routine_models/0",
      "downward closed" },
    { "/kernels/routine_models/0/regions/0/coef/avg", "[1]", FR_RELATION,
      "/kernels/routine_models/0/regions/0", "coef.avg has 1 numbers instead of 3" },
    { "/kernels/routine_models/0/regions/0/max/0", "1", FR_RELATION,
      "/kernels/routine_models/0/regions/0", "min exceeds max in dimension 0" },
    { "/memory/caches/1/policy", "'random'", FR_CHOICE, NULL, "fifo" },
    { "/memory/caches/1/name", NULL, FR_MISSING, NULL, "required" },
    { "/sparse/dgemm_block/k", NULL, FR_MISSING, NULL, "required" },
    { "/sparse/fit/gemm", "-1", FR_RANGE, NULL, "at least 0" },
    { "/cnc/step_kernel/0/time_s", "1", FR_RELATION, "/cnc/step_kernel/0", "exactly one" },
    { "/cnc/step_kernel/1/block_size", "64", FR_REPEATED, "/cnc/step_kernel/1", "row 0" },
    { "/sources", "[]", FR_TYPE, NULL, "object" },
    { "/sources/~1node~1clock", "'measured: x'", FR_NOT_FOUND, NULL, "leads nowhere" },
    { "/sources/~1node", "1", FR_TYPE, NULL, "must be a string or an object" },
    { "/sources/~1node", "null", FR_TYPE, NULL, "must be a string or an object" },
    { "/sources/~1node", "{'kind':'measured'}", FR_MISSING, "/sources/~1node/text", "required" },
    { "/sources/~1node", "{'text':'x'}", FR_MISSING, "/sources/~1node/kind", "required" },
    { "/sources/~1node", "{'kind':'guessed','text':'x'}", FR_CHOICE, "/sources/~1node/kind",
      "'guessed' is not one of measured, published, stated, assumed" },
    { "/sources/~1node", "{'kind':'measured','text':'x','samples':0}", FR_RANGE,
      "/sources/~1node/samples", "greater than 0" },
    { "/sources/~1node", "{'kind':'measured','text':'x','samples':1.5}", FR_TYPE,
      "/sources/~1node/samples", "whole number" },
    { "/sources/~1node", "{'kind':'measured','text':'x','spread_fraction':-1}", FR_RANGE,
      "/sources/~1node/spread_fraction", "at least 0" },
    { "/sources/~1node", "{'kind':'measured','text':'x','measured_on':'2026-13-01'}", FR_RANGE,
      "/sources/~1node/measured_on", "'2026-13-01' is no day, such as 2026-11-20" },
    { "/sources/~1node", "{'kind':'measured','text':'x','measured_on':'2026-11-20T10:00:00Z'}",
      FR_RANGE, "/sources/~1node/measured_on", "is no day" },
    { "/sources/~1node", "{'kind':'measured','text':'x','spread':0.1}", FR_UNKNOWN_KEY,
      "/sources/~1node/spread", "unknown key 'spread'" },
};

/* put() knows no escapes: a key of sources is set by hand. */
static void put_source(json_t *document, const char *pointer, const char *json)
{
    json_object_set_new(json_object_get(document, "sources"), pointer, json_of(json));
}

/* The key for "/sources/~1node~1clock". */
static const char *key_of(const char *where, char out[80])
{
    size_t length = 0;

    for (where += strlen("/sources/"); *where; where += *where == '~' ? 2 : 1)
        out[length++] = *where == '~' ? '/' : *where;
    out[length] = '\0';
    return out;
}

TEST(every_rule_is_refused_at_its_place)
{
    for (size_t i = 0; i < sizeof refusals / sizeof refusals[0]; i++) {
        json_t *document = full_json();
        struct fr_faults faults;
        char key[80];

        if (strncmp(refusals[i].pointer, "/sources/", 9) == 0) {
            put_source(document, key_of(refusals[i].pointer, key), refusals[i].value);
        } else {
            put(document, "/sources", "{}");
            put(document, refusals[i].pointer, refusals[i].value);
        }
        faults = decode(*state, document);
        if (!faults.count)
            fail_msg("%s = %s is not refused", refusals[i].pointer,
                     refusals[i].value ? refusals[i].value : "nothing");
        assert_fault(&faults, refusals[i].code,
                     refusals[i].where ? refusals[i].where : refusals[i].pointer,
                     refusals[i].words);
        if (faults.count != 1)
            fail_msg("%s: also refused: %s: %s", refusals[i].pointer, faults.fault[1].where,
                     faults.fault[1].message);
    }
}

TEST(all_faults_are_found_at_once)
{
    json_t *document = full_json();
    struct fr_faults faults;

    put(document, "/node/cores_per_node", "-1");
    put(document, "/network/protocols/1/name", "5");
    put(document, "/memory/caches/0/line", "64");
    put_source(document, "/nowhere", "'measured: x'");
    put(document, "/machine", "'No Name'");
    faults = decode(*state, document);
    assert_int_equal(faults.count, 5);
    assert_non_null(fault_at(&faults, "/node/cores_per_node"));
    assert_non_null(fault_at(&faults, "/network/protocols/1/name"));
    assert_non_null(fault_at(&faults, "/memory/caches/0/line"));
    assert_non_null(fault_at(&faults, "/sources/~1nowhere"));
    assert_non_null(fault_at(&faults, "/machine"));
}

TEST(more_faults_than_fit_are_counted)
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

TEST(a_pointer_of_sources_must_lead_somewhere)
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

        put_source(document, good[i], "'measured: x'");
        accepted(*state, document);
    }
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        json_t *document = full_json();
        struct fr_faults faults;

        put_source(document, bad[i], "'measured: x'");
        faults = decode(*state, document);
        if (faults.count != 1 || faults.fault[0].code != FR_NOT_FOUND)
            fail_msg("'%s' is not refused", bad[i]);
    }
}

TEST(a_machine_name_is_lower_case_letters_digits_and_three_signs)
{
    static const char *const good[] = { "a", "0", "hopper", "a.b_c-d", "9-" };
    static const char *const bad[] = { "",    "Hopper", "-a",       ".a", "_a",
                                       "a b", "a/b",    "\xc3\xa4", "..", "a:b" };
    char longest[66];

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

TEST(what_is_not_json_is_refused_as_syntax)
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

    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        const struct fr_faults faults = document_refused(texts[i]);

        assert_int_equal(faults.count, 1);
        assert_int_equal(faults.fault[0].code, FR_SYNTAX);
    }
}

TEST(what_is_json_but_no_object_is_refused_as_type)
{
    static const char *const texts[] = { "[]", "5", "null", "'text'" };

    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        const struct fr_faults faults = document_refused(texts[i]);

        assert_fault(&faults, FR_TYPE, "", "object");
    }
}

/* 400 strips of a routine model, and the box that they make up, so many times. */
static json_t *striped(int boxes)
{
    json_t *document = full_json(), *range = json_array(), *regions = json_array(), *model;

    model =
        json_array_get(json_object_get(json_object_get(document, "kernels"), "routine_models"), 0);
    for (int i = 0; i < boxes; i++)
        json_array_append_new(range, json_of("{'min': [8, 8], 'max': [408, 408]}"));
    for (int i = 8; i < 408; i++) {
        json_t *strip = json_deep_copy(json_array_get(json_object_get(model, "regions"), 0));

        json_object_set_new(strip, "min", json_pack("[i,i]", i, 8));
        json_object_set_new(strip, "max", json_pack("[i,i]", i + 1, 408));
        json_array_append_new(regions, strip);
    }
    json_object_set_new(model, "range", range);
    json_object_set_new(model, "regions", regions);
    return document;
}

TEST(what_covers_all_ranges_is_looked_for_so_long_and_no_longer)
{
    struct fr_faults faults;

    accepted(*state, striped(100));
    faults = decode(*state, striped(10000));
    assert_fault(&faults, FR_RANGE, "/kernels/routine_models/0", "too many regions");
}

TEST(a_table_has_at_most_ten_thousand_rows)
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

GROUP(documents_begin, documents_end)
