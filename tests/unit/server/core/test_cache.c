/* A cache: bounded in cost and in number, and one maker for all who ask. */
#include "server/core/cache.h"
#include "tests/unit/support/check.h"
#include "tests/unit/support/draws.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct named {
    struct fr_cached cached;
    char name[20];
    int made; /* by whom */
};

static _Atomic int freed;

static void free_named(void *value)
{
    freed++;
    free(value);
}

static bool is_it(const void *value, const void *name)
{
    return strcmp(((const struct named *)value)->name, name) == 0;
}

static bool begins_with(const void *value, const void *letter)
{
    return ((const struct named *)value)->name[0] == *(const char *)letter;
}

static struct named *named(const char *name, size_t cost)
{
    struct named *new = calloc(1, sizeof *new);

    assert_non_null(new);
    new->cached = (struct fr_cached){ .owners = 1, .free = free_named, .cost = cost };
    snprintf(new->name, sizeof new->name, "%s", name);
    return new;
}

static void keep(struct fr_cache *cache, const char *name, size_t cost)
{
    fr_cached_drop(fr_cache_keep(cache, name, named(name, cost)));
}

static bool has(struct fr_cache *cache, const char *name)
{
    struct named *found = fr_cache_find(cache, name);
    const bool is_found = found && strcmp(found->name, name) == 0;

    fr_cached_drop(found);
    return is_found;
}

static struct fr_cache *begin(size_t most_cost)
{
    freed = 0;
    return fr_cache_new(is_it, most_cost, 100);
}

TEST(a_value_is_found_by_its_key_and_freed_with_the_last_share)
{
    struct fr_cache *cache = begin(1000);
    struct named *a = fr_cache_keep(cache, "a", named("a", 100));

    keep(cache, "b", 100);
    assert_true(has(cache, "a"));
    assert_true(has(cache, "b"));
    assert_false(has(cache, "c"));
    fr_cache_free(cache);
    fr_cache_free(NULL);
    assert_int_equal(freed, 1);
    assert_int_equal(a->cached.owners, 1);
    fr_cached_drop(a);
    assert_int_equal(freed, 2);
    fr_cached_drop(fr_cached_share(NULL));
}

TEST(the_value_not_looked_at_longest_goes_first)
{
    struct fr_cache *cache = begin(300);

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
    fr_cache_free(cache);
}

TEST(a_cheap_one_goes_before_that)
{
    struct fr_cache *cache = begin(300);
    struct named *cheap = named("cheap", 100);

    keep(cache, "a", 100);
    keep(cache, "b", 100);
    cheap->cached.is_cheap = true;
    fr_cached_drop(fr_cache_keep(cache, "cheap", cheap));
    keep(cache, "c", 100);
    assert_true(has(cache, "a") && has(cache, "b") && has(cache, "c"));
    assert_false(has(cache, "cheap"));
    fr_cache_free(cache);
}

TEST(a_value_larger_than_the_cache_is_not_kept)
{
    struct fr_cache *cache = begin(300);

    keep(cache, "a", 100);
    keep(cache, "b", 301);
    assert_true(has(cache, "a"));
    assert_false(has(cache, "b"));
    fr_cache_free(cache);
}

/* Two workers may make the same value at the same time. */
TEST(a_value_kept_twice_takes_its_room_once)
{
    struct fr_cache *cache = begin(300);

    keep(cache, "a", 100);
    for (int i = 0; i < 5; i++)
        keep(cache, "b", 100);
    assert_int_equal(freed, 4);
    assert_true(has(cache, "a"));
    assert_true(has(cache, "b"));
    fr_cache_free(cache);
}

TEST(values_are_bounded_in_number_too)
{
    struct fr_cache *cache = begin(1 << 20);
    int kept = 0;
    char name[20];

    for (int i = 0; i < 2000; i++) {
        snprintf(name, sizeof name, "p%d", i);
        keep(cache, name, 10);
    }
    for (int i = 0; i < 2000; i++) {
        snprintf(name, sizeof name, "p%d", i);
        kept += has(cache, name);
    }
    assert_int_equal(kept, 100);
    assert_true(has(cache, "p1999"));
    assert_false(has(cache, "p0"));
    fr_cache_free(cache);
}

TEST(what_is_forgotten_or_outdated_is_not_found)
{
    struct fr_cache *cache = begin(1000);
    struct named *late = named("late", 1);

    keep(cache, "a1", 1);
    keep(cache, "a2", 1);
    keep(cache, "b1", 1);
    fr_cache_forget(cache, begins_with, "a");
    assert_int_equal(freed, 2);
    assert_false(has(cache, "a1") || has(cache, "a2"));
    assert_true(has(cache, "b1"));

    late->cached.since = fr_cache_moment(cache);
    fr_cache_outdate(cache);
    late = fr_cache_keep(cache, "late", late);
    assert_false(has(cache, "late"));
    late->cached.since = fr_cache_moment(cache);
    fr_cached_drop(fr_cache_keep(cache, "late", late));
    assert_true(has(cache, "late"));
    fr_cache_free(cache);
}

/* ---- what is being made --------------------------------------------------------------------- */

enum { THREADS = 4 };

struct maker {
    struct fr_cache *cache;
    bool fails;
    _Atomic int made;
};

static void *make_or_wait(void *argument)
{
    struct maker *maker = argument;
    struct named *mine = named("a", 0), *found;

    mine->cached.is_pending = true;
    found = fr_cache_keep(maker->cache, "a", mine);
    if (found == mine) {
        maker->made++;
        fr_cache_settle(maker->cache, mine, maker->fails ? 0 : 100);
    }
    assert_false(found->cached.is_pending);
    fr_cached_drop(found);
    return NULL;
}

static int makers(bool fails)
{
    struct maker maker = { .cache = begin(100), .fails = fails };
    pthread_t thread[THREADS];

    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&thread[i], NULL, make_or_wait, &maker), 0);
    for (int i = 0; i < THREADS; i++)
        pthread_join(thread[i], NULL);
    assert_int_equal(has(maker.cache, "a"), !fails);
    fr_cache_free(maker.cache);
    return maker.made;
}

TEST(one_makes_a_value_and_the_others_wait)
{
    assert_int_equal(makers(false), 1);
    assert_int_equal(makers(true), THREADS); /* each tries */
}

TEST(what_is_being_made_is_neither_dropped_nor_counted)
{
    struct fr_cache *cache = begin(100);
    struct named *a = named("a", 0);

    a->cached.is_pending = true;
    a = fr_cache_keep(cache, "a", a);
    keep(cache, "b", 100);
    keep(cache, "c", 100);
    assert_true(has(cache, "c"));
    fr_cache_settle(cache, a, 60);
    assert_true(has(cache, "a"));
    assert_false(has(cache, "c"));
    fr_cached_drop(a);
    fr_cache_free(cache);
}

/* ---- many threads --------------------------------------------------------------------------- */

enum { ROUNDS = 3000, NAMES = 8 };

struct crowd {
    struct fr_cache *cache;
    struct named *kept[NAMES];
    _Atomic int found;
};

static void *look_up_and_keep(void *argument)
{
    struct crowd *crowd = argument;
    uint64_t random = 77;

    for (int i = 0; i < ROUNDS; i++) {
        struct named *mine = crowd->kept[random_between(&random, 0, NAMES - 1)];

        switch (random_between(&random, 0, 3)) {
        case 0:
            fr_cached_drop(fr_cache_keep(crowd->cache, mine->name, fr_cached_share(mine)));
            break;
        case 1:
            fr_cache_forget(crowd->cache, is_it, mine->name);
            break;
        default:
            crowd->found += has(crowd->cache, mine->name);
        }
    }
    return NULL;
}

TEST(threads_share_and_drop_without_losing_count)
{
    static const char *const names[NAMES] = { "a", "b", "c", "d", "e", "f", "g", "h" };
    struct crowd crowd = { .cache = begin(1000) };
    pthread_t thread[THREADS];

    for (int i = 0; i < NAMES; i++)
        crowd.kept[i] = named(names[i], 1);
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&thread[i], NULL, look_up_and_keep, &crowd), 0);
    for (int i = 0; i < THREADS; i++)
        pthread_join(thread[i], NULL);
    assert_true(crowd.found > 0);
    fr_cache_free(crowd.cache);
    for (int i = 0; i < NAMES; i++) {
        assert_int_equal(crowd.kept[i]->cached.owners, 1); /* only ours is left */
        fr_cached_drop(crowd.kept[i]);
    }
}
