/* What the store remembers of saved runs: ids, filters, pages, and who may not be deleted. */
#include "server/store/sqlite/sqlite.h"
#include "tests/unit/support/draws.h"
#include "tests/unit/support/older_file.h"
#include "tests/unit/support/store_check.h"

/* Adds one; FR_STORE_EXISTS where it was there. */
static int add_run(struct fr_store *store, const struct fr_stored_run *run)
{
    bool is_new = false;
    const int result = fr_store_add_runs(store, run, 1, &is_new);

    return result == FR_STORE_OK && !is_new ? FR_STORE_EXISTS : result;
}

static int add_named(struct fr_store *store, const char *id, const char *machine, const char *model)
{
    const struct fr_stored_run run = run_named(id, machine, model);

    return add_run(store, &run);
}

static size_t listed(struct fixture *f, const struct fr_run_filter *filter,
                     struct fr_stored_run **page)
{
    struct fr_run_list list = { .count = 99 };

    assert_int_equal(fr_store_list_runs(f->store, "m", filter, 0, 10, f->arena, &list),
                     FR_STORE_OK);
    *page = list.run;
    return list.count;
}

MEMORY_TEST(a_run_comes_back_as_it_was_given)
{
    struct fr_stored_run got, run = run_named("91f0", "m", "cg");

    run.started_at = "2026-11-20T11:00:00.000Z";
    run.job = "4711";
    run.parameters = "{\"n\":4}";
    run.time_s = 0.1;
    add(f->store, "c1", "m");
    add(f->store, "c2", "m");
    assert_int_equal(add_run(f->store, &run), FR_STORE_OK);
    assert_int_equal(fr_store_get_run(f->store, "91f0", f->arena, &got), FR_STORE_OK);
    assert_string_equal(got.id, "91f0");
    assert_string_equal(got.machine, "m");
    assert_string_equal(got.model, "cg");
    assert_string_equal(got.calibration, "c2"); /* the newest */
    assert_string_equal(got.started_at, run.started_at);
    assert_rfc3339(got.uploaded_at);
    assert_string_equal(got.job, "4711");
    assert_string_equal(got.parameters, "{\"n\":4}");
    assert_close(got.time_s, 0.1, 0);
    assert_string_equal(got.document, "{\"a\":1}");
    assert_int_equal(got.document_length, 7);
    assert_int_equal(fr_store_get_run(f->store, "91f1", f->arena, &got), FR_STORE_NONE);
}

MEMORY_TEST(what_is_not_known_of_a_run_stays_unknown)
{
    struct fr_stored_run got;
    bool created;

    fr_store_put_machine(f->store, "m", "", "{}", &created);
    add_named(f->store, "r1", "m", "cg");
    assert_int_equal(fr_store_get_run(f->store, "r1", f->arena, &got), FR_STORE_OK);
    assert_null(got.calibration);
    assert_null(got.started_at);
    assert_null(got.job);
}

MEMORY_TEST(the_same_run_twice_is_one)
{
    struct fr_stored_run batch[] = { run_named("r1", "m", "cg"), run_named("r2", "m", "cg"),
                                     run_named("r1", "m", "cg") };
    bool is_new[3];
    struct fr_run_count count;

    add(f->store, "c1", "m");
    assert_int_equal(fr_store_add_runs(f->store, batch, 3, is_new), FR_STORE_OK);
    assert_true(is_new[0] && is_new[1] && !is_new[2]);
    assert_int_equal(fr_store_add_runs(f->store, batch, 3, is_new), FR_STORE_OK);
    assert_false(is_new[0] || is_new[1] || is_new[2]);
    assert_int_equal(fr_store_count_runs(f->store, "m", NULL, &count), FR_STORE_OK);
    assert_int_equal(count.runs, 2);
    assert_int_equal(fr_store_add_runs(f->store, NULL, 0, NULL), FR_STORE_OK);
}

MEMORY_TEST(the_first_run_of_a_machine_creates_it_and_a_trial_stores_nothing)
{
    struct fr_stored_run got, batch[] = { run_named("r1", "m", "cg"), run_named("r2", "m", "cg"),
                                          run_named("r1", "m", "cg") };
    struct fr_machine machine;
    bool is_new[3];

    assert_int_equal(fr_store_try_runs(f->store, batch, 3, is_new), FR_STORE_OK);
    assert_true(is_new[0] && is_new[1] && !is_new[2]);
    assert_int_equal(fr_store_get_machine(f->store, "m", f->arena, &machine), FR_STORE_NONE);
    assert_int_equal(fr_store_get_run(f->store, "r1", f->arena, &got), FR_STORE_NONE);
    assert_int_equal(fr_store_add_runs(f->store, batch, 1, is_new), FR_STORE_OK);
    assert_int_equal(fr_store_get_machine(f->store, "m", f->arena, &machine), FR_STORE_OK);
    assert_int_equal(fr_store_try_runs(f->store, batch, 3, is_new), FR_STORE_OK);
    assert_true(!is_new[0] && is_new[1] && !is_new[2]);
}

MEMORY_TEST(runs_of_an_unknown_machine_are_not_stored_nor_the_others)
{
    struct fr_stored_run got,
        batch[] = { run_named("r1", "m", "cg"), run_named("r2", "nowhere", "cg") };
    bool is_new[2];

    add(f->store, "c1", "m");
    assert_int_equal(fr_store_add_runs(f->store, batch, 2, is_new), FR_STORE_NONE);
    assert_int_equal(fr_store_get_run(f->store, "r1", f->arena, &got), FR_STORE_NONE);
    assert_int_equal(add_named(f->store, "r1", "m", "cg"), FR_STORE_OK);
}

MEMORY_TEST(a_calibration_that_runs_refer_to_stays)
{
    add(f->store, "c1", "m");
    add_named(f->store, "r1", "m", "cg");
    add(f->store, "c2", "m");
    assert_int_equal(fr_store_delete_calibration(f->store, "c1"), FR_STORE_IN_USE);
    assert_int_equal(fr_store_delete_calibration(f->store, "c2"), FR_STORE_OK);
    assert_int_equal(fr_store_delete_run(f->store, "r1"), FR_STORE_OK);
    assert_int_equal(fr_store_delete_run(f->store, "r1"), FR_STORE_NONE);
    assert_int_equal(fr_store_delete_calibration(f->store, "c1"), FR_STORE_OK);
}

MEMORY_TEST(a_machine_with_runs_is_deleted_only_by_cascade)
{
    struct fr_stored_run got;
    bool created;

    fr_store_put_machine(f->store, "bare", "", "{}", &created);
    add_named(f->store, "r0", "bare", "cg"); /* runs alone are enough */
    assert_int_equal(fr_store_delete_machine(f->store, "bare", false), FR_STORE_IN_USE);
    add(f->store, "c1", "m");
    add_named(f->store, "r1", "m", "cg");
    assert_int_equal(machine_named(f, f->store, "m").runs, 1);
    assert_int_equal(fr_store_delete_machine(f->store, "m", false), FR_STORE_IN_USE);
    assert_int_equal(machine_named(f, f->store, "m").runs, 1);
    assert_int_equal(fr_store_delete_machine(f->store, "m", true), FR_STORE_OK);
    assert_int_equal(fr_store_get_run(f->store, "r1", f->arena, &got), FR_STORE_NONE);
    assert_int_equal(fr_store_get_run(f->store, "r0", f->arena, &got), FR_STORE_OK);
}

MEMORY_TEST(lists_are_narrowed_by_model_and_time)
{
    struct fr_stored_run *page, run = run_named("r1", "m", "cg");

    add(f->store, "c1", "m");
    add(f->store, "c2", "n");
    run.started_at = "2020-01-01T00:00:00.000Z";
    add_run(f->store, &run);
    run.id = "r2";
    run.started_at = "2020-01-02T00:00:00.000Z";
    run.model = "trsm";
    add_run(f->store, &run);
    add_named(f->store, "r3", "m", "cg"); /* counts from now */
    add_named(f->store, "r4", "n", "cg");
    assert_int_equal(listed(f, &(struct fr_run_filter){ 0 }, &page), 3);
    assert_string_equal(page[0].id, "r3");
    assert_string_equal(page[2].id, "r1");
    assert_null(page[0].document);
    assert_int_equal(listed(f, &(struct fr_run_filter){ .model = "cg" }, &page), 2);
    assert_int_equal(
        listed(f, &(struct fr_run_filter){ .from = "2020-01-02T00:00:00.000Z" }, &page), 2);
    assert_int_equal(listed(f, &(struct fr_run_filter){ .to = "2020-01-02T00:00:00.000Z" }, &page),
                     2);
    assert_int_equal(listed(f, &(struct fr_run_filter){ .to = "2020-01-01T23:59:59.999Z" }, &page),
                     1);
    assert_string_equal(page[0].id, "r1");
    assert_int_equal(listed(f,
                            &(struct fr_run_filter){ .from = "2020-01-01T00:00:00.000Z",
                                                     .to = "2020-01-01T00:00:00.000Z",
                                                     .model = "trsm" },
                            &page),
                     0);
}

MEMORY_TEST(lists_are_narrowed_by_parameters)
{
    static const char *const parameters[] = {
        "{\"n\":4000,\"variant\":\"2d\",\"contention\":true,\"allocation\":[8,8,8]}",
        "{\"n\":0.5,\"variant\":1,\"contention\":false,\"allocation\":null}",
        "{\"m\":4000}",
    };
    static const struct {
        const char *wanted, *ids;
    } cases[] = {
        { "{}", "cba" },
        { "{\"n\":[4000]}", "a" },
        { "{\"n\":[4000.0]}", "a" },
        { "{\"n\":[\"4000\"]}", "" },
        { "{\"n\":[0.5]}", "b" },
        { "{\"n\":[1,0.5,4000]}", "ba" },
        { "{\"variant\":[\"2d\",1]}", "ba" },
        { "{\"variant\":[1]}", "b" },
        { "{\"contention\":[true]}", "a" },
        { "{\"contention\":[false]}", "b" },
        { "{\"allocation\":[[8,8,8]]}", "a" },
        { "{\"allocation\":[[8,8]]}", "" },
        { "{\"n\":[4000],\"variant\":[\"2d\"]}", "a" },
        { "{\"n\":[4000],\"variant\":[1]}", "" },
        { "{\"n\":[]}", "" },
        { "{\"m\":[4000]}", "c" },
        { "{\"$.n\\\"' OR 1=1 --\":[4000]}", "" },
    };
    struct fr_stored_run *page, run = run_named("a", "m", "cg");

    add(f->store, "c1", "m");
    for (size_t i = 0; i < 3; i++) {
        const char id[] = { (char)('a' + i), '\0' };

        run.id = id;
        run.parameters = parameters[i];
        add_run(f->store, &run);
    }
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const size_t count =
            listed(f, &(struct fr_run_filter){ .parameters = cases[i].wanted }, &page);

        if (count != strlen(cases[i].ids))
            fail_msg("%s: %zu rows", cases[i].wanted, count);
        for (size_t k = 0; k < count; k++)
            assert_int_equal(page[k].id[0], cases[i].ids[k]);
    }
}

MEMORY_TEST(lists_are_paged_newest_first)
{
    const struct fr_run_filter all = { 0 };
    struct fr_run_list page;

    add(f->store, "c1", "m");
    for (const char *id = "12345"; *id; id++)
        add_named(f->store, id, "m", "cg"); /* ids 12345, 2345, 345, 45, 5 */
    fr_store_list_runs(f->store, "m", &all, 0, 3, f->arena, &page);
    assert_int_equal(page.count, 3);
    assert_string_equal(page.run[0].id, "5");
    assert_int_equal(page.rest, page.run[2].sequence);
    /* A deletion between two pages loses no row of the second. */
    fr_store_delete_run(f->store, "345");
    fr_store_list_runs(f->store, "m", &all, page.rest, 3, f->arena, &page);
    assert_int_equal(page.count, 2);
    assert_string_equal(page.run[0].id, "2345");
    assert_string_equal(page.run[1].id, "12345");
    assert_int_equal(page.rest, 0);
}

MEMORY_TEST(the_runs_of_a_model_are_paged_and_counted)
{
    struct fr_stored_run *page;
    struct fr_run_count all, some;
    size_t count;

    add(f->store, "c1", "m");
    add_named(f->store, "r1", "m", "cg");
    add_named(f->store, "r2", "m", "trsm");
    add_named(f->store, "r3", "m", "cg");
    add_named(f->store, "r4", "m", "cg");
    assert_int_equal(fr_store_model_runs(f->store, "m", "cg", 0, 2, f->arena, &page, &count),
                     FR_STORE_OK);
    assert_int_equal(count, 2);
    assert_string_equal(page[0].id, "r4");
    assert_string_equal(page[1].id, "r3");
    assert_int_equal(page[1].document_length, 7);
    fr_store_model_runs(f->store, "m", "cg", page[1].sequence, 2, f->arena, &page, &count);
    assert_int_equal(count, 1);
    assert_string_equal(page[0].id, "r1");
    fr_store_model_runs(f->store, "m", "cg", page[0].sequence, 2, f->arena, &page, &count);
    assert_int_equal(count, 0);
    fr_store_count_runs(f->store, "m", NULL, &all);
    fr_store_count_runs(f->store, "m", "trsm", &some);
    assert_int_equal(all.runs, 4);
    assert_int_equal(some.runs, 1);
    assert_true(all.newest > some.newest && some.newest > 0);
    fr_store_count_runs(f->store, "m", "cholesky", &some);
    assert_int_equal(some.runs, 0);
    assert_int_equal(some.newest, 0);
}

/* The counts are kept apart from the runs: whatever happens, they are those of the lists. */
static void assert_counted(struct fixture *f)
{
    static const char *const machines[] = { "m", "n" }, *const models[] = { NULL, "cg", "trsm" };
    const struct fr_arena_mark mark = fr_arena_mark(f->arena);

    for (size_t i = 0; i < 2; i++)
        for (size_t k = 0; k < 3; k++) {
            struct fr_run_list list;
            struct fr_run_count count = { 99, 99 };

            assert_int_equal(fr_store_list_runs(f->store, machines[i],
                                                &(struct fr_run_filter){ .model = models[k] }, 0,
                                                1000, f->arena, &list),
                             FR_STORE_OK);
            assert_int_equal(fr_store_count_runs(f->store, machines[i], models[k], &count),
                             FR_STORE_OK);
            assert_int_equal(count.runs, list.count);
            assert_int_equal(count.newest, list.count ? list.run[0].sequence : 0);
            if (!models[k])
                assert_int_equal(machine_named(f, f->store, machines[i]).runs, list.count);
        }
    fr_arena_release(f->arena, mark);
}

static size_t draw(uint64_t *random, size_t below)
{
    return (size_t)(draw_uniform(random) * (double)below);
}

MEMORY_TEST(the_counts_follow_uploads_and_deletions)
{
    enum { IDS = 40, MOST = 8 };
    const struct fr_retention rules = { .run_days = 1 };
    uint64_t random = draws_from(7);
    char id[IDS][8];
    bool is_new[MOST];
    size_t pruned;

    for (size_t i = 0; i < IDS; i++)
        snprintf(id[i], sizeof id[i], "r%zu", i);
    for (int round = 0; round < draws_of(300); round++) {
        struct fr_stored_run batch[MOST];
        const size_t count = draw(&random, MOST);

        add(f->store, "c1", "m"); /* again after a cascade */
        add(f->store, "c2", "n");
        for (size_t i = 0; i < count; i++) /* some are known, some twice in a batch */
            batch[i] = run_named(id[draw(&random, IDS)], draw(&random, 3) ? "m" : "n",
                                 draw(&random, 2) ? "cg" : "trsm");
        assert_int_equal(fr_store_add_runs(f->store, batch, count, is_new), FR_STORE_OK);
        if (round % 7 == 0) { /* taken back as a whole */
            batch[0] = run_named("new", "m", "cg");
            batch[1] = run_named("none", "nowhere", "cg");
            assert_int_equal(fr_store_add_runs(f->store, batch, 2, is_new), FR_STORE_NONE);
        }
        for (size_t i = draw(&random, 6); i > 0; i--)
            fr_store_delete_run(f->store, id[draw(&random, IDS)]);
        if (round % 50 == 49) {
            assert_int_equal(fr_store_delete_machine(f->store, "n", true), FR_STORE_OK);
            add(f->store, "c2", "n");
        }
        assert_counted(f);
    }
    assert_int_equal(fr_store_prune(f->store, &rules, 10, f->arena, &pruned), FR_STORE_OK);
    assert_counted(f);
}

MEMORY_TEST(a_page_of_large_documents_ends_early_but_is_not_empty)
{
    enum { BYTES = 2 << 20, LARGE = BYTES / 2 - 10 }; /* the arena of the test holds less */
    struct fr_arena *arena = fr_arena_new((size_t)BYTES * 4);
    struct fr_stored_run *page, run = run_named("r1", "m", "cg");
    char *document = malloc(2 * LARGE);
    size_t count;

    f->store->limits.bytes = BYTES;
    memset(document, ' ', 2 * LARGE);
    run.document = document;
    run.document_length = LARGE;
    add(f->store, "c1", "m");
    add_run(f->store, &run);
    run.id = "r2";
    add_run(f->store, &run);
    run.id = "r3";
    add_run(f->store, &run);
    fr_store_model_runs(f->store, "m", "cg", 0, 10, arena, &page, &count);
    assert_int_equal(count, 2);
    fr_store_model_runs(f->store, "m", "cg", page[1].sequence, 10, arena, &page, &count);
    assert_int_equal(count, 1);
    assert_string_equal(page[0].id, "r1");
    /* What the arena does not hold is a failure, not a short page. */
    assert_int_equal(fr_store_model_runs(f->store, "m", "cg", 0, 10, f->arena, &page, &count),
                     FR_STORE_FAILED);
    assert_int_equal(count, 1);
    free(document);
    fr_arena_free(arena);
}

/* The plan of a statement names a search by an index wherever it reads `table`, and no scan. */
static void assert_searched(struct fr_store *store, enum fr_sql id, const char *table)
{
    char text[4096], scan[64], search[64];
    sqlite3_stmt *plan;
    int searches = 0;

    snprintf(text, sizeof text, "EXPLAIN QUERY PLAN %s",
             sqlite3_sql(fr_sqlite_statement(fr_sqlite_of(store), id)));
    snprintf(scan, sizeof scan, "SCAN %s", table);
    snprintf(search, sizeof search, "SEARCH %s", table);
    assert_int_equal(sqlite3_prepare_v2(fr_sqlite_of(store)->db, text, -1, &plan, NULL), SQLITE_OK);
    while (sqlite3_step(plan) == SQLITE_ROW) {
        const char *detail = (const char *)sqlite3_column_text(plan, 3);

        assert_null(strstr(detail, scan));
        searches += strstr(detail, search) != NULL;
    }
    sqlite3_finalize(plan);
    assert_true(searches > 0);
}

/* Since the last call. */
static int steps_of(struct fr_store *store, enum fr_sql id)
{
    return sqlite3_stmt_status(fr_sqlite_statement(fr_sqlite_of(store), id),
                               SQLITE_STMTSTATUS_VM_STEP, 1);
}

SQLITE_TEST(no_filter_that_fits_nothing_scans_runs)
{
    const struct fr_run_filter nothing[] = {
        { .model = "trsm" },
        { .from = "9999-01-01T00:00:00.000Z" },
        { .to = "1999-01-01T00:00:00.000Z" },
        { .parameters = "{\"n\":[1001]}" },
        { .parameters = "{\"n\":[7],\"variant\":[\"none\"]}" },
    };
    struct fr_stored_run *page, run = run_named("", "m", "cg");
    char id[16], parameters[32];

    add(f->store, "c1", "m");
    run.id = id;
    run.parameters = parameters;
    for (int i = 0; i < 1000; i++) {
        snprintf(id, sizeof id, "r%d", i);
        snprintf(parameters, sizeof parameters, "{\"n\":%d,\"gap\":null}", i);
        assert_int_equal(add_run(f->store, &run), FR_STORE_OK);
    }
    assert_searched(f->store, FR_SQL_RUN_MAY_FIT, "runs");
    assert_searched(f->store, FR_SQL_RUN_MAY_FIT, "has");
    assert_searched(f->store, FR_SQL_RUN_SPAN, "runs USING INDEX runs_by_time");
    assert_searched(f->store, FR_SQL_RUN_BEYOND, "runs USING COVERING INDEX runs_by_machine");
    assert_searched(f->store, FR_SQL_RUN_BEYOND_OF_MODEL,
                    "runs USING COVERING INDEX runs_by_model");
    assert_searched(f->store, FR_SQL_RUN_LIST_OF_MODEL, "runs USING INDEX runs_by_model");
    for (size_t i = 0; i < sizeof nothing / sizeof nothing[0]; i++) {
        steps_of(f->store, FR_SQL_RUN_MAY_FIT);
        steps_of(f->store, FR_SQL_RUN_SPAN);
        assert_int_equal(listed(f, &nothing[i], &page), 0);
        assert_in_range(steps_of(f->store, FR_SQL_RUN_MAY_FIT), 1, 200);
        assert_in_range(steps_of(f->store, FR_SQL_RUN_SPAN), 0, 200);
    }
    assert_int_equal(
        sqlite3_stmt_status(fr_sqlite_statement(fr_sqlite_of(f->store), FR_SQL_RUN_LIST),
                            SQLITE_STMTSTATUS_RUN, 0),
        0);
    assert_int_equal(listed(f, &(struct fr_run_filter){ .parameters = "{\"n\":[7]}" }, &page), 1);
}

/* Follows a list to its end; returns its pages, and in `ids` what they had. */
static size_t follow(struct fixture *f, const struct fr_run_filter *filter, size_t limit,
                     char ids[256])
{
    struct fr_run_list page = { .rest = 0 };
    size_t pages = 0;

    ids[0] = '\0';
    do {
        assert_int_equal(
            fr_store_list_runs(f->store, "m", filter, page.rest, limit, f->arena, &page),
            FR_STORE_OK);
        assert_in_range(page.count, 0, limit);
        for (size_t i = 0; i < page.count; i++)
            snprintf(ids + strlen(ids), 256 - strlen(ids), "%s ", page.run[i].id);
        pages++;
    } while (page.rest);
    return pages;
}

enum { LOOKED_AT = 200, MANY = 2 * LOOKED_AT + 1 };

/* Runs r0, r1, ...: of n=1 and of n=2 in turn, whose k is 1 and 2; only a few have n=1 and k=2,
 * which an index cannot know. */
static void add_many(struct fixture *f)
{
    static struct fr_stored_run batch[MANY];
    static char id[MANY][8];
    static bool is_new[MANY];

    for (int i = 0; i < MANY; i++) {
        const bool is_odd = i == 0 || i == LOOKED_AT || i == MANY - 1;

        snprintf(id[i], sizeof id[i], "r%d", i);
        batch[i] = run_named(id[i], "m", "cg");
        batch[i].parameters = is_odd       ? "{\"n\":1,\"k\":2}"
                              : i % 2 == 0 ? "{\"n\":1,\"k\":1}"
                                           : "{\"n\":2,\"k\":2}";
        if (i == 7)
            batch[i].started_at = "2020-01-01T00:00:00.000Z";
    }
    assert_int_equal(fr_store_add_runs(f->store, batch, MANY, is_new), FR_STORE_OK);
}

MEMORY_TEST(a_page_looks_at_so_many_runs_and_the_pages_together_at_all)
{
    const struct fr_run_filter apart = { .parameters = "{\"n\":[1],\"k\":[2]}" },
                               of_model = { .model = "cg", .parameters = apart.parameters },
                               never = { .parameters = "{\"n\":[2],\"k\":[1]}" },
                               recent = { .from = "2021-01-01T00:00:00.000Z",
                                          .parameters = apart.parameters },
                               old = { .to = "2020-12-31T00:00:00.000Z" };
    struct fr_run_list page;
    char ids[256];

    f->store->limits.looked_at = LOOKED_AT;
    add(f->store, "c1", "m");
    add_many(f);
    assert_int_equal(follow(f, &apart, 10, ids), 3);
    assert_string_equal(ids, "r400 r200 r0 ");
    assert_int_equal(follow(f, &of_model, 1, ids), 3);
    assert_string_equal(ids, "r400 r200 r0 ");
    assert_int_equal(follow(f, &recent, 10, ids), 3);
    assert_string_equal(ids, "r400 r200 r0 ");
    assert_int_equal(follow(f, &never, 10, ids), 3);
    assert_string_equal(ids, "");
    /* The first page has looked at exactly as many as it may. */
    assert_int_equal(fr_store_list_runs(f->store, "m", &never, 0, 10, f->arena, &page),
                     FR_STORE_OK);
    assert_int_equal(page.count, 0);
    assert_int_equal(fr_store_list_runs(f->store, "m", &(struct fr_run_filter){ 0 }, page.rest, 1,
                                        f->arena, &page),
                     FR_STORE_OK);
    assert_string_equal(page.run[0].id, "r200");
    /* A time of few runs leads to them, however many are newer. */
    assert_int_equal(follow(f, &old, 10, ids), 1);
    assert_string_equal(ids, "r7 ");
}

FILE_TEST(an_older_file_gets_the_values_and_the_number_of_its_runs)
{
    struct fr_run_list list = { .count = 99 };
    struct fr_store *store;

    write_older_file(f->path, 5,
                     "INSERT INTO machines VALUES ('m', '', '{}', '2026-01-01T00:00:00.000Z');"
                     "INSERT INTO runs VALUES (1, 'r1', 'm', 'cg', NULL, NULL, "
                     "'2026-01-01T00:00:00.000Z', NULL, '{\"n\":4000,\"variant\":\"2d\"}', 1.5, "
                     "'{}')");
    store = opened(f, f->path);
    assert_int_equal(fr_store_list_runs(store, "m",
                                        &(struct fr_run_filter){
                                            .parameters = "{\"n\":[4000],\"variant\":[\"2d\"]}" },
                                        0, 10, f->arena, &list),
                     FR_STORE_OK);
    assert_int_equal(list.count, 1);
    assert_int_equal(machine_named(f, store, "m").runs, 1);
    fr_store_close(store);
}

static void assert_check(struct fixture *f, const char *change, int expected)
{
    sqlite3 *db;

    assert_int_equal(sqlite3_open(f->path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, change, NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(db);
    assert_int_equal(fr_store_check(f->path, &f->log), expected);
}

/* As by a daemon of an earlier release that still runs. */
FILE_TEST(what_another_program_adds_is_counted)
{
    struct fr_store *store = opened(f, f->path);

    add(store, "c1", "m");
    add_named(store, "r1", "m", "cg");
    fr_store_close(store);
    assert_check(f,
                 "INSERT INTO runs SELECT 7, 'r2', machine, model, calibration, started_at, "
                 "uploaded_at, job, parameters, time_s, document, owner, kept_bytes FROM runs",
                 FR_STORE_OK);
    store = opened(f, f->path);
    assert_int_equal(machine_named(f, store, "m").runs, 2);
    fr_store_close(store);
}

/* What a check of the damaged file writes to the log. */
static void check_to(struct fixture *f, char *out, size_t size)
{
    FILE *log = tmpfile();
    const int before = dup(STDERR_FILENO);

    assert_non_null(log);
    assert_int_equal(dup2(fileno(log), STDERR_FILENO), STDERR_FILENO);
    assert_int_equal(fr_store_check(f->path, &f->log), FR_STORE_FAILED);
    assert_int_equal(dup2(before, STDERR_FILENO), STDERR_FILENO);
    close(before);
    rewind(log);
    out[fread(out, 1, size - 1, log)] = '\0';
    fclose(log);
}

/* SQLite has no number for a row of such a table. */
FILE_TEST(a_row_that_refers_to_nothing_is_named_by_its_table)
{
    char log[2000];

    fr_store_close(opened(f, f->path));
    assert_check(f, "INSERT INTO run_counts VALUES ('nowhere', 'cg', 1)", FR_STORE_FAILED);
    check_to(f, log, sizeof log);
    assert_non_null(strstr(log, "row ? of run_counts refers to a row that is not in machines"));
}

FILE_TEST(a_wrong_count_is_found)
{
    struct fr_store *store = opened(f, f->path);
    char copy[300];

    add(store, "c1", "m");
    add_named(store, "r1", "m", "cg");
    add_named(store, "r2", "m", "trsm");
    fr_store_delete_run(store, "r2");
    fr_store_close(store);
    assert_int_equal(fr_store_check(f->path, &f->log), FR_STORE_OK);
    snprintf(copy, sizeof copy, "%s.copy", f->path);
    assert_check(f, "UPDATE run_counts SET runs = 2 WHERE model = 'cg'", FR_STORE_FAILED);
    store = opened(f, f->path); /* and is no reason to go without a backup */
    assert_int_equal(fr_store_backup(f->path, copy, &f->log), FR_STORE_OK);
    fr_store_close(store);
    unlink(copy);
    assert_check(f, "DELETE FROM run_counts WHERE model = 'cg'", FR_STORE_FAILED);
    assert_check(f, "INSERT INTO run_counts VALUES ('m', 'cg', 1)", FR_STORE_OK);
}
