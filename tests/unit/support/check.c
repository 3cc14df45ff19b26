/* The list of all tests, to which each adds itself before main(). */
#include "tests/unit/support/check.h"

#include "server/core/clock.h"

#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

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

/* A child runs the tests of one file; its standard output goes on where this one's ends. */
static bool has_passed(const char *name)
{
    const uint64_t begun_ns = fr_clock_ns(NULL);
    int status = 1;
    pid_t child;

    fflush(stdout);
    child = fork();
    if (child == 0)
        exit(unit_tests_run(name));
    if (child > 0)
        waitpid(child, &status, 0);
    printf("# %s: %d ms\n", name, (int)((fr_clock_ns(NULL) - begun_ns) / 1000000));
    if (WIFSIGNALED(status))
        printf("ended by signal %d\n[  FAILED  ] %s\n", WTERMSIG(status), name);
    return status == 0;
}

int unit_tests_run_below(const char *folder)
{
    const char *file = "";
    char beginning[64];
    int failed = 0;

    snprintf(beginning, sizeof beginning, "tests/unit/%s/", folder);
    for (const struct unit_test *test = unit_tests; test; test = test->next) {
        char name[64];

        if (strcmp(test->file, file) == 0 || strncmp(test->file, beginning, strlen(beginning)) != 0)
            continue;
        file = test->file;
        snprintf(name, sizeof name, "%s", strrchr(file, '/') + 1);
        *strchr(name, '.') = '\0';
        failed += !has_passed(name);
    }
    if (!*file)
        fprintf(stderr, "there are no unit tests below %s\n", beginning);
    return *file ? failed : 1;
}
