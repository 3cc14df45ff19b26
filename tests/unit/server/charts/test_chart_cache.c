/* The cache of rendered charts: bounded in bytes and in number. */
#include "server/charts/chart_cache.h"
#include "tests/unit/support/check.h"

#include <stdio.h>
#include <string.h>

static void keep(struct fr_chart_cache *cache, const char *etag, size_t length)
{
    char bytes[1000];
    struct fr_shared_bytes *shared;

    memset(bytes, etag[0], sizeof bytes);
    shared = fr_shared_bytes_new(bytes, length);
    fr_chart_cache_keep(cache, etag, shared);
    fr_shared_bytes_drop(shared);
}

static bool has(struct fr_chart_cache *cache, const char *etag)
{
    struct fr_shared_bytes *shared = fr_chart_cache_find(cache, etag);

    if (shared && shared->length)
        assert_int_equal(shared->bytes[0], etag[0]);
    fr_shared_bytes_drop(shared);
    return shared != NULL;
}

static void a_chart_is_found_by_its_tag(void **state)
{
    struct fr_chart_cache *cache = fr_chart_cache_new(1000);

    (void)state;
    assert_false(has(cache, "a"));
    keep(cache, "a", 100);
    keep(cache, "b", 100);
    assert_true(has(cache, "a"));
    assert_true(has(cache, "b"));
    assert_false(has(cache, "c"));
    fr_chart_cache_free(cache);
    fr_chart_cache_free(NULL);
}

static void the_chart_not_looked_at_longest_goes_first(void **state)
{
    struct fr_chart_cache *cache = fr_chart_cache_new(300);

    (void)state;
    keep(cache, "a", 100);
    keep(cache, "b", 100);
    keep(cache, "c", 100);
    assert_true(has(cache, "a"));
    keep(cache, "d", 100);
    assert_true(has(cache, "a"));
    assert_false(has(cache, "b"));
    assert_true(has(cache, "c"));
    keep(cache, "e", 250);
    assert_true(has(cache, "e"));
    assert_false(has(cache, "a") || has(cache, "c") || has(cache, "d"));
    fr_chart_cache_free(cache);
}

static void a_chart_larger_than_the_cache_is_not_kept(void **state)
{
    struct fr_chart_cache *cache = fr_chart_cache_new(300);

    (void)state;
    keep(cache, "a", 100);
    keep(cache, "b", 301);
    assert_true(has(cache, "a"));
    assert_false(has(cache, "b"));
    fr_chart_cache_free(cache);
}

/* Two workers may draw the same chart at the same time. */
static void a_chart_kept_twice_takes_its_room_once(void **state)
{
    struct fr_chart_cache *cache = fr_chart_cache_new(300);

    (void)state;
    keep(cache, "a", 100);
    keep(cache, "b", 100);
    for (int i = 0; i < 5; i++)
        keep(cache, "b", 100);
    assert_true(has(cache, "a"));
    assert_true(has(cache, "b"));
    fr_chart_cache_free(cache);
}

static void many_small_charts_are_bounded_in_number_too(void **state)
{
    struct fr_chart_cache *cache = fr_chart_cache_new(1 << 20);
    int kept = 0;
    char etag[20];

    (void)state;
    for (int i = 0; i < 2000; i++) {
        snprintf(etag, sizeof etag, "p%d", i);
        keep(cache, etag, 10);
    }
    for (int i = 0; i < 2000; i++) {
        snprintf(etag, sizeof etag, "p%d", i);
        kept += has(cache, etag);
    }
    assert_in_range(kept, 100, 1000);
    assert_true(has(cache, "p1999"));
    assert_false(has(cache, "p0"));
    fr_chart_cache_free(cache);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_chart_is_found_by_its_tag),
        cmocka_unit_test(the_chart_not_looked_at_longest_goes_first),
        cmocka_unit_test(a_chart_larger_than_the_cache_is_not_kept),
        cmocka_unit_test(a_chart_kept_twice_takes_its_room_once),
        cmocka_unit_test(many_small_charts_are_bounded_in_number_too),
    };

    return cmocka_run_group_tests_name("chart cache", tests, NULL, NULL);
}
