/* cmocka, tests that list themselves, and assert_close; cmocka's own comparison of floating-point
 * numbers has single precision. */
#ifndef FR_CHECK_H
#define FR_CHECK_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <math.h>

/* `TEST(what_it_shows) { ... }` is a test of its file; `state` is what its set-up leaves. */
#define TEST(name) TEST_WITH(name, NULL, NULL)
#define TEST_WITH(name, set_up, tear_down)   \
    static void name(void **state);          \
    UNIT_TEST(name, name, set_up, tear_down) \
    static void name(__attribute__((unused)) void **state)
/* A test that has its state under a name and a type: TEST_OF(name, struct field *field, …). */
#define TEST_OF(name, given, set_up, tear_down)    \
    static void name##_given(void **state, given); \
    TEST_WITH(name, set_up, tear_down)             \
    {                                              \
        name##_given(state, *state);               \
    }                                              \
    static void name##_given(__attribute__((unused)) void **state, __attribute__((unused)) given)
/* What is done before and after all tests of a file. */
#define GROUP(set_up, tear_down) UNIT_TEST(group, NULL, set_up, tear_down)

#define UNIT_TEST(name, test, set_up, tear_down)                               \
    __attribute__((constructor)) static void name##_is_listed(void)            \
    {                                                                          \
        static struct unit_test listed = {                                     \
            __FILE__, __LINE__, { #name, test, set_up, tear_down, NULL }, NULL \
        };                                                                     \
        unit_test_list(&listed);                                               \
    }
struct unit_test {
    const char *file;
    int line;
    struct CMUnitTest unit; /* without a function: of the group */
    struct unit_test *next; /* of the same file: in the order of lines */
};
void unit_test_list(struct unit_test *test);
/* Runs the tests of the file of this name, without folders and `.c`; returns how many fail. */
int unit_tests_run(const char *name);
/* Runs those of all files of a folder below tests/unit, each file in a process of its own; returns
 * how many files fail. */
int unit_tests_run_below(const char *folder);

/* |a - b| <= tolerance * |b|, or both below any measurable magnitude. */
#define assert_close(a, b, tolerance) \
    check_close((double)(a), (double)(b), (tolerance), #a, __FILE__, __LINE__)

static inline void check_close(double a, double b, double tolerance, const char *what,
                               const char *file, int line)
{
    if (isnan(a) && isnan(b))
        return;
    if (fabs(a - b) <= tolerance * fabs(b) || fabs(a - b) < 1e-15)
        return;
    print_error("%s: %.17g is not %.17g within %g\n", what, a, b, tolerance);
    _fail(file, line);
}

#endif
