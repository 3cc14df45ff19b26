/* From a PETSc log to a run of cg (docs/models/krylov.md#operations-of-a-solver).
 *
 * A run needs the computation of one iteration without communication.  The log gives totals, in
 * which MatMult includes the halo exchange (VecScatterBegin, VecScatterEnd) and a blocking dot
 * product includes its reduction:
 *   matvec          (MatMult - VecScatter) / calls
 *   preconditioner  PCApply / calls
 *   vector          updates, arithmetic of non-blocking dot products, dot products; per iteration
 * The scatters can be subtracted, a reduction cannot: the arithmetic of a dot product that reduces
 * is assumed to move its operands as fast as the updates of the same rank (VecAXPY, VecAYPX), and
 * to take at most all of its time.  pipecg2 logs no vector work: there it is the rest of KSPSolve
 * on the rank where the rest is smallest, which still includes the shortest wait for a reduction.
 *
 * This requires that every MatMult, PCApply and VecScatter belongs to the solver.  Their counts
 * show it: each method begins with a fixed number and makes one per iteration.  If the
 * preconditioner itself multiplies by matrices, the run gets `total_s`: KSPSolve without its
 * communication.
 */
#include "server/runs/imports/petsc.h"

#include <math.h>
#include <string.h>

/* `type` is PETSC's name; cg with a single reduction has none of its own. */
static const struct solver {
    const char *name, *type;
    double first_matvecs, first_preconditioners; /* before the first iteration */
    bool is_fused;                               /* the vector work is not logged */
    int rows; /* rows of the run; a method that iterates in pairs needs two */
} solvers[] = {
    { "pcg", "cg", 0, 1, false, 1 },         { "sapcg", NULL, 2, 1, false, 1 },
    { "nbpcg", "groppcg", 1, 1, false, 1 },  { "pipecg", "pipecg", 2, 2, false, 1 },
    { "pipe2cg", "pipecg2", 4, 4, true, 2 },
};

static const struct solver *find_solver(struct fr_filter *filter)
{
    const char *given = fr_filter_given(filter, "solver");

    for (size_t i = 0; given && i < sizeof solvers / sizeof solvers[0]; i++)
        if (strcmp(given, solvers[i].name) == 0 ||
            (solvers[i].type && strcmp(given, solvers[i].type) == 0))
            return &solvers[i];
    if (given)
        fr_fault(
            filter->faults, FR_CHOICE, "solver",
            "'%.40s' is not one of pcg (PETSc's cg), sapcg (cg with a single reduction), nbpcg "
            "(groppcg), pipecg, pipe2cg (pipecg2)",
            given);
    else
        fr_fault(filter->faults, FR_MISSING, "solver",
                 "required: the log does not name the method; one of pcg, sapcg, nbpcg, pipecg and "
                 "pipe2cg");
    return NULL;
}

/* The sums of a stage. */
struct solve {
    const struct solver *solver;
    const struct petsc_rank *rank;
    size_t ranks;
    double solves;     /* calls of KSPSolve */
    double iterations; /* of each; 0: unknown */
    double least_remainder_s;
    bool is_exact; /* the counts give the iterations: all events belong to the solver */
};

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

static bool are_equal(const struct solve *solve, enum petsc_role role)
{
    for (size_t i = 1; i < solve->ranks; i++)
        if (solve->rank[i].count[role] != solve->rank[0].count[role])
            return false;
    return true;
}

static void count_iterations(struct fr_filter *filter, struct solve *solve)
{
    const struct petsc_rank *first = solve->rank;
    const double matvecs = first->count[PETSC_MATVEC] / solve->solves;
    const double preconditioners = first->count[PETSC_PRECONDITIONER] / solve->solves;
    const double iterations = matvecs - solve->solver->first_matvecs;
    const char *given = fr_filter_given(filter, "iterations");

    solve->is_exact = iterations >= 1 && iterations == floor(iterations) &&
                      preconditioners - solve->solver->first_preconditioners == iterations &&
                      (first->count[PETSC_SCATTER_BEGIN] == 0 ||
                       first->count[PETSC_SCATTER_BEGIN] == first->count[PETSC_MATVEC]) &&
                      are_equal(solve, PETSC_MATVEC) && are_equal(solve, PETSC_PRECONDITIONER) &&
                      are_equal(solve, PETSC_SCATTER_BEGIN);
    if (solve->is_exact)
        solve->iterations = iterations;
    else if (!given)
        fr_fault(filter->faults, FR_MISSING, "iterations",
                 "required: it does not follow from the counts of MatMult (%g) and PCApply (%g)",
                 first->count[PETSC_MATVEC], first->count[PETSC_PRECONDITIONER]);
    else if (!fr_number_parse(given, &solve->iterations) || solve->iterations < 1)
        solve->iterations = 0; /* the validation refuses it */
}

static double scatter_s(const struct petsc_rank *rank)
{
    return rank->time_s[PETSC_SCATTER_BEGIN] + rank->time_s[PETSC_SCATTER_END];
}

/* The arithmetic of the dot products that reduce, in seconds. */
static double reduced_arithmetic_s(const struct petsc_rank *rank)
{
    const double s =
        rank->update_operands > 0 ? rank->time_s[PETSC_UPDATE] / rank->update_operands : 0;

    return fmin(rank->reduced_s, s * rank->reduced_operands);
}

static double vector_s(const struct petsc_rank *rank)
{
    return rank->time_s[PETSC_UPDATE] + rank->time_s[PETSC_ARITHMETIC] + rank->time_s[PETSC_DOT] -
           rank->reduced_s + reduced_arithmetic_s(rank);
}

static double remainder_s(const struct petsc_rank *rank)
{
    return fmax(rank->time_s[PETSC_SOLVE] - rank->time_s[PETSC_MATVEC] -
                    rank->time_s[PETSC_PRECONDITIONER],
                0);
}

static double least_remainder_s(const struct solve *solve)
{
    double least = INFINITY;

    for (size_t i = 0; i < solve->ranks; i++)
        least = fmin(least, remainder_s(&solve->rank[i]));
    return least;
}

enum phase { MATVEC, PRECONDITIONER, VECTOR, TOTAL };

/* Seconds of one iteration on one rank. */
static double phase_s(const struct solve *solve, const struct petsc_rank *rank, enum phase phase)
{
    const double iterations = solve->iterations * solve->solves;
    double sum_s = 0;

    switch (phase) {
    case MATVEC:
        sum_s = (rank->time_s[PETSC_MATVEC] - scatter_s(rank)) / rank->count[PETSC_MATVEC];
        break;
    case PRECONDITIONER:
        sum_s = rank->time_s[PETSC_PRECONDITIONER] / rank->count[PETSC_PRECONDITIONER];
        break;
    case VECTOR:
        sum_s = (solve->solver->is_fused ? solve->least_remainder_s : vector_s(rank)) / iterations;
        break;
    case TOTAL:
        sum_s = (rank->time_s[PETSC_SOLVE] - scatter_s(rank) - rank->time_s[PETSC_REDUCTION] -
                 rank->reduced_s + reduced_arithmetic_s(rank)) /
                iterations;
        break;
    }
    return fmax(sum_s, 0);
}

static void write_phase(struct fr_writer *w, const struct solve *solve, const char *name,
                        enum phase phase)
{
    fr_json_key(w, name);
    fr_json_array(w);
    for (int row = 0; row < solve->solver->rows; row++) {
        fr_json_array(w);
        for (size_t i = 0; i < solve->ranks; i++)
            fr_json_number(w, phase_s(solve, &solve->rank[i], phase));
        fr_json_array_end(w);
    }
    fr_json_array_end(w);
}

static void write_computation(struct fr_writer *w, const struct solve *solve)
{
    fr_json_key(w, "computation");
    fr_json_object(w);
    if (solve->is_exact) {
        fr_json_key(w, "phases");
        fr_json_object(w);
        write_phase(w, solve, "matvec_s", MATVEC);
        write_phase(w, solve, "preconditioner_s", PRECONDITIONER);
        write_phase(w, solve, "vector_s", VECTOR);
        fr_json_object_end(w);
    } else {
        write_phase(w, solve, "total_s", TOTAL);
    }
    fr_json_object_end(w);
}

static void note(struct fr_import_run *run, const struct solve *solve, struct fr_slice stage)
{
    char name[FR_IMPORT_TEXT_BYTES];

    fr_slice_print(stage, name, sizeof name);
    fr_run_note(run, "PETSc log, stage %s", name);
    if (solve->solves > 1)
        fr_run_note(run, ", mean of %g solves", solve->solves);
    if (!solve->is_exact)
        fr_run_note(run, "; the preconditioner's products and scatters are not apart from the "
                         "solver's");
    if (solve->is_exact && solve->solver->is_fused)
        fr_run_note(run, "; vector work is what else the solve took on the rank where that is "
                         "least");
    else if (solve->rank[0].reduced_s > 0)
        fr_run_note(run, "; the arithmetic of reducing dot products is estimated from the vector "
                         "updates");
}

void fr_petsc_write(struct fr_filter *filter, const struct petsc_log *log,
                    const struct petsc_stage *stage)
{
    struct solve solve = {
        .solver = find_solver(filter),
        .rank = stage->rank,
        .ranks = log->ranks,
        .solves = stage->rank[0].count[PETSC_SOLVE],
    };
    struct fr_import_run run = { .line = log->line };

    if (!check_ranks(filter, log, stage) || !solve.solver)
        return;
    count_iterations(filter, &solve);
    solve.least_remainder_s = least_remainder_s(&solve);
    for (size_t i = 0; i < solve.ranks; i++)
        run.time_s = fmax(run.time_s, solve.rank[i].time_s[PETSC_SOLVE] / solve.solves);
    fr_run_set_text(&run, "solver", solve.solver->name)->is_translated = true;
    if (solve.is_exact)
        fr_run_set(&run, "iterations", solve.iterations);
    fr_run_set_nodes(filter, &run, (double)solve.ranks, 0);
    note(&run, &solve, stage->name);
    fr_run_begin(filter, &run);
    if (solve.iterations > 0)
        write_computation(&filter->out, &solve);
    fr_run_end(filter);
}
