/* Inspection of a matrix file in a child process: its facts, its faults, and children that fail. */
#include "server/matrices/matrix.h"

#include "server/core/process.h"
#include "tests/unit/support/check.h"
#include "tests/unit/support/moved_clock.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define HEAD "%%MatrixMarket matrix coordinate real general\n% a title\n"

enum { LIMIT_BYTES = 1000, TIMEOUT_S = 20, CRASHES = 1, LIES, HANGS, STOPS };

/* The time passes while a child hangs, and only then. */
static struct fr_inspection *inspected(const char *text, int64_t limit_bytes)
{
    struct moved_clock clock;
    uint64_t begun_ns;
    const int file = fr_spool_open("./inspection");
    struct fr_inspection *found;

    assert_true(file >= 0);
    assert_int_equal(fr_spool_write(file, text, strlen(text)), 0);
    moved_clock_init(&clock);
    begun_ns = clock.ns;
    clock.jumps = limit_bytes == HANGS;
    found = fr_inspection_run(file, limit_bytes, &clock.clock, TIMEOUT_S, NULL);
    assert_int_equal(clock.ns - begun_ns, clock.jumps ? TIMEOUT_S * 1000000000LL : 0);
    close(file);
    return found;
}

TEST(facts_come_from_the_child)
{
    struct fr_inspection *found =
        inspected(HEAD "3 3 4\n1 1 1\n2 2 2\n3 1 4\n3 3 -1\n", LIMIT_BYTES);

    assert_non_null(found);
    assert_int_equal(found->faults.count, 0);
    assert_true(found->has_facts);
    assert_string_equal(found->head.title, "a title");
    assert_int_equal(found->head.n, 3);
    assert_int_equal(found->head.nnz, 4);
    assert_null(found->head.row);
    assert_int_equal(found->facts.lower_bandwidth, 2);
    assert_int_equal(found->facts.upper_bandwidth, 0);
    assert_int_equal(found->spy.side, 3);
    assert_int_equal(found->spy.count[2][0], 1);
    free(found);
}

TEST(faults_keep_their_lines)
{
    struct fr_inspection *found = inspected(HEAD "3 3 2\n1 1 1\n4 1 \xc3\xa9\n", LIMIT_BYTES);

    assert_non_null(found);
    assert_int_equal(found->faults.count, 1);
    assert_string_equal(found->faults.fault[0].where, "/line/5");
    assert_non_null(
        strstr(found->faults.fault[0].message, "'4 1 \xc3\xa9' is not ROW COLUMN VALUE"));
    free(found);
    found = inspected(HEAD "3 3 2\n1 1 1\n2 2 1\n", 40);
    assert_non_null(found);
    assert_int_equal(found->faults.fault[0].code, FR_NOMEM);
    free(found);
}

/* Codes choose a title and a status of the answer. */
TEST(a_fault_has_a_code_that_exists)
{
    static const struct fr_inspection refused = {
        .faults = { .count = 2, .fault = { { .code = FR_SYNTAX }, { .code = FR_NOMEM } } }
    };
    static const int codes[] = { -1, FR_OK, FR_INFEASIBLE + 1, INT32_MAX };
    struct fr_inspection *found = malloc(sizeof *found);

    assert_non_null(found);
    *found = refused;
    assert_true(fr_inspection_check(found));
    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++) {
        memcpy(&found->faults.fault[1].code, &codes[i], sizeof codes[i]);
        assert_false(fr_inspection_check(found));
    }
    free(found);
}

/* The limit in bytes tells this program, as the child, how to fail. */
TEST(a_child_that_fails_has_no_result)
{
    assert_null(inspected("", CRASHES));
    assert_null(inspected("", LIES));
    assert_null(inspected("", HANGS));
    assert_null(inspected("", STOPS));
}

static int fail_as(int64_t way)
{
    struct fr_inspection *found = calloc(1, sizeof *found);

    found->has_facts = 1;
    found->head.n = found->spy.n = 3;
    found->spy.side = 4; /* more than there are rows */
    if (way == CRASHES)
        raise(SIGKILL);
    if (way == HANGS)
        pause();
    fr_spool_write(STDOUT_FILENO, found, way == LIES ? sizeof *found : sizeof *found / 2);
    free(found);
    return EXIT_SUCCESS;
}

int main(int argc, char **argv)
{
    if (argc == 3 && strcmp(argv[1], fr_inspection_command) == 0) {
        const int64_t limit_bytes = strtoll(argv[2], NULL, 10);

        return limit_bytes <= STOPS ? fail_as(limit_bytes)
                                    : fr_inspection_child(argc - 1, argv + 1);
    }
    return unit_tests_run("test_inspection");
}
