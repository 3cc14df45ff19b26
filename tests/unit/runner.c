/* Runs one of the unit tests that are linked into it, or those of its functions whose name has a
 * pattern. runner test_NAME [PATTERN] The main function of each test is compiled under the name of
 * its file; the Makefile lists them. */
#include "tests/unit/support/check.h"

#include <stdio.h>
#include <stdlib.h>

#define UNIT_TEST(name) int name(void);
UNIT_TESTS
#undef UNIT_TEST

#define UNIT_TEST(name) { #name, name },
static const struct {
    const char *name;
    int (*run)(void);
} tests[] = { UNIT_TESTS };

int main(int argc, char **argv)
{
    if (argc > 2)
        cmocka_set_test_filter(argv[2]);
    for (size_t i = 0; argc > 1 && i < sizeof tests / sizeof *tests; i++)
        if (strcmp(argv[1], tests[i].name) == 0)
            return tests[i].run();
    fprintf(stderr, "usage: %s TEST [PATTERN]\n", argv[0]);
    for (size_t i = 0; i < sizeof tests / sizeof *tests; i++)
        fprintf(stderr, "    %s\n", tests[i].name);
    return EXIT_FAILURE;
}
