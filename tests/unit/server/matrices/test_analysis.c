/* Analyses with a program that fails in the ways that the libraries do. */
#include "server/core/process.h"
#include "server/matrices/analysis.h"
#include "tests/unit/support/moved_clock.h"
#include "tests/unit/support/store_check.h"

#include <signal.h>
#include <sqlite3.h>
#include <string.h>
#include <zlib.h>

#define PROGRAM "tests/fake-analyze.sh"

enum { TIMEOUT_S = 20 };

struct handler_fixture {
    struct fixture *f;
    struct fr_config config;
    struct fr_metrics metrics;
    struct fr_store *store;
    struct fr_analysis *analysis;
    struct moved_clock clock;
};

static void open_fixture(struct handler_fixture *fixture, struct fixture *f)
{
    *fixture = (struct handler_fixture){ .f = f };
    moved_clock_init(&fixture->clock);
    f->log.level = -1; /* what fails here fails on purpose */
    fr_config_init(&fixture->config);
    snprintf(fixture->config.db, sizeof fixture->config.db, "%s", f->path);
    snprintf(fixture->config.analyze_program, sizeof fixture->config.analyze_program, "%s",
             PROGRAM);
    atomic_store(&fixture->config.analysis_timeout_s, TIMEOUT_S);
    fixture->store = opened(f, f->path);
}

static void start(struct handler_fixture *fixture)
{
    fixture->analysis = fr_analysis_start(&fixture->config, &fixture->clock.clock, &fixture->f->log,
                                          &fixture->metrics);
    assert_non_null(fixture->analysis);
}

static void close_fixture(struct handler_fixture *fixture)
{
    fr_analysis_stop(fixture->analysis);
    fr_store_close(fixture->store);
}

/* Stores a matrix whose file tells the program what to do. */
static void put(struct handler_fixture *fixture, const char *id, const char *acts, size_t orderings)
{
    struct fr_matrix_record record = {
        .id = id,
        .name = id,
        .format = "matrix_market",
        .field = "pattern",
        .symmetry = "general",
        .title = "",
        .n = 5,
        .supernode_max = 256,
        .supernode_relax = 60,
        .ordering_count = orderings,
    };
    const int file = fr_spool_open(fixture->f->path);
    unsigned char packed[4096];
    z_stream z = { .next_out = packed, .avail_out = sizeof packed };

    assert_true(file >= 0);
    for (size_t i = 0; i < orderings; i++)
        record.ordering[i].ordering = sparse_orderings[i];
    z.next_in = (Bytef *)(uintptr_t)acts;
    z.avail_in = (unsigned)strlen(acts);
    assert_int_equal(deflateInit2(&z, 1, Z_DEFLATED, 31, 8, Z_DEFAULT_STRATEGY), Z_OK);
    assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
    deflateEnd(&z);
    assert_int_equal(fr_spool_write(file, packed, z.total_out), 0);
    assert_int_equal(
        fr_store_matrix_add(fixture->store, &record, "s", 1, file, (int64_t)z.total_out),
        FR_STORE_OK);
    close(file);
    if (fixture->analysis)
        fr_analysis_wake(fixture->analysis);
}

static struct fr_matrix_record look(struct handler_fixture *fixture, const char *id)
{
    struct fr_matrix_record record = { .id = NULL };

    assert_int_equal(fr_store_matrix_get(fixture->store, id, fixture->f->arena, &record),
                     FR_STORE_OK);
    return record;
}

/* Waits for a fact: whatever the analysis does, it waits again afterwards. */
#define AWAIT(fixture, fact)                                                \
    for (int polls; polls = tally_count(&(fixture)->clock.polls), !(fact);) \
    tally_await(&(fixture)->clock.polls, polls + 1)

static bool has_status(struct handler_fixture *fixture, const char *id,
                       enum fr_matrix_status status)
{
    const struct fr_arena_mark mark = fr_arena_mark(fixture->f->arena);
    const struct fr_matrix_record record = look(fixture, id);

    fr_arena_release(fixture->f->arena, mark);
    return fr_matrix_status(&record) == status;
}

static struct fr_matrix_record await(struct handler_fixture *fixture, const char *id)
{
    AWAIT(fixture,
          has_status(fixture, id, FR_MATRIX_READY) || has_status(fixture, id, FR_MATRIX_FAILED));
    return look(fixture, id);
}

/* Whether so many of its analyses run, all in a stage. */
static bool runs(struct handler_fixture *fixture, const char *id, size_t count, const char *stage)
{
    struct fr_analysis_progress running[FR_ANALYSES_MOST];
    bool is_there = fr_analysis_look(fixture->analysis, id, running) == count;

    for (size_t i = 0; i < count && is_there; i++)
        is_there = strcmp(running[i].stage, stage) == 0;
    return is_there;
}

static void assert_said(const struct fr_matrix_ordering *ordering, const char *what)
{
    assert_int_equal(ordering->status, FR_MATRIX_FAILED);
    if (!ordering->reason || !strstr(ordering->reason, what))
        fail_msg("`%s` does not say `%s`", ordering->reason ? ordering->reason : "nothing", what);
}

FILE_TEST(what_goes_well_is_stored)
{
    struct fr_matrix_record record;
    unsigned char *bytes;
    struct handler_fixture fixture;
    size_t length;
    char id[17];

    open_fixture(&fixture, *state);
    put(&fixture, "a", "", 4); /* before it starts: queued by the daemon before this one */
    start(&fixture);
    record = await(&fixture, "a");
    assert_int_equal(fr_matrix_status(&record), FR_MATRIX_READY);
    assert_int_equal(record.structural_rank, 5);
    assert_string_equal(record.row_permutation, "identity");
    for (size_t i = 0; i < 4; i++) {
        const struct sparse_structure_key key = { sparse_orderings[i], "auto", 256, 60 };

        assert_int_equal(record.ordering[i].status, FR_MATRIX_READY);
        assert_int_equal(record.ordering[i].nnz_lu, 23);
        assert_int_equal(fr_store_structure_get(fixture.store, "a", &key, id, &bytes, &length),
                         FR_STORE_OK);
        assert_int_equal(length, 63);
        assert_memory_equal(bytes, "FRBS", 4);
        free(bytes);
    }
    close_fixture(&fixture);
    assert_int_equal(atomic_load(&fixture.metrics.analyses), 4);
    assert_int_equal(atomic_load(&fixture.metrics.matrices[FR_MATRIX_READY]), 1);
}

FILE_TEST(each_way_to_fail_has_its_reason)
{
    static const struct {
        const char *act, *reason;
    } ways[] = {
        { "crash",
          "crashed with signal 11, Segmentation fault (stage order): malloc(): corrupted" },
        { "killed", "killed (stage order), perhaps because memory ran out: the libraries chatter" },
        { "exit", "status 255 and no result (stage order): Zero diagonal in column 3" },
        { "garbage", "a line that is not a record: it does not parse" },
        { "long", "a line of more than 4096 bytes" },
        { "flood", "bytes of records" },
        { "kind", "kind is unknown" },
        { "number", "`n`" },
        { "nothing", "reported no result" },
        { "partial", "status 0 and no result" },
        { "unended", "signal 6" },
        { "broken", "not valid" },
        { "short", "not valid" },
        { "huge", "analysis_output_bytes" },
        { "other", "natal" },
        { "twice", "not requested" },
        { "refused", "too much fill" },
        { "singular", "structurally singular: rank 4 of 5" },
    };
    struct fr_matrix_record record;
    struct handler_fixture fixture;
    char act[40];

    open_fixture(&fixture, *state);
    start(&fixture);
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
        snprintf(act, sizeof act, "%%fake %s\n", ways[i].act);
        put(&fixture, ways[i].act, act, 1);
        record = await(&fixture, ways[i].act);
        assert_said(&record.ordering[0], ways[i].reason);
    }
    assert_int_equal(look(&fixture, "singular").structural_rank, 4);
    /* The next analysis succeeds. */
    put(&fixture, "good", "", 1);
    record = await(&fixture, "good");
    assert_int_equal(fr_matrix_status(&record), FR_MATRIX_READY);
    close_fixture(&fixture);
    assert_int_equal(atomic_load(&fixture.metrics.analyses_failed), sizeof ways / sizeof ways[0]);
}

FILE_TEST(one_ordering_that_crashes_takes_no_other_with_it)
{
    struct fr_matrix_record record;
    struct handler_fixture fixture;

    open_fixture(&fixture, *state);
    start(&fixture);
    put(&fixture, "a", "%fake crash metis\n%fake exit colamd\n", 4);
    record = await(&fixture, "a");
    assert_int_equal(fr_matrix_status(&record), FR_MATRIX_READY);
    assert_said(&record.ordering[0], "signal 11");
    assert_int_equal(record.ordering[1].status, FR_MATRIX_READY);
    assert_said(&record.ordering[2], "status 255");
    assert_int_equal(record.ordering[3].status, FR_MATRIX_READY);
    close_fixture(&fixture);
}

FILE_TEST(what_hangs_is_killed_in_time)
{
    struct fr_matrix_record record;
    struct handler_fixture fixture;

    open_fixture(&fixture, *state);
    start(&fixture);
    put(&fixture, "hangs", "%fake hang\n", 1);
    put(&fixture, "deaf", "%fake deaf\n", 1);
    put(&fixture, "good", "", 1);
    AWAIT(&fixture, runs(&fixture, "hangs", 1, "order"));
    moved_clock_by_ms(&fixture.clock, 1000 * TIMEOUT_S);
    record = await(&fixture, "hangs");
    assert_said(&record.ordering[0], "more than 20 s and was stopped (stage order)");
    AWAIT(&fixture, runs(&fixture, "deaf", 1, "order"));
    moved_clock_by_ms(&fixture.clock, 1000 * TIMEOUT_S);
    record = await(&fixture, "deaf");
    assert_said(&record.ordering[0], "more than 20 s");
    record = await(&fixture, "good");
    assert_int_equal(fr_matrix_status(&record), FR_MATRIX_READY);
    close_fixture(&fixture);
    assert_int_equal(atomic_load(&fixture.metrics.analysis_ns), 2 * TIMEOUT_S * 1000000000LL);
}

FILE_TEST(what_does_not_end_once_it_is_done_is_ended)
{
    struct fr_matrix_record record;
    struct handler_fixture fixture;

    open_fixture(&fixture, *state);
    start(&fixture);
    put(&fixture, "a", "%fake lingers\n", 1);
    record = await(&fixture, "a"); /* without the time that it may take */
    assert_int_equal(fr_matrix_status(&record), FR_MATRIX_READY);
    close_fixture(&fixture);
}

FILE_TEST(the_program_is_told_its_limits_and_nothing_else)
{
    struct fr_matrix_record record;
    struct handler_fixture fixture;

    open_fixture(&fixture, *state);
    setenv("NSUP", "3", 1); /* the libraries would obey it */
    start(&fixture);
    put(&fixture, "a", "%fake arguments\n", 1);
    record = await(&fixture, "a");
    unsetenv("NSUP");
    assert_said(&record.ordering[0],
                "--orderings metis --row-permutation auto --supernode-max 256 --supernode-relax 60 "
                "--memory-limit-bytes 4294967296 --cpu-limit-s 20 ");
    assert_null(strstr(record.ordering[0].reason, "NSUP"));
    close_fixture(&fixture);
}

FILE_TEST(a_program_that_is_missing_is_named)
{
    struct fr_matrix_record record;
    struct handler_fixture fixture;

    open_fixture(&fixture, *state);
    snprintf(fixture.config.analyze_program, sizeof fixture.config.analyze_program,
             "/no/such/program");
    start(&fixture);
    put(&fixture, "a", "", 2);
    record = await(&fixture, "a");
    assert_said(&record.ordering[0], "there is no program `/no/such/program`: install");
    assert_said(&record.ordering[1], "upload the file again");
    close_fixture(&fixture);
    open_fixture(&fixture, *state);
    snprintf(fixture.config.analyze_program, sizeof fixture.config.analyze_program, "/etc/passwd");
    start(&fixture);
    put(&fixture, "b", "", 1);
    record = await(&fixture, "b");
    assert_said(&record.ordering[0], "does not start: Permission denied");
    close_fixture(&fixture);
}

FILE_TEST(a_stop_ends_what_runs_and_a_start_begins_it_anew)
{
    struct fr_matrix_record record;
    struct handler_fixture fixture;

    open_fixture(&fixture, *state);
    start(&fixture);
    put(&fixture, "a", "%fake hang metis\n", 2);
    AWAIT(&fixture, runs(&fixture, "a", 1, "order"));
    assert_true(has_status(&fixture, "a", FR_MATRIX_ANALYZING));
    fr_analysis_stop(fixture.analysis);
    assert_true(has_status(&fixture, "a", FR_MATRIX_QUEUED));
    start(&fixture);
    AWAIT(&fixture, runs(&fixture, "a", 1, "order"));
    moved_clock_by_ms(&fixture.clock, 1000 * TIMEOUT_S);
    record = await(&fixture, "a");
    assert_said(&record.ordering[0], "more than 20 s");
    assert_int_equal(record.ordering[1].status, FR_MATRIX_READY);
    close_fixture(&fixture);
}

FILE_TEST(a_deleted_matrix_is_let_go)
{
    struct fr_analysis_progress running[FR_ANALYSES_MOST];
    struct fr_matrix_record record;
    struct handler_fixture fixture;

    open_fixture(&fixture, *state);
    start(&fixture);
    put(&fixture, "a", "%fake hang\n", 2);
    AWAIT(&fixture, runs(&fixture, "a", 1, "order"));
    assert_int_equal(fr_store_matrix_delete(fixture.store, "a"), FR_STORE_OK);
    fr_analysis_wake(fixture.analysis);
    put(&fixture, "good", "", 1);
    record = await(&fixture, "good"); /* the time stands still */
    assert_int_equal(fr_matrix_status(&record), FR_MATRIX_READY);
    assert_int_equal(fr_analysis_look(fixture.analysis, "a", running), 0);
    close_fixture(&fixture);
}

FILE_TEST(several_run_at_once_where_they_may)
{
    struct handler_fixture fixture;

    open_fixture(&fixture, *state);
    atomic_store(&fixture.config.analyses_at_once, 3);
    start(&fixture);
    put(&fixture, "a", "%fake hang\n", 4);
    AWAIT(&fixture, runs(&fixture, "a", 4, "order")); /* three, and the natural ordering */
    moved_clock_by_ms(&fixture.clock, 1000 * TIMEOUT_S);
    await(&fixture, "a");
    close_fixture(&fixture);
}

FILE_TEST(nothing_waits_for_a_natural_ordering)
{
    struct fr_matrix_record record;
    struct handler_fixture fixture;

    open_fixture(&fixture, *state);
    start(&fixture);
    put(&fixture, "slow", "%fake hang natural\n", 4);
    AWAIT(&fixture, runs(&fixture, "slow", 1, "order"));
    put(&fixture, "quick", "", 3);
    record = await(&fixture, "quick");
    assert_int_equal(fr_matrix_status(&record), FR_MATRIX_READY);
    record = look(&fixture, "slow");
    assert_int_equal(record.ordering[2].status, FR_MATRIX_READY);
    assert_int_equal(record.ordering[3].status, FR_MATRIX_ANALYZING);
    close_fixture(&fixture);
}

/* Makes the database refuse a change whenever `when` holds. */
static void refuse_if(struct handler_fixture *fixture, const char *table, const char *when)
{
    char text[256];
    sqlite3 *db;

    snprintf(text, sizeof text,
             "CREATE TRIGGER refuse BEFORE UPDATE ON %s WHEN %s "
             "BEGIN SELECT RAISE(ABORT, 'refused'); END",
             table, when);
    assert_int_equal(sqlite3_open(fixture->f->path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, text, NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(db);
}

FILE_TEST(a_result_that_the_database_refuses_is_not_found_without_end)
{
    struct fr_matrix_record record;
    struct handler_fixture fixture;

    open_fixture(&fixture, *state);
    refuse_if(&fixture, "matrices", "NEW.id = 'a'"); /* its rank, with any result */
    put(&fixture, "a", "", 1);
    put(&fixture, "b", "", 1);
    start(&fixture);
    record = await(&fixture, "a");
    assert_said(&record.ordering[0], "the database refused the result");
    record = await(&fixture, "b");
    assert_int_equal(fr_matrix_status(&record), FR_MATRIX_READY);
    close_fixture(&fixture);
    assert_int_equal(atomic_load(&fixture.metrics.analyses), 1 + FR_MATRIX_ATTEMPTS);
}

/* Lists the two partitions; whether none is queued or analyzed any more. */
static bool are_decided(struct handler_fixture *fixture, struct fr_partition_record **found)
{
    size_t count = 0;

    assert_int_equal(
        fr_store_partition_list(fixture->store, "a", NULL, fixture->f->arena, found, &count),
        FR_STORE_OK);
    assert_int_equal(count, 2);
    for (size_t i = 0; i < count; i++)
        if ((*found)[i].status != FR_MATRIX_READY && (*found)[i].status != FR_MATRIX_FAILED)
            return false;
    return true;
}

FILE_TEST(nor_is_a_partition_and_the_others_of_its_task_are_stored)
{
    static const int64_t processes[] = { 1, 2 };
    struct fr_partition_record *found = NULL;
    struct handler_fixture fixture;

    open_fixture(&fixture, *state);
    put(&fixture, "a", "", 1);
    refuse_if(&fixture, "matrix_partitions", "NEW.processes = 1 AND NEW.attempts = 0");
    assert_int_equal(fr_store_partition_queue(fixture.store, "a", "metis", processes, 2, false),
                     FR_STORE_OK);
    start(&fixture);
    AWAIT(&fixture, are_decided(&fixture, &found));
    close_fixture(&fixture);
    assert_int_equal(found[0].status, FR_MATRIX_FAILED);
    assert_non_null(strstr(found[0].reason, "the database refused the result"));
    assert_int_equal(found[1].status, FR_MATRIX_READY);
    assert_int_equal(atomic_load(&fixture.metrics.analyses), 2); /* the ordering, and the other */
    assert_int_equal(atomic_load(&fixture.metrics.analyses_failed), FR_MATRIX_ATTEMPTS);
}

static int ignore_pipes(void **state)
{
    (void)state;
    signal(SIGPIPE, SIG_IGN);
    return 0;
}

GROUP(ignore_pipes, NULL)
