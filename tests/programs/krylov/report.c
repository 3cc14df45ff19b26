/* Times of all ranks, gathered on the first rank and written as members of a saved run. */
#include "tests/programs/krylov/solve.h"

#include <math.h>

#include "calibrations/calibrate/core/document.h"

enum { NUMBERS = sizeof(struct spent) / sizeof(double) };

/* Parts of a solve of all ranks, on the first rank. */
struct collected {
    const struct solve *solve;
    int ranks, parts;
    struct spent *at;
};

static const struct spent *spent_by(const struct collected *all, int rank, int part)
{
    return &all->at[rank * all->parts + part];
}

static void write_times(struct fr_writer *run, const struct collected *all, int iterations)
{
    fr_json_key(run, "iteration_times_s");
    fr_json_array(run);
    for (int part = 1; part <= all->solve->steps; part++) {
        double began_s = INFINITY, ended_s = 0;

        for (int i = 0; i < all->ranks; i++) {
            began_s = fmin(began_s, spent_by(all, i, part)->began_s);
            ended_s = fmax(ended_s, spent_by(all, i, part)->ended_s);
        }
        for (int i = 0; i < iterations; i++)
            fr_json_number(run, (ended_s - began_s) / iterations);
    }
    fr_json_array_end(run);
}

/* A step of two iterations gives two equal rows. */
static void write_kernel(struct fr_writer *run, const struct collected *all, const char *name,
                         enum kernel kernel, int iterations)
{
    fr_json_key(run, name);
    fr_json_array(run);
    for (int row = 0; row < all->solve->steps * iterations; row++) {
        fr_json_array(run);
        for (int i = 0; i < all->ranks; i++)
            fr_json_number(run,
                           spent_by(all, i, 1 + row / iterations)->kernel_s[kernel] / iterations);
        fr_json_array_end(run);
    }
    fr_json_array_end(run);
}

static void write_phase(struct fr_writer *run, const char *name, double time_s)
{
    fr_json_object(run);
    fr_json_pair(run, "phase", name);
    fr_json_pair_number(run, "time_s", time_s);
    fr_json_object_end(run);
}

/* Means over the ranks.  The rank with the least time in the reductions of a part arrived last and
 * did not wait: its time is the allreduce, the excess of the others is synchronization. */
static void write_breakdown(struct fr_writer *run, const struct collected *all)
{
    double kernel_s[KERNELS] = { 0 }, halo_s = 0, reduction_s = 0, waiting_s = 0;

    for (int part = 0; part < all->parts; part++) {
        double least_s = INFINITY, mean_s = 0;

        for (int i = 0; i < all->ranks; i++) {
            const struct spent *spent = spent_by(all, i, part);

            for (int k = 0; k < KERNELS; k++)
                kernel_s[k] += spent->kernel_s[k] / all->ranks;
            halo_s += spent->halo_s / all->ranks;
            mean_s += spent->reduction_s / all->ranks;
            least_s = fmin(least_s, spent->reduction_s);
        }
        reduction_s += least_s;
        waiting_s += fmax(0, mean_s - least_s);
    }
    fr_json_key(run, "breakdown");
    fr_json_array(run);
    write_phase(run, "matvec", kernel_s[KERNEL_MATVEC]);
    write_phase(run, "preconditioner", kernel_s[KERNEL_PRECONDITIONER]);
    write_phase(run, "vector", kernel_s[KERNEL_VECTOR]);
    write_phase(run, "allreduce", reduction_s);
    write_phase(run, "halo_exchange", halo_s);
    write_phase(run, "synchronization", waiting_s);
    fr_json_array_end(run);
}

static void write_solve(struct fr_writer *run, const struct collected *all)
{
    const int iterations = (int)krylov_solvers[all->solve->solver].iterations;

    write_times(run, all, iterations);
    write_breakdown(run, all);
    fr_json_key(run, "computation");
    fr_json_object(run);
    fr_json_key(run, "phases");
    fr_json_object(run);
    write_kernel(run, all, "matvec_s", KERNEL_MATVEC, iterations);
    write_kernel(run, all, "preconditioner_s", KERNEL_PRECONDITIONER, iterations);
    write_kernel(run, all, "vector_s", KERNEL_VECTOR, iterations);
    fr_json_object_end(run);
    fr_json_object_end(run);
}

void solve_report(const struct solve *solve, const struct job *job, struct fr_writer *run)
{
    struct collected all = { solve, job->size, solve->steps + 2, NULL };
    const int own = all.parts * NUMBERS;

    if (job->rank == 0)
        all.at = job_room((size_t)all.ranks * all.parts, sizeof *all.at);
    MPI_Gather(solve->spent, own, MPI_DOUBLE, all.at, own, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    if (job->rank == 0)
        write_solve(run, &all);
    fr_record_free(all.at);
}
