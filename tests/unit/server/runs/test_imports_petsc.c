/* What older and newer versions of PETSc print, and builds of it that are other programs. */
#include "tests/unit/support/imported.h"

#include <stdio.h>
#include <stdlib.h>

/* ---- the set-up ---- */

/* KSPSolve takes 0.5 s and has 1.14e8 operations: 5.00e7 of PCSetUp (0.32 s) and 6.44e7 of its own
 * products, applications and vector work.  The fastest process waited 0.002 / 12.5 s. */
TEST(up_to_3_16_the_solve_contains_the_setup)
{
    json_t *runs = imported_sample("petsc", "solver=cg&preconditioner=bjacobi&nodes=2",
                                   "petsc-3.12.txt", 1),
           *run = part(runs, "0");

    assert_close(number_at(run, "time_s"), 0.18, 1e-12);
    assert_holds(run, "", "{'parameters': {'iterations': 12, 'processes_per_node': 2}}");
    assert_close(number_at(run, "computation/phases/matvec_s/0/0"),
                 (0.05 - 0.001 / 1.2 - 0.002 / 12.5) / 12, 1e-12);
    assert_non_null(strstr(text_at(run, "notes"), "without the set-up, 0.32 s"));
    runs = imported_sample("petsc", "model=solve&solver=cg&preconditioner=bjacobi&nodes=2",
                           "petsc-3.12.txt", 1);
    assert_string_equal(text_at(runs, "/0/parameters/preconditioner"), "ilu");
}

/* A solve of 12 iterations with 6.44e7 operations of its own: the version, seconds and operations
 * of KSPSolve, and operations of PCSetUp, which took 0.32 s. */
static const char solve[] = "--- PETSc Performance Summary: ---\n"
                            "./ex on a linux named n1 with 1 processor, by me Mon Nov 23\n"
                            "Using Petsc Release Version %s, Nov, 1, 2019\n"
                            "--- Event Stage 0: Main Stage\n"
                            "MatMult 12 1.0 5.0e-02 1.0 2.40e+07 1.0 0 0 0\n"
                            "PCApply 13 1.0 9.5e-02 1.0 2.60e+07 1.0 0 0 0\n"
                            "VecTDot 24 1.0 6.0e-03 1.0 4.80e+06 1.0 0 0 0\n"
                            "VecNorm 13 1.0 3.0e-03 1.0 2.60e+06 1.0 0 0 0\n"
                            "VecAXPY 24 1.0 5.0e-03 1.0 4.80e+06 1.0 0 0 0\n"
                            "VecAYPX 11 1.0 2.0e-03 1.0 2.20e+06 1.0 0 0 0\n"
                            "KSPSolve 1 1.0 %s 1.0 %s 1.0 0 0 0\n"
                            "PCSetUp 1 1.0 3.2e-01 1.0 %s 1.0 0 0 0\n";

static struct import import_solve(const char *given, const char *version, const char *time,
                                  const char *flops, const char *setup_flops)
{
    char text[1000];

    snprintf(text, sizeof text, solve, version, time, flops, setup_flops);
    return import_text("petsc", given, text, strlen(text));
}

TEST(the_operations_tell_where_the_setup_is)
{
    static const struct {
        const char *given, *version, *time, *flops, *setup_flops;
        double time_s; /* 0: asked for */
    } solves[] = {
        { "solver=cg", "3.12.1", "5.0e-01", "1.14e+08", "5.00e+07", 0.18 },
        { "solver=cg", "3.16.6", "5.0e-01", "1.14e+08", "5.00e+07", 0.18 },
        /* The program called KSPSetUp before. */
        { "solver=cg", "3.12.1", "1.9e-01", "6.44e+07", "5.00e+07", 0.19 },
        { "solver=cg", "3.12.1", "5.0e-01", "6.44e+07", "5.00e+07", 0.5 },
        /* A library factorized, whose operations PETSc does not count. */
        { "solver=cg", "3.12.1", "5.0e-01", "6.44e+07", "0.00e+00", 0 },
        { "solver=cg&setup=inside", "3.12.1", "5.0e-01", "6.44e+07", "0.00e+00", 0.18 },
        { "solver=cg&setup=outside", "3.12.1", "5.0e-01", "6.44e+07", "0.00e+00", 0.5 },
        /* Too short for 0.32 s beside products and applications of 0.145 s. */
        { "solver=cg", "3.12.1", "4.0e-01", "6.44e+07", "0.00e+00", 0.4 },
        /* So little that it does not matter. */
        { "solver=cg", "3.12.1", "9.0e+00", "6.44e+07", "0.00e+00", 9 },
        { "solver=cg", "3.17.0", "5.0e-01", "6.44e+07", "0.00e+00", 0.5 },
        { "solver=cg", "4.0.0", "5.0e-01", "6.44e+07", "0.00e+00", 0.5 },
    };

    for (size_t i = 0; i < sizeof solves / sizeof *solves; i++) {
        struct import import = import_solve(solves[i].given, solves[i].version, solves[i].time,
                                            solves[i].flops, solves[i].setup_flops);

        if (solves[i].time_s == 0)
            assert_fault(&import.faults, FR_MISSING, "setup",
                         "inside or outside: neither the operations nor the times tell whether "
                         "KSPSolve (0.5 s) contains KSPSetUp and PCSetUp (0.32 s)");
        else
            assert_close(number_at(import.runs, "/0/time_s"), solves[i].time_s, 1e-12);
    }
}

TEST(what_is_said_of_the_setup_must_be_so)
{
    struct import import =
        import_solve("solver=cg&setup=outside", "3.12.1", "5.0e-01", "1.14e+08", "5.00e+07");

    assert_fault(&import.faults, FR_RELATION, "line 1", "setup is inside here, but outside");
    import = import_solve("solver=cg&setup=no", "3.12.1", "5.0e-01", "6.44e+07", "0.00e+00");
    assert_fault(&import.faults, FR_CHOICE, "setup", "'no' is not one of inside, outside");
}

TEST(a_setup_that_no_stage_has_is_warned_of)
{
    static const char elsewhere[] =
        "--- Event Stage 1: Setup\nPCSetUp 1 1.0 3.2e-01 1.0 5e7 1.0 0 0 0\n";
    static const struct {
        const char *version, *given, *behind;
        bool is_warned;
    } logs[] = {
        { "3.16.6", "solver=cg", "", true },
        { "3.16.6", "solver=cg&setup=inside", "", true },
        { "3.16.6", "solver=cg&setup=outside", "", false },
        { "3.16.6", "solver=cg", elsewhere, false },
        { "3.17.0", "solver=cg", "", false },
        { "3.16.6", "solver=cg", "MatLUFactorNum 1 1.0 0 1.0 0 0 0 0 0\n", true },
    };

    for (size_t i = 0; i < sizeof logs / sizeof *logs; i++) {
        char text[1200];
        struct import import;
        const size_t used =
            (size_t)snprintf(text, sizeof text, solve, logs[i].version, "5.0e-01", "1.14e+08", "0");

        strcpy(strstr(text, "PCSetUp"), logs[i].behind);
        assert_in_range(used, 1, sizeof text - 1);
        import = import_text("petsc", logs[i].given, text, strlen(text));
        assert_close(number_at(import.runs, "/0/time_s"), 0.5, 1e-12);
        assert_int_equal(import.imported.warnings.count, logs[i].is_warned);
        if (logs[i].is_warned)
            assert_fault(&import.imported.warnings, FR_MISSING, "line 1", "no stage has PCSetUp");
    }
}

/* ---- the initial guess and the iterations ---- */

/* 36 products and 37 applications are those of 35 iterations and of another initial guess, and the
 * view up to 3.7 begins lines with the method. */
TEST(a_nonzero_initial_guess_costs_a_product_and_an_application)
{
    json_t *runs = imported_sample("petsc", "nodes=1&matrix=m", "petsc-3.7.txt", 1),
           *run = part(runs, "0");

    assert_holds(run, "",
                 "{'parameters': {'restart': 60, 'iterations': 35, 'preconditioner': 'ilu'}}");
    assert_close(number_at(run, "computation/phases/matvec_s/0/0"),
                 (0.036 - 0.001 / 1.1 - 0.002 / 2) / 36, 1e-12);
    assert_non_null(strstr(text_at(run, "notes"), "nonzero initial guess"));
}

#define GUESSED(axpys)                                                       \
    "--- PETSc Performance Summary: ---\n"                                   \
    "./ex on a linux named n1 with 1 processor, by me Mon Nov 23\n"          \
    "--- Event Stage 0: Main Stage\nMatMult 9 1.0 5e-02 1.0 0 0 0 0 0\n"     \
    "PCApply 10 1.0 9e-02 1.0 0 0 0 0 0\nKSPSolve 1 1.0 0.5 1.0 0 0 0 0 0\n" \
    "VecAXPY " axpys " 1.0 5e-03 1.0 0 0 0 0 0\n"                            \
    "PCSetUp 1 1.0 0 1.0 0 0 0 0 0\n"
/* Nine products are those of nine iterations, or of eight after another guess. */
TEST(without_a_view_the_vector_work_tells_the_guess)
{
    json_t *runs = imported_text("petsc", "solver=cg", GUESSED("18"), 1);

    assert_close(number_at(runs, "/0/parameters/iterations"), 9, 0);
    runs = imported_text("petsc", "solver=cg&iterations=8", GUESSED("16"), 1);
    assert_non_null(strstr(text_at(runs, "/0/notes"), "nonzero initial guess"));
    runs =
        imported_text("petsc", "solver=cg", "Norm of error 1.2e-05 iterations 8\n" GUESSED("1"), 1);
    assert_close(number_at(runs, "/0/parameters/iterations"), 8, 0);
    assert_refused("petsc", "solver=cg&iterations=8", GUESSED("18"), FR_RELATION, "line 1",
                   "after a nonzero initial guess: send the output");
}

TEST(another_solver_than_the_log_has_is_warned_of)
{
    static const char view[] = "KSP Object: 1 MPI process\n  type: cg\nPC Object: 1\n  type: icc\n";
    static const struct {
        const char *view, *given;
        int mdots;
        bool is_warned;
    } logs[] = {
        { "", "solver=cg", 0, false },
        { "", "solver=cg", 3, false },
        { "", "solver=cg", 9, true },
        { "", "solver=gmres", 9, false },
        { "", "solver=gmres", 0, true },
        { "", "solver=fgmres&iterations=9", 0, true },
        { "", "solver=pgmres&iterations=9", 0, false },
        { view, "", 9, false },
    };

    for (size_t i = 0; i < sizeof logs / sizeof *logs; i++) {
        struct import import;
        char text[1000];

        snprintf(text, sizeof text, "%s" GUESSED("18") "VecMDot %d 1.0 1e-3 1.0 0 0 0 0 0\n",
                 logs[i].view, logs[i].mdots);
        import = import_text("petsc", logs[i].given, text, strlen(text));
        assert_int_equal(import.imported.warnings.count, logs[i].is_warned);
        if (logs[i].is_warned)
            assert_fault(&import.imported.warnings, FR_RELATION, "line 1", "are not the work of");
    }
}

/* 20 exchanges are not those of 9 products, so that the counts tell nothing. */
TEST(printed_iterations_count_where_they_are_unambiguous)
{
    static const char log[] = GUESSED("18") "VecScatterBegin 20 1.0 1e-3 1.0 0 0 0 0 0\n";
    static const char *const unclear[] = {
        "Nonlinear solve converged due to CONVERGED_FNORM_RELATIVE iterations 9\n",
        "  Linear fieldsplit_0_ solve converged due to CONVERGED_RTOL iterations 9\n",
        "Linear solve converged due to CONVERGED_RTOL iterations 9\n"
        "Linear solve converged due to CONVERGED_RTOL iterations 8\n",
        "maximum iterations=9\n",
    };
    struct import import;
    char text[1000];
    json_t *runs;

    for (size_t i = 0; i < sizeof unclear / sizeof *unclear; i++) {
        snprintf(text, sizeof text, "%s%s", unclear[i], log);
        assert_refused("petsc", "solver=cg", text, FR_MISSING, "iterations",
                       "does not follow from the counts");
    }
    snprintf(text, sizeof text, "%s%s", "Norm of error 0.01, Iterations 9\n", log);
    runs = imported_text("petsc", "solver=cg", text, 1);
    assert_holds(runs, "/0", "{'parameters': {'iterations': 9}, 'computation': {'phases': null}}");
    import = import_text("petsc", "solver=cg&iterations=2", log, sizeof log - 1);
    assert_fault(
        &import.imported.warnings, FR_RELATION, "line 1",
        "2 iterations of pcg make 3 applications of the preconditioner, but the log has 10");
    assert_refused("petsc", "solver=cg&iterations=8", text, FR_RELATION, "line 1",
                   "iterations is 9 here, but 8 in the request");
    snprintf(text, sizeof text, "%s%s", "Linear solve converged due to X iterations 90\n", log);
    assert_refused("petsc", "solver=cg", text, FR_RELATION, "line 2",
                   "iterations is 90, but the log has fewer products");
}

/* ---- views, headers, builds ---- */

TEST(a_quoted_view_keeps_its_inner_objects_apart)
{
    static const char text[] = "> no view\n"
                               "    KSP Object: 1 MPI processes\n"
                               "      type: cg\n"
                               "        CG: using single-reduction variant\n"
                               "      maximum iterations=100, initial guess is zero\n"
                               "    PC Object: 1 MPI processes\n"
                               "      type: bjacobi\n"
                               "      KSP Object: (sub_) 1 MPI processes\n"
                               "        type: preonly\n"
                               "        maximum iterations=9, nonzero initial guess\n"
                               "      PC Object: (sub_) 1 MPI processes\n"
                               "        type: icc\n" GUESSED("14");
    json_t *runs = imported_text("petsc", "iterations=7", text, 1);

    assert_holds(runs, "/0", "{'parameters': {'solver': 'sapcg', 'preconditioner': 'icc'}}");
}

TEST(a_view_of_gmres_without_its_restart_asks_for_it)
{
    static const char view[] =
        "KSP Object: 1 MPI process\n  type: %s\nPC Object: 1\n  type: icc\n" GUESSED("18");
    char text[1000];
    struct fr_faults faults;
    json_t *runs;

    snprintf(text, sizeof text, view, "gmres");
    faults = import_refused("petsc", "", text);
    assert_int_equal(faults.count, 1);
    assert_fault(&faults, FR_MISSING, "restart", "the view in line 2 lacks the line");
    runs = imported_text("petsc", "restart=40", text, 1);
    assert_close(number_at(runs, "/0/parameters/restart"), 40, 0);
    snprintf(text, sizeof text, view, "cg");
    imported_text("petsc", "", text, 1);
}

/* 8000 rows on 2 processes, by the view; 8192 by the norms of vectors. */
TEST(another_grid_than_the_solved_one_is_warned_of)
{
    static const char view[] = "petsc-3.7.txt", no_view[] = "petsc-cg.csv";
    static const struct {
        const char *sample, *given, *where, *warning; /* NULL: none */
    } grids[] = {
        { view, "setup=outside&nodes=1&local_grid=20x20x10", NULL, NULL },
        { view, "setup=outside&nodes=1&global_grid=20x20x20", NULL, NULL },
        { view, "setup=outside&nodes=1&global_grid=10x20x20&dof=2", NULL, NULL },
        { view, "setup=outside&nodes=1&local_grid=20x20x20", "line 26",
          "has 8000 rows, but the grid" },
        { view, "setup=outside&nodes=1&global_grid=20x20x20&dof=2", "line 26",
          "has 16000 with 2 processes" },
        { view, "setup=outside&nodes=1&global_grid=20xx20", NULL,
          NULL }, /* which the validation refuses */
        { no_view, "nodes=1&solver=cg&local_grid=16x16x16", NULL, NULL },
        { no_view, "nodes=1&solver=cg&local_grid=16x16x15", NULL, NULL },
        { no_view, "nodes=1&solver=cg&local_grid=16x16x8", "line 27", "about 8192 rows" },
    };

    for (size_t i = 0; i < sizeof grids / sizeof *grids; i++) {
        struct import import = import_sample("petsc", grids[i].given, grids[i].sample);

        assert_int_equal(import.imported.warnings.count, grids[i].warning != NULL);
        if (grids[i].warning)
            assert_fault(&import.imported.warnings, FR_RELATION, grids[i].where, grids[i].warning);
    }
}

/* The system is that of the last view, not what a program shows behind it. */
TEST(the_rows_are_those_of_the_system)
{
    static const char text[] = "KSP Object: 1 MPI process\n  type: cg\nPC Object: 1 MPI process\n"
                               "  type: icc\n    factored matrix follows:\n      rows=7, cols=7\n"
                               "  linear system matrix followed by preconditioner matrix:\n"
                               "  Mat Object: 1 MPI process\n    rows=12, cols=12\n"
                               "  Mat Object: 1 MPI process\n    rows=13, cols=13\n"
                               "Mat Object: 1 MPI process\n  rows=14, cols=3\n" GUESSED("18");
    struct import import = import_text("petsc", "local_grid=4x4", text, strlen(text));

    assert_int_equal(import.imported.warnings.count, 1);
    assert_fault(&import.imported.warnings, FR_RELATION, "line 9", "12 rows");
}

TEST(another_preconditioner_than_its_type_says_is_asked_for)
{
    static const char view[] = "KSP Object: 1 MPI process\n  type: cg\nPC Object: 1 MPI process\n"
                               "  type: bjacobi\n    number of blocks = %s\n"
                               "  KSP Object: (sub_) 1 MPI process\n    type: %s\n"
                               "  PC Object: (sub_) 1 MPI process\n    type: icc\n      %s\n"
                               "        package used to perform factorization: %s\n";
    static const struct {
        const char *blocks, *solver, *fill, *package, *fault; /* NULL: none */
    } views[] = {
        { "1", "preonly", "0 levels of fill", "petsc", NULL },
        { "1", "preonly", "ICC: 0 levels of fill", "petsc", NULL },
        { "1", "preonly", "1 level of fill", "petsc", "'icc' with 1 level of fill" },
        { "1", "preonly", "ICC: 2 levels of fill", "petsc", "'icc' with 2 levels of fill" },
        { "4", "preonly", "0 levels of fill", "petsc", "'icc' with 4 blocks of 1 processes" },
        { "1", "gmres", "0 levels of fill", "petsc", "'icc' with gmres" },
        { "1", "preonly", "0 levels of fill", "superlu", "factorization: superlu" },
    };

    for (size_t i = 0; i < sizeof views / sizeof *views; i++) {
        char text[1400];
        size_t used = (size_t)snprintf(text, sizeof text, view, views[i].blocks, views[i].solver,
                                       views[i].fill, views[i].package);

        snprintf(text + used, sizeof text - used, "%s", GUESSED("18"));
        imported_text("petsc", "preconditioner=icc", text, 1);
        if (!views[i].fault) {
            imported_text("petsc", "", text, 1);
            continue;
        }
        assert_refused("petsc", "", text, FR_CHOICE, "preconditioner", views[i].fault);
    }
}

/* Solves whose times a log adds up; the same one may show its view again and again. */
TEST(views_of_different_solves_are_refused)
{
    static const char view[] = "KSP Object: %s1 MPI process\n  type: %s\n  linear system matrix:\n"
                               "    rows=%d, cols=12\n";
    static const struct {
        const char *prefix, *type;
        int rows;
        bool is_same;
    } firsts[] = {
        { "(p_) ", "cg", 12, true },
        { "(u_) ", "cg", 12, false },
        { "(p_) ", "bcgs", 12, false },
        { "(p_) ", "cg", 13, false },
    };

    for (size_t i = 0; i < sizeof firsts / sizeof *firsts; i++) {
        char text[1600];
        struct fr_faults faults;
        size_t used = (size_t)snprintf(text, sizeof text, view, firsts[i].prefix, firsts[i].type,
                                       firsts[i].rows);

        for (int times = 0; times < 2; times++)
            used += (size_t)snprintf(text + used, sizeof text - used, view, "(p_) ", "cg", 12);
        snprintf(text + used, sizeof text - used, "PC Object: 1\n  type: icc\n%s", GUESSED("18"));
        if (firsts[i].is_same) {
            imported_text("petsc", "", text, 1);
            continue;
        }
        faults = import_refused("petsc", "", text);
        assert_int_equal(faults.count, 1);
        assert_fault(&faults, FR_RELATION, "line 15", "are of different solves");
    }
}

TEST(a_view_belongs_to_the_log_after_it_alone)
{
    static const char text[] =
        "KSP Object: 1 MPI process\n  type: cg\nPC Object: 1\n  type: icc\n" GUESSED("18")
            GUESSED("18");
    const struct fr_faults faults = import_refused("petsc", "", text);

    assert_fault(&faults, FR_MISSING, "solver", "no output of -ksp_view is before it");
}

TEST(two_logs_in_one_another_are_refused)
{
    const struct fr_faults faults = import_refused(
        "petsc", "solver=cg", GUESSED("18") "MatMult 9 1.0 5.0e-02 1.0 2.40e+07 1.0 0 0 0\n");

    assert_int_equal(faults.count, 1);
    assert_fault(&faults, FR_REPEATED, "line 9", "MatMult again in this stage");
}

TEST(what_a_view_tells_beyond_the_models_is_warned_of)
{
    static const char text[] = "KSP Object: 1 MPI process\n  type: cg\n"
                               "  using NONE norm type for convergence test\n"
                               "PC Object: 1\n  type: icc\n    linear system matrix:\n"
                               "      type: seqsbaij\n  linear system matrix = precond matrix:\n"
                               "    type: %s\n%s";
    char log[1200];
    struct import import;

    snprintf(log, sizeof log, text, "seqaijcusparse", GUESSED("18"));
    import = import_text("petsc", "", log, strlen(log));
    assert_int_equal(import.imported.warnings.count, 2);
    assert_fault(&import.imported.warnings, FR_RELATION, "line 15", "using NONE norm");
    assert_fault(&import.imported.warnings, FR_RELATION, "line 15", "type: seqaijcusparse");
    snprintf(log, sizeof log, text, "seqbaij", GUESSED("18"));
    import = import_text("petsc", "", log, strlen(log));
    assert_int_equal(import.imported.warnings.count, 1);
}

/* `with 1 process and CUDA architecture 90`; 8 iterations; KSPSetUp took more than KSPSolve, which
 * does not contain it. */
TEST(a_log_of_a_gpu_is_named_as_such)
{
    struct import import =
        import_sample("petsc", "solver=cg&preconditioner=jacobi", "petsc-3.22-gpu.txt");
    json_t *runs = import.runs;

    assert_holds(runs, "/0",
                 "{'time_s': 0.012, 'parameters': {'nodes': 1, 'processes_per_node': 1}}");
    assert_non_null(strstr(text_at(runs, "/0/notes"), "100 % of the operations on GPUs"));
    assert_int_equal(import.imported.warnings.count, 1);
    assert_fault(&import.imported.warnings, FR_RELATION, "line 18", "on GPUs: another program");
}

TEST(times_that_a_gpu_keeps_are_one_fault)
{
    static const char row[] = " 9 1.0 n/a n/a 2e+07 1.0 0 0 0 0 59 99 99 0 0 59 99 99 0 n/a\n";
    char text[1000];
    struct fr_faults faults;

    snprintf(text, sizeof text, GUESSED("9") "MatMult%sPCApply%sVecTDot%sVecNorm%sVecAYPX%s", row,
             row, row, row, row);
    faults = import_refused("petsc", "solver=cg&nodes=1", text);
    assert_int_equal(faults.count, 1);
    assert_fault(&faults, FR_MISSING, "line 9", "-log_view_gpu_time");
    assert_fault(&faults, FR_MISSING, "line 9", "5 lines have this fault");
}

TEST(processes_are_read_in_each_wording)
{
    static const struct {
        const char *header;
        int processes;
    } headers[] = {
        { "./ex on a linux named n1 with 1 processor, by me Mon", 1 },
        { "./ex on a default named n1.example.org with 6 processes, by me on Tue", 6 },
        { "./ex with 3 holes on a x named n1 with 4 processors and CUDA architecture 80, by me",
          4 },
        { "./ex on a  named vm with 12 process, by Unknown", 12 },
    };

    for (size_t i = 0; i < sizeof headers / sizeof *headers; i++) {
        char text[600];
        json_t *runs;

        snprintf(text, sizeof text,
                 "--- PETSc Performance Summary: ---\n%s\n--- Event Stage 0: Main Stage\n"
                 "KSPSolve 1 1.0 0.5 1.0 0 0 0 0 0\nMatMult 9 1.0 0.1 1.0 0 0 0 0 0\n"
                 "PCApply 10 1.0 0.1 1.0 0 0 0 0 0\n",
                 headers[i].header);
        runs = imported_text("petsc", "solver=cg&nodes=1", text, 1);
        assert_close(number_at(runs, "/0/parameters/processes_per_node"), headers[i].processes, 0);
    }
}

TEST(another_build_is_another_program)
{
    static const struct {
        const char *line, *fault; /* NULL: none */
    } builds[] = {
        { "#   This code was compiled with a debugging option.      #", "for debugging" },
        { "#   This program was run with logging synchronization.   #", "without -log_sync" },
        { "Configure options: --with-debugging=1", "for debugging" },
        { "Configure options: --with-debugging=no --with-64-bit-indices=0", NULL },
        { "Configure options: --with-64-bit-indices --with-debugging=0", "indices of 64 bits" },
        { "Configure options: --with-scalar-type=complex", "for complex numbers" },
        { "Configure options: --with-precision=__float128", "another precision than double" },
        { "Configure options: --with-precision=double --with-scalar-type=real", NULL },
        { "sizeof(short) 2 sizeof(int) 4 sizeof(void*) 8 sizeof(PetscScalar) 8 sizeof(PetscInt) 4",
          NULL },
        { "sizeof(int) 4 sizeof(PetscScalar) 16 sizeof(PetscInt) 4", "not for scalars of 8 bytes" },
        { "sizeof(int) 4 sizeof(PetscScalar) 4 sizeof(PetscInt) 4", "not for scalars of 8 bytes" },
        { "sizeof(int) 4 sizeof(PetscScalar) 8 sizeof(PetscInt) 8", "indices of 64 bits" },
        { "Compiled with single precision PetscScalar and PetscReal", "another precision" },
        { "#   The code for various complex numbers numerical       #", "for complex numbers" },
        { "Compiled with full precision matrices (default)", NULL },
    };

    for (size_t i = 0; i < sizeof builds / sizeof *builds; i++) {
        char text[1000];
        struct import import;

        snprintf(text, sizeof text, "%s=====\n%s\n", GUESSED("18"), builds[i].line);
        import = import_text("petsc", "solver=cg", text, strlen(text));
        assert_int_equal(import.faults.count, builds[i].fault != NULL);
        if (builds[i].fault)
            assert_fault(&import.faults, FR_RELATION, "line 1", builds[i].fault);
    }
}

/* Both views are those of PETSc's names, the request has forerun's, and the other way around. */
TEST(petscs_names_are_those_of_the_same_choice)
{
    static const char view[] = "KSP Object: 1 MPI process\n  type: groppcg\nPC Object: 1\n"
                               "  type: jacobi\n";
    static const char *const given[] = { "solver=groppcg", "solver=nbpcg",
                                         "solver=groppcg&preconditioner=jacobi" };
    char text[1000];

    snprintf(text, sizeof text, "%s%s", view, GUESSED("18"));
    for (size_t i = 0; i < sizeof given / sizeof *given; i++) {
        char query[100];
        json_t *runs;

        snprintf(query, sizeof query, "iterations=9&%s", given[i]);
        runs = imported_text("petsc", query, text, 1);
        assert_string_equal(text_at(runs, "/0/parameters/solver"), "nbpcg");
    }
}
