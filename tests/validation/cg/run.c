/* From the stamps of all processes to a saved run.
 *
 * matvec          MatMult without the time inside MPI; it includes packing the halo
 * preconditioner  PCApply, which does not communicate
 * vector          the rest of the iteration without reductions, because PETSc has no event for the
 *                 fused loop of KSPPIPECG2; no time is lost or counted twice
 *
 * Rows are the iterations after the first steps.
 */
#include "tests/validation/cg/run.h"

#include <math.h>
#include <stdio.h>
#include <time.h>

enum { NUMBERS = sizeof(struct stamp) / sizeof(double) };

/* One solve, on the first rank. */
struct solved {
    const struct solver *solver;
    const struct problem *problem;
    int processes, nodes;
    PetscInt marks; /* stamps of each process */
    struct stamp *at;
};

struct phases {
    double matvec_s, preconditioner_s, vector_s, halo_s, reduction_s;
};

static const struct stamp *stamp_of(const struct solved *solved, int process, PetscInt mark)
{
    return &solved->at[process * solved->marks + mark];
}

static struct phases phases_between(const struct solved *solved, int process, PetscInt from,
                                    PetscInt to)
{
    const struct stamp *a = stamp_of(solved, process, from), *b = stamp_of(solved, process, to);
    const double matvec_s = b->matvec_s - a->matvec_s, halo_s = b->halo_s - a->halo_s;
    struct phases phases = {
        .matvec_s = matvec_s - halo_s,
        .preconditioner_s = b->preconditioner_s - a->preconditioner_s,
        .halo_s = halo_s,
        .reduction_s = b->reduction_s - a->reduction_s,
    };

    phases.vector_s = b->at_s - a->at_s - matvec_s - phases.preconditioner_s - phases.reduction_s;
    return phases;
}

static double last_at_s(const struct solved *solved, PetscInt mark)
{
    double at_s = 0;

    for (int i = 0; i < solved->processes; i++)
        at_s = PetscMax(at_s, stamp_of(solved, i, mark)->at_s);
    return at_s;
}

static PetscInt mark_of(PetscInt iteration)
{
    return 1 + iteration;
}

static PetscInt end_mark(const struct solved *solved)
{
    return solved->marks - 1;
}

/* The iteration after which the first row begins. */
static PetscInt first_row(const struct solved *solved)
{
    return STEPS_LEFT_OUT * solved->solver->iterations_per_step;
}

static double phase_s(const struct phases *phases, int which)
{
    return which == 0 ? phases->matvec_s : which == 1 ? phases->preconditioner_s : phases->vector_s;
}

/* A step of two iterations gives two equal rows. */
static void write_phase(FILE *file, const struct solved *solved, const char *name, int which)
{
    const int step = solved->solver->iterations_per_step;
    const char *comma = "";

    fprintf(file, "\"%s\":[", name);
    for (PetscInt n = first_row(solved); n < solved->problem->iterations; n += step)
        for (int half = 0; half < step; half++) {
            fprintf(file, "%s[", comma);
            for (int i = 0; i < solved->processes; i++) {
                const struct phases phases =
                    phases_between(solved, i, mark_of(n), mark_of(n + step));

                fprintf(file, "%s%.4e", i ? "," : "", phase_s(&phases, which) / step);
            }
            fputs("]", file);
            comma = ",";
        }
    fputs("]", file);
}

static void write_iteration_times(FILE *file, const struct solved *solved)
{
    const int step = solved->solver->iterations_per_step;

    fputs("\"iteration_times_s\":[", file);
    for (PetscInt n = 0; n < solved->problem->iterations; n++) {
        const PetscInt from = n / step * step;

        fprintf(file, "%s%.4e", n ? "," : "",
                (last_at_s(solved, mark_of(from + step)) - last_at_s(solved, mark_of(from))) /
                    step);
    }
    fputs("]", file);
}

struct breakdown {
    double matvec_s, preconditioner_s, vector_s, halo_s, allreduce_s, synchronization_s;
};

/* Means over the processes.  The process with the least time in reductions arrived last and did not
 * wait: its time is the allreduce, the excess of the others is synchronization. */
static void add_between(const struct solved *solved, PetscInt from, PetscInt to,
                        struct breakdown *sum)
{
    const double share = 1.0 / solved->processes;
    double least_s = HUGE_VAL, mean_s = 0;

    for (int i = 0; i < solved->processes; i++) {
        const struct phases phases = phases_between(solved, i, from, to);

        sum->matvec_s += share * phases.matvec_s;
        sum->preconditioner_s += share * phases.preconditioner_s;
        sum->vector_s += share * phases.vector_s;
        sum->halo_s += share * phases.halo_s;
        mean_s += share * phases.reduction_s;
        least_s = fmin(least_s, phases.reduction_s);
    }
    sum->allreduce_s += least_s;
    sum->synchronization_s += fmax(0, mean_s - least_s);
}

/* Of the whole solve. */
static void write_breakdown(FILE *file, const struct solved *solved)
{
    const int step = solved->solver->iterations_per_step;
    struct breakdown sum = { 0 };

    add_between(solved, 0, mark_of(0), &sum);
    for (PetscInt n = 0; n < solved->problem->iterations; n += step)
        add_between(solved, mark_of(n), mark_of(n + step), &sum);
    add_between(solved, mark_of(solved->problem->iterations), end_mark(solved), &sum);
    fprintf(file,
            ",\"breakdown\":[{\"phase\":\"matvec\",\"time_s\":%.4e},"
            "{\"phase\":\"preconditioner\",\"time_s\":%.4e},"
            "{\"phase\":\"vector\",\"time_s\":%.4e},"
            "{\"phase\":\"allreduce\",\"time_s\":%.4e},"
            "{\"phase\":\"halo_exchange\",\"time_s\":%.4e},"
            "{\"phase\":\"synchronization\",\"time_s\":%.4e}]",
            sum.matvec_s, sum.preconditioner_s, sum.vector_s, sum.allreduce_s, sum.halo_s,
            sum.synchronization_s);
}

static void write_grid(FILE *file, const char *name, const PetscInt grid[3])
{
    fprintf(file, "\"%s\":[%d,%d,%d],", name, (int)grid[0], (int)grid[1], (int)grid[2]);
}

static void write_beginning(FILE *file, double time_s)
{
    const time_t began = time(NULL) - (time_t)time_s;
    char text[32];
    struct tm utc;

    strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&began, &utc));
    fprintf(file, "\"started_at\":\"%s\",", text);
}

static void write_run(FILE *file, const struct solved *solved)
{
    const struct problem *problem = solved->problem;
    const double time_s = last_at_s(solved, end_mark(solved));

    fputs("{\"schema\":\"forerun-run-1\",\"model\":\"cg\",\"parameters\":{", file);
    fprintf(file, "\"solver\":\"%s\",\"nodes\":%d,\"processes_per_node\":%d,", solved->solver->name,
            solved->nodes, solved->processes / solved->nodes);
    write_grid(file, "local_grid", problem->local_grid);
    write_grid(file, "process_grid", problem->process_grid);
    fprintf(file, "\"iterations\":%d,\"mapping\":\"default\"},", (int)problem->iterations);
    write_beginning(file, time_s);
    fprintf(file, "\"hosts\":%d,\"time_s\":%.6e,", solved->nodes, time_s);
    write_iteration_times(file, solved);
    write_breakdown(file, solved);
    fputs(",\"computation\":{\"phases\":{", file);
    write_phase(file, solved, "matvec_s", 0);
    fputs(",", file);
    write_phase(file, solved, "preconditioner_s", 1);
    fputs(",", file);
    write_phase(file, solved, "vector_s", 2);
    fputs("}}}\n", file);
}

/* Means over the processes and the steady iterations. */
static void print_line(const struct solved *solved)
{
    const PetscInt first = first_row(solved), last = solved->problem->iterations;
    const double scale = 1e6 / (double)(last - first) / solved->processes;
    const PetscInt *l = solved->problem->local_grid;
    struct phases sum = { 0 };

    for (int i = 0; i < solved->processes; i++) {
        const struct phases phases = phases_between(solved, i, mark_of(first), mark_of(last));

        sum.matvec_s += phases.matvec_s;
        sum.preconditioner_s += phases.preconditioner_s;
        sum.vector_s += phases.vector_s;
        sum.halo_s += phases.halo_s;
        sum.reduction_s += phases.reduction_s;
    }
    printf("%-8s %2d x %dx%dx%d  %10.1f us; an iteration: matvec %.1f, preconditioner %.1f, "
           "vector %.1f, halo %.2f, reduction %.2f us\n",
           solved->solver->name, solved->processes, (int)l[0], (int)l[1], (int)l[2],
           1e6 * last_at_s(solved, end_mark(solved)), scale * sum.matvec_s,
           scale * sum.preconditioner_s, scale * sum.vector_s, scale * sum.halo_s,
           scale * sum.reduction_s);
}

static struct counts counts_between(const struct solved *solved, PetscInt from, PetscInt to)
{
    const struct counts a = stamp_of(solved, 0, from)->counts, b = stamp_of(solved, 0, to)->counts;

    return (struct counts){ b.matvecs - a.matvecs, b.preconditioners - a.preconditioners,
                            b.reductions - a.reductions, b.reduction_bytes - a.reduction_bytes };
}

/* A single process reduces nothing, or only with itself. */
static PetscBool agree(struct counts seen, struct counts wanted, double times, int processes)
{
    return (
        PetscBool)(seen.matvecs == times * wanted.matvecs &&
                   seen.preconditioners == times * wanted.preconditioners &&
                   (processes == 1 || (seen.reductions == times * wanted.reductions &&
                                       seen.reduction_bytes == times * wanted.reduction_bytes)));
}

static PetscErrorCode check_counts(const struct solved *solved, struct counts wanted, double times,
                                   PetscInt from, PetscInt to, const char *where)
{
    const struct counts seen = counts_between(solved, from, to);

    PetscFunctionBeginUser;
    PetscCheck(agree(seen, wanted, times, solved->processes), PETSC_COMM_SELF, PETSC_ERR_PLIB,
               "%s, %s: %g products, %g preconditioners, %g reductions of %g bytes; the model of "
               "forerun counts %g, %g, %g of %g",
               solved->solver->name, where, seen.matvecs, seen.preconditioners, seen.reductions,
               seen.reduction_bytes, times * wanted.matvecs, times * wanted.preconditioners,
               times * wanted.reductions, times * wanted.reduction_bytes);
    PetscFunctionReturn(0);
}

static PetscErrorCode check_all_counts(const struct solved *solved)
{
    const struct solver *solver = solved->solver;
    const struct counts start = solver->start, step = solver->step;
    const double steps = (double)solved->problem->iterations / solver->iterations_per_step;
    const struct counts whole = {
        start.matvecs + steps * step.matvecs,
        start.preconditioners + steps * step.preconditioners,
        start.reductions + steps * step.reductions,
        start.reduction_bytes + steps * step.reduction_bytes,
    };

    PetscFunctionBeginUser;
    PetscCall(check_counts(solved, step, steps - STEPS_LEFT_OUT, mark_of(first_row(solved)),
                           mark_of(solved->problem->iterations), "steady steps"));
    PetscCall(check_counts(solved, whole, 1, 0, end_mark(solved), "the whole solve"));
    PetscFunctionReturn(0);
}

static PetscErrorCode write_all(const struct solved *solved, const char *name)
{
    FILE *file;

    PetscFunctionBeginUser;
    PetscCall(check_all_counts(solved));
    print_line(solved);
    if (!*name)
        PetscFunctionReturn(0);
    file = fopen(name, "a");
    PetscCheck(file, PETSC_COMM_SELF, PETSC_ERR_FILE_OPEN, "%s cannot be written", name);
    write_run(file, solved);
    PetscCheck(fclose(file) == 0, PETSC_COMM_SELF, PETSC_ERR_FILE_WRITE, "%s is incomplete", name);
    PetscFunctionReturn(0);
}

static PetscErrorCode count_nodes(int processes, int *nodes)
{
    MPI_Comm node;
    int here, most;

    PetscFunctionBeginUser;
    PetscCallMPI(
        MPI_Comm_split_type(PETSC_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node));
    PetscCallMPI(MPI_Comm_size(node, &here));
    PetscCallMPI(MPI_Comm_free(&node));
    PetscCallMPI(MPI_Allreduce(&here, &most, 1, MPI_INT, MPI_MAX, PETSC_COMM_WORLD));
    PetscCheck(processes % most == 0, PETSC_COMM_WORLD, PETSC_ERR_USER_INPUT,
               "%d processes with %d on a node: all nodes must have the same number", processes,
               most);
    *nodes = processes / most;
    PetscFunctionReturn(0);
}

PetscErrorCode run_report(const struct solver *solver, const struct problem *problem,
                          const struct stamps *stamps, const char *file)
{
    struct solved solved = { .solver = solver, .problem = problem };
    const int mine = (int)(stamps->iterations + 3) * NUMBERS;
    PetscMPIInt rank;

    PetscFunctionBeginUser;
    solved.marks = stamps->iterations + 3;
    PetscCallMPI(MPI_Comm_rank(PETSC_COMM_WORLD, &rank));
    PetscCallMPI(MPI_Comm_size(PETSC_COMM_WORLD, &solved.processes));
    PetscCall(count_nodes(solved.processes, &solved.nodes));
    if (rank == 0)
        PetscCall(PetscMalloc1(solved.processes * solved.marks, &solved.at));
    PetscCallMPI(
        MPI_Gather(stamps->at, mine, MPI_DOUBLE, solved.at, mine, MPI_DOUBLE, 0, PETSC_COMM_WORLD));
    if (rank == 0)
        PetscCall(write_all(&solved, file));
    PetscCall(PetscFree(solved.at));
    PetscFunctionReturn(0);
}
