/* Nodes of a job, from the hosts of its ranks, and the common start of a timed operation. */
#include "tests/programs/krylov/job.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "calibrations/calibrate/core/document.h"
#include "calibrations/calibrate/core/world.h"
#include "tests/programs/compute.h"
#include "tests/programs/program.h"

static const double quiet_s = 1e-3;

void job_refuse(const char *format, ...)
{
    va_list values;
    int rank;

    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    va_start(values, format);
    if (rank == 0)
        vfprintf(stderr, format, values);
    va_end(values);
    if (rank == 0)
        fputc('\n', stderr);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    exit(EXIT_FAILURE);
}

void *job_room(size_t count, size_t size)
{
    void *room = fr_record_new(count ? count : 1, size);

    if (!room)
        program_fail("no memory for %zu x %zu bytes", count, size);
    return room;
}

static int first_node_size(const struct fr_world *world)
{
    int count = 1;

    while (count < world->size && world->host[count] == world->host[0])
        count++;
    return count;
}

/* Hosts are numbered in the order of their first rank: blocks of c ranks are 0, 1, 2, ... */
static void check_blocks(const struct fr_world *world, int c)
{
    bool is_block = world->size % c == 0;

    for (int i = 0; is_block && i < world->size; i++)
        is_block = world->host[i] == i / c;
    if (!is_block)
        job_refuse(
            "ranks must fill the nodes in order, with the same number on each; the first node "
            "has %d of %d: order the host file, or give --processes-per-node",
            c, world->size);
}

static void find_nodes(struct job *job, const struct fr_world *world, int per_node)
{
    job->per_node = per_node ? per_node : first_node_size(world);
    if (job->size % job->per_node)
        job_refuse("--processes-per-node %d does not divide the %d ranks", job->per_node,
                   job->size);
    if (!per_node)
        check_blocks(world, job->per_node);
    job->nodes = job->size / job->per_node;
    job->host = job_room((size_t)job->nodes, sizeof *job->host);
    for (int i = 0; i < job->nodes; i++) {
        const int number = world->node_number[i * job->per_node];

        job->host[i] = per_node || number < 0 ? i : number;
    }
}

void job_find(struct job *job, int per_node)
{
    struct fr_world world;
    int *is_global, is_set;

    if (fr_world_find(&world))
        fr_world_out_of_memory();
    job->rank = world.rank;
    job->size = world.size;
    find_nodes(job, &world, per_node);
    MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_WTIME_IS_GLOBAL, &is_global, &is_set);
    job->has_common_clock = world.is_simulated || job->nodes == 1 || (is_set && *is_global);
    fr_world_forget(&world);
}

void job_free(struct job *job)
{
    fr_record_free(job->host);
}

double job_most(double value)
{
    double most;

    MPI_Allreduce(&value, &most, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return most;
}

/* Without a common clock all ranks leave a barrier and wait for the same time. */
double job_begin_together(const struct job *job)
{
    double begin_s;

    MPI_Barrier(MPI_COMM_WORLD);
    begin_s = MPI_Wtime() + quiet_s;
    if (job->has_common_clock)
        begin_s = job_most(begin_s);
    compute_for(begin_s - MPI_Wtime());
    return job->has_common_clock ? begin_s : MPI_Wtime();
}
