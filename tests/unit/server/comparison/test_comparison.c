/* Two documents value by value: rows by their keys, the largest change first, spreads. */
#include "server/comparison/comparison.h"
#include "tests/unit/support/documents.h"

#include "server/calibrations/document.h"

#include <stdlib.h>

struct pair {
    struct loaded side[FR_SIDES];
    struct fr_arena *arena;
    struct fr_comparison of;
};

static int begin(void **state)
{
    struct pair *pair = calloc(1, sizeof *pair);

    for (int i = 0; i < FR_SIDES; i++)
        pair->side[i].arena = fr_arena_new(1 << 24);
    pair->arena = fr_arena_new(1 << 26);
    *state = pair;
    return 0;
}

static int end(void **state)
{
    struct pair *pair = *state;

    for (int i = 0; i < FR_SIDES; i++)
        fr_arena_free(pair->side[i].arena);
    fr_arena_free(pair->arena);
    free(pair);
    return 0;
}

/* Takes the documents. */
static const struct fr_comparison *compared(struct pair *pair, json_t *from, json_t *to,
                                            size_t limit)
{
    struct fr_faults faults = { 0 };

    accepted(&pair->side[FR_FROM], from);
    accepted(&pair->side[FR_TO], to);
    assert_int_equal(fr_compare(&pair->side[FR_FROM].cal, &pair->side[FR_TO].cal, limit,
                                pair->arena, &pair->of, &faults),
                     FR_OK);
    return &pair->of;
}

static const struct fr_difference *difference(const struct fr_comparison *of, const char *path)
{
    for (size_t i = 0; i < of->count; i++)
        if (strcmp(of->row[i].path, path) == 0)
            return &of->row[i];
    fail_msg("nothing at %s", path);
    return NULL;
}

static const struct fr_change_counts *field(const struct fr_comparison *of, const char *path)
{
    for (size_t i = 0; i < of->fields; i++)
        if (strcmp(of->field[i].path, path) == 0)
            return &of->field[i].counts;
    fail_msg("no field %s", path);
    return NULL;
}

#define PAIR_TEST(name) TEST_WITH(name, begin, end)

PAIR_TEST(the_same_document_twice_has_no_difference)
{
    const struct fr_comparison *of = compared(*state, full_json(), full_json(), 100);

    assert_int_equal(of->count + of->left_out + of->conditions, 0);
    assert_int_equal(of->total.changed + of->total.added + of->total.removed, 0);
    assert_true(of->total.compared > 100);
    assert_close(fr_change_counts_mean(&of->total), 1, 1e-15);
}

PAIR_TEST(the_largest_change_in_either_direction_stands_first)
{
    json_t *to = full_json();
    const struct fr_comparison *of;

    put(to, "/network/node_bandwidth_bytes_per_s", "18e9"); /* twice */
    put(to, "/memory/memory_latency_s", "2e-8");            /* a quarter */
    put(to, "/node/clock_hz", "2.6e9");
    put(to, "/memory/caches/0/policy", "'fifo'"); /* another thing */
    put(to, "/network/stall_time_s", NULL);
    of = compared(*state, full_json(), to, 100);
    assert_int_equal(of->count, 5);
    assert_string_equal(of->row[0].path, "memory.caches.L1.policy");
    assert_string_equal(of->row[0].side[FR_FROM].text, "lru");
    assert_string_equal(of->row[0].side[FR_TO].text, "fifo");
    assert_true(isnan(of->row[0].ratio));
    assert_string_equal(of->row[1].path, "memory.memory_latency_s");
    assert_close(of->row[1].ratio, 0.25, 1e-12);
    assert_string_equal(of->row[1].unit, "s");
    assert_string_equal(of->row[2].path, "network.node_bandwidth_bytes_per_s");
    assert_close(of->row[2].side[FR_TO].number, 18e9, 0);
    assert_string_equal(of->row[3].path, "node.clock_hz");
    assert_int_equal(of->row[4].kind, FR_REMOVED);
    assert_string_equal(of->row[4].side[FR_FROM].pointer, "/network/stall_time_s");
    assert_string_equal(of->row[4].side[FR_TO].pointer, "");
    assert_int_equal(of->total.changed, 4);
    assert_int_equal(of->total.removed, 1);
}

PAIR_TEST(rows_are_matched_by_their_keys_wherever_they_stand)
{
    json_t *to = full_json();
    const struct fr_comparison *of;
    const struct fr_difference *found;

    put(to, "/contention/maximum",
        "[{'processes': 64, 'distance': 2, 'factor': 3},"
        " {'processes': 64, 'distance': 1, 'factor': 1.8},"
        " {'processes': 16, 'distance': 1, 'factor': 1.2}]");
    of = compared(*state, full_json(), to, 100);
    assert_int_equal(of->count, 2);
    found = difference(of, "contention.maximum[processes=64,distance=1].factor");
    assert_close(found->ratio, 1.2, 1e-12);
    assert_string_equal(found->side[FR_FROM].pointer, "/contention/maximum/1/factor");
    assert_string_equal(found->side[FR_TO].pointer, "/contention/maximum/1/factor");
    found = difference(of, "contention.maximum[processes=64,distance=2].factor");
    assert_int_equal(found->kind, FR_ADDED);
    assert_string_equal(found->side[FR_TO].pointer, "/contention/maximum/0/factor");
    assert_int_equal(field(of, "contention.maximum.*.factor")->compared, 2);
    assert_int_equal(field(of, "contention.maximum.*.factor")->added, 1);
    assert_close(fr_change_counts_mean(field(of, "contention.maximum.*.factor")), sqrt(1.2), 1e-12);
}

PAIR_TEST(a_protocol_is_known_by_its_name_and_its_limit_may_move)
{
    json_t *to = full_json();
    const struct fr_comparison *of;

    put(to, "/network/protocols/0/max_message_bytes", "2048");
    put(to, "/network/protocols/0/pipelined", "false");
    put(to, "/network/topology/dimensions/2", "24");
    put(to, "/network/topology/hop_latency_s", "2e-7");
    put(to, "/kernels/dgemm/square/0", "{'threads': 1, 'n': 128, 'efficiency_fraction': 0.5}");
    of = compared(*state, full_json(), to, 100);
    assert_close(difference(of, "network.protocols.short.max_message_bytes")->ratio, 2, 0);
    assert_string_equal(difference(of, "network.protocols.short.pipelined")->side[FR_TO].text,
                        "false");
    assert_string_equal(difference(of, "network.topology.dimensions.2")->side[FR_TO].pointer,
                        "/network/topology/dimensions/2");
    assert_string_equal(difference(of, "network.topology.hop_latency_s.0")->side[FR_TO].pointer,
                        "/network/topology/hop_latency_s");
    assert_int_equal(field(of, "network.topology.hop_latency_s.*")->removed, 2);
    assert_int_equal(
        difference(of, "kernels.dgemm.square[threads=1,n=100].efficiency_fraction")->kind,
        FR_REMOVED);
    assert_int_equal(
        difference(of, "kernels.dgemm.square[threads=1,n=128].efficiency_fraction")->kind,
        FR_ADDED);
}

PAIR_TEST(a_pattern_is_a_key_and_the_algorithm_of_a_broadcast_a_value)
{
    json_t *to = full_json();
    const struct fr_comparison *of;

    put(to, "/contention/patterns",
        "[{'pattern': 'shift_row', 'processes': 64, 'layers': 1, 'message_bytes': 65536,"
        "  'average_s': 2e-4, 'maximum_s': 2e-4},"
        " {'pattern': 'shift_column', 'processes': 64, 'layers': 1, 'message_bytes': 65536,"
        "  'average_s': 1e-4, 'maximum_s': 1e-4}]");
    put(to, "/network/broadcast/0/algorithm", "'scatter_ring'");
    of = compared(*state, full_json(), to, 100);
    assert_close(difference(of, "contention.patterns[pattern=shift_row,processes=64,layers=1,"
                                "message_bytes=65536].average_s")
                     ->ratio,
                 2, 1e-12);
    assert_int_equal(field(of, "contention.patterns.*.average_s")->added, 1);
    assert_int_equal(field(of, "contention.patterns.*.average_s")->removed, 1); /* the barrier's */
    assert_string_equal(
        difference(of, "network.broadcast[max_message_bytes=12288].algorithm")->side[FR_TO].text,
        "scatter_ring");
}

PAIR_TEST(a_limit_that_falls_away_is_a_change_without_a_number)
{
    json_t *to = full_json();
    const struct fr_comparison *of;

    put(to, "/network/protocols/2", NULL);
    put(to, "/network/protocols/1/max_message_bytes", "null");
    of = compared(*state, full_json(), to, 100);
    assert_string_equal(of->row[0].path, "network.protocols.eager.max_message_bytes");
    assert_int_equal(of->row[0].kind, FR_CHANGED);
    assert_close(of->row[0].side[FR_FROM].number, 65536, 0);
    assert_true(isnan(of->row[0].side[FR_TO].number));
    assert_string_equal(of->row[0].side[FR_TO].pointer, "/network/protocols/1/max_message_bytes");
    assert_int_equal(of->total.changed, 1);
    assert_int_equal(of->total.removed, 5); /* of the third: its limit and four values of links */
}

/* Half of 4 % of 100 and half of 2 % of what it became, together about 3. */
PAIR_TEST(a_change_is_within_the_spread_only_where_both_sources_state_one)
{
    static const char wide[] = "'measured: somehow (40 samples, spread 4.0 %)'";
    static const char narrow[] = "'measured: somehow (40 samples, spread 2.0 %, at most 9.0 %)'";
    json_t *from = full_json(), *to = full_json();
    const struct fr_comparison *of;

    json_object_clear(json_object_get(from, "sources"));
    json_object_clear(json_object_get(to, "sources"));
    json_object_set_new(json_object_get(from, "sources"), "/memory", json_of(wide));
    json_object_set_new(json_object_get(from, "sources"), "/memory/index_bytes",
                        json_of("'assumed: four'"));
    json_object_set_new(json_object_get(to, "sources"), "/memory", json_of(narrow));
    json_object_set_new(json_object_get(to, "sources"), "/node/clock_hz", json_of(narrow));
    put(from, "/memory/memory_latency_s", "100e-9");
    put(to, "/memory/memory_latency_s", "102.9e-9");
    put(from, "/memory/memory_latency_tlb_miss_s", "100e-9");
    put(to, "/memory/memory_latency_tlb_miss_s", "103.2e-9");
    put(to, "/memory/index_bytes", "8");
    put(to, "/node/clock_hz", "2.50001e9");
    of = compared(*state, from, to, 100);
    assert_true(difference(of, "memory.memory_latency_s")->is_within_spread);
    assert_true(difference(of, "memory.memory_latency_tlb_miss_s")->is_spread_known);
    assert_false(difference(of, "memory.memory_latency_tlb_miss_s")->is_within_spread);
    assert_false(difference(of, "memory.index_bytes")->is_spread_known);
    assert_string_equal(difference(of, "memory.index_bytes")->side[FR_FROM].source->text, "four");
    assert_false(difference(of, "node.clock_hz")->is_spread_known);
    assert_null(difference(of, "node.clock_hz")->side[FR_FROM].source);
    assert_int_equal(of->total.within_spread, 1);
}

PAIR_TEST(what_was_measured_with_is_told_apart)
{
    json_t *to = full_json();
    const struct fr_comparison *of;

    put(to, "/environment/blas/version", "'2'");
    put(to, "/environment/hosts", "8");
    put(to, "/created_at", "'2026-11-21T12:00:00Z'");
    of = compared(*state, full_json(), to, 100);
    assert_int_equal(of->count, 0);
    assert_int_equal(of->conditions, 3);
    assert_string_equal(of->condition[0].path, "created_at");
    assert_string_equal(of->condition[1].path, "environment.blas.version");
    assert_string_equal(of->condition[1].side[FR_TO].text, "2");
    assert_close(of->condition[2].side[FR_TO].number, 8, 0);
}

/* med = 1e-6 + 1e-9 m + 1e-9 n; the middle of 8 .. 256 is 45. */
PAIR_TEST(routine_models_are_compared_by_the_times_they_give)
{
    static const char middle[] =
        "kernels.routine_models[dtrmm,LLNN,in_cache,threads=1,m=45,n=45].time_s";
    json_t *to = full_json();
    const struct fr_comparison *of;

    put(to, "/kernels/routine_models/0/regions/0/coef/med", "[2e-6, 2e-9, 2e-9]");
    put(to, "/kernels/routine_models/0/basis", "[[0, 0], [1, 0], [0, 1]]");
    of = compared(*state, full_json(), to, 100);
    assert_int_equal(of->count, 3);
    assert_close(difference(of, middle)->ratio, 2, 1e-12);
    assert_string_equal(difference(of, middle)->side[FR_TO].pointer, "/kernels/routine_models/0");
    to = full_json();
    put(to, "/kernels/routine_models/0/threads", "2");
    of = compared(*state, full_json(), to, 100);
    assert_int_equal(of->count, 2);
    assert_int_equal(
        difference(of, "kernels.routine_models[dtrmm,LLNN,in_cache,threads=2].range")->kind,
        FR_ADDED);
}

PAIR_TEST(only_so_many_are_kept_and_the_others_counted)
{
    json_t *from = full_json(), *to = full_json();
    json_t *before = json_array(), *after = json_array();
    const struct fr_comparison *of;

    for (int i = 1; i <= 1000; i++) {
        const double factor = 1 + (i * 7919 % 1000) / 1e3;

        json_array_append_new(before, json_pack("{si,sf}", "distance", i, "factor", 1.0));
        json_array_append_new(after, json_pack("{si,sf}", "distance", i, "factor", factor));
    }
    json_object_set_new(json_object_get(from, "contention"), "average", before);
    json_object_set_new(json_object_get(to, "contention"), "average", after);
    of = compared(*state, from, to, 10);
    assert_int_equal(of->count, 10);
    assert_int_equal(of->left_out, 989); /* one stayed as it was */
    assert_int_equal(of->total.changed, 999);
    for (size_t i = 0; i < of->count; i++)
        assert_close(of->row[i].ratio, 1.999 - 0.001 * (double)i, 1e-12);
}

/* A rank's own time varies from one measurement to the next. */
PAIR_TEST(what_no_model_reads_is_left_out)
{
    json_t *to = full_json();
    const struct fr_comparison *of;

    json_object_set_new(json_object_get(to, "contention"), "process_times",
                        json_pack("[{si,s[fff]}]", "distance", 2, "times_s", 1.0, 2.0, 3.0));
    of = compared(*state, full_json(), to, 100);
    assert_int_equal(of->total.changed + of->total.added + of->total.removed, 0);
}
