/* Runs the unit tests that are linked into it: those of a folder, such as engine/dense, those of a
 * file, or those of its functions whose name has a pattern. runner FOLDER | test_NAME [PATTERN] */
#include "tests/unit/support/check.h"

int main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "TEST";

    if (argc > 2)
        cmocka_set_test_filter(argv[2]);
    return strchr(name, '/') ? unit_tests_run_below(name) : unit_tests_run(name);
}
