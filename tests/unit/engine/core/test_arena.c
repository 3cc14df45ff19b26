/* The arena: zeroed, aligned, bounded, and given back to a mark. */
#include "engine/forerun.h"
#include "tests/unit/support/check.h"
#include "tests/unit/support/draws.h"

#include <stdalign.h>
#include <string.h>

enum { FIRST = 64 * 1024 };

static bool is_zero(const char *bytes, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (bytes[i])
            return false;
    return true;
}

TEST(memory_is_zeroed_aligned_and_apart)
{
    struct fr_arena *arena = fr_arena_new(1 << 24);
    uint64_t random = draws_from(11);
    char *before = NULL;
    size_t before_length = 0;

    for (int i = 0; i < draws_of(3000); i++) {
        const size_t length = (size_t)random_between(&random, 1, 3000);
        char *memory = fr_arena_zeroed(arena, length, 1);

        assert_non_null(memory);
        assert_int_equal((uintptr_t)memory % alignof(max_align_t), 0);
        assert_true(is_zero(memory, length));
        memset(memory, 0xff, length);
        if (before)
            assert_int_equal((unsigned char)before[before_length - 1], 0xff);
        before = memory;
        before_length = length;
    }
    fr_arena_free(arena);
}

/* Reused memory is zeroed again. */
TEST(what_is_released_comes_back_zeroed)
{
    struct fr_arena *arena = fr_arena_new(1 << 24);
    const struct fr_arena_mark mark = fr_arena_mark(arena);
    char *first = fr_arena_zeroed(arena, 1000, 1);
    char *again;

    memset(first, 0xff, 1000);
    fr_arena_release(arena, mark);
    again = fr_arena_zeroed(arena, 1000, 1);
    assert_ptr_equal(again, first);
    assert_true(is_zero(again, 1000));
    fr_arena_free(arena);
}

TEST(a_release_keeps_what_came_before_the_mark)
{
    struct fr_arena *arena = fr_arena_new(1 << 24);
    char *kept = fr_arena_text(arena, "kept", 4);
    struct fr_arena_mark mark;

    for (int i = 0; i < 1000; i++) {
        mark = fr_arena_mark(arena);
        /* Into further chunks, and back. */
        for (int j = 0; j < 5; j++)
            assert_non_null(fr_arena_zeroed(arena, 50000, 1));
        fr_arena_release(arena, mark);
    }
    assert_string_equal(kept, "kept");
    fr_arena_free(arena);
}

TEST(a_longer_array_begins_with_the_shorter_one)
{
    struct fr_arena *arena = fr_arena_new(1 << 20);
    int *numbers = fr_arena_longer(arena, NULL, 0, 2, sizeof *numbers);

    assert_true(is_zero((char *)numbers, 2 * sizeof *numbers));
    numbers[0] = 7;
    numbers[1] = 8;
    numbers = fr_arena_longer(arena, numbers, 2, 1000, sizeof *numbers);
    assert_int_equal(numbers[0], 7);
    assert_int_equal(numbers[1], 8);
    assert_true(is_zero((char *)(numbers + 2), 998 * sizeof *numbers));
    assert_null(fr_arena_longer(arena, numbers, 2, 1 << 20, sizeof *numbers));
    fr_arena_free(arena);
}

/* Were the limit to count what was given back, the 100th round would fail. */
TEST(the_limit_counts_what_is_held_now)
{
    struct fr_arena *arena = fr_arena_new(1 << 20);
    const struct fr_arena_mark mark = fr_arena_mark(arena);

    for (int i = 0; i < 100; i++) {
        assert_non_null(fr_arena_zeroed(arena, 900000, 1));
        assert_null(fr_arena_zeroed(arena, 900000, 1));
        fr_arena_release(arena, mark);
    }
    fr_arena_free(arena);
}

TEST(nothing_is_given_beyond_the_limit)
{
    struct fr_arena *arena = fr_arena_new(1 << 20);
    size_t held = 0;

    while (fr_arena_zeroed(arena, 1024, 1))
        held += 1024;
    assert_in_range(held, (1 << 20) * 3 / 4, 1 << 20);
    assert_null(fr_arena_zeroed(arena, 1 << 20, 1));
    fr_arena_free(arena);
}

/* The first 64 KiB are there whatever the limit, so that small records cannot fail. */
TEST(the_first_64_kib_are_always_there)
{
    struct fr_arena *arena = fr_arena_new(0);

    assert_non_null(fr_arena_zeroed(arena, FIRST, 1));
    assert_null(fr_arena_zeroed(arena, 1, 1));
    fr_arena_free(arena);
}

TEST(a_size_that_overflows_is_refused)
{
    struct fr_arena *arena = fr_arena_new(SIZE_MAX);

    assert_null(fr_arena_zeroed(arena, SIZE_MAX, 1));
    assert_null(fr_arena_zeroed(arena, SIZE_MAX, 2));
    assert_null(fr_arena_zeroed(arena, SIZE_MAX / 2 + 1, 2));
    assert_null(fr_arena_zeroed(arena, 1, SIZE_MAX));
    assert_null(fr_arena_zeroed(arena, SIZE_MAX / 16, 16));
    assert_non_null(fr_arena_zeroed(arena, 0, 100));
    assert_non_null(fr_arena_zeroed(arena, 100, 0));
    fr_arena_free(arena);
}

TEST(a_text_is_copied_to_its_length_and_ended)
{
    struct fr_arena *arena = fr_arena_new(0);
    char *copy = fr_arena_text(arena, "abcdef", 3);

    assert_string_equal(copy, "abc");
    assert_string_equal(fr_arena_text(arena, "", 0), "");
    assert_string_equal(fr_arena_text(arena, NULL, 0), "");
    fr_arena_free(arena);
    fr_arena_free(NULL);
}

TEST(work_that_there_is_not_enough_for_is_not_counted)
{
    struct fr_arena *arena = fr_arena_new(0);

    assert_true(fr_arena_afford(arena, FR_MAX_STEPS - 10));
    assert_false(fr_arena_afford(arena, 11));
    assert_true(fr_arena_afford(arena, 9));
    assert_false(fr_arena_afford(arena, 2));
    assert_true(fr_arena_afford(arena, -9));
    assert_true(fr_arena_afford(arena, 10));
    assert_false(fr_arena_spend(arena, 1));
    fr_arena_renew(arena);
    assert_true(fr_arena_afford(arena, FR_MAX_STEPS));
    fr_arena_free(arena);
}

static bool counts_down(void *context)
{
    int *left = context;

    return --*left > 0;
}

TEST(work_is_watched_and_ends_when_the_watcher_says_so)
{
    struct fr_arena *arena = fr_arena_new(0);
    int left = 3;

    fr_arena_watch(arena, counts_down, &left);
    for (int i = 0; i < 19; i++)
        assert_true(fr_arena_spend(arena, FR_WATCH_STEPS / 10));
    assert_int_equal(left, 2);
    /* Work that is counted and returned counts as well. */
    assert_true(fr_arena_afford(arena, FR_WATCH_STEPS));
    assert_int_equal(left, 1);
    assert_true(fr_arena_afford(arena, -FR_WATCH_STEPS));
    assert_false(fr_arena_afford(arena, FR_WATCH_STEPS));
    assert_int_equal(left, 0);
    assert_false(fr_arena_spend(arena, 0));
    fr_arena_watch(arena, NULL, NULL);
    assert_false(fr_arena_spend(arena, FR_WATCH_STEPS));
    assert_int_equal(left, 0);
    left = 2;
    fr_arena_watch(arena, counts_down, &left);
    fr_arena_renew(arena);
    assert_true(fr_arena_spend(arena, 2 * FR_WATCH_STEPS));
    assert_int_equal(left, 2);
    fr_arena_free(arena);
}
