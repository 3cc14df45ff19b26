/* Several calibration documents as one: what is taken from which, and what is said of it. */
#include "tests/unit/support/check.h"

#include <stdio.h>

#include "calibrations/calibrate/core/document.h"
#include "server/json/writer.h"

static const char kernels_text[] =
    "{\"schema\":\"s\",\"machine\":\"m\",\"node\":{\"cores_per_node\":1},\"kernels\":{\"dgemm\":1},"
    "\"sources\":{\"/node\":\"old node\",\"/kernels/dgemm\":\"kernels from here\"}}";
static const char network_text[] =
    "{\"schema\":\"s\",\"machine\":\"m\",\"network\":{\"protocols\":[]},\"node\":{\"cores_per_"
    "node\":2},"
    "\"sources\":{\"/network/protocols\":{\"kind\":\"measured\",\"text\":\"ping\",\"samples\":9},"
    "\"/node/cores_per_node\":\"new node\"}}";

TEST(the_later_document_wins_a_group_with_its_sources)
{
    const struct fr_text documents[] = { { kernels_text, strlen(kernels_text) },
                                         { network_text, strlen(network_text) } };
    char message[FR_MERGE_MESSAGE_BYTES];
    struct fr_writer out;

    fr_writer_init(&out);
    assert_int_equal(fr_merge(documents, 2, &out, message), 0);
    fr_writer_append(&out, "", 1);
    assert_string_equal(out.text, "{\n"
                                  "  \"schema\": \"s\",\n"
                                  "  \"machine\": \"m\",\n"
                                  "  \"node\": { \"cores_per_node\": 2 },\n"
                                  "  \"kernels\": { \"dgemm\": 1 },\n"
                                  "  \"network\": { \"protocols\": [] },\n"
                                  "  \"sources\": {\n"
                                  "    \"/kernels/dgemm\": \"kernels from here\",\n"
                                  "    \"/network/protocols\": { \"kind\": \"measured\", \"text\": "
                                  "\"ping\", \"samples\": 9 },\n"
                                  "    \"/node/cores_per_node\": \"new node\"\n"
                                  "  }\n"
                                  "}\n");
    fr_writer_free(&out);
}

TEST(of_the_kernels_each_is_won_by_itself)
{
    static const char models[] =
        "{\"schema\":\"s\",\"machine\":\"m\",\"kernels\":{\"routine_models\":[1],\"dtrsm\":3},"
        "\"sources\":{\"/kernels/routine_models\":\"sampled\",\"/kernels/dtrsm/square\":\"new\"}}";
    static const char squares[] =
        "{\"schema\":\"s\",\"machine\":\"m\",\"kernels\":{\"dgemm\":1,\"dtrsm\":2},"
        "\"sources\":{\"/kernels/dgemm\":\"here\",\"/kernels/dtrsm/square\":\"old\"}}";
    const struct fr_text documents[] = { { squares, strlen(squares) }, { models, strlen(models) } };
    char message[FR_MERGE_MESSAGE_BYTES];
    struct fr_writer out;

    fr_writer_init(&out);
    assert_int_equal(fr_merge(documents, 2, &out, message), 0);
    fr_writer_append(&out, "", 1);
    assert_non_null(
        strstr(out.text, "\"kernels\": { \"dgemm\": 1, \"dtrsm\": 3, \"routine_models\": [1] }"));
    assert_non_null(strstr(out.text, "\"sources\": { \"/kernels/dgemm\": \"here\", "
                                     "\"/kernels/routine_models\": \"sampled\", "
                                     "\"/kernels/dtrsm/square\": \"new\" }"));
    fr_writer_free(&out);
}

/* Up to three documents; the result, on one line as far as it fits, is good until the next call. */
static const char *merged(const char *a, const char *b, const char *c)
{
    const struct fr_text documents[] = { { a, strlen(a) },
                                         { b, strlen(b) },
                                         { c ? c : "", c ? strlen(c) : 0 } };
    static char text[2000];
    char message[FR_MERGE_MESSAGE_BYTES] = "";
    struct fr_writer out;
    size_t length = 0;

    fr_writer_init(&out);
    if (fr_merge(documents, c ? 3 : 2, &out, message))
        fail_msg("%s", message);
    assert_in_range(out.length, 1, sizeof text - 1);
    for (size_t i = 0; i < out.length; i++)
        if (out.text[i] != '\n' && out.text[i] != ' ')
            text[length++] = out.text[i];
    text[length] = '\0';
    fr_writer_free(&out);
    return text;
}

#define BEGIN "{\"schema\":\"s\",\"machine\":\"m\","
static const char book_a[] =
    BEGIN "\"node\":{\"cores_per_node\":1},\"tool\":{\"name\":\"t\"},"
          "\"kernels\":{\"dgemm\":1,\"out_of_cache_weight\":2},"
          "\"sources\":{\"\":\"A\",\"/kernels\":\"Ak\",\"/kernels/dgemm\":\"Ad\"}}";
static const char models_b[] =
    BEGIN "\"kernels\":{\"routine_models\":[1]},\"sources\":{\"/kernels\":\"Bk\"}}";
static const char book_c[] = BEGIN "\"kernels\":{\"dgemm\":3},\"sources\":{\"\":\"C\"}}";

static void assert_sources(const char *text, const char *expected)
{
    const char *sources = strstr(text, "\"sources\":");

    assert_non_null(sources);
    assert_string_equal(sources + strlen("\"sources\":"), expected);
}

/* What a pointer says of more than its document gives must not be said of what others give. */
TEST(a_source_is_narrowed_to_what_was_taken)
{
    assert_sources(merged(book_a, models_b, NULL),
                   "{\"/node\":\"A\",\"/kernels/out_of_cache_weight\":\"Ak\","
                   "\"/kernels/dgemm\":\"Ad\",\"/kernels/routine_models\":\"Bk\"}}");
    assert_sources(merged(book_a, book_c, NULL),
                   "{\"/node\":\"A\",\"/kernels/out_of_cache_weight\":\"Ak\","
                   "\"/kernels/dgemm\":\"C\"}}");
    assert_sources(merged(book_a, models_b, book_c),
                   "{\"/node\":\"A\",\"/kernels/out_of_cache_weight\":\"Ak\","
                   "\"/kernels/routine_models\":\"Bk\",\"/kernels/dgemm\":\"C\"}}");
}

TEST(a_source_of_all_kernels_stays_where_all_are_taken)
{
    assert_sources(merged(book_c, book_a, NULL),
                   "{\"/node\":\"A\",\"/kernels\":\"Ak\",\"/kernels/dgemm\":\"Ad\"}}");
    assert_sources(merged(BEGIN "\"node\":{}}", book_c, NULL), "{\"/kernels\":\"C\"}}");
}

static void assert_kernels(const char *text, const char *expected)
{
    const char *kernels = strstr(text, "\"kernels\":");

    assert_non_null(kernels);
    assert_memory_equal(kernels + strlen("\"kernels\":"), expected, strlen(expected));
}

TEST(of_a_kernel_each_table_is_won_by_itself)
{
    static const char squares[] =
        BEGIN "\"kernels\":{\"dgemm\":{\"square\":[1],\"rates\":null},\"dger\":{\"rates\":[2]}},"
              "\"sources\":{\"/kernels/dgemm\":\"A\",\"/kernels/dger/rates\":\"Ar\"}}";
    static const char rates[] =
        BEGIN "\"kernels\":{\"dgemm\":{\"rates\":[3],\"square\":null},\"dger\":{\"rates\":[4]}},"
              "\"sources\":{\"/kernels\":\"B\",\"/kernels/dgemm/rates/0\":\"B0\"}}";
    const char *text = merged(squares, rates, NULL);

    assert_kernels(text, "{\"dgemm\":{\"square\":[1],\"rates\":[3]},\"dger\":{\"rates\":[4]}}");
    assert_sources(text, "{\"/kernels/dgemm/square\":\"A\",\"/kernels/dgemm/rates\":\"B\","
                         "\"/kernels/dger\":\"B\",\"/kernels/dgemm/rates/0\":\"B0\"}}");
}

#define MODEL(routine, flags, locality, threads, mark)                            \
    "{\"routine\":\"" routine "\",\"flags\":{" flags "},\"locality\":\"" locality \
    "\",\"threads\":" threads ",\"at\":" mark "}"
#define MODELS(rows, sources) \
    BEGIN "\"kernels\":{\"routine_models\":[" rows "]},\"sources\":{" sources "}}"
#define NN "\"transA\":\"N\",\"transB\":\"N\""
#define DGEMM(mark) MODEL("dgemm", NN, "in_cache", "1", mark)
#define DPOTRF(mark) MODEL("dpotrf", "\"uplo\":\"L\"", "in_cache", "1", mark)
#define DTRSM(mark) MODEL("dtrsm", "\"side\":\"L\"", "in_cache", "1", mark)

/* The row takes its predecessor's place, a new one comes last; sources follow. */
TEST(routine_models_are_won_row_by_row)
{
    const char *text =
        merged(MODELS(DGEMM("1") "," DTRSM("2"), "\"/kernels/routine_models\":\"A\","
                                                 "\"/kernels/routine_models/0/at\":\"A0\""),
               MODELS(DPOTRF("3") "," DGEMM("4"), "\"/kernels/routine_models\":\"B\","
                                                  "\"/kernels/routine_models/0\":\"B0\","
                                                  "\"/kernels/routine_models/1/at\":\"B1\""),
               NULL);

    assert_kernels(text, "{\"routine_models\":[" DGEMM("4") "," DTRSM("2") "," DPOTRF("3") "]}");
    assert_sources(text, "{\"/kernels/routine_models/1\":\"A\",\"/kernels/routine_models/0\":\"B\","
                         "\"/kernels/routine_models/2\":\"B0\","
                         "\"/kernels/routine_models/0/at\":\"B1\"}}");
}

TEST(a_source_of_all_models_stays_where_all_are_taken)
{
    const char *text =
        merged(MODELS(DGEMM("1"), "\"/kernels/routine_models\":\"A\""),
               MODELS(DPOTRF("2") "," DGEMM("3"), "\"/kernels/routine_models\":\"B\""), NULL);

    assert_kernels(text, "{\"routine_models\":[" DGEMM("3") "," DPOTRF("2") "]}");
    assert_sources(text, "{\"/kernels/routine_models\":\"B\"}}");
}

TEST(models_are_told_apart_as_the_daemon_does)
{
    static const char other[] = MODEL("dgemm", NN, "out_of_cache", "1", "2") "," MODEL(
        "dgemm", NN, "in_cache", "2", "3") "," MODEL("dgemm", "\"transA\":\"N\",\"transB\":\"T\"",
                                                     "in_cache", "1", "4");
    static const char same[] =
        MODEL("dgemm", "\"transB\":\"N\",\"side\":null,\"transA\":\"N\"", "in_cache", "1.0", "5");
    char text[1000], expected[1000];

    snprintf(text, sizeof text, MODELS("%s", ""), other);
    snprintf(expected, sizeof expected, "{\"routine_models\":[%s,%s]}", DGEMM("1"), other);
    assert_kernels(merged(MODELS(DGEMM("1"), ""), text, NULL), expected);
    snprintf(text, sizeof text, MODELS("%s", ""), same);
    snprintf(expected, sizeof expected, "{\"routine_models\":[%s]}", same);
    assert_kernels(merged(MODELS(DGEMM("1"), ""), text, NULL), expected);
}

TEST(a_group_of_independent_members_is_won_one_by_one)
{
    static const char first[] =
        BEGIN "\"network\":{\"protocols\":[1],\"topology\":{\"type\":1,\"hops\":1}},"
              "\"memory\":{\"node_bandwidth_bytes_per_s\":1,\"caches\":[1]},"
              "\"sparse\":{\"flop_time_s\":1},\"cnc\":{\"step_kernel\":[1]},"
              "\"node\":{\"cores_per_node\":1,\"sockets\":1},\"sources\":{\"\":\"A\"}}";
    static const char second[] =
        BEGIN "\"network\":{\"message_bandwidth\":2,\"topology\":{\"type\":2}},"
              "\"memory\":{\"caches\":[2]},\"sparse\":{\"fit\":2},\"cnc\":{\"step_kernel\":[2]},"
              "\"node\":{\"cores_per_node\":2},\"sources\":{\"/memory\":\"B\",\"/cnc\":\"B\"}}";

    assert_string_equal(
        merged(first, second, NULL),
        BEGIN "\"network\":{\"protocols\":[1],\"topology\":{\"type\":2},\"message_bandwidth\":2},"
              "\"memory\":{\"node_bandwidth_bytes_per_s\":1,\"caches\":[2]},"
              "\"sparse\":{\"flop_time_s\":1,\"fit\":2},\"cnc\":{\"step_kernel\":[2]},"
              "\"node\":{\"cores_per_node\":2},\"sources\":{\"/network/protocols\":\"A\","
              "\"/memory/node_bandwidth_bytes_per_s\":\"A\",\"/sparse/flop_time_s\":\"A\","
              "\"/memory/caches\":\"B\",\"/cnc\":\"B\"}}");
}

/* A benchmark alone states the cores of its node, but not the peak. */
TEST(a_node_of_as_many_cores_keeps_what_is_not_stated_again)
{
    static const char first[] = BEGIN "\"node\":{\"cores_per_node\":2,\"peak_flops_per_s\":4},"
                                      "\"sources\":{\"/node\":\"A\"}}";

    assert_string_equal(merged(first,
                               BEGIN "\"node\":{\"cores_per_node\":2,\"sockets\":1},"
                                     "\"sources\":{\"/node\":\"B\"}}",
                               NULL),
                        BEGIN
                        "\"node\":{\"cores_per_node\":2,\"peak_flops_per_s\":4,\"sockets\":1},"
                        "\"sources\":{\"/node/peak_flops_per_s\":\"A\","
                        "\"/node/cores_per_node\":\"B\",\"/node/sockets\":\"B\"}}");
    assert_string_equal(
        merged(first, BEGIN "\"node\":{\"cores_per_node\":3},\"sources\":{\"/node\":\"B\"}}", NULL),
        BEGIN "\"node\":{\"cores_per_node\":3},\"sources\":{\"/node\":\"B\"}}");
    assert_string_equal(
        merged(BEGIN "\"node\":{\"sockets\":1}}", BEGIN "\"node\":{\"cores_per_node\":3}}", NULL),
        BEGIN "\"node\":{\"sockets\":1,\"cores_per_node\":3},\"sources\":{}}");
    /* What a document between them says of another node counts for nothing. */
    assert_string_equal(
        merged(first,
               BEGIN "\"node\":{\"cores_per_node\":3,\"peak_flops_per_s\":6},"
                     "\"sources\":{\"/node\":\"B\"}}",
               BEGIN "\"node\":{\"cores_per_node\":2},\"sources\":{\"/node\":\"C\"}}"),
        BEGIN "\"node\":{\"cores_per_node\":2,\"peak_flops_per_s\":4},"
              "\"sources\":{\"/node/peak_flops_per_s\":\"A\",\"/node/cores_per_node\":\"C\"}}");
}

/* Factors are of messages of one length. */
TEST(members_of_one_measurement_are_won_together)
{
    static const char first[] =
        BEGIN "\"contention\":{\"message_bytes\":1,\"average\":[1],\"maximum\":[1],\"burst\":[1]},"
              "\"memory\":{\"memory_latency_s\":1,\"memory_latency_tlb_miss_s\":1,\"caches\":[1]},"
              "\"sources\":{\"/contention\":\"A\",\"/memory\":\"A\"}}";
    static const char second[] =
        BEGIN "\"contention\":{\"average\":[2]},\"memory\":{\"memory_latency_s\":2}}";

    assert_string_equal(merged(first, second, NULL),
                        BEGIN "\"contention\":{\"average\":[2],\"burst\":[1]},"
                              "\"memory\":{\"memory_latency_s\":2,\"caches\":[1]},"
                              "\"sources\":{\"/contention/burst\":\"A\","
                              "\"/memory/caches\":\"A\"}}");
}

/* It is of that number of cores. */
TEST(lateness_goes_with_its_cores)
{
    assert_string_equal(
        merged(BEGIN "\"kernels\":{\"variability\":{\"cores\":4,\"processor_times\":[1],"
                     "\"late_fraction\":0.1}}}",
               BEGIN "\"kernels\":{\"variability\":{\"cores\":8,\"processor_times\":[2]}}}", NULL),
        BEGIN "\"kernels\":{\"variability\":{\"cores\":8,\"processor_times\":[2]}},"
              "\"sources\":{}}");
}

/* The costs of the second were found without any. */
TEST(extra_columns_go_with_the_costs_of_their_calls)
{
    assert_string_equal(merged(BEGIN
                               "\"kernels\":{\"calls\":[1],\"extra_columns\":{\"by_remainder\":[0],"
                               "\"depth_64\":1,\"depth_128\":2}}}",
                               BEGIN "\"kernels\":{\"calls\":[2]}}", NULL),
                        BEGIN "\"kernels\":{\"calls\":[2]},\"sources\":{}}");
}

TEST(protocols_replace_latencies_by_distance)
{
    assert_string_equal(merged(BEGIN "\"network\":{\"protocols\":[1],\"latency_by_distance\":[1]}}",
                               BEGIN "\"network\":{\"protocols\":[2]}}", NULL),
                        BEGIN "\"network\":{\"protocols\":[2]},\"sources\":{}}");
}

TEST(different_environments_are_all_kept)
{
    static const char one[] = BEGIN "\"environment\":{\"cpu\":\"c\",\"hosts\":1}}";
    static const char same[] = BEGIN "\"environment\": { \"cpu\": \"c\", \"hosts\": 1 }}";
    static const char four[] = BEGIN "\"environment\":{\"cpu\":\"c\",\"hosts\":4}}";
    static const char both[] = BEGIN "\"environment\":{\"cpu\":\"c\",\"hosts\":4},"
                                     "\"environments\":[{\"cpu\":\"c\",\"hosts\":1},"
                                     "{\"cpu\":\"c\",\"hosts\":4}],\"sources\":{}}";

    assert_string_equal(merged(one, same, NULL),
                        BEGIN "\"environment\":{\"cpu\":\"c\",\"hosts\":1},\"sources\":{}}");
    assert_string_equal(merged(one, same, four), both);
    assert_string_equal(merged(both, four, NULL), both);
}

TEST(null_is_as_nothing)
{
    static const char nulls[] =
        BEGIN "\"node\":null,\"kernels\":{\"dgemm\":null,\"dtrsm\":4},"
              "\"sources\":{\"/kernels/dgemm\":\"N\",\"/node\":null,\"/kernels/dtrsm\":\"Nt\"}}";

    assert_string_equal(merged(book_a, nulls, NULL),
                        BEGIN "\"node\":{\"cores_per_node\":1},\"tool\":{\"name\":\"t\"},"
                              "\"kernels\":{\"dgemm\":1,\"out_of_cache_weight\":2,\"dtrsm\":4},"
                              "\"sources\":{\"/node\":\"A\","
                              "\"/kernels/out_of_cache_weight\":\"Ak\","
                              "\"/kernels/dgemm\":\"Ad\",\"/kernels/dtrsm\":\"Nt\"}}");
    assert_string_equal(merged(book_c, BEGIN "\"kernels\":null,\"sources\":null}", NULL),
                        BEGIN "\"kernels\":{\"dgemm\":3},\"sources\":{\"/kernels\":\"C\"}}");
}

static void assert_refused(const char *second, const char *expected)
{
    const struct fr_text documents[] = { { book_c, strlen(book_c) }, { second, strlen(second) } };
    char message[FR_MERGE_MESSAGE_BYTES];
    struct fr_writer out;

    fr_writer_init(&out);
    assert_int_equal(fr_merge(documents, 2, &out, message), -1);
    assert_string_equal(message, expected);
    fr_writer_free(&out);
}

TEST(what_is_no_object_is_named)
{
    assert_refused(BEGIN "\"kernels\":[1]}", "document 2: kernels is not a JSON object");
    assert_refused(BEGIN "\"sources\":[1]}", "document 2: sources is not a JSON object");
    assert_refused(BEGIN "}}", "document 2: it is not a JSON object");
}

/* A key must not become a pointer to something else. */
TEST(a_key_that_looks_like_a_pointer_is_named)
{
    assert_refused(BEGIN "\"node/sockets\":1}",
                   "document 2: node/sockets is not the name of a field");
    assert_refused(BEGIN "\"kernels\":{\"dgemm/square\":[1]}}",
                   "document 2: dgemm/square is not the name of a field");
}

TEST(documents_of_different_machines_are_not_merged)
{
    assert_refused("{\"schema\":\"s\",\"machine\":\"n\"}",
                   "machine: \"m\" and \"n\"; they must be the same");
}

TEST(documents_of_different_processors_are_merged_with_a_warning)
{
    static const char *const documents[] = {
        BEGIN "\"environment\":{\"cpu\":\"fast\",\"hosts\":1}}",
        BEGIN "\"environment\":{\"cpu\":\"fast\",\"hosts\":4}}",
        BEGIN "\"environment\":{\"cpu\":\"slow\",\"blas\":{\"name\":\"b\"}}}",
    };
    char message[FR_MERGE_MESSAGE_BYTES];
    struct fr_text text[3];
    struct fr_writer out;

    for (int d = 0; d < 3; d++)
        text[d] = (struct fr_text){ documents[d], strlen(documents[d]) };
    fr_writer_init(&out);
    assert_int_equal(fr_merge(text, 2, &out, message), 0);
    assert_string_equal(message, "");
    assert_int_equal(fr_merge(text, 3, &out, message), 0);
    assert_string_equal(message, "document 3 has another environment.cpu");
    fr_writer_free(&out);
}
