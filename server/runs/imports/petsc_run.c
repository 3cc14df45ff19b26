/* From a PETSc log to a run (docs/models/krylov_problem.md#solvers).
 *
 * A run needs the computation of one iteration without communication.  The log gives totals, in
 * which MatMult includes the halo exchange (VecScatterBegin, VecScatterEnd) and a blocking dot
 * product includes its reduction:
 *   matvec          (MatMult - VecScatter) / iterations
 *   preconditioner  PCApply / iterations
 *   vector          updates, arithmetic of non-blocking dot products, dot products; per iteration
 * The scatters can be subtracted, a reduction cannot: the arithmetic of a dot product that reduces
 * is assumed to move its operands as fast as the updates of the same rank, and to take at most all
 * of its time.  pipecg2 logs no vector work: there it is the rest of KSPSolve on the rank where the
 * rest is smallest, which still includes the shortest wait for a reduction.
 *
 * This requires that every MatMult, PCApply and VecScatter belongs to the solver.  Their counts
 * show it: each method begins with a fixed number and makes a fixed number in each iteration.  If
 * the preconditioner itself multiplies by matrices, the run gets `total_s`: KSPSolve without its
 * communication.
 */
#include "server/runs/imports/petsc.h"
#include "server/store/store.h"

#include <math.h>
#include <stdio.h>

/* Whether every rank has the same number of solves, as it must. */
static bool check_ranks(struct fr_filter *filter, const struct petsc_log *log,
                        const struct petsc_stage *stage)
{
    char name[FR_IMPORT_TEXT_BYTES];

    fr_slice_print(stage->name, name, sizeof name);
    for (size_t i = 0; i < log->ranks; i++) {
        if (i < stage->capacity &&
            stage->rank[i].count[PETSC_SOLVE] == stage->rank[0].count[PETSC_SOLVE] &&
            stage->rank[i].count[PETSC_SOLVE] > 0)
            continue;
        fr_filter_fault(
            filter, log->line, FR_RELATION,
            "rank %zu has another number of solves in stage %s than the others; the log seems "
            "incomplete",
            i, name);
        return false;
    }
    return true;
}

static double scatter_s(const struct petsc_rank *rank)
{
    return rank->time_s[PETSC_SCATTER_BEGIN] + rank->time_s[PETSC_SCATTER_END];
}

/* The arithmetic of the dot products that reduce, in seconds. */
static double reduced_arithmetic_s(const struct petsc_rank *rank)
{
    const double updates = rank->update_operands + rank->update_shared * rank->rows;
    const double dots = rank->reduced_operands + rank->reduced_shared * rank->rows;

    return updates > 0 ? fmin(rank->reduced_s, rank->time_s[PETSC_UPDATE] / updates * dots) : 0;
}

/* minres copies in every iteration; elsewhere copies belong to the start or to PCApply. */
static double copies_s(const struct petsc_solve *solve, const struct petsc_rank *rank)
{
    if (solve->choice != SOLVER_MINRES)
        return 0;
    return solve->is_copied ? fmax(0, rank->time_s[PETSC_COPY] - rank->time_s[PETSC_PRECONDITIONER])
                            : rank->time_s[PETSC_COPY];
}

static double vector_s(const struct petsc_solve *solve, const struct petsc_rank *rank)
{
    return rank->time_s[PETSC_UPDATE] + rank->time_s[PETSC_ARITHMETIC] + rank->time_s[PETSC_DOT] -
           rank->reduced_s + reduced_arithmetic_s(rank) + copies_s(solve, rank);
}

static double remainder_s(const struct petsc_solve *solve, const struct petsc_rank *rank)
{
    return fmax(fr_petsc_solve_s(solve, rank) - rank->time_s[PETSC_MATVEC] -
                    rank->time_s[PETSC_PRECONDITIONER],
                0);
}

static double least_remainder_s(const struct petsc_solve *solve)
{
    double least = INFINITY;

    for (size_t i = 0; i < solve->ranks; i++)
        least = fmin(least, remainder_s(solve, &solve->rank[i]));
    return least;
}

/* Whether PETSc does not log the vector work. */
static bool is_unlogged(const struct petsc_solve *solve)
{
    return solve->choice == SOLVER_PIPE2CG;
}

enum phase { MATVEC, PRECONDITIONER, VECTOR, TOTAL };

/* Seconds of one iteration on one rank. */
static double phase_s(const struct petsc_solve *solve, const struct petsc_rank *rank,
                      enum phase phase)
{
    const double iterations = solve->iterations * solve->solves;
    double sum_s = 0;

    switch (phase) {
    case MATVEC:
        sum_s = (rank->time_s[PETSC_MATVEC] - scatter_s(rank)) / rank->count[PETSC_MATVEC] *
                solve->iteration.matvecs;
        break;
    case PRECONDITIONER:
        sum_s = rank->time_s[PETSC_PRECONDITIONER] / rank->count[PETSC_PRECONDITIONER] *
                solve->iteration.preconditioners;
        break;
    case VECTOR:
        sum_s =
            (is_unlogged(solve) ? solve->least_remainder_s : vector_s(solve, rank)) / iterations;
        break;
    case TOTAL:
        sum_s = (fr_petsc_solve_s(solve, rank) - scatter_s(rank) - rank->time_s[PETSC_REDUCTION] -
                 rank->reduced_s + reduced_arithmetic_s(rank)) /
                iterations;
        break;
    }
    return fmax(sum_s, 0);
}

static void write_phase(struct fr_writer *w, const struct petsc_solve *solve, const char *name,
                        enum phase phase)
{
    fr_json_pair_array(w, name);
    for (int row = 0; row < (int)solve->solver->iterations; row++) {
        fr_json_array(w);
        for (size_t i = 0; i < solve->ranks; i++)
            fr_json_number(w, phase_s(solve, &solve->rank[i], phase));
        fr_json_array_end(w);
    }
    fr_json_array_end(w);
}

static void write_computation(struct fr_writer *w, const struct petsc_solve *solve)
{
    fr_json_pair_object(w, "computation");
    if (solve->is_exact) {
        fr_json_pair_object(w, "phases");
        write_phase(w, solve, "matvec_s", MATVEC);
        write_phase(w, solve, "preconditioner_s", PRECONDITIONER);
        write_phase(w, solve, "vector_s", VECTOR);
        fr_json_object_end(w);
    } else {
        write_phase(w, solve, "total_s", TOTAL);
    }
    fr_json_object_end(w);
}

/* What the log tells and the models do not have. */
static void say_other(struct fr_filter *filter, struct fr_import_run *run, const char *what)
{
    fr_run_note(run, "; %s", what);
    fr_filter_warn(filter, run->time_line, FR_RELATION,
                   "%s: another program than the one that is modelled", what);
}

static void note_others(struct fr_filter *filter, struct fr_import_run *run,
                        const struct petsc_log *log, const struct petsc_solve *solve)
{
    const struct petsc_rank *first = &solve->rank[0];
    char what[FR_IMPORT_TEXT_BYTES];

    if (solve->is_setup_inside)
        fr_run_note(run, "; without the set-up, %.4g s, that KSPSolve contains",
                    fr_petsc_setup_s(first) / solve->solves);
    else if (solve->unclear_s > 0)
        fr_run_note(run, "; a set-up of %.2g s may be in it", solve->unclear_s);
    if (solve->guess == PETSC_GUESS_NONZERO)
        fr_run_note(run, "; from a nonzero initial guess, with a product more for it");
    for (size_t i = 0; i < PETSC_UNMODELLED; i++) {
        fr_slice_print(log->view.unmodelled[i], what, sizeof what);
        if (*what)
            say_other(filter, run, what);
    }
    snprintf(what, sizeof what, "%g %% of the operations on GPUs", log->gpu_percent);
    if (log->gpu_percent > 0)
        say_other(filter, run, what);
    snprintf(what, sizeof what, "%g OpenMP threads", log->threads);
    if (log->threads > 1)
        say_other(filter, run, what);
}

static void note(struct fr_import_run *run, const struct petsc_solve *solve, struct fr_slice stage)
{
    char name[FR_IMPORT_TEXT_BYTES];

    fr_slice_print(stage, name, sizeof name);
    fr_run_note(run, "PETSc log, stage %s", name);
    if (solve->processes > (double)solve->ranks)
        fr_run_note(run, ", of each event the slowest process, of waiting the fastest");
    if (solve->solves > 1)
        fr_run_note(run, ", mean of %g solves", solve->solves);
    if (!solve->is_exact)
        fr_run_note(run, "; the preconditioner's products and scatters are not apart from the "
                         "solver's");
    if (solve->is_exact && is_unlogged(solve))
        fr_run_note(run, "; vector work is what else the solve took on the rank where that is "
                         "least");
    else if (solve->rank[0].reduced_s > 0)
        fr_run_note(run, "; the arithmetic of reducing dot products is estimated from the vector "
                         "updates");
}

/* The unknowns of the grid that the request gives; 0 without one. */
static double grid_rows(const struct fr_filter *filter, double processes)
{
    const char *local = fr_filter_given(filter, "local_grid");
    const char *given = local ? local : fr_filter_given(filter, "global_grid");
    const char *dof = fr_filter_given(filter, "dof");
    const struct fr_param *param =
        fr_param_find(fr_model_find("solve")->params, local ? "local_grid" : "global_grid");
    struct fr_faults ignored = { 0 }; /* the validation refuses it */
    struct fr_vector grid;
    double values = 1;

    if (!given || fr_param_parse_vector(param, given, &grid, &ignored) != FR_OK ||
        (dof && !fr_number_parse(dof, &values)))
        return 0;
    return fr_vector_product(&grid) * values * (local ? processes : 1);
}

/* The rows of the matrix: of the view, or about those of the vectors. */
static double rows_of(const struct petsc_view *view, const struct petsc_solve *solve)
{
    double rows = 0;

    for (size_t i = 0; i < solve->ranks && solve->is_exact; i++)
        rows += solve->rank[i].rows;
    return view->rows ? (double)view->rows : rows * solve->processes / (double)solve->ranks;
}

/* A grid may stand for another matrix than the one that was solved, with a warning; a stored matrix
 * is what it is.  A text has the rows of the largest process, in three digits. */
static void check_rows(struct fr_filter *filter, const struct petsc_view *view,
                       const struct petsc_solve *solve, size_t line)
{
    const struct fr_matrix_record *matrix = filter->given->matrix;
    const double rows = rows_of(view, solve), grid = grid_rows(filter, solve->processes);
    const double tolerance = view->rows ? 0 : 0.25 * rows;
    const char *about = view->rows ? "" : "about ";

    if (view->rows)
        line = view->rows_line;
    if (matrix && fabs((double)matrix->n - rows) > tolerance)
        fr_filter_fault(filter, line, FR_RELATION,
                        "the matrix of the solve has %s%.15g rows, but matrix %.64s has %lld; name "
                        "the matrix that was solved, or upload it",
                        about, rows, matrix->name, (long long)matrix->n);
    else if (matrix && view->nonzeros && !view->unmodelled[PETSC_OTHER_MATRIX].length &&
             fabs((double)(matrix->nnz - view->nonzeros)) > 0.25 * (double)matrix->nnz)
        fr_filter_fault(filter, line, FR_RELATION,
                        "the matrix of the solve has %lld nonzeros, but matrix %.64s has %lld; "
                        "name the matrix that was solved, or upload it",
                        (long long)view->nonzeros, matrix->name, (long long)matrix->nnz);
    if (grid > 0 && fabs(grid - rows) > tolerance)
        fr_filter_warn(filter, line, FR_RELATION,
                       "the matrix of the solve has %s%.15g rows, but the grid of the request "
                       "(local_grid, global_grid, dof) has %.15g with %.15g processes; correct it, "
                       "or the run stands for another problem",
                       about, rows, grid, solve->processes);
}

/* The preconditioner and the size of the matrix, which only the view tells. */
static void set_view(struct fr_filter *filter, const struct petsc_view *view, double processes,
                     struct fr_import_run *run)
{
    const bool has_blocks = view->blocks && (double)view->blocks != processes;
    static const char *const known[] = { "none", "jacobi", "icc", "ilu" };
    const char *given = fr_filter_given(filter, "preconditioner");
    char name[FR_IMPORT_TEXT_BYTES], other[FR_IMPORT_TEXT_BYTES];
    size_t i = 0;

    if (!view->type.length)
        return;
    if (view->rows)
        fr_run_note(run, ", %lld rows, %lld nonzeros", (long long)view->rows,
                    (long long)view->nonzeros);
    while (i < sizeof known / sizeof *known && !fr_slice_is(view->preconditioner, known[i]))
        i++;
    fr_slice_print(view->preconditioner, name, sizeof name);
    fr_slice_print(view->other, other, sizeof other);
    if (has_blocks)
        snprintf(other, sizeof other, "%lld blocks of %.15g processes", (long long)view->blocks,
                 processes);
    if (i < sizeof known / sizeof *known && !*other)
        fr_run_set_text(run, "preconditioner", known[i])->line = view->preconditioner_line;
    else if (!given)
        fr_fault(filter->faults, FR_CHOICE, "preconditioner",
                 "'%.40s'%s%s is not one of none, jacobi, icc, ilu; give the one that is nearest, "
                 "and iterations",
                 name, *other ? " with " : "", other);
}

/* The cycle of the GMRES family: of the view, or of the request, or without a view PETSc's own. */
static void set_restart(struct fr_filter *filter, const struct petsc_view *view,
                        struct petsc_solve *solve, struct fr_import_run *run)
{
    const char *given = fr_filter_given(filter, "restart");
    double restart = view->restart ? (double)view->restart : 30;

    if (!view->restart && given && !fr_number_parse(given, &restart))
        return; /* the validation refuses it */
    if (view->type.length && !view->restart && !given && solve->solver->bytes_per_column > 0)
        fr_fault(filter->faults, FR_MISSING, "restart",
                 "required: the view in line %zu lacks the line with `restart=`", view->type_line);
    solve->restart = (int64_t)fmin(fmax(restart, 1), 1000);
    if (solve->solver->bytes_per_column > 0)
        fr_run_set(run, "restart", restart)->line = view->restart_line;
}

static double slowest_s(const struct petsc_solve *solve)
{
    double slowest = 0;

    for (size_t i = 0; i < solve->ranks; i++)
        slowest = fmax(slowest, fr_petsc_solve_s(solve, &solve->rank[i]) / solve->solves);
    return slowest;
}

static void write_run(struct fr_filter *filter, const struct petsc_log *log,
                      struct fr_import_run *run, const struct petsc_solve *solve)
{
    struct fr_import_param *solver =
        fr_run_set_text(run, "solver", krylov_solver_names[solve->choice]);

    solver->is_translated = true;
    solver->line = log->view.type_line;
    if (solve->is_exact || (solve->iterations > 0 && !fr_filter_given(filter, "iterations")))
        fr_run_set(run, "iterations", solve->iterations)->line =
            solve->is_exact ? run->time_line : log->printed.line;
    fr_run_set_nodes(filter, run, solve->processes, 0);
    fr_run_begin(filter, run);
    if (solve->iterations > 0)
        write_computation(&filter->out, solve);
    fr_run_end(filter);
}

void fr_petsc_write(struct fr_filter *filter, const struct petsc_log *log,
                    const struct petsc_stage *stage)
{
    struct petsc_solve solve = {
        .choice = fr_petsc_solver(filter, log),
        .is_copied = fr_slice_is(log->view.preconditioner, "none"),
        .rank = stage->rank,
        .ranks = log->ranks,
        .processes = log->is_text ? log->processes : (double)log->ranks,
        .solves = stage->rank[0].count[PETSC_SOLVE],
        .guess = log->view.guess,
    };
    struct fr_import_run run = { .line = log->processes_line ? log->processes_line : log->line,
                                 .time_line = stage->line };

    if (!check_ranks(filter, log, stage) || solve.choice == KRYLOV_SOLVERS)
        return;
    solve.solver = &krylov_solvers[solve.choice];
    set_restart(filter, &log->view, &solve, &run);
    fr_petsc_count_iterations(filter, log, &solve);
    fr_petsc_place_setup(filter, log, &solve);
    solve.iteration =
        krylov_average_iteration(solve.solver, (int64_t)fmax(solve.iterations, 1), solve.restart);
    solve.least_remainder_s = least_remainder_s(&solve);
    run.time_s = slowest_s(&solve);
    note(&run, &solve, stage->name);
    set_view(filter, &log->view, solve.processes, &run);
    if (rows_of(&log->view, &solve) > 0)
        check_rows(filter, &log->view, &solve, stage->line);
    note_others(filter, &run, log, &solve);
    write_run(filter, log, &run, &solve);
}
