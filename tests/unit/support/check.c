/* The list of all tests, to which each adds itself before main(). */
#include "tests/unit/support/check.h"

#include <sodium.h>
#include <stdio.h>

static struct unit_test *unit_tests;

void unit_test_list(struct unit_test *test)
{
    struct unit_test **at = &unit_tests;

    while (*at && strcmp((*at)->file, test->file) == 0 && (*at)->line < test->line)
        at = &(*at)->next;
    test->next = *at;
    *at = test;
}

int unit_tests_run(const char *name)
{
    struct CMUnitTest tests[100];
    CMFixtureFunction set_up = NULL, tear_down = NULL;
    size_t count = 0;
    char ending[64];

    snprintf(ending, sizeof ending, "/%s.c", name);
    for (const struct unit_test *test = unit_tests; test; test = test->next) {
        if (!strstr(test->file, ending))
            continue;
        if (!test->unit.test_func) {
            set_up = test->unit.setup_func;
            tear_down = test->unit.teardown_func;
        } else {
            assert_true(count < sizeof tests / sizeof *tests);
            tests[count++] = test->unit;
        }
    }
    if (count == 0) {
        fprintf(stderr, "there is no %s among\n", name);
        for (const struct unit_test *test = unit_tests; test; test = test->next)
            if (!test->next || strcmp(test->file, test->next->file) != 0)
                fprintf(stderr, "    %s\n", test->file);
    }
    return count == 0 || sodium_init() < 0
               ? 1
               : _cmocka_run_group_tests(name, tests, count, set_up, tear_down);
}
