#include "job.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compute.h"
#include "program.h"
#include "record.h"

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

/* ---- nodes -------------------------------------------------------------------------------- */

enum { NAME = MPI_MAX_PROCESSOR_NAME };

/* Found by name: MPI's own grouping by shared memory cannot be trusted on a simulated cluster. */
static char *gather_names(const struct job *job)
{
    char *names = job_room((size_t)job->size, NAME);
    char own[NAME] = "";
    int length;

    MPI_Get_processor_name(own, &length);
    MPI_Allgather(own, NAME, MPI_CHAR, names, NAME, MPI_CHAR, MPI_COMM_WORLD);
    return names;
}

static int number_of(const char *name, int otherwise)
{
    const char *digits = name + strlen(name);

    while (digits > name && isdigit((unsigned char)digits[-1]))
        digits--;
    return *digits && strlen(digits) < 9 ? atoi(digits) : otherwise;
}

static bool is_same(const char *names, int a, int b)
{
    return strcmp(names + (size_t)a * NAME, names + (size_t)b * NAME) == 0;
}

static int first_node_size(const char *names, int size)
{
    int count = 1;

    while (count < size && is_same(names, 0, count))
        count++;
    return count;
}

/* Blocks of c ranks share a host, and no other rank has it. */
static void check_blocks(const char *names, int size, int c)
{
    bool is_block = size % c == 0;

    for (int i = 1; is_block && i < size; i++)
        is_block = i % c ? is_same(names, i - 1, i) : !is_same(names, i - 1, i);
    for (int i = c; is_block && i < size; i += c)
        for (int j = 0; is_block && j < i; j += c)
            is_block = !is_same(names, i, j);
    if (!is_block)
        job_refuse("ranks must fill the nodes one after the other, as many on each; the first has "
                   "%d of %d: order the host file, or give --processes-per-node",
                   c, size);
}

void job_find(struct job *job, int per_node)
{
    char version[MPI_MAX_LIBRARY_VERSION_STRING] = "";
    char *names;
    int *is_global, is_set, length;

    MPI_Comm_rank(MPI_COMM_WORLD, &job->rank);
    MPI_Comm_size(MPI_COMM_WORLD, &job->size);
    MPI_Get_library_version(version, &length);
    names = gather_names(job);
    job->is_simulated = strstr(version, "SMPI") != NULL;
    job->per_node = per_node ? per_node : first_node_size(names, job->size);
    if (job->size % job->per_node)
        job_refuse("--processes-per-node %d does not divide the %d ranks", job->per_node,
                   job->size);
    if (!per_node)
        check_blocks(names, job->size, job->per_node);
    job->nodes = job->size / job->per_node;
    job->host = job_room((size_t)job->nodes, sizeof *job->host);
    for (int i = 0; i < job->nodes; i++)
        job->host[i] = per_node ? i : number_of(names + (size_t)i * job->per_node * NAME, i);
    MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_WTIME_IS_GLOBAL, &is_global, &is_set);
    job->has_common_clock = job->is_simulated || job->nodes == 1 || (is_set && *is_global);
    fr_record_free(names);
}

void job_free(struct job *job)
{
    fr_record_free(job->host);
}

/* ---- time --------------------------------------------------------------------------------- */

double job_most(double value)
{
    double most;

    MPI_Allreduce(&value, &most, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return most;
}

/* Where clocks differ, all leave a barrier and wait equally long. */
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
