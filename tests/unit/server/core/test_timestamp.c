/* Times of day: what RFC 3339 takes, what it does not, and the form that sorts. */
#include "server/core/clock.h"
#include "tests/unit/support/check.h"

TEST(times_become_utc_with_milliseconds)
{
    static const char *const cases[][2] = {
        { "2026-11-20T12:00:00Z", "2026-11-20T12:00:00.000Z" },
        { "2026-11-20t12:00:00z", "2026-11-20T12:00:00.000Z" },
        { "2026-11-20T12:00:00+01:00", "2026-11-20T11:00:00.000Z" },
        { "2026-11-20T00:30:00+01:00", "2026-11-19T23:30:00.000Z" },
        { "2026-12-31T23:30:00-00:45", "2027-01-01T00:15:00.000Z" },
        { "2026-11-20T12:00:00-00:00", "2026-11-20T12:00:00.000Z" },
        { "2026-11-20T12:00:00.5Z", "2026-11-20T12:00:00.500Z" },
        { "2026-11-20T12:00:00.1239999Z", "2026-11-20T12:00:00.123Z" },
        { "2024-02-29T00:00:00Z", "2024-02-29T00:00:00.000Z" },
        { "2016-12-31T23:59:60Z", "2017-01-01T00:00:00.000Z" },
        { "1969-12-31T23:59:59.999Z", "1969-12-31T23:59:59.999Z" },
        { "0001-01-01T00:00:00Z", "0001-01-01T00:00:00.000Z" },
        { "9999-12-31T23:59:59Z", "9999-12-31T23:59:59.000Z" },
    };
    char out[FR_TIMESTAMP_BYTES];

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_true(fr_timestamp_read(cases[i][0], out));
        assert_string_equal(out, cases[i][1]);
    }
}

TEST(what_is_no_time_is_refused)
{
    static const char *const cases[] = {
        "",
        "now",
        "2026-11-20",
        "2026-11-20T12:00:00",
        "2026-11-20 12:00:00Z",
        "2026-11-20T12:00Z",
        "2026-11-20T12:00:00.Z",
        "2026-11-20T12:00:00,5Z",
        "2026-11-20T12:00:00Z ",
        " 2026-11-20T12:00:00Z",
        "2026-11-20T12:00:00+0100",
        "2026-11-20T12:00:00+24:00",
        "2026-11-20T12:00:00+01:60",
        "2026-11-20T24:00:00Z",
        "2026-11-20T12:60:00Z",
        "2026-11-20T12:00:61Z",
        "2026-00-20T12:00:00Z",
        "2026-13-20T12:00:00Z",
        "2026-11-00T12:00:00Z",
        "2026-11-31T12:00:00Z",
        "2026-02-29T12:00:00Z",
        "2100-02-29T12:00:00Z",
        "26-11-20T12:00:00Z",
        "+2026-11-20T12:00:00Z",
        "2026-1-20T12:00:00Z",
        "9999-12-31T23:59:59-00:01",
        "0000-01-01T00:00:00+00:01",
    };
    char out[FR_TIMESTAMP_BYTES] = "untouched";

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        if (fr_timestamp_read(cases[i], out))
            fail_msg("'%s' was taken for %s", cases[i], out);
    assert_string_equal(out, "untouched");
}

TEST(a_day_is_its_first_or_its_last_millisecond)
{
    char out[FR_TIMESTAMP_BYTES];

    assert_true(fr_timestamp_read_bound("2026-11-20", false, out));
    assert_string_equal(out, "2026-11-20T00:00:00.000Z");
    assert_true(fr_timestamp_read_bound("2026-11-20", true, out));
    assert_string_equal(out, "2026-11-20T23:59:59.999Z");
    assert_true(fr_timestamp_read_bound("2026-11-20T01:00:00+02:00", true, out));
    assert_string_equal(out, "2026-11-19T23:00:00.000Z");
    assert_false(fr_timestamp_read_bound("2026-11-31", false, out));
    assert_false(fr_timestamp_read_bound("2026-11-2x", false, out));
    assert_false(fr_timestamp_read_bound("2026/11/20", false, out));
}

TEST(seconds_count_from_1970)
{
    assert_close(fr_timestamp_seconds("1970-01-01T00:00:00Z"), 0, 0);
    assert_close(fr_timestamp_seconds("2026-11-20T12:00:00.250+01:00"), 1795172400.25, 0);
    assert_close(fr_timestamp_seconds("1969-12-31T23:59:59.5Z"), -0.5, 0);
    assert_true(isnan(fr_timestamp_seconds("2026-11-20")));
}
