/* Runs one of the unit tests that are linked into it, or those of its functions whose name has a
 * pattern. runner test_NAME [PATTERN] */
#include "tests/unit/support/check.h"

int main(int argc, char **argv)
{
    if (argc > 2)
        cmocka_set_test_filter(argv[2]);
    return unit_tests_run(argc > 1 ? argv[1] : "TEST");
}
