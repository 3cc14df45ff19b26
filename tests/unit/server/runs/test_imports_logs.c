/* What is read from the logs of HPL, PETSc and SuperLU_DIST, against real ones in
 * tests/samples/imports. */
#include "tests/unit/support/imported.h"

#include <stdio.h>
#include <stdlib.h>

/* ---- HPL ---- */

TEST(a_result_of_hpl_is_a_run)
{
    json_t *runs = imported_sample("hpl", "", "hpl.txt", 4);

    assert_holds(runs, "/0", "{'model': 'hpl'}");
    assert_holds(runs, "/2",
                 "{'parameters': {'n': 400, 'block_size': 64, 'process_rows': 2, "
                 "'process_columns': 1, 'swap': 'mix', 'swap_threshold': 64}, "
                 "'started_at': null, 'notes': 'HPL WR11C2R4'}");
}

/* The Time of all but the last is 0.00 or two digits; HPL Challenge prints the first's size again
 * as HPL_time=0.000785713. */
TEST(hpls_rate_tells_what_its_time_is_too_short_for)
{
    json_t *runs = imported_sample("hpl", "", "hpl.txt", 4);

    assert_close(number_at(runs, "/1/time_s"), 0.000785713, 1e-4);
    assert_close(number_at(runs, "/3/time_s"), (2.0 / 3 * 2.7e10 + 1.5 * 9e6) / 3.035e10, 1e-12);
    runs = imported_text("hpl", "", "WR01C2L8 102144 192 8 8 514.92 1.380e+03", 1);
    assert_holds(runs, "/0", "{'time_s': 514.92, 'notes': 'HPL WR01C2L8, residual not checked'}");
}

/* A depth of 12, the broadcast longM, and no SWAP above the result. */
TEST(a_variant_is_seven_parameters)
{
    json_t *runs = imported_text("hpl", "", "WC125R3L16 9000 128 4 2 9.42 5.1609e+01", 1),
           *given = part(runs, "/0/parameters");

    assert_holds(given, "",
                 "{'mapping': 'column', 'lookahead_depth': 12, 'broadcast': 'longM', 'ndiv': 3, "
                 "'nbmin': 16, 'swap': null, 'swap_threshold': null}");
}

TEST(swap_holds_until_it_is_said_again)
{
    static const char text[] = "SWAP   : Mix (threshold = 80)\n"
                               "WR01R2C4 9000 640 3 3 9.42 5.1609e+01\n"
                               "SWAP   : Binary-exchange\n"
                               "WR01R2C4 9000 640 3 3 9.42 5.1609e+01\n"
                               "SWAP   : Spread-roll (long)\n"
                               "WR01R2C4 9000 640 3 3 9.42 5.1609e+01\n"
                               "End of Tests.\n" /* those of others need not have the same */
                               "WR01R2C4 9000 640 3 3 9.42 5.1609e+01\n";
    json_t *runs = imported_text("hpl", "", text, 4);

    assert_holds(runs, "",
                 "[{'parameters': {'swap_threshold': 80}}, "
                 "{'parameters': {'swap': 'binary_exchange', 'swap_threshold': null}}, "
                 "{'parameters': {'swap': 'spread_roll'}}, {'parameters': {'swap': null}}]");
    assert_refused("hpl", "", "SWAP   : Mix (threshold = 1.5)\n", FR_SYNTAX, "line 1",
                   "SWAP is not");
    assert_refused("hpl", "swap=binary_exchange", text, FR_RELATION, "line 2",
                   "swap is mix here, but binary_exchange");
}

TEST(results_that_failed_their_check_are_left_out)
{
    static const char text[] =
        "WR11C2R4  400  32  1  2  0.00  5.461e+01\n"
        "||Ax-b||_oo/(eps*(||A||_oo*||x||_oo+||b||_oo)*N)= 1.5e+09 ...... FAILED\n"
        "||Ax-b||_oo  . . . . . . . . . . . . . . . . . = 0.1\n"
        "WR11C2R4  600  32  1  2  0.00  5.461e+01\n"
        "||Ax-b||_oo/(eps*(||A||_oo*||x||_oo+||b||_oo)*N)= 5.9e-03 ...... PASSED\n";
    struct import import = import_text("hpl", "", text, sizeof text - 1);

    assert_int_equal(import.imported.runs, 1);
    assert_int_equal(import.imported.left_out, 1);
    assert_refused("hpl", "",
                   "WR11C2R4  400  32  1  2  0.00  5.461e+01\n"
                   "||Ax-b||_oo/(eps*(||A||_oo)*N)= 1.5e+09 ...... FAILED\n",
                   FR_RELATION, "", "all 1 results failed");
}

/* HPL checks all results of its tests or none: two outputs were mixed, or one was cut off. */
TEST(a_result_whose_check_is_missing_is_left_out)
{
    static const char passed[] = "||Ax-b||_oo/(eps*(||A||_oo)*N)= 5.9e-03 ...... PASSED\n";
    static const char result[] = "WR11C2R4  400  32  1  2  0.00  5.461e+01\n";
    char text[600];
    struct import import;

    snprintf(text, sizeof text, "%s%s%s%sEnd of Tests.\n%s", result, result, passed, passed,
             result);
    import = import_text("hpl", "", text, strlen(text));
    assert_int_equal(import.imported.runs, 2);
    assert_int_equal(import.imported.left_out, 1);
    assert_fault(&import.imported.warnings, FR_RELATION, "line 1", "no residual check follows");
    assert_string_equal(text_at(import.runs, "/0/notes"), "HPL WR11C2R4");
    assert_string_equal(text_at(import.runs, "/1/notes"), "HPL WR11C2R4, residual not checked");
    snprintf(text, sizeof text, "%s%s%s", result, passed, result);
    import = import_text("hpl", "", text, strlen(text));
    assert_int_equal(import.imported.left_out, 1);
    assert_fault(&import.imported.warnings, FR_RELATION, "line 3", "cut off");
    /* A job that was killed, and one whose threshold is 0. */
    snprintf(text, sizeof text, "%s%sHPLinpack 2.1\n%sHPLinpack 2.1\n%s%s", result, passed, result,
             result, passed);
    import = import_text("hpl", "", text, strlen(text));
    assert_int_equal(import.imported.runs, 3);
    assert_int_equal(import.imported.warnings.count, 0);
}

/* A singular matrix has no residual; HPL says so instead of checking. */
TEST(a_solve_that_failed_is_left_out)
{
    static const char text[] = "WR11C2R4  400  32  1  2  0.00  5.461e+01\n"
                               "HPL ERROR from process # 0, on line 264 of function HPL_pdtest:\n"
                               ">>> Error code returned by solve is 7, skip <<<\n"
                               "WR11C2R4  600  32  1  2  0.00  5.461e+01\n";
    struct import import = import_text("hpl", "", text, sizeof text - 1);

    assert_int_equal(import.imported.runs, 1);
    assert_int_equal(import.imported.left_out, 1);
}

/* The file of this run came from the daemon: HPL 2.3, ranks in columns. */
TEST(a_run_of_hpl_2_3_has_all_that_its_file_said)
{
    json_t *runs = imported_sample("hpl", "utc_offset=Z", "hpl-2.3.txt", 1),
           *given = part(runs, "/0/parameters");

    assert_holds(given, "",
                 "{'n': 2000, 'block_size': 64, 'process_columns': 2, 'mapping': 'column', "
                 "'broadcast': '2ringM', 'lookahead_depth': 1, 'swap': 'binary_exchange', "
                 "'nbmin': 4, 'ndiv': 2}");
    assert_holds(runs, "/0", "{'notes': 'HPL WC13L2L4', 'started_at': '2026-11-23T03:39:03Z'}");
}

/* MKL's labels are two characters wider. */
TEST(equal_results_that_began_at_different_times_are_two_runs)
{
    json_t *runs = imported_sample("hpl", "", "hpl-wide-labels.txt", 2);

    assert_holds(runs, "/0", "{'parameters': {'swap': 'mix', 'swap_threshold': 64}}");
    assert_close(number_at(runs, "/1/time_s"), 160, 1e-5);
    assert_false(json_equal(json_array_get(runs, 0), json_array_get(runs, 1)));
    assert_string_equal(text_at(runs, "/1/notes"),
                        "HPL WR01C2R4, started Mon Mar  2 10:03:00 2026");
    runs = imported_sample("hpl", "utc_offset=Z", "hpl-wide-labels.txt", 2);
    assert_holds(runs, "/1", "{'notes': 'HPL WR01C2R4', 'started_at': '2026-03-02T10:03:00Z'}");
}

TEST(results_of_other_programs_are_named_and_left_out)
{
    static const char hpcg[] = "HPCG result\nWR01R2C4 9000 640 3 3 9.42 5.1609e+01\n";
    static const char beside[] =
        "Currently Loaded Modules: cuda/12.1\nnode gpu07: GPU idle\n"
        "HPLinpack 2.3  --  High-Performance Linpack benchmark  --   December 2, 2018\n"
        "CHIPS and gpubsub are other words\n"
        "WR01R2C4 9000 640 3 3 9.42 5.1609e+01\nEnd of Tests.\nGPU idle\n";
    static const struct {
        const char *text, *name;
    } refused_texts[] = {
        { "WR03R2R2 9000 128 8 4 9.42 5.161e+01 ( 1.613e+00)\n", "HPL on GPUs" },
        { "T/V  N NB P Q Time Gflops (   per GPU)\nWC0 9000 128 8 4 9.42 5.161e+01\n",
          "HPL on GPUs" },
        { " Prog= 10.64% N_left= 508928 iGF_per= 50591.84\nWR03R2R2 9000 128 8 4 9.42 5.161e+01\n",
          "HPL on GPUs" },
        { "T/V  N NB P Q Time Gflops Gflops/GPU\nWR03R2R2 9000 128 8 4 9.42 5.161e+01 1.613\n",
          "HPL on GPUs" },
        { "WR03R2R2 9000 128 8 4 9.42 5.161e+01 1.613e+00\n", "and nothing behind" },
        { "HPL-NVIDIA 21.4\nHPLinpack 2.1\nWR03R2R2 9000 128 8 4 9.42 5.161e+01\n",
          "HPL-NVIDIA, which computes on GPUs" },
        { "HPL-MxP-NVIDIA 23.10\nWR03R2R2 9000 128 8 4 9.42 5.161e+01\n", "HPL-MxP" },
        { "HPLinpack 2.1\nNumber of coprocessors : 2\nWR03R2R2 9000 128 8 4 9.42 5.161e+01\n",
          "coprocessors, by its banner" },
        { "HPL-AI Mixed-Precision Benchmark\nN=9000\n", "HPL-AI" },
        { "=  hpl-mxp  =\nWC125R3L16 9000 128 4 2 9.42 5.1609e+01\n", "HPL-MxP" },
        { "HPLinpack 2.2\nP      :       4\np      :        2.\nq      :        2.\n"
          "WC125R3L16 9000 128 4 2 9.42 5.1609e+01\n",
          "rocHPL, which computes on GPUs" },
        { "WC0 9000 128 4 2 9.42 5.1609e+01\n", "WC0 is HPL-NVIDIA" },
        { "HPLinpack 2.0  --  High-Performance Linpack benchmark (CUDA)\n"
          "WR03R2R2 9000 128 8 4 9.42 5.161e+01\n",
          "HPL on GPUs" },
        { "HPLinpack 2.3  --  High-Performance Linpack benchmark  --   ROCm 5.2\n"
          "WR03R2R2 9000 128 8 4 9.42 5.161e+01\n",
          "HPL on GPUs" },
        { "HPLinpack 2.1  --  High-Performance Linpack benchmark\n"
          "gpu_dgemm_split from environment variable 1.000\n"
          "WR03R2R2 9000 128 8 4 9.42 5.161e+01\n",
          "HPL on GPUs" },
        { "HPLinpack 2.3\nModified for 4 GPUs a node\nWR03R2R2 9000 128 8 4 9.42 5.161e+01\n",
          "HPL on GPUs" },
        { "Begin of HPCG section.\n", "HPCG" },
        { "HPCG-Benchmark\nversion=3.1\n", "HPCG" },
    };
    struct import import = import_sample("hpl", "", "hpl-nvidia.txt");

    assert_int_equal(import.imported.left_out, 1);
    assert_fault(&import.imported.warnings, FR_RELATION, "line 2", "the output of HPL-NVIDIA");
    assert_fault(&import.imported.warnings, FR_RELATION, "line 6", "a result of HPL-NVIDIA");
    assert_close(number_at(import.runs, "/0/time_s"), 160, 1e-5);
    for (size_t i = 0; i < sizeof refused_texts / sizeof *refused_texts; i++) {
        const struct fr_faults faults = import_refused("hpl", "", refused_texts[i].text);
        size_t named = 0;

        for (size_t j = 0; j < fr_faults_kept(&faults); j++)
            named += strstr(faults.fault[j].message, refused_texts[i].name) != NULL;
        if (!named)
            fail_msg("%s: %s", refused_texts[i].text, faults.fault[0].message);
    }
    import = import_text("hpl", "", hpcg, strlen(hpcg));
    assert_int_equal(import.imported.runs, 1);
    assert_fault(&import.imported.warnings, FR_RELATION, "line 1", "HPCG: another program");
    import = import_text("hpl", "", beside, strlen(beside));
    assert_int_equal(import.imported.runs, 1);
    assert_int_equal(import.imported.warnings.count, 0);
}

TEST(what_stands_before_a_result_is_named)
{
    static const char *const before[] = { "logs/a-003.log:", "[1,0]<stdout>:", "12:", "max" };

    for (size_t i = 0; i < 4; i++) {
        char text[200];
        struct fr_faults faults;

        snprintf(text, sizeof text,
                 "%s SWAP   : Mix (threshold = 80)\n%s WR01R2C4 9000 640 3 3 9.42 5.1e+01\n",
                 before[i], before[i]);
        faults = import_refused("hpl", "", text);
        assert_fault(&faults, FR_SYNTAX, "line 2", before[i]);
        assert_fault(&faults, FR_SYNTAX, "line 2", "stands before a result");
    }
}

TEST(a_broken_result_of_hpl_is_refused_by_its_line)
{
    struct fr_faults faults = import_refused("hpl", "",
                                             "\nWR11C2R4 400 32 1 2 0.50 5.461e+01\n"
                                             "WR11C2R4 400 32 1 2.5 0.00 5.461e+01\n"
                                             "WR11C2R4 400 32 1\n");

    assert_int_equal(faults.count, 3);
    assert_fault(&faults, FR_RELATION, "line 2", "do not belong to the same run");
    assert_fault(&faults, FR_SYNTAX, "line 3", "not a result");
    assert_fault(&faults, FR_SYNTAX, "line 4", "not a result");
    assert_refused("hpl", "", "WRITTEN by hand 1 2 3 4 5\n", FR_SYNTAX, "",
                   "no result of HPL in 1 lines");
    faults = import_refused("hpl", "",
                            "WR16C2R4 400 32 1 2 0.00 5.461e+01\n"
                            "WR11X2R4 400 32 1 2 0.00 5.461e+01\n"
                            "WR0 400 32 1 2 0.00 5.461e+01\n");
    assert_int_equal(faults.count, 3);
    assert_fault(&faults, FR_SYNTAX, "line 1", "not a result of HPL 2");
    assert_fault(&faults, FR_SYNTAX, "line 2", "not a result of HPL 2");
    assert_fault(&faults, FR_SYNTAX, "line 3", "not a result of HPL 2");
}

/* HPL 2.3 says when it started, by the clock of the machine. */
TEST(hpls_start_needs_a_zone)
{
    static const char text[] = "WR01R2C4        9000   640     3     3     9.42   5.1609e+01\n"
                               "HPL_pdgesv() start time Mon Nov 29 13:12:56 2021\n"
                               "\n"
                               "HPL_pdgesv() end time   Mon Nov 29 13:13:05 2021\n"
                               "WR01R2C4        9000   640     3     3     9.42   5.1609e+01\n"
                               "HPL_pdgesv() start time Mon Nov 29 13:13:06 2021\n";
    const struct import import = import_text("hpl", "", text, strlen(text));
    json_t *runs;

    assert_false(has_part(import.runs, "/0/started_at"));
    assert_int_equal(import.imported.warnings.count, 1); /* for both runs */
    assert_fault(&import.imported.warnings, FR_MISSING, "line 2", "give utc_offset");
    runs = imported_text("hpl", "utc_offset=+05:30", text, 2);
    assert_string_equal(text_at(runs, "/0/started_at"), "2021-11-29T07:42:56Z");
    assert_refused("hpl", "utc_offset=CET", text, FR_RANGE, "utc_offset", "CET is not a time zone");
}

/* ---- PETSc ---- */

/* Rank 0 of the sample: MatMult 15 times in 0.000627635 s, VecScatterBegin and -End 5.8591e-05 and
 * 1.1807e-05 s, PCApply 16 times in 0.000787507 s; VecAXPY and VecAYPX 3.7298e-05 s and 360448
 * flops, VecTDot 4.4396e-05 s and 253921 flops. */
TEST(phases_leave_the_halo_and_the_reductions_out)
{
    json_t *runs = imported_sample("petsc", "solver=pcg&nodes=1&local_grid=16x16x16",
                                   "petsc-cg.csv", 1),
           *run = part(runs, "0"), *phases = part(run, "computation/phases");
    const double dots_s = 3.7298e-05 / (1.5 * 360448) * 253921;

    assert_string_equal(text_at(run, "model"), "cg");
    assert_close(number_at(run, "time_s"), 0.00155384, 0); /* rank 1 took longer */
    assert_holds(run, "",
                 "{'parameters': {'iterations': 15, 'nodes': 1, 'processes_per_node': 2}}");
    assert_close(number_at(run, "parameters/local_grid/2"), 16, 0);
    assert_int_equal(json_array_size(part(phases, "matvec_s")), 1);
    assert_int_equal(json_array_size(part(phases, "matvec_s/0")), 2);
    assert_close(number_at(phases, "matvec_s/0/0"), (0.000627635 - 5.8591e-05 - 1.1807e-05) / 15,
                 1e-12);
    assert_close(number_at(phases, "preconditioner_s/0/0"), 0.000787507 / 16, 1e-12);
    assert_close(number_at(phases, "vector_s/0/0"), (3.7298e-05 + dots_s) / 15, 1e-12);
    assert_true(dots_s < 4.4396e-05);
    assert_non_null(strstr(text_at(run, "notes"), "estimated from the vector updates"));
}

/* MatMult 6.6743e-04 s, VecScatterBegin 3.1562e-04 s at a ratio of 1.0 and VecScatterEnd 1.9115e-04
 * at 5.1; PCApply 1.8962e-02 s; 16 products and 17 applications are those of 15 iterations with
 * restart 10, of which one application is the start's.  VecAXPY and VecMAXPY (17 times) take
 * 1.1421e-05 and 5.3570e-05 s for 1.23e4 and 3.48e5 flops, VecScale 1.0229e-04 s; VecMDot (15
 * times) and VecNorm have 2.87e5 and 6.96e4 flops, on 2048 rows. */
TEST(a_printed_petsc_log_gives_the_slowest_process)
{
    json_t *runs = imported_sample("petsc", "nodes=1&global_grid=16x16x16&stencil=star",
                                   "petsc-text.txt", 1),
           *run = part(runs, "0"), *phases = part(run, "computation/phases");
    const double updated = 1.5 * 1.23e4 + 0.5 * 3.48e5 + 17 * 2 * 2048;
    const double dotted = 0.5 * 2.87e5 + 0.5 * 6.96e4 + 15 * 2048;
    const double updates_s = 1.1421e-05 + 5.3570e-05;

    assert_holds(run, "",
                 "{'model': 'solve', 'parameters': {'solver': 'gmres', 'preconditioner': 'ilu', "
                 "'restart': 10, 'iterations': 15, 'processes_per_node': 2}, "
                 "'time_s': 2.1970e-02}");
    assert_int_equal(json_array_size(part(phases, "matvec_s/0")), 1);
    assert_close(number_at(phases, "matvec_s/0/0"),
                 (6.6743e-04 - 3.1562e-04 - 1.9115e-04 / 5.1) / 15, 1e-12);
    assert_close(number_at(phases, "preconditioner_s/0/0"), 1.8962e-02 / 17 * 16 / 15, 1e-12);
    assert_close(number_at(phases, "vector_s/0/0"),
                 (updates_s + 1.0229e-04 + updates_s / updated * dotted) / 15, 1e-12);
    assert_non_null(strstr(text_at(run, "notes"), "of waiting the fastest"));
}

#define PETSC_TEXT(processes)                                         \
    "--------- PETSc Performance Summary: ---------\n"                \
    "./ex on a linux named n1 with " processes ", by me Mon Nov 23\n" \
    "--- Event Stage 0: Main Stage\n"
TEST(a_broken_printed_petsc_log_is_refused)
{
    struct fr_faults faults = import_refused(
        "petsc", "solver=pcg&nodes=1", PETSC_TEXT("1 processor") "MatMult 1 1.0 x 1.0 0 0 0 0 0\n");

    assert_fault(&faults, FR_SYNTAX, "line 4", "not a row of the log: event, count");
    assert_refused("petsc", "solver=pcg&nodes=1",
                   PETSC_TEXT("1 processor") "KSPSolve 1 1.0 2.0e-3 1.0 0\n", FR_SYNTAX, "line 4",
                   "not a row of the log: event, count");
    assert_refused("petsc", "solver=pcg&nodes=1",
                   PETSC_TEXT("nobody") "KSPSolve 1 1.0 2e-3 1.0 0 0 0 0 0\n", FR_MISSING, "line 1",
                   "with N processes");
}

TEST(a_petsc_type_is_put_in_the_models_words)
{
    json_t *runs =
        imported_sample("petsc", "solver=pipecg2&processes_per_node=1", "petsc-pipecg2.csv", 1);

    assert_holds(runs, "/0", "{'parameters': {'solver': 'pipe2cg', 'nodes': 2}}");
}

/* Rank 0: KSPSolve 0.00379236, MatMult 0.00217277, PCApply 0.0010331 s in 16 iterations; rank 1 has
 * as little left.  A method in pairs needs two rows. */
TEST(where_vector_work_is_not_logged_it_is_the_least_remainder)
{
    json_t *runs = imported_sample("petsc", "solver=pipe2cg&nodes=1", "petsc-pipecg2.csv", 1),
           *phases = part(runs, "0/computation/phases");
    const double remainder_s = 0.00379236 - 0.00217277 - 0.0010331;

    assert_close(number_at(runs, "/0/parameters/iterations"), 16, 0);
    assert_int_equal(json_array_size(part(phases, "vector_s")), 2);
    assert_true(number_at(phases, "vector_s/0/0") <= remainder_s / 16 * (1 + 1e-12));
    assert_close(number_at(phases, "vector_s/0/0"), number_at(phases, "vector_s/1/1"), 0);
}

/* Multigrid multiplies and exchanges within PCApply: 53 MatMult, 12 MatMultTranspose, 77
 * VecScatter, 6 PCApply. */
TEST(a_preconditioner_with_products_of_its_own_leaves_only_the_total)
{
    struct import import = import_sample("petsc", "solver=pcg&nodes=1", "petsc-gamg.csv");
    json_t *runs;

    assert_fault(&import.faults, FR_MISSING, "iterations",
                 "counts of products (65) and PCApply (6)");
    runs = imported_sample("petsc", "solver=pcg&nodes=1&iterations=5", "petsc-gamg.csv", 1);
    assert_false(has_part(runs, "/0/computation/phases"));
    assert_true(number_at(runs, "/0/computation/total_s/0/0") < 0.00164303 / 5);
    assert_true(number_at(runs, "/0/computation/total_s/0/0") > 0.9 * 0.00164303 / 5);
}

TEST(what_a_petsc_log_does_not_tell_is_asked_for)
{
    struct import import = import_sample("petsc", "local_grid=16x16x16", "petsc-cg.csv");

    assert_fault(&import.faults, FR_MISSING, "solver", "does not name the method");
    import = import_sample("petsc", "model=cg&solver=gmres&nodes=1", "petsc-cg.csv");
    assert_fault(&import.faults, FR_CHOICE, "solver", "'gmres' is not one of pcg");
    import = import_sample("petsc", "solver=pcg", "petsc-cg.csv");
    assert_fault(&import.faults, FR_MISSING, "nodes", "2 processes");
    import = import_sample("petsc", "solver=pcg&nodes=3", "petsc-cg.csv");
    assert_fault(&import.faults, FR_RELATION, "line 1", "2 processes do not fill 3 nodes");
    import = import_sample("petsc", "solver=pcg&nodes=1&iterations=20", "petsc-cg.csv");
    assert_fault(&import.faults, FR_RELATION, "line 1", "iterations is 15 here");
    import = import_sample("petsc", "solver=pcg&nodes=1&processes_per_node=4", "petsc-cg.csv");
    assert_fault(&import.faults, FR_RELATION, "line 1", "processes_per_node is 2 here");
    import = import_sample("petsc", "solver=pcg&nodes=1&stage=Set up", "petsc-cg.csv");
    assert_fault(&import.faults, FR_NOT_FOUND, "stage", "no KSPSolve");
    imported_sample("petsc", "solver=pcg&nodes=1&stage=Solve", "petsc-cg.csv", 1);
}

#define PETSC_HEADER \
    "Stage Name,Event Name,Rank,Count,Time,Num Messages,Message Length,Num Reductions,FLOP\n"
TEST(a_broken_petsc_log_is_refused_by_its_line)
{
    struct fr_faults faults = import_refused("petsc", "solver=pcg&nodes=1", "PETSc log\n");

    assert_fault(&faults, FR_SYNTAX, "line 1", "-log_view :FILE:ascii_csv");
    faults = import_refused("petsc", "solver=pcg&nodes=1",
                            PETSC_HEADER "A,KSPSolve,0,1,1,0,0,0\n"
                                         "A,KSPSolve,0,1,-1,0,0,0,0\n"
                                         "A,KSPSolve,10000,1,1,0,0,0,0\n");
    assert_fault(&faults, FR_SYNTAX, "line 2", "not a row of the log");
    assert_fault(&faults, FR_TYPE, "line 3", "of KSPSolve must be numbers");
    assert_fault(&faults, FR_NOMEM, "line 4", "at most 10000 ranks");
    assert_refused("petsc", "solver=pcg&nodes=1",
                   PETSC_HEADER "A,KSPSolve,0,1,1,0,0,0,0\nA,KSPSolve,2,1,1,0,0,0,0\n", FR_RELATION,
                   "line 1", "rank 1 has another number of solves in stage A");
}

/* A header names the columns and the processes. */
TEST(a_petsc_log_is_as_its_header_says)
{
    static const char text[] = "Stage Name,Event Name,Rank,Count,Time,Num Messages,Message Length,"
                               "Num Reductions,FLOP,dof0,e0,%s\n"
                               "A,KSPSolve,0,1,%s,0,0,0,0%s\nA,MatMult,0,2,1,0,0,0,0\n"
                               "A,PCApply,0,3,1,0,0,0,0\n";
    static const struct {
        const char *processes, *time, *rest;
        enum fr_code code;
        const char *where, *fault; /* NULL: none */
    } logs[] = {
        { "1", "4.5", "", FR_OK, NULL, NULL },
        { "1", "4.5", ",-1,-1", FR_OK, NULL, NULL },
        { "1", "4,5", "", FR_SYNTAX, "line 2", "not a row of the log" },
        { "1", "4.5", ",-1", FR_SYNTAX, "line 2", "not a row of the log" },
        { "2", "4.5", "", FR_RELATION, "line 1", "rank 1 has another number of solves" },
    };

    for (size_t i = 0; i < sizeof logs / sizeof *logs; i++) {
        char log[400];
        struct fr_faults faults;

        snprintf(log, sizeof log, text, logs[i].processes, logs[i].time, logs[i].rest);
        if (!logs[i].fault) {
            imported_text("petsc", "solver=cg", log, 1);
            continue;
        }
        faults = import_refused("petsc", "solver=cg&nodes=1", log);
        assert_int_equal(faults.count, 1);
        assert_fault(&faults, logs[i].code, logs[i].where, logs[i].fault);
    }
}

/* Two logs behind each other, the second of two solves on one rank. */
TEST(each_log_and_each_stage_that_solves_is_a_run)
{
    static const char text[] =
        PETSC_HEADER "A,KSPSolve,0,1,4,0,0,0,0\nA,MatMult,0,2,1,0,0,0,0\nA,PCApply,0,3,1,0,0,0,0\n"
                     "B,VecAXPY,0,3,1,0,0,0,0\nB,KSPSolve,0,1,3,0,0,0,0\nB,MatMult,0,2,1,0,0,0,0\n"
                     "B,PCApply,0,3,1,0,0,0,0\n" PETSC_HEADER
                     "A,KSPSolve,0,2,14,0,0,0,0\nA,MatMult,0,8,1,0,0,0,0\n"
                     "A,PCApply,0,10,5,0,0,0,0\nA,VecTDot,0,18,8,0,0,0,99\n";
    json_t *runs = imported_text("petsc", "solver=cg", text, 3);

    assert_holds(runs, "",
                 "[{'time_s': 4}, {'time_s': 3}, {'time_s': 7, 'parameters': {'iterations': 4}}]");
    assert_close(number_at(runs, "/2/computation/phases/preconditioner_s/0/0"), 0.5, 0);
    assert_close(number_at(runs, "/2/computation/phases/vector_s/0/0"), 1, 0);
    assert_string_equal(text_at(runs, "/2/notes"), "PETSc log, stage A, mean of 2 solves");
}

/* A view before the log tells the method; its runs are those of solve.  Two processes made 20
 * products: 2 at the start, 16 iterations, 2 at the one restart. */
TEST(a_view_names_the_method_and_its_preconditioner)
{
    json_t *runs = imported_sample("petsc", "nodes=1&matrix=m", "petsc-pgmres.txt", 1),
           *given = part(runs, "/0/parameters"), *phases = part(runs, "/0/computation/phases");

    assert_string_equal(text_at(runs, "/0/model"), "solve");
    assert_string_equal(text_at(given, "solver"), "pgmres");
    assert_string_equal(text_at(given, "preconditioner"), "ilu"); /* of the blocks */
    assert_holds(given, "",
                 "{'matrix': 'm', 'restart': 10, 'iterations': 16, 'processes_per_node': 2}");
    assert_non_null(strstr(text_at(runs, "/0/notes"), "4096 rows, 27136 nonzeros"));
    assert_close(number_at(phases, "matvec_s/0/0"),
                 (0.00406646 - 4.9462e-05 - 0.00381909) / 20 * 18 / 16, 1e-9);
    assert_close(number_at(phases, "preconditioner_s/0/0"), 0.00043357 / 21 * 18 / 16, 1e-9);
}

/* 17 iterations in four cycles of 5; one process, so that nothing of a dot product is a wait. */
TEST(cycles_of_gmres_are_counted_by_its_products)
{
    json_t *runs = imported_sample("petsc", "", "petsc-gmres.txt", 1);

    assert_holds(runs, "/0",
                 "{'parameters': {'iterations': 17, 'nodes': 1, 'preconditioner': 'ilu'}}");
    assert_close(number_at(runs, "/0/computation/phases/vector_s/0/0"),
                 (8.1765e-05 + 8.0144e-05 + 4.501e-05 + 9.258e-06 + 0.000148124) / 17, 1e-9);
}

/* 44 products and 45 applications: 22 iterations.  Without updates of the form y + a x, those of
 * three vectors and of w = y + a x tell the bandwidth of the dot products. */
TEST(an_iteration_of_two_products_has_the_time_of_both)
{
    json_t *runs = imported_sample("petsc", "nodes=1", "petsc-bcgs.txt", 1),
           *phases = part(runs, "/0/computation/phases");
    const double updates_s = 9.4792e-05 + 7.8647e-05;
    const double dots_s =
        updates_s / (360448 + 1.5 * 180224) * (180180 + 0.5 * 180224 + 0.5 * 94208);

    assert_string_equal(text_at(runs, "/0/parameters/solver"), "bcgs");
    assert_string_equal(text_at(runs, "/0/parameters/preconditioner"), "jacobi");
    assert_close(number_at(runs, "/0/parameters/iterations"), 22, 0);
    assert_close(number_at(phases, "matvec_s/0/0"), (0.0205656 - 0.000157572 - 0.0199242) / 44 * 2,
                 1e-9);
    assert_close(number_at(phases, "vector_s/0/0"), (updates_s + dots_s) / 22, 1e-9);
}

/* 224 copies: seven in each of 28 iterations, and those of 29 applications of no preconditioner. */
TEST(copies_of_minres_are_vector_work)
{
    json_t *runs = imported_sample("petsc", "nodes=1", "petsc-minres.txt", 1);
    const double dots_s = 0.000133298 / (1.5 * 794624) * 233415;

    assert_string_equal(text_at(runs, "/0/parameters/preconditioner"), "none");
    assert_close(number_at(runs, "/0/computation/phases/vector_s/0/0"),
                 (0.000133298 + 2.9553e-05 + 9.7054e-05 - 2.3207e-05 + dots_s) / 28, 1e-9);
}

#define SOLVE_ROWS                                                                   \
    "A,KSPSolve,0,1,4,0,0,0,0\nA,MatMult,0,%d,1,0,0,0,0\nA,PCApply,0,%d,1,0,0,0,0\n" \
    "A,VecAXPY,0,3,1,0,0,0,9\n"
/* Products and applications of 6 to 8 iterations, by the tables of docs/models/krylov_problem.md,
 * with cycles of 4. */
TEST(every_solver_is_known_by_its_name_and_petscs)
{
    static const struct {
        const char *type, *solver;
        int matvecs, preconditioners, iterations;
    } solves[] = {
        { "cg", "pcg", 7, 8, 7 },
        { "sapcg", "sapcg", 9, 8, 7 },
        { "groppcg", "nbpcg", 8, 8, 7 },
        { "pipecg", "pipecg", 9, 9, 7 },
        { "pipecg2", "pipe2cg", 12, 12, 8 },
        { "cr", "cr", 8, 8, 7 },
        { "pipecr", "pipecr", 9, 9, 7 },
        { "minres", "minres", 7, 8, 7 },
        { "bcgs", "bcgs", 14, 15, 7 },
        { "ibcgs", "ibcgs", 15, 16, 7 },
        { "pipebcgs", "pipebcgs", 16, 16, 7 },
        { "gmres", "gmres", 8, 9, 7 },
        { "fgmres", "fgmres", 8, 7, 7 },
        { "pgmres", "pgmres", 10, 11, 6 },
    };

    for (size_t i = 0; i < sizeof solves / sizeof *solves; i++) {
        char query[80], text[400];
        json_t *runs;

        snprintf(query, sizeof query, "model=solve&restart=4&solver=%s", solves[i].type);
        snprintf(text, sizeof text, PETSC_HEADER SOLVE_ROWS, solves[i].matvecs,
                 solves[i].preconditioners);
        runs = imported_text("petsc", query, text, 1);
        assert_string_equal(text_at(runs, "/0/parameters/solver"), solves[i].solver);
        assert_close(number_at(runs, "/0/parameters/iterations"), solves[i].iterations, 0);
        assert_true(has_part(runs, "/0/computation/phases"));
    }
}

/* pgmres makes 11 products in 7 iterations, the last of which it does not need, and in 8. */
TEST(the_request_decides_between_iterations_of_equal_counts)
{
    static const char query[] = "solver=pgmres&restart=4",
                      fewer[] = "iterations=7&solver=pgmres&restart=4";
    char text[400];
    json_t *runs;

    snprintf(text, sizeof text, PETSC_HEADER SOLVE_ROWS, 11, 12);
    runs = imported_text("petsc", query, text, 1);
    assert_close(number_at(runs, "/0/parameters/iterations"), 8, 0);
    runs = imported_text("petsc", fewer, text, 1);
    assert_close(number_at(runs, "/0/parameters/iterations"), 7, 0);
}

/* pipecr stops at its limit one product early, and a solver with an even end does not. */
TEST(the_request_knows_the_iterations_after_an_uneven_end)
{
    struct import import;
    char text[400];
    json_t *runs;

    snprintf(text, sizeof text, PETSC_HEADER SOLVE_ROWS, 21, 21);
    runs = imported_text("petsc", "iterations=20&model=solve&solver=pipecr", text, 1);
    assert_close(number_at(runs, "/0/parameters/iterations"), 20, 0);
    assert_true(has_part(runs, "/0/computation/phases"));
    import = import_text("petsc", "iterations=22&model=solve&solver=pipecr", text, strlen(text));
    assert_fault(&import.faults, FR_RELATION, "line 1", "iterations is 19 here");
    import = import_text("petsc", "iterations=19&model=solve&solver=nbpcg", text, strlen(text));
    assert_fault(&import.faults, FR_RELATION, "line 1", "iterations is 20 here");
}

#define VIEW(pc) "KSP Object: 1 MPI process\n  type: cg\nPC Object: 1 MPI process\n  type: " pc "\n"
#define SOLVED \
    PETSC_HEADER "A,KSPSolve,0,1,4,0,0,0,0\nA,MatMult,0,2,1,0,0,0,0\nA,PCApply,0,3,1,0,0,0,0\n"
TEST(a_view_belongs_to_the_log_after_it)
{
    static const char text[] =
        "the program's own words\n" VIEW("jacobi") SOLVED VIEW("none") SOLVED;
    json_t *runs = imported_text("petsc", "", text, 2);

    assert_string_equal(text_at(runs, "/0/parameters/preconditioner"), "jacobi");
    assert_string_equal(text_at(runs, "/1/parameters/preconditioner"), "none");
    assert_refused("petsc", "solver=cr", text, FR_RELATION, "line 6",
                   "solver is pcg here, but cr in the request");
    assert_refused("petsc", "", VIEW("gamg") SOLVED, FR_CHOICE, "preconditioner",
                   "'gamg' is not one of none, jacobi");
    imported_text("petsc", "preconditioner=icc", VIEW("gamg") SOLVED, 1);
    assert_refused("petsc", "preconditioner=icc", VIEW("jacobi") SOLVED, FR_RELATION, "line 5",
                   "preconditioner is jacobi here");
}

/* As before -ksp_view was read: without one, the methods of cg are runs of cg. */
TEST(what_cg_has_stays_a_run_of_cg)
{
    json_t *runs = imported_text("petsc", "solver=cg", SOLVED, 1);

    assert_string_equal(text_at(runs, "/0/model"), "cg");
    runs = imported_text("petsc", "solver=cg&global_grid=64x64", SOLVED, 1);
    assert_string_equal(text_at(runs, "/0/model"), "solve");
}

/* ---- SuperLU_DIST ---- */

/* FACTOR time 0.003; Factor flops 8.361050e+06 at 3072.76 Mflops on the first of the two. */
TEST(a_factorization_is_a_run)
{
    json_t *runs = imported_sample("superlu_dist", "matrix=big", "superlu_dist.txt", 1);

    assert_holds(runs, "/0",
                 "{'model': 'sparse_lu', 'parameters': {'matrix': 'big', 'ordering': 'metis', "
                 "'process_rows': 2, 'process_columns': 1}, 'outputs': {'flops': 8.36105e6}, "
                 "'notes': 'SuperLU_DIST, file big.rua, 247672 nonzeros in L+U'}");
    /* 8.361050e+06 flops at 4915.38 Mflops; two more solves with the same factors. */
    runs = imported_sample("superlu_dist", "", "superlu_dist-solves.txt", 1);
    assert_close(number_at(runs, "/0/time_s"), 8.361050e+06 / 4915.38e6, 1e-12);
}

TEST(the_grid_and_the_ordering_hold_until_they_are_said_again)
{
    static const char text[] = "Process grid\t2 X 3\n**    ColPerm                   :    0\n"
                               "\tFACTOR time           1.500\n\tFACTOR time           2.500\n"
                               "Input matrix file: /data/a.rua\n\tProcess grid\t1 X 1\n"
                               "\tFACTOR time           4.250\n";
    struct import import = import_text("superlu_dist", "", text, sizeof text - 1);
    json_t *runs = import.runs;

    assert_holds(runs, "/1",
                 "{'time_s': 2.5, 'parameters': {'process_columns': 3, 'ordering': 'natural'}}");
    assert_holds(runs, "/2",
                 "{'parameters': {'process_columns': 1, 'ordering': null}, "
                 "'notes': 'SuperLU_DIST, file a.rua'}");
    assert_int_equal(import.imported.warnings.count, 1);
    assert_fault(&import.imported.warnings, FR_RELATION, "line 4", "factorization in line 3");
}

TEST(a_three_dimensional_grid_has_layers)
{
    static const char text[] = "3D process grid: 2 X 3 X 4\n\tFACTOR time           1.500\n"
                               "Process grid\t2 X 3\n\tFACTOR time           2.500\n";
    json_t *runs = imported_text("superlu_dist", "matrix=big", text, 2);

    assert_holds(runs, "",
                 "[{'parameters': {'process_rows': 2, 'process_columns': 3, "
                 "'process_layers': 4}}, {'parameters': {'process_layers': 1}}]");
}

TEST(what_sparse_lu_does_not_have_is_refused_by_its_line)
{
    static const char own_order[] = "**    ColPerm                   :    7\n"
                                    "\tFACTOR time           1.500\n";
    struct fr_faults faults = import_refused("superlu_dist", "",
                                             "3D process grid: 1 X 1 X 3\nProcess grid: 2\n"
                                             "Process grid: 1 X 2 X 1 X 1\n");

    assert_fault(&faults, FR_RELATION, "line 1", "1, 2, 4 ... 64 layers");
    assert_fault(&faults, FR_SYNTAX, "line 2", "not a process grid");
    assert_fault(&faults, FR_SYNTAX, "line 3", "not a process grid");
    assert_refused("superlu_dist", "", own_order, FR_CHOICE, "line 1", "ColPerm 7");
    imported_text("superlu_dist", "ordering=amd", own_order, 1);
    assert_refused("superlu_dist", "", "FACTOR time 1.500\nFactor flops 1e+06 Mflops 5.00\n",
                   FR_RELATION, "line 1", "contradicts its operations");
    assert_refused("superlu_dist", "", "SOLVE time 1.0\n", FR_SYNTAX, "",
                   "no factorization in 1 lines");
}

#define OPTION(name, value) "**    " name "    :    " value "\n"
#define FACTORED "\tFACTOR time           1.500\n"

TEST(printed_options_belong_to_the_run)
{
    json_t *runs = imported_sample("superlu_dist", "matrix=grid", "superlu_dist-5.txt", 1),
           *given = part(runs, "/0/parameters");

    assert_holds(given, "",
                 "{'supernode_relax': 20, 'supernode_max': 128, 'lookahead_panels': 6, "
                 "'overlap': 'window', 'row_permutation': 'none'}");
    assert_close(number_at(runs, "/0/outputs/nnz_lu"), 300000, 0);
    runs = imported_sample("superlu_dist", "matrix=big", "superlu_dist.txt", 1);
    assert_close(number_at(runs, "/0/parameters/supernode_relax"), 60, 0);
    assert_close(number_at(runs, "/0/parameters/supernode_max"), 256, 0);
    assert_close(number_at(runs, "/0/parameters/lookahead_panels"), 10, 0);
    runs = imported_text("superlu_dist", "", OPTION("RowPerm", "1") FACTORED, 1);
    assert_holds(runs, "/0", "{'parameters': {'row_permutation': 'transversal', 'overlap': null}}");
}

TEST(options_are_also_printed_by_name)
{
    static const char view[] = "  SuperLU_DIST run parameters:\n"
                               "    Process grid nprow 2 x npcol 3 \n"
                               "    Row permutation LargeDiag_MC64\n"
                               "    Column permutation METIS_AT_PLUS_A\n";
    static const char statistics[] = "\tFACTOR time           1.500\n"
                                     "\tFactor flops\t4.500000e+09\tMflops \t 3000.00\n";
    char text[800];
    json_t *runs = imported_text("superlu_dist", "",
                                 OPTION("RowPerm", "LargeDiag_MC64") OPTION("ColPerm", "NATURAL")
                                     OPTION("GPU enabled?", "0") OPTION("OpenMP threads", "1")
                                         OPTION("ILU_level", "-1")
                                             FACTORED OPTION("RowPerm", "NOROWPERM") FACTORED,
                                 2);

    assert_string_equal(text_at(runs, "/0/parameters/row_permutation"), "transversal");
    assert_string_equal(text_at(runs, "/0/parameters/ordering"), "natural");
    assert_string_equal(text_at(runs, "/1/parameters/row_permutation"), "none");
    /* PETSc prints its view behind the statistics of the factorization, or before it. */
    for (int is_before = 0; is_before < 2; is_before++) {
        snprintf(text, sizeof text, "%s%s%s", is_before ? view : statistics,
                 is_before ? statistics : view, "\tFACTOR time           2.500\n");
        runs = imported_text("superlu_dist", "", text, 2);
        for (int run = 0; run < 2; run++) {
            json_t *given = part(json_array_get(runs, (size_t)run), "/parameters");

            assert_holds(given, "",
                         "{'row_permutation': 'transversal', 'ordering': 'metis', "
                         "'process_rows': 2, 'process_columns': 3}");
        }
        assert_holds(runs, "",
                     "[{'time_s': 1.5, 'outputs': {'flops': 4.5e9}}, {'time_s': 2.5, "
                     "'outputs': null}]");
    }
}

TEST(options_that_sparse_lu_lacks_are_refused_by_name)
{
    static const struct {
        const char *text, *fault;
    } others[] = {
        { OPTION("RowPerm", "2"), "RowPerm 2 is none of none, transversal" },
        { OPTION("RowPerm", "LargeDiag_HWPM"), "RowPerm LargeDiag_HWPM is none of none" },
        { "Column permutation PARMETIS\n", "ColPerm PARMETIS is none of metis" },
        { "Process grid nprow 2 by npcol 3\n", "not a process grid" },
        { OPTION("RowPerm", ""), "not the number of a RowPerm" },
        { OPTION("Use_TensorCore", "1"), "tensor cores were used" },
        { OPTION("GPU enabled?", "1"), "a GPU was used" },
        { OPTION("OpenMP threads", "4"), "several OpenMP threads" },
        { OPTION("ILU_level", "0"), "an incomplete factorization" },
        { OPTION("SymFact", "1"), "a symmetric factorization" },
        { OPTION("UserDefineSupernode", "1"), "supernodes that the program defines" },
        { OPTION("batchCount", "8"), "a batch of matrices" },
        { ".. Starting with 8 OpenMP threads \n", "8 OpenMP threads" },
        { ".. Starting with 2 openMP threads \n", "2 OpenMP threads" },
        { "GPU Driver version:   v 11040\n", "a GPU was used" },
        { ".. zQuery_Space: peak_buffer 57.13 (MB)\n", "the numbers are complex" },
        { OPTION("Use 3D algorithm", "1"), "no grid with layers" },
        { OPTION("superlu_relax", "many"), "not the number of a superlu_relax" },
    };

    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        char text[200];
        struct fr_faults faults;

        snprintf(text, sizeof text, "%s%s", others[i].text, FACTORED);
        faults = import_refused("superlu_dist", "matrix=big&process_rows=1", text);
        assert_int_equal(faults.count, 1);
        assert_non_null(strstr(faults.fault[0].message, others[i].fault));
    }
    imported_text("superlu_dist", "row_permutation=transversal", OPTION("RowPerm", "2") FACTORED,
                  1);
    imported_text("superlu_dist", "process_layers=4", OPTION("Use 3D algorithm", "1") FACTORED, 1);
    imported_text("superlu_dist", "", OPTION("min GEMM m*k*n to use GPU", "5000") FACTORED, 1);
}
