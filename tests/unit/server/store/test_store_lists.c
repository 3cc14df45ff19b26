/* The pages of the store's lists, and its tokens. */
#include "tests/unit/support/store_check.h"

static void machines_are_paged_by_name(void **state)
{
    static const char *const names[] = { "c", "a", "e", "b", "d" };
    struct fixture *f = *state;
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

static void calibrations_are_paged_newest_first_without_documents(void **state)
{
    struct fixture *f = *state;
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

static void tokens_are_unique_by_name_and_end_when_revoked(void **state)
{
    struct fixture *f = *state;
    struct fr_token found, *list;
    size_t count;

    assert_int_equal(fr_store_add_token(f->store, "jo", "write", "aa11"), FR_STORE_OK);
    assert_int_equal(fr_store_add_token(f->store, "jo", "admin", "bb22"), FR_STORE_EXISTS);
    assert_int_equal(fr_store_find_token(f->store, "bb22", f->arena, &found), FR_STORE_NONE);
    assert_int_equal(fr_store_find_token(f->store, "aa11", f->arena, &found), FR_STORE_OK);
    assert_string_equal(found.name, "jo");
    assert_string_equal(found.scope, "write");
    assert_rfc3339(found.created_at);

    assert_int_equal(fr_store_add_token(f->store, "al", "admin", "cc33"), FR_STORE_OK);
    assert_int_equal(fr_store_list_tokens(f->store, f->arena, &list, &count), FR_STORE_OK);
    assert_int_equal(count, 2);
    assert_string_equal(list[0].name, "al");
    assert_string_equal(list[1].name, "jo");

    assert_int_equal(fr_store_revoke_token(f->store, "jo"), FR_STORE_OK);
    assert_int_equal(fr_store_find_token(f->store, "aa11", f->arena, &found), FR_STORE_NONE);
    assert_int_equal(fr_store_revoke_token(f->store, "jo"), FR_STORE_NONE);
    assert_int_equal(fr_store_add_token(f->store, "jo", "admin", "bb22"), FR_STORE_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        MEMORY_TEST(machines_are_paged_by_name),
        MEMORY_TEST(calibrations_are_paged_newest_first_without_documents),
        MEMORY_TEST(tokens_are_unique_by_name_and_end_when_revoked),
    };
    return cmocka_run_group_tests_name("store lists", tests, NULL, NULL);
}
