/* When the watch over the store counts as stuck. */
#include "server/http/server.h"
#include "server/service/service.h"
#include "tests/unit/support/moved_clock.h"
#include "tests/unit/support/store_check.h"

FILE_TEST(it_is_stuck_after_a_minute_in_one_step)
{
    static struct fr_server server;
    struct moved_clock clock;
    struct fr_watch *watch;

    moved_clock_init(&clock);
    server.clock = &clock.clock;
    watch = fr_watch_new(&server, opened(f, f->path));
    assert_non_null(watch);
    assert_false(fr_watch_is_stuck(watch));
    moved_clock_by_ms(&clock, 60000);
    assert_false(fr_watch_is_stuck(watch));
    moved_clock_by_ms(&clock, 1);
    assert_true(fr_watch_is_stuck(watch));
    /* A step that began after the clock was read. */
    clock.ns -= 70000000000;
    assert_false(fr_watch_is_stuck(watch));
    fr_watch_stop(watch);
}
