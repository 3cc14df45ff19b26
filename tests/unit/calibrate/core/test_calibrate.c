/* The parts of the calibrator that need no MPI: fits, statistics, names, documents. */
#include "tests/unit/support/check.h"

#include <stdio.h>
#include <stdlib.h>

#include "calibrations/calibrate/core/blas.h"
#include "calibrations/calibrate/core/document.h"
#include "calibrations/calibrate/core/json_scan.h"
#include "calibrations/calibrate/core/sample.h"
#include "calibrations/calibrate/core/value.h"
#include "calibrations/calibrate/network/protocol.h"
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
            const struct fr_message_line got = fit->line[k][path], want = cluster.line[k][path];

            assert_close(got.latency_s, want.latency_s, tolerance);
            assert_close(got.inverse_bandwidth_s_per_byte, want.inverse_bandwidth_s_per_byte,
                         tolerance);
        }
    }
    assert_string_equal(fr_protocol_name(fit, 0), "short");
    assert_string_equal(fr_protocol_name(fit, 1), "eager");
    assert_string_equal(fr_protocol_name(fit, 2), "rendezvous");
}

static void known_protocols_are_found_again(void **state)
{
    struct fr_ping pings[FR_PINGS_MAX];
    const int count = ping_all(pings, 0);
    struct fr_protocols fit;

    (void)state;
    assert_int_equal(fr_protocol_fit(pings, count, cluster.has, &fit), 0);
    assert_is_the_cluster(&fit, 1e-6);
}

static void known_protocols_are_found_again_in_noise_of_one_percent(void **state)
{
    struct fr_ping pings[FR_PINGS_MAX];
    const int count = ping_all(pings, 0.01);
    struct fr_protocols fit;

    (void)state;
    assert_int_equal(fr_protocol_fit(pings, count, cluster.has, &fit), 0);
    assert_is_the_cluster(&fit, 0.02);
    assert_true(fit.error_fraction < 0.005);
}

static void one_straight_line_is_one_protocol(void **state)
{
    const bool off_node_only[FR_PATHS] = { true, false };
    struct fr_ping pings[FR_PINGS_MAX];
    const int count = ping_all(pings, 0);
    struct fr_protocols fit;

    (void)state;
    for (int i = 0; i < count; i++)
        pings[i].time_s[FR_OFF_NODE] = 1e-6 + 1e-9 * pings[i].message_bytes;
    assert_int_equal(fr_protocol_fit(pings, count, off_node_only, &fit), 0);
    assert_int_equal(fit.count, 1);
    assert_string_equal(fr_protocol_name(&fit, 0), "all");
    assert_false(fit.has[FR_ON_NODE]);
    assert_close(fr_protocol_time_s(&fit, FR_OFF_NODE, 5e8), 0.500001, 1e-9);
}

static void latency_and_slope_stay_above_zero(void **state)
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

    (void)state;
    assert_int_equal(fr_protocol_fit(falling, 3, on_node_only, &fit), 0);
    assert_true(fit.line[0][FR_ON_NODE].inverse_bandwidth_s_per_byte > 0);
    assert_true(fit.line[0][FR_ON_NODE].latency_s > 0);
    assert_int_equal(fr_protocol_fit(steep, 3, on_node_only, &fit), 0);
    assert_true(fit.line[0][FR_ON_NODE].latency_s > 0);
}

static void a_curve_that_cannot_be_fitted_is_refused(void **state)
{
    struct fr_ping pings[FR_PINGS_MAX];
    const int count = ping_all(pings, 0);
    struct fr_protocols fit;

    (void)state;
    assert_int_equal(fr_protocol_fit(pings, 2, cluster.has, &fit), -1);
    pings[3].time_s[FR_ON_NODE] = 0;
    assert_int_equal(fr_protocol_fit(pings, count, cluster.has, &fit), -1);
}

static void median_and_spread_are_those_of_the_quartiles(void **state)
{
    double odd[] = { 5, 1, 4, 2, 3 }, even[] = { 4, 1, 3, 2 }, one[] = { 7 };

    (void)state;
    assert_close(fr_sample_median(odd, 5), 3, 1e-15);
    assert_close(fr_sample_spread(odd, 5), 2.0 / 3, 1e-15); /* quartiles 2 and 4 */
    assert_close(fr_sample_median(even, 4), 2.5, 1e-15);
    assert_close(fr_sample_median(one, 1), 7, 1e-15);
    assert_close(fr_sample_spread(one, 1), 0, 0);
}

static void an_order_is_a_permutation_and_the_same_each_run(void **state)
{
    struct fr_random first = { 1 }, second = { 1 };
    int order[50], again[50], seen[50] = { 0 };

    (void)state;
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

static void a_machine_name_is_made_from_any_text(void **state)
{
    char longest[200];

    (void)state;
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

static void sizes_read_as_people_write_them(void **state)
{
    struct fr_list list;
    int64_t bytes;

    (void)state;
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

static void a_document_nests_its_pointers_and_ends_with_its_sources(void **state)
{
    struct fr_document *document = fr_document_new();
    char *text;

    (void)state;
    fr_document_text(document, "/schema", "forerun-calibration-1");
    fr_document_integer(document, "/node/cores_per_node", 2);
    fr_document_text(document, "/description", NULL);
    fr_document_number(document, "/kernels/dgemm/square", 1.5);
    fr_document_number(document, "/node/clock_hz", 2e9);
    fr_document_source(document, "/node", fr_document_measured(1, NAN, NULL), "%s", "counted");
    text = written(document);
    assert_string_equal(text, "{\n"
                              "  \"schema\": \"forerun-calibration-1\",\n"
                              "  \"node\": { \"cores_per_node\": 2, \"clock_hz\": 2000000000 },\n"
                              "  \"kernels\": { \"dgemm\": { \"square\": 1.5 } },\n"
                              "  \"sources\": { \"/node\": { \"kind\": \"measured\", \"text\": "
                              "\"counted\", \"samples\": 1 } }\n"
                              "}\n");
    free(text);
}

static void a_text_that_became_empty_is_not_written(void **state)
{
    struct fr_document *document = fr_document_new();
    char *text;

    (void)state;
    fr_document_text(document, "/description", "Unfinished");
    fr_document_text(document, "/schema", "forerun-calibration-1");
    fr_document_text(document, "/description", "");
    text = written(document);
    assert_string_equal(text, "{\n"
                              "  \"schema\": \"forerun-calibration-1\",\n"
                              "  \"sources\": {}\n"
                              "}\n");
    free(text);
}

static void members_are_split_whatever_is_inside(void **state)
{
    static const char text[] = " { \"a\" : [1, {\"b\":\"}\\\"]\"}] ,\"c\":null, \"d\":{} } ";
    struct fr_member member[4];

    (void)state;
    assert_int_equal(fr_json_scan_split(text, strlen(text), member, 4), 3);
    assert_int_equal(member[0].value_length, strlen("[1, {\"b\":\"}\\\"]\"}]"));
    assert_memory_equal(member[1].value, "null", 4);
    assert_non_null(fr_json_scan_find(member, 3, "d"));
    assert_null(fr_json_scan_find(member, 3, "b"));
}

static void what_is_no_object_is_not_split(void **state)
{
    static const char *const broken[] = { "",        "[]",         "{",          "{\"a\":1",
                                          "{\"a\"}", "{\"a\":[1}", "{\"a\":1}x", "{\"a\":1,}",
                                          "{\"a:1}", "{a:1}",      "{\"a\":}",   "{\"a\":1 2}" };
    struct fr_member member[4];

    (void)state;
    for (size_t i = 0; i < sizeof broken / sizeof *broken; i++)
        assert_int_equal(fr_json_scan_split(broken[i], strlen(broken[i]), member, 4), -1);
    assert_int_equal(fr_json_scan_split("{\"a\":1,\"b\":2}", 13, member, 1), -1);
}

static void the_rate_of_the_blas_is_timed_once(void **state)
{
    const double rate = fr_blas_rate();

    (void)state;
    assert_true(isfinite(rate) && rate > 1e6);
    assert_true(fr_blas_rate() == rate);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_protocols_are_found_again),
        cmocka_unit_test(known_protocols_are_found_again_in_noise_of_one_percent),
        cmocka_unit_test(one_straight_line_is_one_protocol),
        cmocka_unit_test(latency_and_slope_stay_above_zero),
        cmocka_unit_test(a_curve_that_cannot_be_fitted_is_refused),
        cmocka_unit_test(median_and_spread_are_those_of_the_quartiles),
        cmocka_unit_test(an_order_is_a_permutation_and_the_same_each_run),
        cmocka_unit_test(a_machine_name_is_made_from_any_text),
        cmocka_unit_test(sizes_read_as_people_write_them),
        cmocka_unit_test(a_document_nests_its_pointers_and_ends_with_its_sources),
        cmocka_unit_test(a_text_that_became_empty_is_not_written),
        cmocka_unit_test(members_are_split_whatever_is_inside),
        cmocka_unit_test(what_is_no_object_is_not_split),
        cmocka_unit_test(the_rate_of_the_blas_is_timed_once),
    };
    return cmocka_run_group_tests_name("calibrate", tests, NULL, NULL);
}
