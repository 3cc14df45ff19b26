/* Calibrations kept between requests, by machine and id. */
#include "server/calibrations/catalogue.h"
#include "tests/unit/support/question.h"
#include "tests/unit/support/store_check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *document(const char *machine, int cores)
{
    static char text[200];

    snprintf(text, sizeof text,
             "{\"schema\":\"forerun-calibration-1\",\"machine\":\"%s\","
             "\"node\":{\"cores_per_node\":%d}}",
             machine, cores);
    return text;
}

static struct fr_loaded *loaded(const char *machine, int cores)
{
    const char *text = document(machine, cores);
    struct fr_faults faults = { 0 };
    struct fr_loaded *one = fr_loaded_read(text, strlen(text), &faults);

    assert_non_null(one);
    assert_string_equal(one->cal->machine, machine);
    return one;
}

/* Stores a calibration as the newest; its id. */
static const char *stored(struct fr_store *store, const char *machine, int cores, char id[17])
{
    struct fr_loaded *one = loaded(machine, cores);
    const char *text = document(machine, cores);

    memcpy(id, one->id, 17);
    assert_int_equal(fr_store_add_calibration(store, id, machine, NULL, "node", text, strlen(text)),
                     FR_STORE_OK);
    fr_cached_drop(one);
    return id;
}

static void assert_newest(struct fr_catalog *catalog, const char *machine, const char *id)
{
    struct fr_loaded *one = fr_catalog_newest(catalog, machine);

    if (!id) {
        assert_null(one);
        return;
    }
    assert_non_null(one);
    assert_string_equal(one->id, id);
    fr_cached_drop(one);
}

TEST(a_document_with_faults_is_not_loaded)
{
    static const char text[] = "{\"schema\":\"forerun-calibration-1\",\"machine\":\"M\"}";
    struct fr_faults faults = { 0 };

    assert_null(fr_loaded_read(text, strlen(text), &faults));
    assert_int_equal(faults.count, 1);
    assert_non_null(fault_at(&faults, "/machine"));
    fr_cached_drop(NULL);
}

MEMORY_TEST(the_newest_of_each_machine_is_found_by_name_and_id)
{
    struct fr_catalog *catalog = fr_catalog_new();
    struct fr_loaded *one;
    char a1[17], a2[17], b1[17];

    stored(f->store, "a", 1, a1);
    stored(f->store, "a", 2, a2);
    stored(f->store, "b", 1, b1);
    assert_newest(catalog, "a", NULL);
    assert_int_equal(fr_catalog_load(catalog, f->store, &f->log), FR_OK);
    assert_newest(catalog, "a", a2);
    assert_newest(catalog, "b", b1);
    assert_newest(catalog, "c", NULL);
    one = fr_catalog_find(catalog, b1);
    assert_non_null(one);
    assert_int_equal(one->cal->node.cores_per_node, 1);
    fr_cached_drop(one);
    assert_null(fr_catalog_find(catalog, a1));
    assert_null(fr_catalog_find(catalog, "0123456789abcdef"));
    fr_catalog_free(catalog);
}

MEMORY_TEST(an_upload_or_a_deletion_is_taken_over_on_refresh)
{
    struct fr_catalog *catalog = fr_catalog_new();
    char first[17], second[17];

    stored(f->store, "a", 1, first);
    assert_int_equal(fr_catalog_refresh(catalog, f->store, "a"), FR_OK);
    assert_newest(catalog, "a", first);
    stored(f->store, "a", 2, second);
    assert_newest(catalog, "a", first);
    assert_int_equal(fr_catalog_refresh(catalog, f->store, "a"), FR_OK);
    assert_newest(catalog, "a", second);
    assert_int_equal(fr_store_delete_calibration(f->store, second), FR_STORE_OK);
    assert_int_equal(fr_catalog_refresh(catalog, f->store, "a"), FR_OK);
    assert_newest(catalog, "a", first);
    assert_int_equal(fr_store_delete_calibration(f->store, first), FR_STORE_OK);
    assert_int_equal(fr_catalog_refresh(catalog, f->store, "a"), FR_OK);
    assert_newest(catalog, "a", NULL);
    assert_int_equal(fr_catalog_refresh(catalog, f->store, "nowhere"), FR_OK);
    fr_catalog_free(catalog);
}

MEMORY_TEST(an_upload_is_decoded_once)
{
    struct fr_catalog *catalog = fr_catalog_new();
    struct fr_loaded *upload, *newest;
    char id[17];

    stored(f->store, "a", 1, id);
    upload = loaded("a", 1);
    assert_int_equal(fr_catalog_add(catalog, f->store, upload), FR_OK);
    newest = fr_catalog_newest(catalog, "a");
    assert_ptr_equal(newest->decoded, upload);
    fr_cached_drop(newest);
    /* Another upload came meanwhile: that one is the newest. */
    stored(f->store, "a", 2, id);
    assert_int_equal(fr_catalog_add(catalog, f->store, upload), FR_OK);
    assert_newest(catalog, "a", id);
    fr_cached_drop(upload);
    fr_catalog_free(catalog);
}

MEMORY_TEST(new_facts_decode_nothing_again)
{
    struct fr_catalog *catalog = fr_catalog_new();
    struct fr_loaded *before, *after;
    bool created;
    char id[17];

    stored(f->store, "a", 1, id);
    assert_int_equal(fr_catalog_load(catalog, f->store, &f->log), FR_OK);
    before = fr_catalog_newest(catalog, "a");
    assert_true(before->cal->facts.cores_per_node == 0);
    for (int cores = 8; cores <= 16; cores += 8) {
        char facts[40];

        snprintf(facts, sizeof facts, "{\"cores_per_node\":%d}", cores);
        assert_int_equal(fr_store_put_machine(f->store, "a", NULL, facts, &created), FR_STORE_OK);
        assert_int_equal(fr_catalog_load(catalog, f->store, &f->log), FR_OK);
        after = fr_catalog_newest(catalog, "a");
        assert_ptr_equal(after->decoded, before);
        assert_string_equal(after->id, id);
        assert_string_equal(after->facts_json, facts);
        assert_true(after->cal->facts.cores_per_node == cores);
        assert_true(before->cal->facts.cores_per_node == 0);
        fr_cached_drop(after);
    }
    fr_cached_drop(before);
    fr_catalog_free(catalog);
}

/* Another process, or another worker, may have deleted a machine. */
MEMORY_TEST(a_machine_that_is_gone_is_dropped)
{
    struct fr_catalog *catalog = fr_catalog_new();
    char a[17], b[17];

    stored(f->store, "a", 1, a);
    stored(f->store, "b", 2, b);
    fr_catalog_load(catalog, f->store, &f->log);
    assert_int_equal(fr_store_delete_machine(f->store, "a", true), FR_STORE_OK);
    assert_int_equal(fr_catalog_follow(catalog, f->store, "a"), FR_OK);
    assert_newest(catalog, "a", NULL);
    assert_newest(catalog, "b", b);
    fr_catalog_free(catalog);
}

MEMORY_TEST(more_machines_than_a_page_are_all_loaded)
{
    struct fr_catalog *catalog = fr_catalog_new();
    char ids[250][17], name[20];

    for (int i = 0; i < 250; i++) {
        snprintf(name, sizeof name, "m%d", i);
        stored(f->store, name, i + 1, ids[i]);
    }
    assert_int_equal(fr_catalog_load(catalog, f->store, &f->log), FR_OK);
    for (int i = 0; i < 250; i++) {
        snprintf(name, sizeof name, "m%d", i);
        assert_newest(catalog, name, ids[i]);
    }
    fr_catalog_free(catalog);
}

/* Whoever holds a share may go on reading, whatever the catalogue does. */
MEMORY_TEST(a_share_outlives_the_catalogue)
{
    struct fr_catalog *catalog = fr_catalog_new();
    struct fr_loaded *one;
    char id[17];

    stored(f->store, "a", 3, id);
    fr_catalog_refresh(catalog, f->store, "a");
    one = fr_catalog_newest(catalog, "a");
    fr_store_delete_calibration(f->store, id);
    fr_catalog_refresh(catalog, f->store, "a");
    fr_catalog_free(catalog);
    assert_int_equal(one->cal->node.cores_per_node, 3);
    fr_cached_drop(one);
}

MEMORY_TEST(older_calibrations_are_kept_for_a_while_and_forgotten)
{
    struct fr_catalog *catalog = fr_catalog_new();
    struct fr_arena *arena = fr_arena_new(1 << 20);
    char ids[100][17];
    bool created;

    for (int i = 0; i < 100; i++)
        stored(f->store, "a", i + 1, ids[i]);
    assert_int_equal(fr_store_put_machine(f->store, "a", NULL, "{\"nodes\":9}", &created),
                     FR_STORE_OK);
    for (int i = 0; i < 100; i++) {
        struct fr_loaded *one = fr_catalog_get(catalog, f->store, ids[i], arena), *found;

        assert_non_null(one);
        assert_true(one->cal->facts.nodes == 9);
        found = fr_catalog_find(catalog, ids[i]);
        assert_ptr_equal(found, one);
        assert_int_equal(found->cal->node.cores_per_node, i + 1);
        fr_cached_drop(found);
        fr_cached_drop(one);
    }
    assert_null(fr_catalog_find(catalog, ids[0])); /* 64 are kept */
    assert_newest(catalog, "a", NULL);             /* an old one is not the newest */
    fr_catalog_forget(catalog, ids[99]);
    assert_null(fr_catalog_find(catalog, ids[99]));
    fr_catalog_forget(catalog, "0123456789abcdef");
    fr_arena_free(arena);
    fr_catalog_free(catalog);
    fr_catalog_free(NULL);
}
