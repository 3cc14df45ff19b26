/* Starts and steps of the five solvers, with the progress of pending messages. */
#include "tests/programs/krylov/solve.h"

#include <math.h>
#include <string.h>

#include "calibrations/calibrate/core/document.h"
#include "tests/programs/compute.h"
#include "tests/programs/program.h"

enum { DOUBLES_MAX = 15, REAL_SLICES = 8 };

/* Tests the pending messages; this time counts as communication. */
static void progress(struct solve *solve)
{
    const double began_s = MPI_Wtime();
    double *spent_s = solve->is_reducing ? &solve->now->reduction_s : &solve->now->halo_s;

    if (solve->is_exchanging)
        halo_progress(solve->halo);
    if (solve->is_reducing)
        reduction_test(&solve->reduction);
    if (solve->is_exchanging || solve->is_reducing)
        *spent_s += MPI_Wtime() - began_s;
}

static double slices_of(const struct solve *solve, enum kernel kernel, double words, double share)
{
    if (!solve->is_exchanging && !solve->is_reducing)
        return 1;
    if (solve->kernels->is_real)
        return REAL_SLICES;
    return fmax(1, compute_slices(share * solve->kernels->time_s[kernel] *
                                      (kernel == KERNEL_VECTOR ? words : 1),
                                  solve->slice_s));
}

static void work(struct solve *solve, enum kernel kernel, double words, double from, double to)
{
    const double slices = slices_of(solve, kernel, words, to - from);

    for (double i = 0; i < slices; i++) {
        const double began_s = MPI_Wtime();

        kernels_run(solve->kernels, kernel, words, from + (to - from) * i / slices,
                    from + (to - from) * (i + 1) / slices);
        solve->now->kernel_s[kernel] += MPI_Wtime() - began_s;
        progress(solve);
    }
}

static void begin_exchange(struct solve *solve)
{
    kernels_pack(solve->kernels, solve->halo);
    solve->is_exchanging = true;
    halo_begin(solve->halo);
}

static void end_exchange(struct solve *solve)
{
    halo_wait(solve->halo);
    solve->is_exchanging = false;
    kernels_unpack(solve->kernels, solve->halo);
}

/* The share that needs no neighbour overlaps with the halo exchange. */
static void matvec(struct solve *solve)
{
    const double inside = solve->matvec_overlap ? solve->kernels->inside : 0;
    double began_s = MPI_Wtime();

    solve->now_called->matvecs++;
    begin_exchange(solve);
    solve->now->halo_s += MPI_Wtime() - began_s;
    if (inside > 0)
        work(solve, KERNEL_MATVEC, 0, 0, inside);
    began_s = MPI_Wtime();
    end_exchange(solve);
    solve->now->halo_s += MPI_Wtime() - began_s;
    work(solve, KERNEL_MATVEC, 0, inside, 1);
}

static void precondition(struct solve *solve)
{
    solve->now_called->preconditioners++;
    work(solve, KERNEL_PRECONDITIONER, 0, 0, 1);
}

/* Words as the engine counts them: dot 2, fused dots 3, copy 2, axpy and aypx 3. */
static void vectors(struct solve *solve, double words)
{
    solve->now_called->words += words;
    work(solve, KERNEL_VECTOR, words, 0, 1);
}

static void count_reduction(struct solve *solve, int doubles)
{
    solve->now_called->reductions++;
    solve->now_called->bytes += 8 * doubles;
}

static void reduce(struct solve *solve, int doubles)
{
    const double own[DOUBLES_MAX] = { 1 }, began_s = MPI_Wtime();
    double sum[DOUBLES_MAX];

    count_reduction(solve, doubles);
    MPI_Allreduce(own, sum, doubles, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    solve->now->reduction_s += MPI_Wtime() - began_s;
}

static void begin_reduction(struct solve *solve, int doubles)
{
    const double own[DOUBLES_MAX] = { 1 }, began_s = MPI_Wtime();

    count_reduction(solve, doubles);
    solve->is_reducing = true;
    reduction_begin(&solve->reduction, own, doubles);
    solve->now->reduction_s += MPI_Wtime() - began_s;
}

static void end_reduction(struct solve *solve)
{
    const double began_s = MPI_Wtime();

    reduction_wait(&solve->reduction);
    solve->is_reducing = false;
    solve->now->reduction_s += MPI_Wtime() - began_s;
}

static void start_pcg(struct solve *solve)
{
    precondition(solve);
    vectors(solve, 2 + 2); /* r z, p = z */
    reduce(solve, 1);
}

static void step_pcg(struct solve *solve)
{
    matvec(solve);
    vectors(solve, 2); /* p w */
    reduce(solve, 1);
    vectors(solve, 3 + 3); /* x, r */
    precondition(solve);
    vectors(solve, 2); /* r z */
    reduce(solve, 1);
    vectors(solve, 3); /* p */
}

static void start_sapcg(struct solve *solve)
{
    matvec(solve);
    precondition(solve);
    vectors(solve, 2); /* r z */
    reduce(solve, 1);
    matvec(solve);
    vectors(solve, 2 + 2 + 2); /* two dots, p = z */
    reduce(solve, 1);
    reduce(solve, 1);
}

static void step_sapcg(struct solve *solve)
{
    vectors(solve, 3 + 3 + 3 + 3); /* p, s, x, r */
    precondition(solve);
    matvec(solve);
    vectors(solve, 3); /* z r, z w */
    reduce(solve, 2);
}

static void start_nbpcg(struct solve *solve)
{
    precondition(solve);
    vectors(solve, 2 + 2); /* r z, p = z */
    begin_reduction(solve, 1);
    matvec(solve);
    end_reduction(solve);
    vectors(solve, 2); /* s = A p */
}

static void step_nbpcg(struct solve *solve)
{
    vectors(solve, 2); /* p s */
    begin_reduction(solve, 1);
    precondition(solve);
    end_reduction(solve);
    vectors(solve, 3 + 3 + 3 + 2); /* x, r, z; r z */
    begin_reduction(solve, 1);
    matvec(solve);
    end_reduction(solve);
    vectors(solve, 3 + 3); /* p, s */
}

static void start_pipecg(struct solve *solve)
{
    precondition(solve);
    vectors(solve, 2 + 2);
    begin_reduction(solve, 1);
    matvec(solve);
    end_reduction(solve);
}

static void step_pipecg(struct solve *solve)
{
    vectors(solve, 2 + 2); /* u r, u w */
    begin_reduction(solve, 2);
    precondition(solve);
    matvec(solve);
    end_reduction(solve);
    vectors(solve, 4 * 3 + 4 * 3); /* z, q, s, p; x, r, u, w */
}

/* Convergence is known only after the next product and preconditioner. */
static void end_pipecg(struct solve *solve)
{
    vectors(solve, 2 + 2);
    begin_reduction(solve, 2);
    precondition(solve);
    matvec(solve);
    end_reduction(solve);
}

static void start_pipe2cg(struct solve *solve)
{
    precondition(solve);
    matvec(solve);
    vectors(solve, 2 + 2 + 2 + 2);
    begin_reduction(solve, 3);
    for (int i = 0; i < 3; i++) {
        precondition(solve);
        matvec(solve);
    }
    end_reduction(solve);
    reduce(solve, 1);
    reduce(solve, 1);
}

static void step_pipe2cg(struct solve *solve)
{
    begin_reduction(solve, 15);
    for (int i = 0; i < 2; i++) {
        precondition(solve);
        matvec(solve);
    }
    end_reduction(solve);
    vectors(solve, 18 + 18); /* the fused loop */
}

static void nothing(struct solve *solve)
{
    (void)solve;
}

static const struct {
    void (*start)(struct solve *), (*step)(struct solve *), (*end)(struct solve *);
} solvers[] = {
    [SOLVER_PCG] = { start_pcg, step_pcg, nothing },
    [SOLVER_SAPCG] = { start_sapcg, step_sapcg, nothing },
    [SOLVER_NBPCG] = { start_nbpcg, step_nbpcg, nothing },
    [SOLVER_PIPECG] = { start_pipecg, step_pipecg, end_pipecg },
    [SOLVER_PIPE2CG] = { start_pipe2cg, step_pipe2cg, nothing },
};

void solve_init(struct solve *solve)
{
    reduction_init(&solve->reduction, DOUBLES_MAX);
    solve->spent = job_room((size_t)solve->steps + 2, sizeof *solve->spent);
}

void solve_free(struct solve *solve)
{
    reduction_free(&solve->reduction);
    fr_record_free(solve->spent);
}

static struct called called_by(const struct krylov_counts *counts, double times)
{
    struct called called = { times * counts->matvecs, times * counts->preconditioners,
                             times * counts->vector_words, times * (double)counts->allreduces, 0 };

    for (size_t i = 0; i < counts->allreduces; i++)
        called.bytes += times * counts->allreduce[i].bytes;
    return called;
}

static void check(const struct called *seen, struct called wanted, const char *where)
{
    if (seen->matvecs != wanted.matvecs || seen->preconditioners != wanted.preconditioners ||
        seen->words != wanted.words || seen->reductions != wanted.reductions ||
        seen->bytes != wanted.bytes)
        program_fail(
            "%s: %g products, %g preconditioners, %g words, %g reductions of %g bytes; the "
            "engine counts %g, %g, %g, %g of %g",
            where, seen->matvecs, seen->preconditioners, seen->words, seen->reductions, seen->bytes,
            wanted.matvecs, wanted.preconditioners, wanted.words, wanted.reductions, wanted.bytes);
}

static void part(struct solve *solve, int which, int called, void (*run)(struct solve *))
{
    solve->now = &solve->spent[which];
    solve->now_called = &solve->called[called];
    solve->now->began_s = MPI_Wtime();
    run(solve);
    solve->now->ended_s = MPI_Wtime();
}

void solve_run(struct solve *solve)
{
    const struct krylov_solver *counts = &krylov_solvers[solve->solver];

    memset(solve->spent, 0, ((size_t)solve->steps + 2) * sizeof *solve->spent);
    memset(solve->called, 0, sizeof solve->called);
    part(solve, 0, 0, solvers[solve->solver].start);
    for (int i = 0; i < solve->steps; i++)
        part(solve, 1 + i, 1, solvers[solve->solver].step);
    part(solve, 1 + solve->steps, 0, solvers[solve->solver].end);
    check(&solve->called[0], called_by(&counts->start, 1), "the start");
    check(&solve->called[1], called_by(&counts->step, solve->steps), "the steps");
}
