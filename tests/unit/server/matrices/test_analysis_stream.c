/* The parser of the output of forerun-analyze. */
#include "server/matrices/analyses.h"
#include "tests/unit/support/check.h"

#include <stdio.h>
#include <string.h>

static const struct fr_matrix_task task = { .id = "0123456789abcdef", .ordering = "metis", .n = 5 };
static const char facts[] = "{\"record\":\"facts\",\"n\":5,\"nnz\":9,\"structural_rank\":4,"
                            "\"row_permutation\":\"transversal\",\"transversal_s\":0.5}\n";
static const char ready[] =
    "{\"record\":\"ordering\",\"ordering\":\"metis\",\"status\":\"ready\",\"supernodes\":2,"
    "\"nnz_lu\":23,\"nnz_lu_unrelaxed\":21,\"flops\":56,\"fill\":2.5,\"blocks\":2,\"updates\":1,"
    "\"ordering_s\":0.5,\"symbolic_s\":0.25,\"extraction_s\":0.125,\"bytes\":7}\n";
static const char end[] = "{\"record\":\"end\"}\n";

static void take(struct fr_analysis_stream *stream, const char *text)
{
    fr_analysis_stream_take(stream, text, strlen(text));
}

static void check_whole(const struct fr_analysis_stream *stream)
{
    assert_false(stream->is_broken);
    assert_true(stream->has_facts && stream->has_result && stream->has_ended);
    assert_int_equal(stream->structural_rank, 4);
    assert_string_equal(stream->row_permutation, "transversal");
    assert_int_equal(stream->result.status, FR_MATRIX_READY);
    assert_int_equal(stream->result.supernodes, 2);
    assert_int_equal(stream->result.nnz_lu, 23);
    assert_int_equal(stream->result.nnz_lu_unrelaxed, 21);
    assert_int_equal(stream->result.blocks, 2);
    assert_int_equal(stream->result.updates, 1);
    assert_close(stream->result.flops, 56, 0);
    assert_close(stream->result.fill, 2.5, 0);
    assert_close(stream->result.ordering_s, 0.5, 0);
    assert_close(stream->result.symbolic_s, 0.25, 0);
    assert_close(stream->result.extraction_s, 0.125, 0);
    assert_int_equal(stream->length, 7);
    assert_memory_equal(stream->bytes, "ab\n{}\nc", 7);
    assert_string_equal(stream->stage, "symbolic");
    assert_close(stream->fraction, 0.75, 0);
}

TEST(whole_output_is_taken_in_pieces_of_any_size)
{
    char text[2000];
    size_t length;

    length = (size_t)snprintf(
        text, sizeof text,
        "%s{\"record\":\"progress\",\"fraction\":0.75,\"stage\":\"symbolic\"}\n%sab\n{}\nc%sand "
        "whatever follows",
        facts, ready, end);
    for (size_t piece = 1; piece <= length; piece++) {
        struct fr_analysis_stream stream;

        fr_analysis_stream_begin(&stream, &task, 7);
        for (size_t at = 0; at < length; at += piece)
            fr_analysis_stream_take(&stream, text + at, at + piece < length ? piece : length - at);
        check_whole(&stream);
        fr_analysis_stream_free(&stream);
    }
}

TEST(nothing_is_believed_before_it_is_complete)
{
    struct fr_analysis_stream stream;

    fr_analysis_stream_begin(&stream, &task, 100);
    take(&stream, ready);
    assert_false(stream.has_result);
    take(&stream, "abcdef");
    assert_false(stream.has_result);
    take(&stream, "g");
    assert_true(stream.has_result);
    assert_false(stream.has_ended);
    fr_analysis_stream_free(&stream);
}

static void assert_broken(const char *text, const char *reason)
{
    struct fr_analysis_stream stream;

    fr_analysis_stream_begin(&stream, &task, 100);
    take(&stream, text);
    if (!stream.is_broken || !strstr(stream.reason, reason))
        fail_msg("`%.60s` gives `%s`, not `%s`", text, stream.reason, reason);
    assert_null(stream.bytes);
    take(&stream, end);
    assert_false(stream.has_ended);
    fr_analysis_stream_free(&stream);
}

TEST(what_is_no_record_breaks_it)
{
    assert_broken("DISTRIBUTED SYMBOLIC\n", "does not parse");
    assert_broken("\n", "does not parse");
    assert_broken("[]\n", "kind is unknown");
    assert_broken("{\"record\":3}\n", "kind is unknown");
    assert_broken("{\"record\":\"surprise\"}\n", "kind is unknown");
    assert_broken("{\"record\":\"progress\",\"fraction\":-1}\n", "`fraction`");
    assert_broken("{\"record\":\"progress\",\"fraction\":\"half\"}\n", "`fraction`");
    assert_broken("{\"record\":\"progress\",\"stage\":7}\n", "`stage`");
    assert_broken("{\"record\":\"facts\",\"n\":5.5}\n", "`n`");
    assert_broken("{\"record\":\"facts\",\"n\":1e300}\n", "`n`");
    assert_broken("{\"record\":\"facts\",\"n\":6}\n", "another matrix");
    assert_broken("{\"record\":\"facts\",\"n\":5,\"structural_rank\":6}\n", "another matrix");
    assert_broken("{\"record\":\"ordering\",\"ordering\":\"amd\",\"status\":\"ready\"}\n", "amd");
    assert_broken("{\"record\":\"ordering\",\"ordering\":\"metis\",\"status\":\"ready\"}\n",
                  "no block structure");
    assert_broken("{\"record\":\"ordering\",\"ordering\":\"metis\",\"status\":\"ready\","
                  "\"bytes\":101}\n",
                  "analysis_output_bytes");
}

TEST(a_second_result_breaks_it)
{
    struct fr_analysis_stream stream;

    fr_analysis_stream_begin(&stream, &task, 100);
    take(&stream, ready);
    take(&stream, "1234567");
    take(&stream, ready);
    assert_true(stream.is_broken);
    fr_analysis_stream_free(&stream);
}

TEST(lines_are_bounded_each_and_together)
{
    static const char progress[] = "{\"record\":\"progress\",\"fraction\":0.5}\n";
    struct fr_analysis_stream stream;
    char line[FR_STREAM_LINE_BYTES + 1];

    memset(line, ' ', sizeof line);
    fr_analysis_stream_begin(&stream, &task, 100);
    fr_analysis_stream_take(&stream, line, sizeof line);
    assert_true(stream.is_broken);
    assert_non_null(strstr(stream.reason, "line of more than"));
    fr_analysis_stream_begin(&stream, &task, 100);
    for (size_t i = 0; i <= FR_STREAM_LINES_BYTES / (sizeof progress - 1); i++)
        take(&stream, progress);
    assert_true(stream.is_broken);
    assert_non_null(strstr(stream.reason, "bytes of records"));
}

TEST(failures_have_their_reasons)
{
    struct fr_analysis_stream stream;

    fr_analysis_stream_begin(&stream, &task, 100);
    take(&stream, facts);
    take(&stream, "{\"record\":\"failed\",\"reason\":\"structurally singular:\\nrank 4 of 5\"}\n");
    take(&stream, end);
    assert_true(stream.has_result && stream.has_ended && stream.has_facts);
    assert_int_equal(stream.result.status, FR_MATRIX_FAILED);
    assert_string_equal(stream.reason, "structurally singular: rank 4 of 5");
    fr_analysis_stream_begin(&stream, &task, 100);
    take(&stream, "{\"record\":\"ordering\",\"ordering\":\"metis\",\"status\":\"failed\"}\n");
    assert_int_equal(stream.result.status, FR_MATRIX_FAILED);
    assert_string_equal(stream.reason, "no reason given");
}

/* ---- partitions --------------------------------------------------------------------------- */

static const struct fr_matrix_task divided = {
    .id = "0123456789abcdef", .partition = "metis", .n = 5, .processes = { 1, 2 }, .parts = 2
};

/* What was passed on: "1 abc;2 !reason;". */
static void note(void *context, const struct fr_found_partition *found)
{
    char *notes = context, *last = notes + strlen(notes);

    snprintf(last, 200, "%d %s%.*s %g;", (int)divided.processes[found->part],
             found->reason ? "!" : "", found->reason ? 99 : (int)found->length,
             found->reason ? found->reason : found->text, found->seconds);
}

#define PARTITION(processes, rest) \
    "{\"record\":\"partition\",\"partition\":\"metis\",\"processes\":" processes "," rest "}\n"

/* Gives the text in pieces of `step` bytes. */
static void give(struct fr_analysis_stream *stream, const char *text, size_t step, char *notes)
{
    notes[0] = '\0';
    fr_analysis_stream_begin(stream, &divided, 9);
    stream->take_partition = note;
    stream->context = notes;
    for (size_t at = 0, length = strlen(text); at < length; at += step)
        fr_analysis_stream_take(stream, text + at, at + step < length ? step : length - at);
}

#define READY PARTITION("1", "\"status\":\"ready\",\"owners_s\":1,\"messages_s\":0.5,\"bytes\":3")
#define REFUSED PARTITION("2", "\"status\":\"failed\",\"reason\":\"no rows\"")

TEST(partitions_are_passed_on_one_by_one)
{
    static const char text[] = READY "abc" REFUSED "{\"record\":\"end\"}\n";

    for (size_t step = 1; step < sizeof text; step += 7) {
        struct fr_analysis_stream stream;
        char notes[400];

        give(&stream, text, step, notes);
        assert_string_equal(notes, "1 abc 1.5;2 !no rows 0;");
        assert_true(stream.has_ended && stream.has_result && !stream.is_broken);
        assert_int_equal(stream.partitions, 2);
        fr_analysis_stream_free(&stream);
    }
}

TEST(other_partitions_than_requested_break_the_stream)
{
    static const struct {
        const char *text, *why;
    } wrong[] = {
        { PARTITION("2", "\"status\":\"ready\",\"bytes\":3"), "not requested" },
        { PARTITION("1", "\"status\":\"ready\",\"bytes\":10"), "10 bytes, more than 9" },
        { PARTITION("1", "\"status\":\"ready\""), "no facts" },
        { "{\"record\":\"partition\",\"partition\":\"hash\",\"processes\":1}\n", "hash among 1" },
        { "{\"record\":\"ordering\",\"ordering\":\"metis\",\"status\":\"ready\"}\n",
          "not requested" },
    };

    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct fr_analysis_stream stream;
        char notes[400];

        give(&stream, wrong[i].text, 1000, notes);
        assert_true(stream.is_broken);
        assert_non_null(strstr(stream.reason, wrong[i].why));
        assert_string_equal(notes, "");
        fr_analysis_stream_free(&stream);
    }
}

static const char permuted[] = "{\"record\":\"permutations\",\"ordering\":\"metis\",\"bytes\":4}\n";

TEST(permutations_come_before_the_structure)
{
    char text[2000];
    size_t length;

    length =
        (size_t)snprintf(text, sizeof text, "%s%s\n{}a%sab\n{}\nc%s", facts, permuted, ready, end);
    for (size_t piece = 1; piece <= length; piece++) {
        struct fr_analysis_stream stream;

        fr_analysis_stream_begin(&stream, &task, 7);
        for (size_t at = 0; at < length; at += piece)
            fr_analysis_stream_take(&stream, text + at, length - at < piece ? length - at : piece);
        assert_true(stream.has_result && stream.has_ended);
        assert_int_equal(stream.permutations_length, 4);
        assert_memory_equal(stream.permutations, "\n{}a", 4);
        assert_int_equal(stream.length, 7);
        assert_memory_equal(stream.bytes, "ab\n{}\nc", 7);
        fr_analysis_stream_free(&stream);
    }
}

TEST(other_permutations_are_refused)
{
    static const struct {
        const char *text, *reason;
    } wrong[] = {
        { "{\"record\":\"permutations\",\"ordering\":\"amd\",\"bytes\":4}\n", "of amd" },
        { "{\"record\":\"permutations\",\"ordering\":\"metis\"}\n", "0 bytes" },
        { "{\"record\":\"permutations\",\"ordering\":\"metis\",\"bytes\":73}\n", "73 bytes" },
    };
    struct fr_analysis_stream stream;

    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        fr_analysis_stream_begin(&stream, &task, 1000);
        take(&stream, wrong[i].text);
        assert_true(stream.is_broken);
        assert_non_null(strstr(stream.reason, wrong[i].reason));
        fr_analysis_stream_free(&stream);
    }
    fr_analysis_stream_begin(&stream, &task, 1000);
    take(&stream, permuted);
    take(&stream, "abcd");
    take(&stream, permuted); /* a second time */
    assert_true(stream.is_broken);
    fr_analysis_stream_free(&stream);
}

static const char fronts_on_two[] =
    "{\"record\":\"fronts\",\"ordering\":\"metis\",\"processes\":2,\"fronts\":3,"
    "\"largest_front\":4,\"factor_entries\":10,\"flops\":9.5,\"most_entries\":7,"
    "\"all_entries\":12,\"most_indices\":50,\"all_indices\":72}\n";

TEST(fronts_are_taken_for_each_number_of_processes)
{
    struct fr_analysis_stream stream;

    fr_analysis_stream_begin(&stream, &task, 1000);
    for (size_t i = 0; i < FR_STREAM_FRONTS; i++)
        take(&stream, fronts_on_two);
    assert_false(stream.is_broken);
    assert_int_equal(stream.front_counts, FR_STREAM_FRONTS);
    assert_int_equal(stream.fronts[1].share.processes, 2);
    assert_int_equal(stream.fronts[1].share.all_indices, 72);
    assert_int_equal(stream.fronts[1].tree.factor_entries, 10);
    assert_true(stream.fronts[1].tree.flops == 9.5);
    take(&stream, fronts_on_two);
    assert_true(stream.is_broken);
    fr_analysis_stream_free(&stream);
    fr_analysis_stream_begin(&stream, &task, 1000);
    take(&stream, "{\"record\":\"fronts\",\"ordering\":\"amd\",\"processes\":1}\n");
    assert_true(stream.is_broken);
    assert_non_null(strstr(stream.reason, "fronts of amd"));
    fr_analysis_stream_free(&stream);
}
