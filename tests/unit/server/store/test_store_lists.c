/* The pages of the store's lists, and its tokens. */
#include "tests/unit/support/older_file.h"
#include "tests/unit/support/store_check.h"

MEMORY_TEST(machines_are_paged_by_name)
{
    static const char *const names[] = { "c", "a", "e", "b", "d" };
    struct fr_machine *page;
    size_t count;
    bool created;

    for (size_t i = 0; i < 5; i++)
        fr_store_put_machine(f->store, names[i], names[i], "{}", &created);
    add(f->store, "a1", "c");
    fr_store_list_machines(f->store, NULL, 2, f->arena, &page, &count);
    assert_int_equal(count, 2);
    assert_string_equal(page[0].name, "a");
    assert_string_equal(page[1].name, "b");
    fr_store_list_machines(f->store, "b", 2, f->arena, &page, &count);
    assert_int_equal(count, 2);
    assert_string_equal(page[0].name, "c");
    assert_string_equal(page[0].newest_calibration, "a1");
    assert_int_equal(page[0].calibrations, 1);
    assert_string_equal(page[1].name, "d");
    assert_null(page[1].newest_calibration);
    fr_store_list_machines(f->store, "d", 2, f->arena, &page, &count);
    assert_int_equal(count, 1);
    assert_string_equal(page[0].name, "e");
}

MEMORY_TEST(calibrations_are_paged_newest_first_without_documents)
{
    struct fr_stored_calibration *page;
    size_t count;

    for (const char *id = "12345"; *id; id++)
        add(f->store, id, "m"); /* ids 12345, 2345, 345, 45, 5 */
    add(f->store, "other", "n");
    fr_store_list_calibrations(f->store, "m", 0, 3, f->arena, &page, &count);
    assert_int_equal(count, 3);
    assert_string_equal(page[0].id, "5");
    assert_string_equal(page[2].id, "345");
    assert_true(page[0].sequence > page[1].sequence);
    assert_null(page[0].document);
    /* A deletion between two pages loses no row of the second. */
    fr_store_delete_calibration(f->store, "345");
    fr_store_list_calibrations(f->store, "m", page[2].sequence, 3, f->arena, &page, &count);
    assert_int_equal(count, 2);
    assert_string_equal(page[0].id, "2345");
    assert_string_equal(page[1].id, "12345");
}

static int add_token(struct fr_store *store, const char *name, const char *hash,
                     const char *expires_at)
{
    const struct fr_token token = { .name = name,
                                    .scope = "write",
                                    .machines = "hopper seaborg",
                                    .note = "of the night's job",
                                    .expires_at = expires_at };

    return fr_store_add_token(store, &token, hash);
}

MEMORY_TEST(tokens_are_unique_by_name_also_when_they_are_revoked)
{
    struct fr_token found, *list;
    size_t count;

    assert_int_equal(add_token(f->store, "jo", "aa11", NULL), FR_STORE_OK);
    assert_int_equal(add_token(f->store, "jo", "bb22", NULL), FR_STORE_EXISTS);
    assert_int_equal(fr_store_find_token(f->store, "bb22", f->arena, &found), FR_STORE_NONE);
    assert_int_equal(fr_store_find_token(f->store, "aa11", f->arena, &found), FR_STORE_OK);
    assert_string_equal(found.name, "jo");
    assert_string_equal(found.scope, "write");
    assert_string_equal(found.machines, "hopper seaborg");
    assert_string_equal(found.note, "of the night's job");
    assert_rfc3339(found.created_at);
    assert_null(found.expires_at);
    assert_null(found.last_used_at);
    assert_null(found.revoked_at);
    assert_false(found.is_expired);

    assert_int_equal(add_token(f->store, "al", "cc33", NULL), FR_STORE_OK);
    assert_int_equal(fr_store_list_tokens(f->store, f->arena, &list, &count), FR_STORE_OK);
    assert_int_equal(count, 2);
    assert_string_equal(list[0].name, "al");
    assert_string_equal(list[1].name, "jo");

    assert_int_equal(fr_store_revoke_token(f->store, "jo"), FR_STORE_OK);
    assert_int_equal(fr_store_find_token(f->store, "aa11", f->arena, &found), FR_STORE_OK);
    assert_rfc3339(found.revoked_at);
    assert_int_equal(fr_store_revoke_token(f->store, "jo"), FR_STORE_NONE);
    assert_int_equal(add_token(f->store, "jo", "bb22", NULL), FR_STORE_EXISTS);
    fr_store_list_tokens(f->store, f->arena, &list, &count);
    assert_int_equal(count, 2);
}

MEMORY_TEST(a_token_expires_at_its_time)
{
    struct fr_token found;

    add_token(f->store, "past", "aa", "2020-01-01T00:00:00.000Z");
    add_token(f->store, "future", "bb", "2999-01-01T00:00:00.000Z");
    assert_int_equal(fr_store_find_token(f->store, "aa", f->arena, &found), FR_STORE_OK);
    assert_true(found.is_expired);
    assert_string_equal(found.expires_at, "2020-01-01T00:00:00.000Z");
    fr_store_find_token(f->store, "bb", f->arena, &found);
    assert_false(found.is_expired);
}

MEMORY_TEST(uses_of_tokens_are_stored_together)
{
    struct fr_token first, second;

    add_token(f->store, "a", "aa", NULL);
    add_token(f->store, "b", "bb", NULL);
    fr_store_find_token(f->store, "aa", f->arena, &first);
    fr_store_find_token(f->store, "bb", f->arena, &second);
    assert_int_equal(
        fr_store_note_token_uses(
            f->store, (const struct fr_token_use[]){ { second.sequence, 1767323045 }, { 999, 1 } },
            2),
        FR_STORE_OK);
    fr_store_find_token(f->store, "aa", f->arena, &first);
    fr_store_find_token(f->store, "bb", f->arena, &second);
    assert_null(first.last_used_at);
    assert_string_equal(second.last_used_at, "2026-01-02T03:04:05Z");
}

FILE_TEST(tokens_of_an_older_file_stay_good)
{
    struct fr_store *store;
    struct fr_token found;

    write_older_file(
        f->path, 7, "INSERT INTO tokens VALUES ('old', 'admin', 'aa', '2026-01-01T00:00:00.000Z')");
    store = opened(f, f->path);
    assert_int_equal(fr_store_find_token(store, "aa", f->arena, &found), FR_STORE_OK);
    assert_string_equal(found.name, "old");
    assert_string_equal(found.scope, "admin");
    assert_string_equal(found.machines, "");
    assert_null(found.expires_at);
    assert_false(found.is_expired);
    assert_int_equal(found.keep_bytes, FR_KEEP_USUAL);
    assert_int_equal(found.kept_bytes, 0);
    fr_store_close(store);
}
