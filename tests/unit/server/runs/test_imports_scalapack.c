/* What is read of the tables of ScaLAPACK's testers and of the PBLAS timer.  The samples are output
 * of Debian's scalapack-mpi-test on two processes. */
#include "tests/unit/support/imported.h"

#include <stdio.h>

static double runs_of(json_t *runs, const char *model)
{
    double count = 0;
    json_t *run;
    size_t i;

    json_array_foreach(runs, i, run) count += strcmp(text_at(run, "/model"), model) == 0;
    return count;
}

/* 20 rows of LU: 8 repeat a factorization, 5 have times below 0.10 s and no rate of their own.  2
 * rows of LLt are too short.  Of 4 rows of QR 2 have MB = NB; 8 are of QL and QP. */
TEST(each_row_that_can_be_timed_is_a_run_of_its_model)
{
    struct import import = import_sample("scalapack", "", "scalapack.txt");
    json_t *run = json_array_get(import.runs, 1);

    assert_int_equal(import.imported.runs, 9);
    assert_int_equal(import.imported.left_out, 5 + 2 + 2 + 8);
    assert_close(runs_of(import.runs, "pdgetrf"), 7, 0);
    assert_close(runs_of(import.runs, "pdgeqrf"), 2, 0);
    assert_holds(run, "",
                 "{'parameters': {'m': 400, 'n': 200, 'block_size': 32, 'process_rows': 1, "
                 "'process_columns': 2, 'mapping': 'row'}, 'notes': 'ScaLAPACK tester'}");
}

#define LU "TIME     M     N  NB NRHS NBRHS    P    Q  LU Time Sol Time  MFLOPS  CHECK\n"
#define LLT "TIME UPLO     N  NB NRHS NBRHS    P    Q LLt Time Slv Time   MFLOPS CHECK\n"
#define QR "TIME      M      N  MB  NB     P     Q Fact Time      MFLOPS  CHECK  Residual\n"

/* The rate is that of factorization and solve together; where nothing is solved, or for QR, it is
 * that of the factorization. */
TEST(a_rate_improves_the_time_of_what_is_timed_alone)
{
    static const char text[] =
        LU "WALL  5000  5000  64     1    1    2    4    12.34     0.05  6735.12 PASSED\n"
           "WALL   400   200  16     0    0    1    2     0.00     0.00 19336.72 PASSED\n"
           "WALL  9000  4000  64     0    0    2    4    12.34     0.00 ******** BYPASS\n" LLT
           "WALL    L 20000  64    1     1    4    4     1.25     0.01 ******** PASSED\n" QR
           "WALL    400    200  16  16     2     1      0.00    21081.67 PASSED   0.4E-01\n"
           "CPU     400    200  16  16     2     1      0.00    21081.67 PASSED   0.4E-01\n";
    json_t *runs = imported_text("scalapack", "ranks_per_node=2", text, 5);

    assert_close(number_at(runs, "/0/time_s"), 12.34, 0);
    assert_close(number_at(runs, "/1/time_s"), 200.0 * 200 * (400 - 200 / 3.0 - 0.5) / 19336.72e6,
                 1e-12);
    assert_holds(runs, "/2",
                 "{'time_s': 12.34, 'notes': 'ScaLAPACK tester, residual not checked'}");
    assert_holds(runs, "/3",
                 "{'model': 'pdpotrf', 'parameters': {'uplo': 'L', 'm': null, "
                 "'ranks_per_node': 2}}");
    assert_close(number_at(runs, "/4/time_s"),
                 (2.0 * 200 * 200 * (400 - 200 / 3.0) + 600.0 * 200) / 21081.67e6, 1e-12);
}

TEST(one_factorization_with_many_solves_is_one_run)
{
    static const char text[] =
        LU "WALL   500   500  32     1    1    2    1     0.14     0.11   333.34 PASSED\n"
           "WALL   500   500  32     3    1    2    1     0.14     0.11   337.33 PASSED\n"
           "WALL   500   500  32     3    2    2    1     0.14     0.11   337.33 PASSED\n"
           "WALL   500   500  32     1    1    2    1     0.15     0.11   333.34 PASSED\n";
    struct import import = import_text("scalapack", "", text, sizeof text - 1);

    assert_int_equal(import.imported.runs, 2);
    assert_int_equal(import.imported.left_out, 0);
}

TEST(what_is_no_run_of_a_model_is_left_out)
{
    static const char text[] =
        LU "WALL   500   500  32     1    1    2    1     1.14     0.11   333.34 FAILED\n"
           "WALL   500   500  32     1    1    2    2     0.07     0.00   333.34 PASSED\n"
           "WALL   500   500  32     1    1    1    2     1.14     0.11   333.34 PASSED\n";
    struct import import = import_text("scalapack", "", text, sizeof text - 1);

    assert_int_equal(import.imported.runs, 1);
    assert_int_equal(import.imported.left_out, 2);
    assert_refused("scalapack", "",
                   "QL factorization tests.\n" QR
                   "WALL    400    200  16  16     2     1      1.00      213.33 PASSED\n",
                   FR_RELATION, "", "none of 1 results is a run of a model");
}

/* PDGEMM and PDTRSM of two tests; PDSYRK has no model. */
TEST(the_pblas_timer_gives_products_and_solves)
{
    struct import import = import_sample("scalapack", "", "scalapack-pblas.txt");
    json_t *runs = import.runs;

    assert_int_equal(import.imported.runs, 4);
    assert_int_equal(import.imported.left_out, 2);
    assert_close(runs_of(runs, "pdgemm"), 2, 0);
    assert_holds(runs, "/0",
                 "{'parameters': {'transa': 'N', 'transb': 'N', 'm': 300, 'k': 200, "
                 "'block_size': 32, 'process_rows': 2, 'side': null}}");
    assert_holds(runs, "/3",
                 "{'model': 'pdtrsm', 'parameters': {'side': 'L', 'uplo': 'L', 'trans': 'N', "
                 "'m': 400, 'k': null}, 'notes': 'PBLAS timer'}");
}

#define BEGIN                                                               \
    "Test number  1 started on a    1 x    2 process grid.\n"               \
    "     M      N      K    SIDE  UPLO  TRANSA  TRANSB  DIAG\n"            \
    "   ------------------------------------\n"                             \
    "   400    200    100      R     L       N       N     N\n"             \
    "    IA     JA     MA     NA   IMBA   INBA    MBA    NBA RSRCA CSRCA\n" \
    "     1      1    400    400     32     32     32     32     0     0\n" \
    "    IB     JB     MB     NB   IMBB   INBB    MBB    NBB RSRCB CSRCB\n"
#define RESULTS                                                                \
    "|  PDGEMM           1.000         16.000         -1.000          0.000\n" \
    "|  PDTRSM           2.000          8.000         -1.000          0.000\n"

/* B begins in the middle of a block; then C is divided otherwise. */
TEST(operands_that_the_models_do_not_have_are_left_out)
{
    static const char shifted[] =
        BEGIN "     2      1    400    400     32     32     32     32     0     0\n" RESULTS;
    static const char other[] =
        BEGIN "     1      1    400    400     32     32     32     32     0     0\n"
              "    IC     JC     MC     NC   IMBC   INBC    MBC    NBC RSRCC CSRCC\n"
              "     1      1    400    400     64     64     64     64     0     0\n" RESULTS;
    struct fr_faults faults = import_refused("scalapack", "", shifted);
    json_t *runs = imported_text("scalapack", "", other, 1);

    assert_fault(&faults, FR_RELATION, "", "none of 2 results is a run of a model");
    assert_holds(runs, "/0", "{'model': 'pdtrsm', 'parameters': {'side': 'R'}, 'time_s': 2}");
}

/* The rates are too large for their column, which does no harm. */
TEST(a_row_with_a_number_too_large_for_its_column_is_named)
{
    static const char pblas[] =
        "Test number ** started on a    1 x    2 process grid.\n"
        "     M      N      K    SIDE  UPLO  TRANSA  TRANSB  DIAG\n"
        "****** 200    100      R     L       N       N     N\n"
        "    IA     JA     MA     NA   IMBA   INBA    MBA    NBA RSRCA CSRCA\n"
        "     1      1    400    400     32     32     32     32     0     0\n"
        "    IB     JB     MB     NB   IMBB   INBB    MBB    NBB RSRCB CSRCB\n"
        "     1      1    400    400     32     32     32     32     0     0\n" RESULTS;
    struct import import = import_sample("scalapack", "", "scalapack-overfull.txt");

    assert_int_equal(import.imported.left_out, 2);
    assert_int_equal(import.imported.warnings.count, 2);
    assert_fault(&import.imported.warnings, FR_RANGE, "line 7", "did not fit its column");
    assert_fault(&import.imported.warnings, FR_RANGE, "line 8", "did not fit its column");
    assert_close(number_at(import.runs, "/0/time_s"), 21.37, 0);
    assert_close(number_at(import.runs, "/1/parameters/n"), 60000, 0);
    assert_refused("scalapack", "", pblas, FR_RANGE, "line 3", "did not fit its column");
}

/* Whether the model has the letter among the choices of its parameter. */
static bool is_choice(const char *model, const char *name, const char *letter)
{
    const char *const *choice = fr_param_find(fr_model_find(model)->params, name)->choices;

    while (*choice && strcmp(*choice, letter) != 0)
        choice++;
    return *choice != NULL;
}

TEST(transposed_operands_are_runs_as_far_as_the_models_have_them)
{
    static const char *const letters[] = { "N", "T", "C" };

    for (size_t i = 0; i < 3; i++) {
        char text[2048];
        struct import import;

        snprintf(text, sizeof text, "%s%s%s", BEGIN,
                 "     1      1    400    400     32     32     32     32     0     0\n"
                 "    IC     JC     MC     NC   IMBC   INBC    MBC    NBC RSRCC CSRCC\n"
                 "     1      1    400    400     32     32     32     32     0     0\n",
                 RESULTS);
        *(strstr(text, "L       N       N") + 8) = *letters[i];
        import = import_text("scalapack", "", text, strlen(text));
        assert_int_equal(import.code == FR_OK ? import.imported.runs : 0,
                         is_choice("pdgemm", "transa", letters[i]) +
                             is_choice("pdtrsm", "trans", letters[i]));
        if (import.code == FR_OK)
            assert_string_equal(text_at(import.runs, "/0/parameters/transa"), letters[i]);
    }
}

TEST(other_precisions_and_logical_blocks_are_refused)
{
    struct fr_faults faults = import_refused(
        "scalapack", "",
        "Tests of the parallel complex single precision LU factorization and solve.\n" LU
        "WALL   500   500  32     1    1    1    2     1.14     0.11   333.34 PASSED\n");
    static const char alone[] =
        LU "WALL   500   500  32     1    1    1    2     1.14     0.11   333.34 PASSED\n"
           "WALL   600   600  32     1    1    1    2     1.44     0.11   333.34 PASSED\n";
    struct import import = import_text("scalapack", "", alone, sizeof alone - 1);

    assert_int_equal(import.imported.warnings.count, 1);
    assert_fault(&import.imported.warnings, FR_MISSING, "line 2", "as of double precision");
    assert_int_equal(faults.count, 1);
    assert_fault(&faults, FR_RELATION, "line 1", "the models are of real double precision");
    assert_refused("scalapack", "", "  Logical block size        :     10\n", FR_RELATION, "line 1",
                   "the logical block size 32 of the PBLAS");
}

TEST(a_broken_table_is_refused_by_its_line)
{
    struct fr_faults faults = import_refused(
        "scalapack", "",
        LU "WALL   500   500  32     1    1    1    2     1.14\n" LLT
           "WALL    X   500  32    1     1    1    2     1.00     0.00 16539.23 PASSED\n");

    assert_int_equal(faults.count, 3);
    assert_fault(&faults, FR_SYNTAX, "line 2", "not a row of the table with LU Time");
    assert_fault(&faults, FR_SYNTAX, "line 4", "not a row of the table with LLt Time");
    assert_fault(&faults, FR_SYNTAX, "", "no result of ScaLAPACK in 4 lines");
    assert_refused("scalapack", "",
                   "Test number  1 started on a    1 x    0 process grid.\n"
                   "|  PDGEMM           1.000         16.000\n",
                   FR_SYNTAX, "line 1", "not a process grid such as 2 x 4");
    assert_refused("scalapack", "", BEGIN "|  PDGEMM           1.000\n", FR_SYNTAX, "line 8",
                   "not a result of a test");
    assert_refused("scalapack", "", BEGIN "  1 1\n" RESULTS, FR_SYNTAX, "line 8",
                   "not the operand of a test");
    assert_refused("scalapack", "model=pdgetrf", LU, FR_RELATION, "model",
                   "name the models of their runs; leave it out");
}

TEST(a_table_that_is_not_read_ends_the_one_before_it)
{
    json_t *runs = imported_text(
        "scalapack", "",
        LU "WALL  5000  5000  64     1    1    2    4    12.34     0.05  6735.12 PASSED\n"
           "TIME     M     N  MB  NB  NRHS    P    Q Inv Time Sol Time  MFLOPS  CHECK\n"
           "WALL  6000  6000  64     1    1    2    4    99.34     0.05  6735.12 PASSED\n",
        1);

    assert_close(number_at(runs, "/0/time_s"), 12.34, 0);
}
