/* The iterations of a PETSc solve, from the counts of its events
 * (docs/models/krylov_problem.md#solvers), or as the program or the request states them. */
#include "server/runs/imports/petsc.h"

#include <math.h>

static bool are_equal(const struct petsc_solve *solve, enum petsc_role role)
{
    for (size_t i = 1; i < solve->ranks; i++)
        if (solve->rank[i].count[role] != solve->rank[0].count[role])
            return false;
    return true;
}

static void add_counts(void *context, double times, const struct krylov_counts *counts)
{
    struct krylov_counts *sum = context;

    sum->matvecs += times * counts->matvecs;
    sum->preconditioners += times * counts->preconditioners;
}

static struct krylov_counts counts_of(const struct petsc_solve *solve, int64_t iterations)
{
    struct krylov_counts sum = { 0 };

    krylov_schedule(solve->solver, iterations, solve->restart,
                    (struct krylov_schedule_visitor){ add_counts, &sum });
    return sum;
}

/* The most iterations that make no more products; products never become fewer with iterations. */
static int64_t most_iterations(const struct petsc_solve *solve, double matvecs)
{
    const int64_t most = 10000000;
    int64_t low = 0, high = (int64_t)fmin(matvecs, (double)most) + 1;

    while (high - low > 1) {
        const int64_t middle = low + (high - low) / 2;

        if (counts_of(solve, middle).matvecs <= matvecs)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* Products and applications that a solver makes more or fewer where its limit of iterations or the
 * end of a cycle stops it. */
static double uneven_end(const struct petsc_solve *solve)
{
    switch (solve->choice) {
    case SOLVER_PIPECG:
    case SOLVER_PIPECR:
    case SOLVER_IBCGS:
    case SOLVER_FGMRES:
    case SOLVER_PGMRES:
        return 1;
    default:
        return 0;
    }
}

static bool agree(const struct petsc_solve *solve, double iterations, double matvecs,
                  double preconditioners, double tolerance)
{
    const struct krylov_counts counts = counts_of(solve, (int64_t)iterations);

    return fabs(counts.matvecs - matvecs) <= tolerance &&
           fabs(counts.preconditioners - preconditioners) <= tolerance;
}

/* The iterations that make so many products and applications; 0: no number does.  After an uneven
 * end those that were `stated` may say what the counts leave open. */
static double iterations_by_counts(const struct petsc_solve *solve, double matvecs,
                                   double preconditioners, double stated)
{
    const double most = matvecs > 0 ? (double)most_iterations(solve, matvecs) : 0;

    if (stated >= 1 && fabs(stated - most) <= 1 &&
        agree(solve, stated, matvecs, preconditioners, uneven_end(solve)))
        return stated;
    return most > 0 && agree(solve, most, matvecs, preconditioners, 0) ? most : 0;
}

/* The same after a nonzero initial guess: one product more for its residual and, unless a test of
 * the residual alone decides, one application more for the norm of the right-hand side. */
static double iterations_after_guess(const struct petsc_solve *solve, double matvecs,
                                     double preconditioners, double stated)
{
    const double tested = iterations_by_counts(solve, matvecs - 1, preconditioners - 1, stated);

    return tested > 0 ? tested : iterations_by_counts(solve, matvecs - 1, preconditioners, stated);
}

/* Iterations by an event that the solver makes a fixed number of times in each; 0: it has none. */
static double told_iterations(const struct petsc_solve *solve)
{
    const double *told = solve->rank[0].told;

    switch (solve->choice) {
    case SOLVER_PCG:
        return told[PETSC_AXPYS] / 2 / solve->solves;
    case SOLVER_BCGS:
        return told[PETSC_DOT_NORMS] / solve->solves;
    case SOLVER_GMRES:
    case SOLVER_FGMRES:
        return told[PETSC_MDOTS] / solve->solves;
    default:
        return 0;
    }
}

/* The iterations that the program printed for each solve; 0: it did not, or they differ. */
static double printed_iterations(const struct petsc_log *log, const struct petsc_solve *solve)
{
    const struct petsc_printed *printed = &log->printed;

    return printed->lines && !printed->differ && (double)printed->lines >= solve->solves
               ? (double)printed->iterations
               : 0;
}

/* The iterations that the request states, or else the program; 0: neither does. */
static double stated_iterations(const struct fr_filter *filter, double printed)
{
    const char *given = fr_filter_given(filter, "iterations");
    double stated;

    if (!given)
        return printed;
    return fr_number_parse(given, &stated) && stated >= 1 && stated < 1e9 ? stated : 0;
}

/* The iterations by the counts, with the initial guess as the view tells; 0: no number fits.
 * Without a view the counts of k iterations from zero are those of k - 1 from another guess: then
 * what was printed and the vector work tell.  The request alone does not. */
static double find_iterations(struct fr_filter *filter, const struct petsc_log *log,
                              struct petsc_solve *solve, double printed, double stated)
{
    const double matvecs = solve->rank[0].count[PETSC_MATVEC] / solve->solves;
    const double preconditioners = solve->rank[0].count[PETSC_PRECONDITIONER] / solve->solves;
    const double from_zero = iterations_by_counts(solve, matvecs, preconditioners, stated);
    const double from_guess = iterations_after_guess(solve, matvecs, preconditioners, stated);

    if (solve->guess == PETSC_GUESS_UNKNOWN && from_guess > 0 && from_zero != printed &&
        (from_guess == printed || from_guess == told_iterations(solve)))
        solve->guess = PETSC_GUESS_NONZERO;
    if (solve->guess == PETSC_GUESS_NONZERO)
        return from_guess;
    if (solve->guess == PETSC_GUESS_ZERO || from_zero == stated || from_guess != stated ||
        stated == 0)
        return from_zero;
    fr_filter_fault(filter, log->line, FR_RELATION,
                    "iterations is %g here, but %g in the request, which is right after a nonzero "
                    "initial guess: send the output of -ksp_view before the log",
                    from_zero, stated);
    return 0;
}

/* Whether the solves made fewer products or applications than so many iterations need. */
static bool is_too_many(const struct petsc_solve *solve, double iterations)
{
    const struct krylov_counts least = counts_of(solve, (int64_t)iterations);
    const double matvecs = solve->rank[0].count[PETSC_MATVEC] / solve->solves;
    const double preconditioners = solve->rank[0].count[PETSC_PRECONDITIONER] / solve->solves;

    return (matvecs > 0 && matvecs + 1 < least.matvecs) ||
           (preconditioners > 0 && preconditioners + 1 < least.preconditioners);
}

/* Applications beyond those of so many iterations may be those of the set-up of multigrid. */
static void warn_of_too_few(struct fr_filter *filter, const struct petsc_log *log,
                            const struct petsc_solve *solve)
{
    const double made = counts_of(solve, (int64_t)solve->iterations).preconditioners;
    const double logged = solve->rank[0].count[PETSC_PRECONDITIONER] / solve->solves;

    if (logged > 1.5 * made)
        fr_filter_warn(filter, log->line, FR_RELATION,
                       "%g iterations of %s make %g applications of the preconditioner, but the "
                       "log has %g PCApply for each solve: correct iterations, unless the set-up "
                       "has the others",
                       solve->iterations, krylov_solver_names[solve->choice], made, logged);
}

/* GMRES makes a VecMDot in each iteration, with classical Gram-Schmidt; the other solvers none, but
 * the set-up of a preconditioner may. */
static void warn_of_other_solver(struct fr_filter *filter, const struct petsc_log *log,
                                 const struct petsc_solve *solve)
{
    const double made = solve->rank[0].told[PETSC_MDOTS];
    const double products = solve->rank[0].count[PETSC_MATVEC];
    const bool is_gmres = solve->choice == SOLVER_GMRES || solve->choice == SOLVER_FGMRES;

    if (solve->choice == SOLVER_PGMRES ||
        (is_gmres ? made > 0 || products <= 1 : made < products / 2))
        return;
    fr_filter_warn(filter, log->line, FR_RELATION,
                   "%g VecMDot beside %g MatMult are not the work of %s: correct solver%s", made,
                   products, krylov_solver_names[solve->choice],
                   is_gmres ? ", unless it is GMRES with modified Gram-Schmidt" : "");
}

/* Whether the products, applications and exchanges can all be those of the solver. */
static bool are_of_solver(const struct petsc_solve *solve)
{
    const double *count = solve->rank[0].count;

    return (count[PETSC_SCATTER_BEGIN] == 0 || count[PETSC_SCATTER_BEGIN] == count[PETSC_MATVEC]) &&
           are_equal(solve, PETSC_MATVEC) && are_equal(solve, PETSC_PRECONDITIONER) &&
           are_equal(solve, PETSC_SCATTER_BEGIN);
}

void fr_petsc_count_iterations(struct fr_filter *filter, const struct petsc_log *log,
                               struct petsc_solve *solve)
{
    const struct petsc_rank *first = solve->rank;
    const char *given = fr_filter_given(filter, "iterations");
    const double printed = printed_iterations(log, solve);
    const double stated = stated_iterations(filter, printed);
    const double iterations =
        are_of_solver(solve) ? find_iterations(filter, log, solve, printed, stated) : 0;

    if (!log->view.type.length)
        warn_of_other_solver(filter, log, solve);
    solve->is_exact = iterations >= 1;
    if (solve->is_exact)
        solve->iterations = iterations;
    else if (stated > 0 && is_too_many(solve, stated))
        fr_filter_fault(filter, log->line, FR_RELATION,
                        "iterations is %g, but the log has fewer products (%g) or PCApply (%g) "
                        "than so many iterations of %s make in %g solves",
                        stated, first->count[PETSC_MATVEC], first->count[PETSC_PRECONDITIONER],
                        krylov_solver_names[solve->choice], solve->solves);
    else if (given && printed > 0 && stated != printed)
        fr_filter_fault(filter, log->printed.line, FR_RELATION,
                        "iterations is %g here, but %.40s in the request", printed, given);
    else if (stated > 0) {
        solve->iterations = stated;
        warn_of_too_few(filter, log, solve);
    } else if (!given) /* else the validation refuses it */
        fr_fault(filter->faults, FR_MISSING, "iterations",
                 "required: it does not follow from the counts of products (%g) and PCApply (%g)",
                 first->count[PETSC_MATVEC], first->count[PETSC_PRECONDITIONER]);
}
