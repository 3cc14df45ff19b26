/* The parts of the calibrator that need no MPI: fits, statistics, names, documents. */
#include "tests/unit/support/check.h"

#include <stdio.h>
#include <stdlib.h>

#include "calibrations/calibrate/core/blas.h"
#include "calibrations/calibrate/core/document.h"
#include "calibrations/calibrate/core/options.h"
#include "calibrations/calibrate/core/sample.h"
#include "calibrations/calibrate/network/sizes.h"
#include "engine/core/arena.h"
#include "server/json/writer.h"

/* A cluster of round numbers: the limits are powers of two, so that they are sizes measured. */
static const struct fr_protocols cluster = {
    .count = 3,
    .has = { true, true },
    .limit_bytes = { 1024, 65536, HUGE_VAL },
    .line = {
        { { 1e-6, 2e-9 }, { 4e-7, 1e-9 } },
        { { 2e-6, 5e-10 }, { 1e-6, 3e-10 } },
        { { 1e-5, 1e-10 }, { 3e-6, 2e-10 } },
    },
};

static int ping_all(struct fr_ping *pings, double noise)
{
    struct fr_random random = { 7 };
    struct fr_list sizes;

    fr_value_ladder(8, 16 << 20, &sizes);
    pings[0].message_bytes = 0;
    for (int i = 0; i < sizes.count; i++)
        pings[i + 1].message_bytes = (double)sizes.value[i];
    for (int i = 0; i <= sizes.count; i++)
        for (int path = 0; path < FR_PATHS; path++)
            pings[i].time_s[path] =
                fr_protocol_time_s(&cluster, (enum fr_path)path, pings[i].message_bytes) *
                (1 + noise * fr_random_centred(&random));
    return sizes.count + 1;
}

static void assert_is_the_cluster(const struct fr_protocols *fit, double tolerance)
{
    assert_int_equal(fit->count, 3);
    for (int k = 0; k < 3; k++) {
        assert_true(fit->limit_bytes[k] == cluster.limit_bytes[k]);
        for (int path = 0; path < FR_PATHS; path++) {
            const struct fr_link got = fit->line[k][path], want = cluster.line[k][path];

            assert_close(got.latency_s, want.latency_s, tolerance);
            assert_close(got.inverse_bandwidth_s_per_byte, want.inverse_bandwidth_s_per_byte,
                         tolerance);
        }
    }
    assert_string_equal(fr_protocol_name(fit, 0), "short");
    assert_string_equal(fr_protocol_name(fit, 1), "eager");
    assert_string_equal(fr_protocol_name(fit, 2), "rendezvous");
}

TEST(known_protocols_are_found_again)
{
    struct fr_ping pings[FR_PINGS_MAX];
    const int count = ping_all(pings, 0);
    struct fr_protocols fit;

    assert_int_equal(fr_protocol_fit(pings, count, cluster.has, &fit), 0);
    assert_is_the_cluster(&fit, 1e-6);
}

TEST(known_protocols_are_found_again_in_noise_of_one_percent)
{
    struct fr_ping pings[FR_PINGS_MAX];
    const int count = ping_all(pings, 0.01);
    struct fr_protocols fit;

    assert_int_equal(fr_protocol_fit(pings, count, cluster.has, &fit), 0);
    assert_is_the_cluster(&fit, 0.02);
    assert_true(fit.error_fraction < 0.005);
}

TEST(one_straight_line_is_one_protocol)
{
    const bool off_node_only[FR_PATHS] = { true, false };
    struct fr_ping pings[FR_PINGS_MAX];
    const int count = ping_all(pings, 0);
    struct fr_protocols fit;

    for (int i = 0; i < count; i++)
        pings[i].time_s[FR_OFF_NODE] = 1e-6 + 1e-9 * pings[i].message_bytes;
    assert_int_equal(fr_protocol_fit(pings, count, off_node_only, &fit), 0);
    assert_int_equal(fit.count, 1);
    assert_string_equal(fr_protocol_name(&fit, 0), "all");
    assert_false(fit.has[FR_ON_NODE]);
    assert_close(fr_protocol_time_s(&fit, FR_OFF_NODE, 5e8), 0.500001, 1e-9);
}

TEST(latency_and_slope_stay_above_zero)
{
    const bool on_node_only[FR_PATHS] = { false, true };
    /* Falling times ask for a negative slope, times that start at nothing for no latency. */
    const struct fr_ping falling[] = { { 0, { 0, 3e-6 } },
                                       { 64, { 0, 2e-6 } },
                                       { 128, { 0, 1e-6 } } };
    const struct fr_ping steep[] = { { 64, { 0, 1e-9 } },
                                     { 128, { 0, 4e-9 } },
                                     { 192, { 0, 9e-9 } } };
    struct fr_protocols fit;

    assert_int_equal(fr_protocol_fit(falling, 3, on_node_only, &fit), 0);
    assert_true(fit.line[0][FR_ON_NODE].inverse_bandwidth_s_per_byte > 0);
    assert_true(fit.line[0][FR_ON_NODE].latency_s > 0);
    assert_int_equal(fr_protocol_fit(steep, 3, on_node_only, &fit), 0);
    assert_true(fit.line[0][FR_ON_NODE].latency_s > 0);
}

TEST(a_curve_that_cannot_be_fitted_is_refused)
{
    struct fr_ping pings[FR_PINGS_MAX];
    const int count = ping_all(pings, 0);
    struct fr_protocols fit;

    assert_int_equal(fr_protocol_fit(pings, 2, cluster.has, &fit), -1);
    pings[3].time_s[FR_ON_NODE] = 0;
    assert_int_equal(fr_protocol_fit(pings, count, cluster.has, &fit), -1);
}

TEST(median_and_spread_are_those_of_the_quartiles)
{
    double odd[] = { 5, 1, 4, 2, 3 }, even[] = { 4, 1, 3, 2 }, one[] = { 7 };

    assert_close(fr_sample_median(odd, 5), 3, 1e-15);
    assert_close(fr_sample_spread(odd, 5), 2.0 / 3, 1e-15); /* quartiles 2 and 4 */
    assert_close(fr_sample_median(even, 4), 2.5, 1e-15);
    assert_close(fr_sample_median(one, 1), 7, 1e-15);
    assert_close(fr_sample_spread(one, 1), 0, 0);
}

TEST(an_order_is_a_permutation_and_the_same_each_run)
{
    struct fr_random first = { 1 }, second = { 1 };
    int order[50], again[50], seen[50] = { 0 };

    fr_random_order(&first, order, 50);
    fr_random_order(&second, again, 50);
    assert_memory_equal(order, again, sizeof order);
    for (int i = 0; i < 50; i++)
        seen[order[i]]++;
    for (int i = 0; i < 50; i++)
        assert_int_equal(seen[i], 1);
}

static void assert_machine(const char *text, const char *expected)
{
    char name[FR_MACHINE_BYTES];

    fr_document_machine(text, name);
    assert_string_equal(name, expected);
}

TEST(a_machine_name_is_made_from_any_text)
{
    char longest[200];

    assert_machine("Hopper", "hopper");
    assert_machine("login1.cluster", "login1.cluster");
    assert_machine("__My Machine (new)!", "my-machine--new");
    assert_machine("", "unnamed");
    assert_machine("\xc3\xa9\xc3\xa9", "unnamed");
    memset(longest, 'a', sizeof longest - 1);
    longest[sizeof longest - 1] = '\0';
    fr_document_machine(longest, longest);
    assert_int_equal(strlen(longest), 64);
}

TEST(sizes_read_as_people_write_them)
{
    struct fr_list list;
    int64_t bytes;

    assert_int_equal(fr_value_bytes("64M", &bytes), 0);
    assert_int_equal(bytes, 67108864);
    assert_int_equal(fr_value_bytes("100", &bytes), 0);
    assert_int_equal(bytes, 100);
    assert_int_equal(fr_value_bytes("2G", &bytes), -1);
    assert_int_equal(fr_value_bytes("-1", &bytes), -1);
    assert_int_equal(fr_value_bytes("1Mx", &bytes), -1);
    assert_int_equal(fr_value_list("1,2,4", 8, &list), 0);
    assert_int_equal(list.count, 3);
    assert_int_equal(list.value[2], 4);
    assert_int_equal(fr_value_list("1,,2", 8, &list), -1);
    assert_int_equal(fr_value_list("1,1", 8, &list), -1);
    assert_int_equal(fr_value_list("0", 8, &list), -1);
    assert_int_equal(fr_value_list("9", 8, &list), -1);
    fr_value_doublings(6, &list);
    assert_int_equal(list.count, 4);
    assert_int_equal(list.value[3], 6);
    fr_value_ladder(16, 64, &list);
    assert_int_equal(list.count, 5); /* 16 24 32 48 64 */
    assert_int_equal(list.value[3], 48);
}

/* The text is the test's to free. */
static char *written(struct fr_document *document)
{
    struct fr_writer out;

    fr_writer_init(&out);
    assert_int_equal(fr_document_write(document, &out), 0);
    fr_writer_append(&out, "", 1);
    fr_document_free(document);
    return out.text;
}

/* Passes on what a benchmark found. */
static void finish(struct fr_document *document)
{
    struct fr_writer line;

    fr_writer_init(&line);
    fr_document_write_found(document, &line);
    assert_null(memchr(line.text, '\n', line.length));
    assert_int_equal(fr_document_read(document, line.text, line.length), 0);
    fr_writer_free(&line);
    fr_calibration_clear(&document->found);
}

TEST(a_document_joins_what_benchmarks_found_and_ends_with_its_sources)
{
    struct fr_document *document = fr_document_new();
    char *text;

    document->frame.schema = "forerun-calibration-1";
    document->frame.description = fr_document_text(document, "");
    document->found.node.cores_per_node = 2;
    document->found.memory.index_bytes = 4;
    fr_document_source(document, "/node", fr_document_measured(1, NAN, NULL), "%s", "counted");
    finish(document);
    document->found.node.clock_hz = 2e9;
    document->found.node.cores_per_node = 3;
    *FR_ADD_ROW(document, document->found.kernels.routine[FR_DGEMM].square) =
        (struct fr_square_rate){ 1, 64, NAN, 1.5 };
    finish(document);
    text = written(document);
    assert_string_equal(
        text, "{\n"
              "  \"schema\": \"forerun-calibration-1\",\n"
              "  \"node\": { \"cores_per_node\": 3, \"clock_hz\": 2000000000 },\n"
              "  \"memory\": { \"index_bytes\": 4 },\n"
              "  \"kernels\": { \"dgemm\": { \"square\": [{ \"threads\": 1, \"n\": 64, \"time_s\": "
              "1.5 }] } },\n"
              "  \"sources\": { \"/node\": { \"kind\": \"measured\", \"text\": "
              "\"counted\", \"samples\": 1 } }\n"
              "}\n");
    free(text);
}

TEST(a_document_that_found_nothing_has_no_sources)
{
    struct fr_document *document = fr_document_new();
    char *text;

    finish(document);
    document->frame.schema = "forerun-calibration-1";
    text = written(document);
    assert_string_equal(text, "{\n"
                              "  \"schema\": \"forerun-calibration-1\",\n"
                              "  \"sources\": {}\n"
                              "}\n");
    free(text);
}

/* The topology has members that depend on its type, and a lone number. */
TEST(fields_of_each_kind_are_encoded)
{
    static const char expected[] =
        "{\"network\":{\"protocols\":[{\"name\":\"short\",\"max_message_bytes\":null,"
        "\"pipelined\":false,\"on_node\":{\"latency_s\":0.5,\"inverse_bandwidth_s_per_byte\":"
        "0.25}}],\"topology\":{\"type\":\"torus\",\"dimensions\":[4,2],\"nodes_per_router\":1,"
        "\"hop_latency_s\":0.125}},"
        "\"kernels\":{\"routine_models\":[{\"routine\":\"dgemm\",\"flags\":{},\"parameters\":"
        "[\"m\",\"n\"],\"range\":[],\"locality\":\"out_of_cache\",\"threads\":2,\"build\":"
        "{\"degree_extra\":0},\"basis\":[[0,1],[1]],\"regions\":[]}]}}";
    struct fr_document *document = fr_document_new();
    struct fr_calibration *found = &document->found;
    struct fr_topology *topology = &found->network.topology;
    struct fr_routine_model *model;
    struct fr_writer out;

    *FR_ADD_ROW(document, found->network.protocols) =
        (struct fr_protocol){ "short", HUGE_VAL, 0, { NAN, NAN }, { 0.5, 0.25 } };
    topology->type = FR_TORUS;
    *FR_ADD_ROW(document, topology->dimensions) = 4;
    *FR_ADD_ROW(document, topology->dimensions) = 2;
    *FR_ADD_ROW(document, topology->hop_latency_s) = 0.125;
    topology->nodes_per_router = 1;
    model = FR_ADD_ROW(document, found->kernels.routine_models);
    fr_fields_clear(fr_fields_routine_model, model);
    model->routine = "dgemm";
    *FR_ADD_ROW(document, model->parameters) = "m";
    *FR_ADD_ROW(document, model->parameters) = "n";
    model->locality = 1;
    model->threads = 2;
    *FR_ADD_ROW(document, model->basis) = (fr_numbers){ (double[]){ 0, 1 }, 2 };
    *FR_ADD_ROW(document, model->basis) = (fr_numbers){ (double[]){ 1 }, 1 };
    fr_writer_init(&out);
    fr_encode(&out, fr_calibration_fields, found);
    fr_writer_append(&out, "", 1);
    assert_string_equal(out.text, expected);
    fr_writer_free(&out);
    fr_document_free(document);
}

static struct fr_arena *arena;

static struct fr_node *tree_of(const char *text)
{
    return fr_tree_read(arena, text, strlen(text));
}

TEST(members_are_found_whatever_is_inside)
{
    const struct fr_node *root;

    arena = fr_arena_new(1 << 20);
    root = tree_of(" { \"a\" : [1, {\"b\":\"}\\\"]\"}] ,\"c\":null, \"d\":{} } ");
    assert_non_null(root);
    assert_int_equal(fr_tree_find(root, "a")->kind, FR_NODE_ARRAY);
    assert_string_equal(fr_tree_find(fr_tree_find(root, "a")->last, "b")->text, "\"}\\\"]\"");
    assert_null(fr_tree_find(root, "c"));
    assert_non_null(fr_tree_find(root, "d"));
    assert_null(fr_tree_find(root, "b"));
    assert_true(
        fr_tree_equals(root, tree_of("{\"a\":[1,{\"b\":\"}\\\"]\"}],\"c\":null,\"d\":{}}")));
    assert_false(fr_tree_equals(root, tree_of("{\"a\":[1,{\"b\":\"}\\\"]\"}],\"c\":null}")));
    fr_arena_free(arena);
}

TEST(what_is_no_json_has_no_tree)
{
    static const char *const broken[] = { "",        "[",          "{",          "{\"a\":1",
                                          "{\"a\"}", "{\"a\":[1}", "{\"a\":1}x", "{\"a\":1,}",
                                          "{\"a:1}", "{a:1}",      "{\"a\":}",   "{\"a\":1 2}",
                                          "[1,]",    "[1 2]",      "[\"a]",      "{} {}" };
    char deep[64];

    arena = fr_arena_new(1 << 20);
    for (size_t i = 0; i < sizeof broken / sizeof *broken; i++)
        assert_null(tree_of(broken[i]));
    assert_null(fr_tree_read(arena, "\"a\0b\"", 5));
    memset(deep, '[', sizeof deep);
    assert_null(fr_tree_read(arena, deep, sizeof deep));
    assert_non_null(tree_of("[[], {}, \"\", -1e-3, true, {\"\": null}]"));
    fr_arena_free(arena);
}

TEST(the_rate_of_the_blas_is_timed_once)
{
    const double rate = fr_blas_rate();

    assert_true(isfinite(rate) && rate > 1e6);
    assert_true(fr_blas_rate() == rate);
}
