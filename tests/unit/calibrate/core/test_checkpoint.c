/* Finished benchmarks on file, what an interrupted calibration goes on from; and what a calibration
 * warns of. */
#include "tests/unit/support/check.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "calibrations/calibrate/core/document.h"
#include "calibrations/calibrate/core/environment.h"
#include "server/json/writer.h"

static char path[] = "/tmp/forerun-finished-XXXXXX";
static const char key[] = "forerun-calibrate 1: m, 1 hosts";

static int begin_file(void **state)
{
    const int file = mkstemp(path);

    (void)state;
    return file < 0 || close(file) ? -1 : 0;
}

static int end_file(void **state)
{
    (void)state;
    unlink(path);
    strcpy(path + strlen(path) - 6, "XXXXXX");
    return 0;
}

static void write_file(const char *text)
{
    FILE *file = fopen(path, "w");

    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static struct fr_journal opened(void)
{
    char why[FR_CHECKPOINT_WHY_BYTES] = "";
    struct fr_journal finished;

    if (fr_checkpoint_open(&finished, path, key, why))
        fail_msg("%s", why);
    return finished;
}

static void assert_found(const struct fr_journal *finished, const char *name, const char *expected)
{
    size_t length = 0;
    const char *json = fr_checkpoint_find(finished, name, &length);

    if (!expected) {
        assert_null(json);
        return;
    }
    assert_non_null(json);
    assert_int_equal(length, strlen(expected));
    assert_memory_equal(json, expected, length);
}

#define CASE(name) TEST_WITH(name, begin_file, end_file)

CASE(what_was_added_is_found_by_the_next_job)
{
    struct fr_journal finished = opened();

    assert_found(&finished, "node", NULL);
    assert_int_equal(fr_journal_add(&finished, "node {1}\n"), 0);
    assert_int_equal(fr_journal_add(&finished, "nodes {2}\n"), 0);
    fr_journal_close(&finished);
    finished = opened();
    assert_found(&finished, "node", "{1}");
    assert_found(&finished, "nodes", "{2}");
    assert_found(&finished, "nod", NULL);
    assert_int_equal(fr_journal_add(&finished, "node {3}\n"), 0);
    fr_journal_close(&finished);
    finished = opened();
    assert_found(&finished, "node", "{3}");
    fr_journal_close(&finished);
}

CASE(a_cut_line_is_none_and_spoils_none)
{
    struct fr_journal finished;
    char text[200];

    snprintf(text, sizeof text, "%s\nnode {1}\npeak {\"values\":{}", key);
    write_file(text);
    finished = opened();
    assert_found(&finished, "node", "{1}");
    assert_found(&finished, "peak", NULL);
    assert_int_equal(fr_journal_add(&finished, "dgemm {2}\n"), 0);
    fr_journal_close(&finished);
    finished = opened();
    assert_found(&finished, "dgemm", "{2}");
    assert_found(&finished, "peak", NULL);
    fr_journal_close(&finished);
}

CASE(a_cut_first_line_is_written_out)
{
    struct fr_journal finished;

    for (size_t length = 0; length <= strlen(key); length++) {
        char text[100];

        snprintf(text, sizeof text, "%.*s", (int)length, key);
        write_file(text);
        finished = opened();
        assert_int_equal(fr_journal_add(&finished, "node {1}\n"), 0);
        fr_journal_close(&finished);
        finished = opened();
        assert_found(&finished, "node", "{1}");
        fr_journal_close(&finished);
    }
}

static void assert_refused(const char *text, const char *reason)
{
    char why[FR_CHECKPOINT_WHY_BYTES] = "";
    struct fr_journal finished;

    write_file(text);
    assert_int_equal(fr_checkpoint_open(&finished, path, key, why), -1);
    if (!strstr(why, reason))
        fail_msg("%s: lacks %s", why, reason);
}

CASE(what_is_of_another_job_is_refused)
{
    assert_refused("forerun-calibrate 1: m, 2 hosts\n",
                   "it has \"forerun-calibrate 1: m, 2 hosts\"");
    assert_refused("forerun-calibrate 1: m, 1 hosts, quick\n", "of another job");
    assert_refused("{\"schema\": 1}\n", "is not a checkpoint");
}

TEST(no_name_is_no_file)
{
    char why[FR_CHECKPOINT_WHY_BYTES];
    struct fr_journal finished;

    assert_int_equal(fr_checkpoint_open(&finished, NULL, key, why), 0);
    assert_found(&finished, "node", NULL);
    assert_int_equal(fr_journal_add(&finished, "node {1}\n"), 0);
    fr_journal_close(&finished);
}

/* A document that goes on as if there had been no interruption. */
TEST(what_a_benchmark_found_is_read_again)
{
    struct fr_document *first = fr_document_new(), *second = fr_document_new();
    struct fr_writer line, a, b;

    fr_writer_init(&line);
    fr_writer_init(&a);
    fr_writer_init(&b);
    first->frame.machine = second->frame.machine = "m";
    first->found.node.peak_flops_per_s = 1.5;
    fr_document_source(first, "/node/peak_flops_per_s", fr_document_measured(3, 0.025, "a \"b\""),
                       "\"x\", a\\b\nspread %.1f %%", 2.5);
    fr_document_date(first, 0, "2026-11-23", "other \"work\"");
    fr_document_write_found(first, &line);
    assert_null(memchr(line.text, '\n', line.length));
    assert_int_equal(fr_document_read(first, line.text, line.length), 0);
    assert_int_equal(fr_document_read(second, line.text, line.length), 0);
    assert_int_equal(fr_document_write(first, &a), 0);
    assert_int_equal(fr_document_write(second, &b), 0);
    assert_int_equal(a.length, b.length);
    assert_memory_equal(a.text, b.text, a.length);
    fr_writer_free(&line);
    fr_writer_free(&a);
    fr_writer_free(&b);
    fr_document_free(first);
    fr_document_free(second);
}

/* Such as a line of an earlier version, or of one that was interrupted. */
TEST(a_line_that_is_no_part_of_a_document_is_not_read)
{
    static const char *const lines[] = { "{\"values\":{\"/node/sockets\":1},\"sources\":{}}",
                                         "{\"node\":1}", "{\"node\":{\"sockets\":1}", "[]" };
    struct fr_document *document = fr_document_new();

    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        assert_int_equal(fr_document_read(document, lines[i], strlen(lines[i])), -1);
    fr_document_free(document);
}

/* A record with every member, in the order of the document; what is not measured has no day. */
TEST(a_measured_source_is_dated_and_tells_its_load)
{
    struct fr_document *document = fr_document_new();
    struct fr_writer out;

    fr_writer_init(&out);
    fr_document_source(document, "/early", fr_document_measured(2, 0, NULL), "x");
    fr_document_source(document, "/a", fr_document_measured(48, 0.5, "median of rounds"), "%s",
                       "how");
    fr_document_source(document, "/b", (struct fr_source){ .kind = FR_FROM_PUBLISHED }, "where");
    fr_document_date(document, 1, "2026-11-23", "other work");
    fr_document_source(document, "/c", fr_document_measured(0, NAN, NULL), "x");
    fr_document_date(document, 3, "2026-11-24", NULL);
    fr_document_write_found(document, &out);
    fr_writer_append(&out, "", 1);
    assert_string_equal(
        out.text,
        "{\"sources\":{"
        "\"/early\":{\"kind\":\"measured\",\"text\":\"x\",\"samples\":2,\"spread_fraction\":0},"
        "\"/a\":{\"kind\":\"measured\",\"text\":\"how\",\"samples\":48,\"spread_fraction\":0.5,"
        "\"statistic\":\"median of rounds\",\"measured_on\":\"2026-11-23\",\"load\":\"other "
        "work\"},"
        "\"/b\":{\"kind\":\"published\",\"text\":\"where\"},"
        "\"/c\":{\"kind\":\"measured\",\"text\":\"x\",\"measured_on\":\"2026-11-24\"}}}");
    fr_writer_free(&out);
    fr_document_free(document);
}

static const struct fr_host plain = {
    .cpu = "A", .governor = "performance", .cores = 24, .is_first = true
};

TEST(nodes_that_are_alike_are_no_reason_to_warn)
{
    char warning[FR_HOSTS_WARNINGS][FR_HOSTS_WARNING_BYTES];
    struct fr_host host[] = { plain, plain, plain };

    *host[1].governor = *host[2].governor = '\0';
    assert_int_equal(fr_hosts_compare(host, 3, warning), 0);
}

TEST(nodes_that_differ_are_counted)
{
    char warning[FR_HOSTS_WARNINGS][FR_HOSTS_WARNING_BYTES];
    struct fr_host host[] = { plain, plain, plain, plain };

    strcpy(host[1].cpu, "B");
    strcpy(host[2].cpu, "B");
    host[2].is_first = false; /* the same node as that before it */
    host[3].cores = 16;
    strcpy(host[3].governor, "powersave");
    host[0].is_boosting = true;
    assert_int_equal(fr_hosts_compare(host, 4, warning), 4);
    assert_string_equal(warning[0], "1 of 3 nodes have another processor, such as B beside A; the "
                                    "document names the first one's");
    assert_string_equal(warning[1],
                        "1 of 3 nodes have other than the first one's 24 cores, such as 16");
    assert_memory_equal(warning[2], "frequency scaling is on, governor powersave on 1 of 3 nodes",
                        59);
    assert_memory_equal(warning[3], "the clock may be boosted on 1 of 3 nodes", 40);
}
