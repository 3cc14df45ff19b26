/* Whether the time of KSPSolve contains that of the set-up: up to PETSc 3.16 it does, unless the
 * program called KSPSetUp and PCSetUp before.  The version tells, or the operations, or the times;
 * what they leave open the request decides. */
#include "server/runs/imports/petsc.h"

#include <math.h>
#include <string.h>

/* Of some quantity over all ranks: the most and the least that the processes may have of it. */
struct bounds {
    double most, least;
};

static void add_bounds(struct bounds *sum, double most, double least)
{
    sum->most += most;
    sum->least += least;
}

static const enum petsc_role setups[] = { PETSC_KSP_SETUP, PETSC_PC_SETUP, PETSC_BLOCK_SETUP,
                                          PETSC_FACTORIZATION };
enum { SETUPS = sizeof setups / sizeof *setups };

/* The largest of the events of the set-up: they may lie within each other.  So a part of it may be
 * left, never too much be taken. */
static double largest_setup(const double of[PETSC_ROLES])
{
    double largest = 0;

    for (size_t i = 0; i < SETUPS; i++)
        largest = fmax(largest, of[setups[i]]);
    return largest;
}

double fr_petsc_setup_s(const struct petsc_rank *rank)
{
    return largest_setup(rank->time_s);
}

double fr_petsc_solve_s(const struct petsc_solve *solve, const struct petsc_rank *rank)
{
    return rank->time_s[PETSC_SOLVE] - (solve->is_setup_inside ? fr_petsc_setup_s(rank) : 0);
}

/* Operations, or seconds, of all ranks. */
struct evidence {
    double solve, setup;
    struct bounds certain; /* of events that surely belong to the solves */
    double logged;         /* the most of all events that may */
};

static struct evidence collect(const struct petsc_solve *solve, bool is_time)
{
    static const enum petsc_role parts[] = { PETSC_MATVEC, PETSC_PRECONDITIONER, PETSC_UPDATE,
                                             PETSC_ARITHMETIC, PETSC_DOT };
    struct evidence sum = { 0 };

    for (size_t i = 0; i < solve->ranks; i++) {
        const struct petsc_rank *rank = &solve->rank[i];
        const double *most = is_time ? rank->time_s : rank->flops;
        const double *least = is_time ? rank->least_s : rank->least_flops;

        sum.solve += most[PETSC_SOLVE];
        sum.setup += largest_setup(most);
        if (solve->is_exact)
            add_bounds(&sum.certain, most[PETSC_MATVEC], least[PETSC_MATVEC]);
        add_bounds(&sum.certain, most[PETSC_PRECONDITIONER], least[PETSC_PRECONDITIONER]);
        for (size_t part = 0; part < sizeof parts / sizeof *parts; part++)
            sum.logged += most[parts[part]];
    }
    return sum;
}

enum place { UNDECIDED, INSIDE, OUTSIDE };

/* Where the set-up is by its operations, which are printed with three digits, in a table of commas
 * with six. */
static enum place place_by_operations(const struct petsc_solve *solve, bool is_text)
{
    const struct evidence of = collect(solve, false);
    const double rounding = (is_text ? 0.02 : 1e-5) * of.solve;
    const bool fits_inside = of.solve >= of.setup + of.certain.least - rounding &&
                             of.solve <= of.setup + of.logged + rounding;
    const bool fits_outside =
        of.solve >= of.certain.least - rounding && of.solve <= of.logged + rounding;

    if (of.solve <= 0 || of.setup <= 0 || fits_inside == fits_outside)
        return UNDECIDED;
    return fits_inside ? INSIDE : OUTSIDE;
}

/* A solve too short to contain the set-up beside its own products and applications. */
static enum place place_by_times(const struct petsc_solve *solve)
{
    const struct evidence of = collect(solve, true);

    return of.solve < 0.98 * (of.setup + of.certain.least) ? OUTSIDE : UNDECIDED;
}

static enum place given_place(struct fr_filter *filter)
{
    const char *given = fr_filter_given(filter, "setup");

    if (!given)
        return UNDECIDED;
    if (strcmp(given, "inside") == 0)
        return INSIDE;
    if (strcmp(given, "outside") != 0)
        fr_fault(filter->faults, FR_CHOICE, "setup", "'%.40s' is not one of inside, outside",
                 given);
    return OUTSIDE;
}

static bool has_setup(const struct petsc_log *log)
{
    for (size_t i = 0; i < log->stage_count; i++)
        if (log->stage[i].rank[0].count[PETSC_PC_SETUP] > 0)
            return true;
    return false;
}

/* Up to PETSc 3.16, KSPSolve contains KSPSetUp and PCSetUp unless the program called them before.
 */
void fr_petsc_place_setup(struct fr_filter *filter, const struct petsc_log *log,
                          struct petsc_solve *solve)
{
    static const char *const names[] = { [INSIDE] = "inside", [OUTSIDE] = "outside" };
    const struct evidence times = collect(solve, true);
    const enum place given = given_place(filter);
    enum place place = log->is_setup_apart || times.setup <= 0 ? OUTSIDE : UNDECIDED;

    if (log->is_text && !log->is_setup_apart && given != OUTSIDE && !has_setup(log))
        fr_filter_warn(filter, log->line, FR_MISSING,
                       "no stage has PCSetUp, which KSPSolve contains up to PETSc 3.16 unless the "
                       "program called it before: its time is not subtracted; send the whole log");
    if (place == UNDECIDED)
        place = place_by_operations(solve, log->is_text);
    if (place == UNDECIDED)
        place = place_by_times(solve);
    if (place != UNDECIDED && given != UNDECIDED && given != place && times.setup > 0)
        fr_filter_fault(filter, log->line, FR_RELATION, "setup is %s here, but %s in the request",
                        names[place], names[given]);
    if (place == UNDECIDED)
        place = given;
    if (place == UNDECIDED && times.setup > 0.05 * times.solve)
        fr_fault(filter->faults, FR_MISSING, "setup",
                 "required, inside or outside: neither the operations nor the times tell whether "
                 "KSPSolve (%.4g s) contains KSPSetUp and PCSetUp (%.4g s), as it does up to PETSc "
                 "3.16 unless the program called them before",
                 times.solve / (double)solve->ranks, times.setup / (double)solve->ranks);
    else if (place == UNDECIDED)
        solve->unclear_s = times.setup / (double)solve->ranks;
    solve->is_setup_inside = place == INSIDE;
}
