/* The preconditioner multigrid of solve: properties that hold for every question, and refusals. */
#include "engine/krylov/multigrid/multigrid.h"
#include "engine/krylov/solvers/solvers.h"
#include "tests/unit/support/machines.h"

#include <stdio.h>
#include <string.h>

#define CYCLE "iterations=20&solver=pcg&preconditioner=multigrid"

static double value_of(const struct fr_calibration *cal, const char *name, const char *more)
{
    struct fr_prediction prediction;
    char query[300];

    snprintf(query, sizeof query, CYCLE "&%s", more);
    prediction = predicted("solve", query, cal);
    return output_of("solve", name, &prediction);
}

/* ---- levels --------------------------------------------------------------------------------- */

enum { LEVEL, ROWS, NONZEROS, PROCESSES, MESSAGES, BYTES, COMPUTATION, COMMUNICATION, TIME };
struct rows {
    size_t count;
    double of[KRYLOV_MOST_LEVELS][TIME + 1];
    char grid[KRYLOV_MOST_LEVELS][80];
};

static bool take_row(void *context, const char *text, const double *number)
{
    struct rows *rows = context;

    memcpy(rows->of[rows->count], number, sizeof rows->of[0]);
    snprintf(rows->grid[rows->count], sizeof rows->grid[0], "%s", text);
    rows->count++;
    return true;
}

/* The list of levels that a prediction explains. */
static struct rows levels_of(const struct fr_calibration *cal, const char *more)
{
    struct rows rows = { 0 };
    const struct fr_listing listing = { &rows, take_row };
    char query[300];

    snprintf(query, sizeof query, CYCLE "&%s", more);
    explained("solve", query, cal, &listing);
    return rows;
}

TEST(levels_halve_the_grid_and_add_up_to_the_cycle)
{
    static const char question[] = "global_grid=65x33x9&nodes=4&processes_per_node=4";
    const struct fr_calibration *cal = ((const struct machines *)*state)->uniform;
    const struct rows rows = levels_of(cal, question);
    double time_s = 0, messages = 0;

    assert_int_equal(rows.count, 4);
    assert_string_equal(rows.grid[1], "33x17x5");
    assert_string_equal(rows.grid[3], "9x5x2");
    for (size_t l = 0; l < rows.count; l++) {
        time_s += rows.of[l][TIME];
        messages += rows.of[l][MESSAGES];
    }
    assert_close(time_s, value_of(cal, "multigrid.cycle_s", question), 1e-12);
    assert_close(messages, value_of(cal, "multigrid.messages", question), 0);
    assert_close(value_of(cal, "multigrid.levels", question), 4, 0);
}

/* With one row a process on each level, an inner process has a neighbor on either side; a transfer
 * goes one way; the gathering of two rows is one message. */
TEST(levels_with_fewer_rows_leave_processes_idle)
{
    const struct fr_calibration *cal = ((const struct machines *)*state)->uniform;
    const struct rows rows =
        levels_of(cal, "global_grid=9&nodes=9&processes_per_node=1&coarsest_rows=2");
    static const double processes[] = { 9, 5, 3, 2 };

    assert_int_equal(rows.count, 4);
    for (size_t l = 0; l < 4; l++) {
        assert_close(rows.of[l][PROCESSES], processes[l], 0);
        assert_close(rows.of[l][MESSAGES], l < 3 ? 4 * 2 + 2 : 1, 0);
        assert_close(rows.of[l][BYTES], 8 * rows.of[l][MESSAGES], 0);
    }
}

TEST(other_preconditioners_have_no_levels)
{
    const struct fr_calibration *cal = ((const struct machines *)*state)->uniform;
    struct fr_prediction got =
        predicted("solve", "iterations=9&global_grid=9x9&nodes=1&processes_per_node=1", cal);

    assert_true(isnan(output_of("solve", "multigrid.levels", &got)));
    assert_true(isnan(output_of("solve", "multigrid.cycle_s", &got)));
}

/* ---- cost ----------------------------------------------------------------------------------- */

/* All that is left is the guess, which is set to zero: one word for each row; no preconditioner is
 * a copy, two words. */
TEST(one_level_without_sweeps_costs_a_word)
{
    static const char grid[] = "global_grid=16x16x16&nodes=1&processes_per_node=1";
    const struct fr_calibration *cal = ((const struct machines *)*state)->uniform;
    char query[300];
    struct fr_prediction none;

    snprintf(query, sizeof query, "iterations=20&solver=pcg&preconditioner=none&%s", grid);
    none = predicted("solve", query, cal);
    snprintf(query, sizeof query,
             "%s&coarsest_rows=5000&coarse_solver=smoother&pre_sweeps=0&post_sweeps=0", grid);
    assert_close(2 * value_of(cal, "multigrid.cycle_s", query),
                 output_of("solve", "phases.preconditioner_s", &none), 1e-12);
}

#define CASE(name) TEST_OF(name, const struct machines *m, NULL, NULL)

CASE(more_rows_never_take_less_time)
{
    static const char *const conducts[] = { "", "&smoother=sor", "&smoother=jacobi&stencil=star",
                                            "&coarse_solver=gathered", "&coarse_solver=smoother" };
    const struct fr_calibration *const cal[] = { m->uniform, m->torus, m->dragonfly };

    for (size_t i = 0; i < 3; i++)
        for (size_t j = 0; j < sizeof conducts / sizeof *conducts; j++) {
            double before_s = 0;

            for (int n = 9; n <= 513; n = 2 * n - 1) {
                char query[200];
                double time_s;

                snprintf(query, sizeof query,
                         "global_grid=%dx%dx%d&nodes=16&processes_per_node=4%s", n, n, n,
                         conducts[j]);
                time_s = value_of(cal[i], "multigrid.cycle_s", query);
                if (time_s < before_s)
                    fail_msg("%s: %g s, less than half the grid: %g s", query, time_s, before_s);
                before_s = time_s;
            }
        }
}

TEST(sweeps_and_unknowns_cost_time)
{
    static const char grid[] = "global_grid=65x65&nodes=4&processes_per_node=4";
    const struct fr_calibration *cal = ((const struct machines *)*state)->uniform;
    static const char *const more[] = { "pre_sweeps=3", "post_sweeps=3", "dof=2",
                                        "coarse_solver=gathered" };
    const double time_s = value_of(cal, "time_s", grid);

    for (size_t i = 0; i < sizeof more / sizeof *more; i++) {
        char query[200];

        snprintf(query, sizeof query, "%s&%s", grid, more[i]);
        assert_true(value_of(cal, "time_s", query) > time_s);
    }
}

CASE(no_solver_takes_less_than_its_bound)
{
    const struct fr_calibration *const cal[] = { m->uniform, m->torus, m->dragonfly };

    for (int solver = 0; solver < KRYLOV_SOLVERS; solver++)
        for (size_t i = 0; i < 3; i++)
            for (int smoother = SMOOTHER_JACOBI; smoother <= SMOOTHER_CHEBYSHEV; smoother++) {
                struct fr_prediction got;
                char query[300];

                snprintf(query, sizeof query,
                         "iterations=33&preconditioner=multigrid&nodes=12&processes_per_node=3"
                         "&progress=all&local_grid=16x8x8&restart=10&solver=%s&smoother=%s",
                         krylov_solver_names[solver], krylov_smoothers[smoother]);
                got = predicted("solve", query, cal[i]);
                assert_true(got.bound_s > 0);
                if (got.time_s < got.bound_s * (1 - 1e-12))
                    fail_msg("%s: %g s, below %g s", query, got.time_s, got.bound_s);
            }
}

/* A coarse grid of 4 rows below 8, one process, star, no ghosts: 4 bytes an index. */
TEST(memory_is_that_of_the_levels)
{
    static const char line[] = "global_grid=8&nodes=1&processes_per_node=1&stencil=star"
                               "&coarsest_rows=4&smoother=jacobi";
    const struct fr_calibration *cal = ((const struct machines *)*state)->uniform;
    const double finest = 24 * 12 + 6 * 4 * 8 + 8 * 8 * 5;
    const double smoothed = 8 * 8 * 4;           /* a residual, two of the smoother, the diagonal */
    const double transfer = 12 * 12 + 6 * 4 * 8; /* 1.5 entries a row */
    const double dense = 8 * 4 * 4 + 32 * 4;

    assert_close(value_of(cal, "memory_bytes_per_process", line),
                 finest + smoothed + transfer + dense, 1e-15);
}

/* ---- refusals ------------------------------------------------------------------------------- */

static void check_refused(const struct fr_calibration *cal, const char *more, const char *where,
                          const char *words)
{
    struct fr_faults faults;
    const struct fr_fault *fault;
    char query[300];

    snprintf(query, sizeof query, CYCLE "&%s", more);
    faults = refused("solve", query, cal);
    fault = fault_at(&faults, where);
    if (!fault || !strstr(fault->message, words) || faults.count != 1)
        fail_msg("%s: %zu faults, %s: %s", query, faults.count, faults.fault[0].where,
                 faults.fault[0].message);
}

#define SIZE "nodes=8&processes_per_node=4"
TEST(impossible_requests_are_refused)
{
    const struct fr_calibration *cal = ((const struct machines *)*state)->uniform;

    check_refused(cal, SIZE "&global_grid=66x66x66", "coarsest_rows",
                  "66x66x66 points can be halved evenly to 33x33x33 at most");
    check_refused(cal, SIZE "&global_grid=65x65x65&coarsest_rows=300000", "coarsest_rows",
                  "a direct solve has at most 10000");
    check_refused(cal, SIZE "&matrix=m&system=spd", "preconditioner", "coarsens a grid");
    check_refused(cal, SIZE "&global_grid=9x9&smoother=ilu", "smoother", "ilu");
    check_refused(cal, SIZE "&global_grid=9x9&pre_sweeps=-1", "pre_sweeps", "-1");
}

TEST(levels_that_cannot_be_are_refused)
{
    const struct fr_calibration *cal = ((const struct machines *)*state)->uniform;
    char many[300] = SIZE "&global_grid=9x9&levels=";

    check_refused(cal, SIZE "&global_grid=9x9&levels=81:500", "levels", "81 rows follow 81");
    check_refused(cal, SIZE "&global_grid=9x9&levels=40:300,40:200", "levels", "40 rows follow 40");
    check_refused(cal, SIZE "&global_grid=9x9&levels=40:39", "levels", "39 nonzeros of 40 rows");
    check_refused(cal, SIZE "&global_grid=9x9&levels=4:17", "levels", "17 nonzeros of 4 rows");
    check_refused(cal, SIZE "&global_grid=9x9&levels=40", "levels", "'40' is not a list");
    check_refused(cal, SIZE "&global_grid=9x9&levels=40:90,", "levels", "is not a list");
    check_refused(cal, SIZE "&global_grid=9x9&levels=40:90;9:9", "levels", "is not a list");
    check_refused(cal, SIZE "&local_grid=9x9&levels=40:90", "levels", "give global_grid");
    check_refused(cal, SIZE "&global_grid=999x999&levels=20000:90000", "levels",
                  "a direct solve has at most 10000");
    for (int rows = 60; rows > 28; rows--)
        snprintf(many + strlen(many), sizeof many - strlen(many), "%s%d:%d", rows < 60 ? "," : "",
                 rows, rows);
    check_refused(cal, many, "levels", "more than 31 levels");
}

TEST(levels_are_only_of_multigrid)
{
    const struct fr_calibration *cal = ((const struct machines *)*state)->uniform;
    const struct fr_faults faults =
        refused("solve", SIZE "&iterations=3&global_grid=9x9&levels=40:90", cal);

    assert_fault(&faults, FR_RELATION, "levels", "preconditioner=multigrid");
}

CASE(denser_or_larger_levels_never_take_less_time)
{
    static const char *const levels[] = {
        "9000:90000,900:9000",   "9000:95000,900:9000",   "9000:200000,900:9000",
        "9000:200000,900:30000", "9900:220000,990:33000", "9900:220000,990:33000,90:3000"
    };
    const struct fr_calibration *const cal[] = { m->uniform, m->torus, m->dragonfly };

    for (size_t i = 0; i < 3; i++) {
        double before_s = 0;

        for (size_t j = 0; j < sizeof levels / sizeof *levels; j++) {
            char query[200];
            double time_s;

            snprintf(query, sizeof query,
                     SIZE "&global_grid=40x40x40&coarse_solver=smoother&levels=%s", levels[j]);
            time_s = value_of(cal[i], "multigrid.cycle_s", query);
            if (time_s < before_s)
                fail_msg("%s: %g s, before %g s", query, time_s, before_s);
            before_s = time_s;
        }
    }
}

GROUP(machines_begin, place_end)
