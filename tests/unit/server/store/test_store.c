/* What the store remembers of machines and calibrations. */
#include "tests/unit/support/store_check.h"

MEMORY_TEST(a_new_store_is_ready_and_empty)
{
    struct fr_machine machine, *machines;
    struct fr_token token, *tokens;
    struct fr_stored_calibration calibration, *list;
    size_t count = 7;

    assert_null(fr_store_trouble(f->store));
    assert_int_equal(fr_store_get_machine(f->store, "a", f->arena, &machine), FR_STORE_NONE);
    assert_int_equal(fr_store_get_calibration(f->store, "a", f->arena, &calibration),
                     FR_STORE_NONE);
    assert_int_equal(fr_store_newest_calibration(f->store, "a", f->arena, &calibration),
                     FR_STORE_NONE);
    assert_int_equal(fr_store_find_token(f->store, "a", f->arena, &token), FR_STORE_NONE);
    assert_int_equal(fr_store_list_machines(f->store, NULL, 10, f->arena, &machines, &count),
                     FR_STORE_OK);
    assert_int_equal(count, 0);
    assert_int_equal(fr_store_list_calibrations(f->store, "a", 0, 10, f->arena, &list, &count),
                     FR_STORE_OK);
    assert_int_equal(count, 0);
    assert_int_equal(fr_store_list_tokens(f->store, f->arena, &tokens, &count), FR_STORE_OK);
    assert_int_equal(count, 0);
}

MEMORY_TEST(each_store_in_memory_is_its_own)
{
    struct fr_store *second = opened(f, ":memory:");
    struct fr_machine machine;

    add(f->store, "a1", "m");
    assert_int_equal(fr_store_get_machine(second, "m", f->arena, &machine), FR_STORE_NONE);
    fr_store_close(second);
}

MEMORY_TEST(a_machine_is_created_once_and_then_replaced)
{
    struct fr_machine machine;
    bool created = false;

    assert_int_equal(fr_store_put_machine(f->store, "hopper", "Cray", "{\"cores\":24}", &created),
                     FR_STORE_OK);
    assert_true(created);
    assert_int_equal(fr_store_put_machine(f->store, "hopper", "Cray XE6", "{}", &created),
                     FR_STORE_OK);
    assert_false(created);
    machine = machine_named(f, f->store, "hopper");
    assert_string_equal(machine.description, "Cray XE6");
    assert_string_equal(machine.facts_json, "{}");
    assert_null(machine.newest_calibration);
    assert_int_equal(machine.calibrations, 0);
    assert_rfc3339(machine.updated_at);
}

MEMORY_TEST(a_calibration_comes_back_byte_for_byte)
{
    static const char document[] = "{\n\t\"machine\": \"h\xc3\xb6pper\"  }\n";
    struct fr_stored_calibration got;

    assert_int_equal(fr_store_add_calibration(f->store, "91f0", "hopper", "2026-01-02T03:04:05Z",
                                              "node, network", document, sizeof(document) - 1),
                     FR_STORE_OK);
    assert_int_equal(fr_store_get_calibration(f->store, "91f0", f->arena, &got), FR_STORE_OK);
    assert_string_equal(got.id, "91f0");
    assert_string_equal(got.machine, "hopper");
    assert_string_equal(got.created_at, "2026-01-02T03:04:05Z");
    assert_string_equal(got.groups, "node, network");
    assert_int_equal(got.document_length, sizeof(document) - 1);
    assert_string_equal(got.document, document);
    assert_rfc3339(got.uploaded_at);
}

MEMORY_TEST(uploading_makes_the_machine_and_keeps_what_is_known_of_it)
{
    bool created;

    add(f->store, "a1", "new");
    assert_string_equal(machine_named(f, f->store, "new").description, "");
    assert_string_equal(machine_named(f, f->store, "new").facts_json, "{}");
    fr_store_put_machine(f->store, "known", "ours", "{\"cores\":2}", &created);
    add(f->store, "b1", "known");
    assert_string_equal(machine_named(f, f->store, "known").description, "ours");
    assert_string_equal(machine_named(f, f->store, "known").facts_json, "{\"cores\":2}");
}

MEMORY_TEST(the_same_upload_again_changes_nothing)
{
    struct fr_stored_calibration newest;
    struct fr_machine none;

    assert_int_equal(add(f->store, "a1", "m"), FR_STORE_OK);
    assert_int_equal(add(f->store, "a2", "m"), FR_STORE_OK);
    assert_int_equal(add(f->store, "a1", "m"), FR_STORE_EXISTS);
    assert_int_equal(machine_named(f, f->store, "m").calibrations, 2);
    assert_int_equal(fr_store_newest_calibration(f->store, "m", f->arena, &newest), FR_STORE_OK);
    assert_string_equal(newest.id, "a2");
    /* Nor does it make a machine. */
    assert_int_equal(add(f->store, "a1", "other"), FR_STORE_EXISTS);
    assert_int_equal(fr_store_get_machine(f->store, "other", f->arena, &none), FR_STORE_NONE);
}

MEMORY_TEST(the_newest_calibration_is_the_one_uploaded_last)
{
    struct fr_stored_calibration newest;

    add(f->store, "zz", "m");
    add(f->store, "aa", "m");
    add(f->store, "99", "another");
    assert_int_equal(fr_store_newest_calibration(f->store, "m", f->arena, &newest), FR_STORE_OK);
    assert_string_equal(newest.id, "aa");
    assert_string_equal(newest.document, "{}");
    assert_null(newest.created_at);
    assert_string_equal(machine_named(f, f->store, "m").newest_calibration, "aa");
    assert_int_equal(machine_named(f, f->store, "m").calibrations, 2);
    fr_store_delete_calibration(f->store, "aa");
    assert_string_equal(machine_named(f, f->store, "m").newest_calibration, "zz");
}

MEMORY_TEST(a_machine_with_calibrations_is_deleted_only_by_cascade)
{
    struct fr_stored_calibration gone;
    struct fr_machine machine;

    add(f->store, "a1", "m");
    add(f->store, "b1", "n");
    assert_int_equal(fr_store_delete_machine(f->store, "m", false), FR_STORE_IN_USE);
    assert_int_equal(machine_named(f, f->store, "m").calibrations, 1);
    assert_int_equal(fr_store_delete_machine(f->store, "m", true), FR_STORE_OK);
    assert_int_equal(fr_store_get_machine(f->store, "m", f->arena, &machine), FR_STORE_NONE);
    assert_int_equal(fr_store_get_calibration(f->store, "a1", f->arena, &gone), FR_STORE_NONE);
    assert_int_equal(machine_named(f, f->store, "n").calibrations, 1);
    assert_int_equal(fr_store_delete_machine(f->store, "m", true), FR_STORE_NONE);
}

MEMORY_TEST(a_machine_without_calibrations_is_deleted)
{
    add(f->store, "a1", "m");
    assert_int_equal(fr_store_delete_calibration(f->store, "a1"), FR_STORE_OK);
    assert_int_equal(fr_store_delete_calibration(f->store, "a1"), FR_STORE_NONE);
    assert_int_equal(fr_store_delete_machine(f->store, "m", false), FR_STORE_OK);
    assert_int_equal(fr_store_delete_machine(f->store, "m", false), FR_STORE_NONE);
}

MEMORY_TEST(a_sequence_is_never_given_again)
{
    struct fr_stored_calibration first, second;

    add(f->store, "a1", "m");
    fr_store_get_calibration(f->store, "a1", f->arena, &first);
    fr_store_delete_calibration(f->store, "a1");
    add(f->store, "a1", "m");
    fr_store_get_calibration(f->store, "a1", f->arena, &second);
    assert_true(second.sequence > first.sequence);
}

MEMORY_TEST(sql_in_a_name_is_only_a_name)
{
    static const char name[] = "x'); DROP TABLE machines; -- \"%_?1";
    struct fr_stored_calibration got;
    struct fr_machine *list;
    size_t count;
    bool created;

    assert_int_equal(fr_store_put_machine(f->store, name, name, "'", &created), FR_STORE_OK);
    assert_int_equal(add(f->store, name, name), FR_STORE_OK);
    assert_string_equal(machine_named(f, f->store, name).description, name);
    assert_int_equal(fr_store_get_calibration(f->store, name, f->arena, &got), FR_STORE_OK);
    assert_string_equal(got.machine, name);
    fr_store_list_machines(f->store, "' OR 1=1 --", 10, f->arena, &list, &count);
    assert_int_equal(count, 1);
    fr_store_list_machines(f->store, "y' OR 1=1 --", 10, f->arena, &list, &count);
    assert_int_equal(count, 0);
}

MEMORY_TEST(an_answer_beyond_the_arena_fails_and_leaves_the_output_alone)
{
    static char document[200000];
    struct fr_arena *small = fr_arena_new(100000);
    struct fr_stored_calibration out = { .sequence = -1 };

    memset(document, ' ', sizeof document);
    fr_store_add_calibration(f->store, "a1", "m", NULL, "node", document, sizeof(document));
    assert_int_equal(fr_store_get_calibration(f->store, "a1", small, &out), FR_STORE_FAILED);
    assert_int_equal(out.sequence, -1);
    assert_int_equal(fr_store_get_calibration(f->store, "a1", f->arena, &out), FR_STORE_OK);
    assert_int_equal(out.document_length, sizeof(document));
    fr_arena_free(small);
}
