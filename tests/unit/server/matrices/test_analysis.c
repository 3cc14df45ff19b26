/* Analyses with a program that fails in the ways that the libraries do. */
#include "server/core/spool.h"
#include "server/matrices/analysis.h"
#include "tests/unit/support/store_check.h"

#include <signal.h>
#include <string.h>
#include <time.h>
#include <zlib.h>

#define PROGRAM "tests/fake-analyze.sh"

struct handler_fixture {
    struct fixture *f;
    struct fr_config config;
    struct fr_metrics metrics;
    struct fr_store *store;
    struct fr_analysis *analysis;
};

static void open_fixture(struct handler_fixture *desk, struct fixture *f)
{
    *desk = (struct handler_fixture){ .f = f };
    f->log.level = -1; /* what fails here fails on purpose */
    fr_config_init(&desk->config);
    snprintf(desk->config.db, sizeof desk->config.db, "%s", f->path);
    snprintf(desk->config.analyze_program, sizeof desk->config.analyze_program, "%s", PROGRAM);
    atomic_store(&desk->config.analysis_timeout_s, 20);
    desk->store = opened(f, f->path);
}

static void start(struct handler_fixture *desk)
{
    desk->analysis = fr_analysis_start(&desk->config, &desk->f->log, &desk->metrics);
    assert_non_null(desk->analysis);
}

static void close_fixture(struct handler_fixture *desk)
{
    fr_analysis_stop(desk->analysis);
    fr_store_close(desk->store);
}

/* Stores a matrix whose file tells the program what to do. */
static void put(struct handler_fixture *desk, const char *id, const char *acts, size_t orderings)
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
    const int file = fr_spool_open(desk->f->path);
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
    assert_int_equal(fr_store_matrix_add(desk->store, &record, "s", 1, file, (int64_t)z.total_out),
                     FR_STORE_OK);
    close(file);
    if (desk->analysis)
        fr_analysis_wake(desk->analysis);
}

static struct fr_matrix_record look(struct handler_fixture *desk, const char *id)
{
    struct fr_matrix_record record = { .id = NULL };

    assert_int_equal(fr_store_matrix_get(desk->store, id, desk->f->arena, &record), FR_STORE_OK);
    return record;
}

static void pause_ms(long ms)
{
    const struct timespec pause = { .tv_nsec = ms * 1000000 };

    nanosleep(&pause, NULL);
}

static bool has_status(struct handler_fixture *desk, const char *id, enum fr_matrix_status status)
{
    const struct fr_arena_mark mark = fr_arena_mark(desk->f->arena);
    const struct fr_matrix_record record = look(desk, id);

    fr_arena_release(desk->f->arena, mark);
    return fr_matrix_status(&record) == status;
}

static struct fr_matrix_record await(struct handler_fixture *desk, const char *id)
{
    for (int i = 0; i < 1500; i++) {
        if (has_status(desk, id, FR_MATRIX_READY) || has_status(desk, id, FR_MATRIX_FAILED))
            return look(desk, id);
        pause_ms(10);
    }
    fail_msg("%s never ended", id);
    return look(desk, id);
}

static void assert_said(const struct fr_matrix_ordering *ordering, const char *what)
{
    assert_int_equal(ordering->status, FR_MATRIX_FAILED);
    if (!ordering->reason || !strstr(ordering->reason, what))
        fail_msg("`%s` does not say `%s`", ordering->reason ? ordering->reason : "nothing", what);
}

static void what_goes_well_is_stored(void **state)
{
    struct fr_matrix_record record;
    unsigned char *bytes;
    struct handler_fixture desk;
    size_t length;
    char id[17];

    open_fixture(&desk, *state);
    put(&desk, "a", "", 4); /* before it starts: queued by the daemon before this one */
    start(&desk);
    record = await(&desk, "a");
    assert_int_equal(fr_matrix_status(&record), FR_MATRIX_READY);
    assert_int_equal(record.structural_rank, 5);
    assert_string_equal(record.row_permutation, "identity");
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(record.ordering[i].status, FR_MATRIX_READY);
        assert_int_equal(record.ordering[i].nnz_lu, 23);
        assert_int_equal(
            fr_store_structure_get(desk.store, "a", sparse_orderings[i], id, &bytes, &length),
            FR_STORE_OK);
        assert_int_equal(length, 63);
        assert_memory_equal(bytes, "FRBS", 4);
        free(bytes);
    }
    close_fixture(&desk);
    assert_int_equal(atomic_load(&desk.metrics.analyses), 4);
    assert_int_equal(atomic_load(&desk.metrics.matrices[FR_MATRIX_READY]), 1);
    assert_true(atomic_load(&desk.metrics.analysis_ns) > 0);
}

static void each_way_to_fail_has_its_reason(void **state)
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
    struct handler_fixture desk;
    char act[40];

    open_fixture(&desk, *state);
    start(&desk);
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
        snprintf(act, sizeof act, "%%fake %s\n", ways[i].act);
        put(&desk, ways[i].act, act, 1);
        record = await(&desk, ways[i].act);
        assert_said(&record.ordering[0], ways[i].reason);
    }
    assert_int_equal(look(&desk, "singular").structural_rank, 4);
    /* The next analysis succeeds. */
    put(&desk, "good", "", 1);
    record = await(&desk, "good");
    assert_int_equal(fr_matrix_status(&record), FR_MATRIX_READY);
    close_fixture(&desk);
    assert_int_equal(atomic_load(&desk.metrics.analyses_failed), sizeof ways / sizeof ways[0]);
}

static void one_ordering_that_crashes_takes_no_other_with_it(void **state)
{
    struct fr_matrix_record record;
    struct handler_fixture desk;

    open_fixture(&desk, *state);
    start(&desk);
    put(&desk, "a", "%fake crash metis\n%fake exit colamd\n", 4);
    record = await(&desk, "a");
    assert_int_equal(fr_matrix_status(&record), FR_MATRIX_READY);
    assert_said(&record.ordering[0], "signal 11");
    assert_int_equal(record.ordering[1].status, FR_MATRIX_READY);
    assert_said(&record.ordering[2], "status 255");
    assert_int_equal(record.ordering[3].status, FR_MATRIX_READY);
    close_fixture(&desk);
}

static void what_hangs_is_killed_in_time(void **state)
{
    struct fr_matrix_record record;
    struct handler_fixture desk;

    open_fixture(&desk, *state);
    atomic_store(&desk.config.analysis_timeout_s, 1);
    start(&desk);
    put(&desk, "hangs", "%fake hang\n", 1);
    put(&desk, "deaf", "%fake deaf\n", 1);
    put(&desk, "good", "", 1);
    record = await(&desk, "hangs");
    assert_said(&record.ordering[0], "more than 1 s and was stopped (stage order)");
    record = await(&desk, "deaf");
    assert_said(&record.ordering[0], "more than 1 s");
    record = await(&desk, "good");
    assert_int_equal(fr_matrix_status(&record), FR_MATRIX_READY);
    close_fixture(&desk);
}

static void what_does_not_end_once_it_is_done_is_ended(void **state)
{
    struct fr_matrix_record record;
    struct handler_fixture desk;

    open_fixture(&desk, *state);
    start(&desk);
    put(&desk, "a", "%fake lingers\n", 1);
    record = await(&desk, "a"); /* not the 20 s that it may take */
    assert_int_equal(fr_matrix_status(&record), FR_MATRIX_READY);
    close_fixture(&desk);
}

static void the_program_is_told_its_limits_and_nothing_else(void **state)
{
    struct fr_matrix_record record;
    struct handler_fixture desk;

    open_fixture(&desk, *state);
    setenv("NSUP", "3", 1); /* the libraries would obey it */
    start(&desk);
    put(&desk, "a", "%fake arguments\n", 1);
    record = await(&desk, "a");
    unsetenv("NSUP");
    assert_said(&record.ordering[0],
                "--orderings metis --supernode-max 256 --supernode-relax 60 --memory-limit-bytes "
                "4294967296 --cpu-limit-s 20 ");
    assert_null(strstr(record.ordering[0].reason, "NSUP"));
    close_fixture(&desk);
}

static void a_program_that_is_missing_is_named(void **state)
{
    struct fr_matrix_record record;
    struct handler_fixture desk;

    open_fixture(&desk, *state);
    snprintf(desk.config.analyze_program, sizeof desk.config.analyze_program, "/no/such/program");
    start(&desk);
    put(&desk, "a", "", 2);
    record = await(&desk, "a");
    assert_said(&record.ordering[0], "there is no program `/no/such/program`: install");
    assert_said(&record.ordering[1], "upload the file again");
    close_fixture(&desk);
    open_fixture(&desk, *state);
    snprintf(desk.config.analyze_program, sizeof desk.config.analyze_program, "/etc/passwd");
    start(&desk);
    put(&desk, "b", "", 1);
    record = await(&desk, "b");
    assert_said(&record.ordering[0], "does not start: Permission denied");
    close_fixture(&desk);
}

static void await_running(struct handler_fixture *desk, const char *id, const char *stage)
{
    struct fr_analysis_progress running[SPARSE_ORDERING_COUNT];

    for (int i = 0; i < 1000; i++) {
        if (fr_analysis_look(desk->analysis, id, running) == 1 &&
            strcmp(running[0].stage, stage) == 0)
            return;
        pause_ms(10);
    }
    fail_msg("%s never ran", id);
}

static void a_stop_ends_what_runs_and_a_start_begins_it_anew(void **state)
{
    struct fr_matrix_record record;
    struct handler_fixture desk;

    open_fixture(&desk, *state);
    start(&desk);
    put(&desk, "a", "%fake slow metis\n", 2);
    await_running(&desk, "a", "symbolic");
    assert_true(has_status(&desk, "a", FR_MATRIX_ANALYZING));
    fr_analysis_stop(desk.analysis);
    assert_true(has_status(&desk, "a", FR_MATRIX_QUEUED));
    start(&desk);
    record = await(&desk, "a");
    assert_int_equal(fr_matrix_status(&record), FR_MATRIX_READY);
    close_fixture(&desk);
}

static void a_deleted_matrix_is_let_go(void **state)
{
    struct fr_analysis_progress running[SPARSE_ORDERING_COUNT];
    struct fr_matrix_record record;
    struct handler_fixture desk;

    open_fixture(&desk, *state);
    start(&desk);
    put(&desk, "a", "%fake hang\n", 2);
    await_running(&desk, "a", "order");
    assert_int_equal(fr_store_matrix_delete(desk.store, "a"), FR_STORE_OK);
    fr_analysis_wake(desk.analysis);
    put(&desk, "good", "", 1);
    record = await(&desk, "good"); /* not after 20 s */
    assert_int_equal(fr_matrix_status(&record), FR_MATRIX_READY);
    assert_int_equal(fr_analysis_look(desk.analysis, "a", running), 0);
    close_fixture(&desk);
}

static void several_run_at_once_where_they_may(void **state)
{
    struct fr_analysis_progress running[SPARSE_ORDERING_COUNT];
    struct handler_fixture desk;
    size_t most = 0;

    open_fixture(&desk, *state);
    atomic_store(&desk.config.analyses_at_once, 3);
    start(&desk);
    put(&desk, "a", "%fake slow\n", 4);
    for (int i = 0; i < 300 && most < 4; i++) {
        const size_t now = fr_analysis_look(desk.analysis, "a", running);

        most = now > most ? now : most;
        pause_ms(10);
    }
    assert_int_equal(most, 4); /* three, and the natural ordering */
    await(&desk, "a");
    close_fixture(&desk);
}

static void nothing_waits_for_a_natural_ordering(void **state)
{
    struct fr_matrix_record record;
    struct handler_fixture desk;

    open_fixture(&desk, *state);
    start(&desk);
    put(&desk, "slow", "%fake hang natural\n", 4);
    await_running(&desk, "slow", "order");
    put(&desk, "quick", "", 3);
    record = await(&desk, "quick");
    assert_int_equal(fr_matrix_status(&record), FR_MATRIX_READY);
    record = look(&desk, "slow");
    assert_int_equal(record.ordering[2].status, FR_MATRIX_READY);
    assert_int_equal(record.ordering[3].status, FR_MATRIX_ANALYZING);
    close_fixture(&desk);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        FILE_TEST(what_goes_well_is_stored),
        FILE_TEST(each_way_to_fail_has_its_reason),
        FILE_TEST(one_ordering_that_crashes_takes_no_other_with_it),
        FILE_TEST(what_hangs_is_killed_in_time),
        FILE_TEST(what_does_not_end_once_it_is_done_is_ended),
        FILE_TEST(the_program_is_told_its_limits_and_nothing_else),
        FILE_TEST(a_program_that_is_missing_is_named),
        FILE_TEST(a_stop_ends_what_runs_and_a_start_begins_it_anew),
        FILE_TEST(a_deleted_matrix_is_let_go),
        FILE_TEST(several_run_at_once_where_they_may),
        FILE_TEST(nothing_waits_for_a_natural_ordering),
    };

    signal(SIGPIPE, SIG_IGN);
    return cmocka_run_group_tests_name("analyses", tests, NULL, NULL);
}
