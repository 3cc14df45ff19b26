/* When the watch over the store counts as stuck. */
#include "server/http/send.h"
#include "server/http/server.h"
#include "server/service/watch.h"
#include "tests/unit/support/store_check.h"

static const uint64_t second_ns = 1000000000;

static void it_is_stuck_after_a_minute_in_one_step(void **state)
{
    struct fixture *f = *state;
    static struct fr_server server;
    struct fr_watch *watch = fr_watch_new(&server, opened(f, f->path));
    const uint64_t now_ns = fr_now_ns();

    assert_non_null(watch);
    assert_false(fr_watch_is_stuck(watch, now_ns));
    assert_false(fr_watch_is_stuck(watch, now_ns + 50 * second_ns));
    assert_true(fr_watch_is_stuck(watch, now_ns + 61 * second_ns));
    /* A step that began after the clock was read. */
    assert_false(fr_watch_is_stuck(watch, now_ns - 10 * second_ns));
    fr_watch_stop(watch);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        FILE_TEST(it_is_stuck_after_a_minute_in_one_step),
    };

    return cmocka_run_group_tests_name("the watch", tests, NULL, NULL);
}
