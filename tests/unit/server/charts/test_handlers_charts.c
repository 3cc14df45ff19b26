/* Charts of several outputs and maps, through the handler. */
#include "tests/unit/support/handler_fixture.h"

#include <string.h>

#define CHART "/api/v1/chart/{model}"
#define CANNON "machine=round&contention_model=paper&algorithm=cannon&variant=2d&"

static void chart(struct handler_fixture *fixture, int status, const char *query)
{
    fixture_ask(fixture, "GET", CHART, "matmul", query, NULL, FR_GP);
    if (fixture->status != status)
        fail_msg("%s: %d instead of %d: %s", query, fixture->status, status, fixture->text);
}

static size_t times_in(const char *text, const char *part)
{
    size_t count = 0;

    for (const char *at = text; (at = strstr(at, part)); at += strlen(part))
        count++;
    return count;
}

DESK_TEST(several_outputs_are_a_line_each)
{
    chart(fixture, 200,
          CANNON "n=4,8&processes=4&y=communication_bytes_per_process,memory_bytes_per_process");
    assert_non_null(strstr(fixture->text, "'communication bytes per process'"));
    assert_non_null(strstr(fixture->text, "'memory bytes per process'"));
    assert_non_null(strstr(fixture->text, "set ylabel 'value (bytes)'"));
    chart(
        fixture, 200,
        "machine=round&contention_model=paper&algorithm=cannon&variant=2d,2d_ovlp&n=4,8&processes=4"
        "&y=communication_bytes_per_process,memory_bytes_per_process");
    assert_int_equal(times_in(fixture->text, "'2d_ovlp, memory bytes per process'"), 1);
    assert_int_equal(times_in(fixture->text, "'2d, communication bytes per process'"), 1);
}

DESK_TEST(outputs_that_do_not_go_together_are_refused)
{
    chart(fixture, 422, CANNON "n=4,8&processes=4&y=time_s,flops");
    fixture_refuses(fixture, "impossible_combination", "y");
    chart(fixture, 422, CANNON "n=4,8&processes=4&y=time_s,time_s");
    fixture_refuses(fixture, "given_twice", "y");
    chart(fixture, 422, CANNON "n=4,8&processes=4&y=time_s,");
    fixture_refuses(fixture, "unknown_choice", "y");
    chart(fixture, 422,
          CANNON "n=4,8&processes=4&kind=breakdown"
                 "&y=communication_bytes_per_process,memory_bytes_per_process");
    fixture_refuses(fixture, "impossible_combination", "y");
}

/* 2 and 3 processes form no square: these columns are grey. */
DESK_TEST(a_map_has_a_cell_for_each_legal_pair)
{
    chart(fixture, 200, CANNON "n=4,8&processes=1..4&kind=map&x=processes&series=n");
    assert_non_null(strstr(fixture->text, "\n-0.5 -0.5 -0.5 0.5 -0.5 0.5 128\n"));
    assert_non_null(strstr(fixture->text, "\n2.5 -0.5 2.5 3.5 -0.5 0.5 72\n"));
    assert_non_null(strstr(fixture->text, "\n2.5 0.5 2.5 3.5 0.5 1.5 392\n"));
    assert_int_equal(times_in(fixture->text, "set label '"), 4 + 1); /* and the title */
    assert_non_null(strstr(fixture->text, "\n0.5 -0.5 0.5 1.5 -0.5 0.5 NaN\n"));
    assert_int_equal(times_in(fixture->text, " NaN\n"), 4 + 2); /* and the first of each block */
    assert_non_null(strstr(fixture->text, "title '4 refused (processes: 2 "));
    assert_non_null(strstr(fixture->text, "set label '1024' at"));
    assert_non_null(strstr(fixture->text, "set cbrange [72:1024]"));
    assert_non_null(strstr(fixture->text, "set logscale cb"));
    assert_null(strstr(fixture->text, "set object")); /* a problem size has no best value */
}

DESK_TEST(the_best_of_two_choices_is_framed)
{
    chart(fixture, 200,
          "machine=round&contention_model=paper&algorithm=cannon&variant=2d,2d_ovlp&n=8&processes="
          "1,4&kind=map");
    assert_int_equal(times_in(fixture->text, "set object rectangle"),
                     2); /* the white frame is below the blue one */
    assert_non_null(strstr(fixture->text, "from first 0.5, first 0.5 to first 1.5, first 1.5"));
    assert_non_null(strstr(fixture->text, "the best is framed"));
    chart(fixture, 200,
          "machine=round&contention_model=paper&algorithm=cannon&variant=2d,2d_ovlp&n=8&processes="
          "1,4&kind=map&y=gflops");
    assert_non_null(strstr(fixture->text, "from first 0.5, first 0.5 to first 1.5, first 1.5"));
}

DESK_TEST(a_map_needs_two_lists_and_one_machine)
{
    chart(fixture, 422, CANNON "n=4,8&processes=4&kind=map");
    fixture_refuses(fixture, "required", "series");
    chart(fixture, 422,
          "machine=round,full&contention_model=paper&algorithm=cannon&variant=2d&n=4,8&processes=1,"
          "4&kind=map");
    fixture_refuses(fixture, "too_many_points", "machine");
    chart(fixture, 422, CANNON "n=1..100&processes=1..100&kind=map");
    fixture_refuses(fixture, "too_many_points", "n");
    chart(fixture, 422, CANNON "n=4,8&processes=2,3&kind=map");
    fixture_refuses(fixture, "impossible_combination", "processes");
}
