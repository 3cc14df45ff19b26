/* Who wrote what, and what the rules of retention delete. */
#include "tests/unit/support/store_check.h"

#include <time.h>

static void add_runs(struct fr_store *store, const char *first, const char *second)
{
    const struct fr_stored_run runs[] = { run_named(first, "m", "cg"),
                                          run_named(second, "m", "cg") };
    bool is_new[2];

    assert_int_equal(fr_store_add_runs(store, runs, 2, is_new), FR_STORE_OK);
}

static struct fr_audit_entry *entries_of(struct fixture *f, size_t *count)
{
    struct fr_audit_entry *entries;

    assert_int_equal(fr_store_list_audit(f->store, 0, 1000, f->arena, &entries, count),
                     FR_STORE_OK);
    return entries;
}

static void assert_what(const struct fr_audit_entry *entry, const char *action, const char *kind,
                        const char *id, const char *machine, int64_t count)
{
    assert_string_equal(entry->what.action, action);
    assert_string_equal(entry->what.kind, kind);
    assert_string_equal(entry->what.id, id);
    if (machine)
        assert_string_equal(entry->what.machine, machine);
    else
        assert_null(entry->what.machine);
    assert_int_equal(entry->what.count, count);
}

MEMORY_TEST(every_write_has_a_row_with_its_author)
{
    const struct fr_token token = { .name = "jo", .scope = "write", .machines = "", .note = "" };
    struct fr_audit_entry *entries;
    bool created;
    size_t count;

    fr_store_set_author(f->store, &(struct fr_author){ .token = "ann", .address = "192.0.2.1" });
    add(f->store, "c1", "m");
    fr_store_put_machine(f->store, "m", "", "{}", &created);
    add_runs(f->store, "r1", "r2");
    fr_store_set_author(f->store, &(struct fr_author){ .command = "forerund token create" });
    fr_store_add_token(f->store, &token, "aa");
    fr_store_revoke_token(f->store, "jo");
    fr_store_delete_run(f->store, "r1");
    fr_store_delete_machine(f->store, "m", true);
    entries = entries_of(f, &count);
    assert_int_equal(count, 7);
    assert_what(&entries[6], "add", "calibration", "c1", "m", 1);
    assert_string_equal(entries[6].author.token, "ann");
    assert_string_equal(entries[6].author.address, "192.0.2.1");
    assert_null(entries[6].author.command);
    assert_rfc3339(entries[6].at);
    assert_what(&entries[5], "change", "machine", "m", "m", 1);
    assert_what(&entries[4], "add", "run", "r1", "m", 2);
    assert_what(&entries[3], "add", "token", "jo", NULL, 1);
    assert_null(entries[3].author.token);
    assert_string_equal(entries[3].author.command, "forerund token create");
    assert_what(&entries[2], "delete", "token", "jo", NULL, 1);
    assert_what(&entries[1], "delete", "run", "r1", "m", 1);
    assert_what(&entries[0], "delete", "machine", "m", "m", 1);
}

MEMORY_TEST(what_changes_nothing_has_no_row)
{
    size_t count;

    add(f->store, "c1", "m");
    add_runs(f->store, "r1", "r2");
    assert_int_equal(add(f->store, "c1", "m"), FR_STORE_EXISTS);
    add_runs(f->store, "r1", "r2");
    assert_int_equal(fr_store_delete_run(f->store, "none"), FR_STORE_NONE);
    assert_int_equal(fr_store_delete_calibration(f->store, "c1"), FR_STORE_IN_USE);
    assert_int_equal(fr_store_delete_machine(f->store, "m", false), FR_STORE_IN_USE);
    assert_int_equal(fr_store_matrix_delete(f->store, "none"), FR_STORE_NONE);
    assert_int_equal(fr_store_revoke_token(f->store, "none"), FR_STORE_NONE);
    entries_of(f, &count);
    assert_int_equal(count, 2);
}

MEMORY_TEST(the_log_is_paged_newest_first)
{
    struct fr_audit_entry *page;
    char id[8];
    size_t count;

    for (int i = 0; i < 5; i++) {
        snprintf(id, sizeof id, "c%d", i);
        add(f->store, id, "m");
    }
    fr_store_list_audit(f->store, 0, 3, f->arena, &page, &count);
    assert_int_equal(count, 3);
    assert_string_equal(page[0].what.id, "c4");
    fr_store_list_audit(f->store, page[2].sequence, 3, f->arena, &page, &count);
    assert_int_equal(count, 2);
    assert_string_equal(page[1].what.id, "c0");
}

/* ---- retention ---------------------------------------------------------------------------- */

/* Runs a statement, with the time so many days ago for %s. */
static void change(struct fr_store *store, const char *sql, int days)
{
    const time_t then = time(NULL) - (time_t)days * 24 * 60 * 60;
    char at[40], text[400];
    struct tm utc;

    strftime(at, sizeof at, "'%Y-%m-%dT%H:%M:%S.000Z'", gmtime_r(&then, &utc));
    snprintf(text, sizeof text, "%.*s%s%s", (int)(strstr(sql, "%s") - sql), sql, at,
             strstr(sql, "%s") + 2);
    fr_test_change(store, text);
}

static size_t pruned(struct fixture *f, const struct fr_retention *rules, size_t limit)
{
    size_t deleted = 99;

    assert_int_equal(fr_store_prune(f->store, rules, limit, f->arena, &deleted), FR_STORE_OK);
    return deleted;
}

MEMORY_TEST(old_runs_are_deleted_in_batches_with_a_row_each)
{
    const struct fr_retention rules = { .run_days = 30 };
    struct fr_audit_entry *entries;
    struct fr_stored_run run;
    struct fr_doomed *doomed;
    size_t count;

    add(f->store, "c1", "m");
    add_runs(f->store, "r1", "r2");
    add_runs(f->store, "r3", "r4");
    change(f->store, "UPDATE runs SET uploaded_at = %s WHERE id < 'r4'", 31);
    change(f->store, "UPDATE runs SET uploaded_at = %s WHERE id = 'r4'", 29);
    fr_store_list_doomed(f->store, &rules, 10, f->arena, &doomed, &count);
    assert_int_equal(count, 3);
    assert_string_equal(doomed[0].kind, "run");
    assert_string_equal(doomed[0].machine, "m");
    fr_store_set_author(f->store, &(struct fr_author){ .command = "retention" });
    assert_int_equal(pruned(f, &rules, 2), 2);
    assert_int_equal(pruned(f, &rules, 2), 1);
    assert_int_equal(pruned(f, &rules, 2), 0);
    assert_int_equal(fr_store_get_run(f->store, "r3", f->arena, &run), FR_STORE_NONE);
    assert_int_equal(fr_store_get_run(f->store, "r4", f->arena, &run), FR_STORE_OK);
    entries = entries_of(f, &count);
    assert_int_equal(count, 3 + 3);
    assert_what(&entries[0], "delete", "run", "r3", "m", 1);
    assert_string_equal(entries[0].author.command, "retention");
}

MEMORY_TEST(the_newest_calibrations_and_those_of_runs_are_kept)
{
    const struct fr_retention rules = { .calibrations = 2 };
    struct fr_stored_calibration *list;
    size_t count;

    add(f->store, "a", "m");
    add_runs(f->store, "r1", "r2"); /* they refer to a */
    for (const char *id = "bcd"; *id; id++)
        add(f->store, (const char[]){ *id, '\0' }, "m");
    add(f->store, "x", "other");
    assert_int_equal(pruned(f, &rules, 100), 1);
    assert_int_equal(pruned(f, &rules, 100), 0);
    fr_store_list_calibrations(f->store, "m", 0, 10, f->arena, &list, &count);
    assert_int_equal(count, 3);
    assert_string_equal(list[0].id, "d");
    assert_string_equal(list[1].id, "c");
    assert_string_equal(list[2].id, "a");
    assert_int_equal(calibrations_of(f, f->store, "other"), 1);
}

MEMORY_TEST(old_rows_of_the_log_go_too)
{
    const struct fr_retention rules = { .audit_days = 7 };
    struct fr_audit_entry *entries;
    size_t count;

    add(f->store, "a", "m");
    add(f->store, "b", "m");
    change(f->store, "UPDATE audit SET at = %s WHERE id = 'a'", 8);
    assert_int_equal(pruned(f, &rules, 100), 1);
    assert_int_equal(pruned(f, &rules, 100), 0);
    entries = entries_of(f, &count);
    assert_int_equal(count, 1);
    assert_string_equal(entries[0].what.id, "b");
}

MEMORY_TEST(nothing_is_deleted_without_rules)
{
    const struct fr_retention none = { 0 };
    struct fr_doomed *doomed;
    size_t count;

    add(f->store, "a", "m");
    add_runs(f->store, "r1", "r2");
    change(f->store, "UPDATE runs SET uploaded_at = %s", 9999);
    change(f->store, "UPDATE audit SET at = %s", 9999);
    assert_int_equal(pruned(f, &none, 100), 0);
    fr_store_list_doomed(f->store, &none, 10, f->arena, &doomed, &count);
    assert_int_equal(count, 0);
    entries_of(f, &count);
    assert_int_equal(count, 2);
}
