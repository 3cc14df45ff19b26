/* The tics of an axis of time, from hours to centuries. */
#include "server/charts/plot/script.h"
#include "server/core/clock.h"
#include "tests/unit/support/check.h"

static struct fr_date_tic tic[FR_MOST_DATES];

static size_t tics_between(const char *low, const char *high, double characters)
{
    return fr_dates_find(fr_timestamp_seconds(low), fr_timestamp_seconds(high), characters, tic);
}

TEST(labels_name_hours_days_months_or_years)
{
    assert_int_equal(tics_between("2026-11-20T22:10:00Z", "2026-11-21T02:10:00Z", 90), 4);
    assert_string_equal(tic[0].label, "11-20 23:00");
    assert_string_equal(tic[1].label, "11-21 00:00");
    assert_int_equal(tics_between("2026-02-26T12:00:00Z", "2026-03-02T12:00:00Z", 60), 4);
    assert_string_equal(tic[0].label, "2026-02-27");
    assert_string_equal(tic[2].label, "2026-03-01");
    assert_int_equal(tics_between("2025-11-03T00:00:00Z", "2026-03-02T00:00:00Z", 60), 4);
    assert_string_equal(tic[0].label, "2025-12");
    assert_string_equal(tic[3].label, "2026-03");
    assert_int_equal(tics_between("2023-11-03T00:00:00Z", "2026-03-02T00:00:00Z", 60), 3);
    assert_string_equal(tic[0].label, "2024");
    assert_close(tic[0].value, fr_timestamp_seconds("2024-01-01T00:00:00Z"), 0);
}

TEST(labels_fit_side_by_side)
{
    static const char *const ends[] = { "2026-01-01T01:00:00Z", "2026-01-02T00:00:00Z",
                                        "2026-01-09T00:00:00Z", "2026-04-01T00:00:00Z",
                                        "2031-01-01T00:00:00Z", "9999-12-31T00:00:00Z" };

    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        for (double characters = 20; characters < 200; characters += 30) {
            const size_t count = tics_between("2026-01-01T00:00:00Z", ends[i], characters);
            size_t used = 0;

            assert_true(count <= FR_MOST_DATES);
            for (size_t k = 0; k < count; k++)
                used += strlen(tic[k].label) + 3;
            assert_true(count <= 1 || (double)used <= characters);
        }
}

TEST(dates_before_1970_and_single_instants_are_shown)
{
    assert_int_equal(tics_between("1969-12-30T12:00:00Z", "1970-01-02T12:00:00Z", 60), 3);
    assert_string_equal(tic[0].label, "1969-12-31");
    assert_int_equal(tics_between("0001-01-01T00:00:00Z", "0001-01-01T00:00:00Z", 60), 1);
}
