/* The two forms of a call in the input of the Sampler: the short form and the tuple. */
#include "tests/unit/support/check.h"

#include "calibrations/calibrate/blocked/sampler.h"

static void read_well(const char *text, struct blocked_call *call, struct fr_layout *layout)
{
    char why[BLOCKED_WHY_BYTES] = "";

    memset(layout, 0x7f, sizeof *layout);
    if (fr_call_parse(text, call, layout, why))
        fail_msg("%s: %s", text, why);
}

/* Checks that both forms are the same call; returns the layout of the tuple. */
static struct fr_layout assert_same(const char *tuple, const char *line)
{
    struct blocked_call call, expected;
    struct fr_layout layout, none;
    char printed[BLOCKED_CALL_BYTES];

    read_well(tuple, &call, &layout);
    read_well(line, &expected, &none);
    for (int i = 0; i < FR_OPERANDS_MAX; i++)
        assert_int_equal(none.leading[i], 0);
    blocked_call_print(&call, printed);
    assert_string_equal(printed, line);
    assert_true(blocked_kernel_equal(&call.kernel, &expected.kernel));
    assert_memory_equal(call.size, expected.size, sizeof call.size);
    assert_close(call.alpha, expected.alpha, 0);
    return layout;
}

static void assert_leading(struct fr_layout layout, int first, int second, int third)
{
    assert_int_equal(layout.leading[0], first);
    assert_int_equal(layout.leading[1], second);
    assert_int_equal(layout.leading[2], third);
}

TEST(the_paper_s_tuple_is_the_short_form)
{
    assert_leading(assert_same("(dtrsm, L, L, N, N, 100, 200, 1.0, 10000, 2500, 20000, 2500)",
                               "dtrsm LLNN 100 200 +1"),
                   2500, 2500, 0);
    assert_leading(
        assert_same("(dtrsm,R,u,t,N,100,200,-1,40000,300,20000,101)", "dtrsm RUTN 100 200 -1"), 300,
        101, 0);
}

/* A row of the table of kernels needs a row of the table of executors. */
TEST(every_kernel_of_the_table_is_executed)
{
    for (const struct blocked_routine *routine = blocked_routines; routine->name; routine++) {
        const struct fr_executor *executor = fr_executor_find(routine);

        if (!executor)
            fail_msg("%s is not in execute.c", routine->name);
        assert_memory_equal(executor->name, routine->name, strlen(executor->name));
        assert_true(executor->operands >= 1 && executor->run);
    }
}

TEST(every_routine_has_a_tuple)
{
    /* The stored shape of A is k x m. */
    assert_leading(assert_same("(dgemm, T, N, 10, 20, 30, -1.0, 300, 30, 600, 31, 1.0, 200, 32)",
                               "dgemm TN 10 20 30 -1"),
                   30, 31, 32);
    assert_leading(
        assert_same("(dtrmm, R, L, N, N, 8, 16, 1, 256, 16, 128, 8)", "dtrmm RLNN 8 16 +1"), 16, 8,
        0);
    assert_leading(assert_same("(dsyrk, L, N, 8, 16, -1, 128, 9, 1, 64, 10)", "dsyrk LN 8 16 -1"),
                   9, 10, 0);
    assert_leading(
        assert_same("(dsymm, L, U, 8, 16, 1, 64, 8, 128, 9, 1, 128, 10)", "dsymm LU 8 16 +1"), 8, 9,
        10);
    assert_leading(assert_same("(dpotrf, L, 8, 64, 8)", "dpotrf L 8"), 8, 0, 0);
    assert_leading(assert_same("(dgetrf, 8, 4, 32, 11)", "dgetrf 8 4"), 11, 0, 0);
    assert_leading(assert_same("(dtrtri, L, N, 8, 64, 12)", "dtrtri LN 8"), 12, 0, 0);
    assert_leading(assert_same("(trinv3_unb, 8, 64, 8)", "trinv3_unb 8"), 8, 0, 0);
    assert_leading(assert_same("(sylv_unb, 8, 4, 64, 8, 16, 5, 32, 9)", "sylv_unb 8 4"), 8, 5, 9);
    assert_leading(assert_same("(sylv16_unb, 8, 4, 64, 8, 16, 4, 32, 8)", "sylv16_unb 8 4"), 8, 4,
                   8);
}

/* Sections II.C and II.B: a tuple and a call as they are printed. */
TEST(the_call_of_the_paper_is_read)
{
    assert_leading(assert_same("(dtrsm, R, L, N, U, 512, 128, 0.37, A, 256, B, 512)",
                               "dtrsm RLNU 512 128 +0.37"),
                   256, 512, 0);
    assert_leading(assert_same("dtrsm( R , L , N , U , 512 , 128 , 0.37, A , 256, B , 512)",
                               "dtrsm RLNU 512 128 +0.37"),
                   256, 512, 0);
    assert_leading(assert_same("(dtrsm, L, L, N, N, 256, 256, +0.5, A, 256, B, 256)",
                               "dtrsm LLNN 256 256 +0.5"),
                   256, 256, 0);
}

TEST(blanks_are_free_and_sizes_may_count_the_gaps)
{
    assert_leading(assert_same(" ( dpotrf ,L ,\t8, 800,100 ) \r\n", "dpotrf L 8"), 100, 0, 0);
}

static void assert_refused(const char *text, const char *part)
{
    struct blocked_call call = { .alpha = 7 };
    struct fr_layout layout = { { 7 } };
    char why[BLOCKED_WHY_BYTES] = "";

    if (!fr_call_parse(text, &call, &layout, why))
        fail_msg("%s is taken", text);
    if (!strstr(why, part))
        fail_msg("%s: \"%s\" does not say \"%s\"", text, why, part);
    assert_close(call.alpha, 7, 0);
    assert_int_equal(layout.leading[0], 7);
}

TEST(what_is_no_call_is_refused)
{
    assert_refused("", "a call is");
    assert_refused("(", "argument 1 is empty");
    assert_refused("()", "argument 1 is empty");
    assert_refused("(dpotrf, L, 8, 64, 8", "')' is missing");
    assert_refused("(dpotrf, L, 8, 64, 8) 1", "unexpected text after the ')'");
    assert_refused("(dpotrf, L, 8, , 8)", "argument 4 is empty");
    assert_refused("dpotrf(L, 8, 64, 8", "')' is missing");
    assert_refused("(dnothing, 8)", "dnothing is not a known routine");
    assert_refused("(dpotrf, L, 8, 64)", "takes 5 arguments, its name among them, not 4");
    assert_refused("(dpotrf, L, 8, 64, 8, 0)", "not 6");
    assert_refused("(1,2,3,4,5,6,7,8,9,0,1,2,3,4,5,6,7,8,9,0,1)", "more arguments");
    assert_refused("(dpotrf, LLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLL, 8, 64, 8)", "too long");
    assert_refused("dpotrf L 8; dpotrf L 8", "a line must be one call");
}

TEST(arguments_that_do_not_fit_are_refused)
{
    assert_refused("(dpotrf, X, 8, 64, 8)", "flag uplo");
    assert_refused("(dpotrf, L, eight, 64, 8)", "size n");
    assert_refused("(dpotrf, L, 8, 64, 7)", "leading dimension of A is 7; it must be from 8 to");
    assert_refused("(dpotrf, L, 8, 64, 99999999)", "leading dimension of A");
    assert_refused("(dpotrf, L, 8, 63, 8)", "size of A is 63; 8 x 8 elements are 64");
    assert_refused("(dpotrf, L, 8, 81, 10)", "up to 80");
    assert_refused("(dpotrf, L, 8, -64, 8)", "'-64' is not a whole number");
    assert_refused("(dtrsm, L, L, N, N, 8, 8, one, 64, 8, 64, 8)", "alpha is one, not a number");
    assert_refused("(dtrsm, L, L, N, N, 8, 8, nan, 64, 8, 64, 8)", "alpha is nan");
    assert_refused("(dtrsm, L, L, N, N, 8, 8, 1, B, 8, 64, 8)", "size of A: 'B'");
    assert_refused("(dsyrk, L, N, 8, 8, 1, 64, 8, 0.0, 64, 8)", "beta is 0.0");
    assert_refused("(dsyrk, L, N, 8, 8, 1, 64, 8, -1, 64, 8)", "beta is -1");
}
