/* Finds the nodes of the ranks and forms teams of ranks. */
#include "calibrations/calibrate/core/world.h"
#include "calibrations/calibrate/core/document.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { TAG_RELEASE = 77 };

void fr_world_out_of_memory(void)
{
    fputs("forerun-calibrate: out of memory\n", stderr);
    MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
    abort(); /* MPI_Abort may return */
}

void *fr_world_record(size_t count, size_t size)
{
    void *record = fr_record_new(count, size);

    if (!record)
        fr_world_out_of_memory();
    return record;
}

/* Numbers the hosts of the ranks by name, in order of first appearance.  MPI_COMM_TYPE_SHARED is
 * not reliable on a simulated cluster. */
static void number_hosts(const char *names, int size, int *host)
{
    int hosts = 0;
    int *first = fr_world_record((size_t)size, sizeof *first);

    for (int i = 0; i < size; i++) {
        const char *name = names + (size_t)i * MPI_MAX_PROCESSOR_NAME;
        int h = 0;

        while (h < hosts && strcmp(name, names + (size_t)first[h] * MPI_MAX_PROCESSOR_NAME) != 0)
            h++;
        if (h == hosts)
            first[hosts++] = i;
        host[i] = h;
    }
    fr_record_free(first);
}

/* Returns 12 for nid00012, t12 and t12.site.org. */
static int trailing_number(const char *name)
{
    const char *end = name + strcspn(name, ".");
    const char *at = end;

    while (at > name && at[-1] >= '0' && at[-1] <= '9')
        at--;
    return at == end || end - at > 8 ? -1 : atoi(at);
}

static void find_mpi(struct fr_world *world)
{
    char version[MPI_MAX_LIBRARY_VERSION_STRING] = "";
    size_t out = 0;
    int length;

    MPI_Get_library_version(version, &length);
    world->is_simulated = strstr(version, "SMPI") != NULL;
    /* The text starts with name and version; the rest (builder, date) differs by library. */
    for (size_t i = 0; version[i] && !strchr(",\n", version[i]) && out + 1 < sizeof world->mpi; i++)
        if (!strchr(" \t:", version[i]))
            world->mpi[out++] = version[i];
        else if (out && world->mpi[out - 1] != ' ')
            world->mpi[out++] = ' ';
    world->mpi[out] = '\0';
}

static void find_places(struct fr_world *world)
{
    const int *host = world->host;
    const int own = host[world->rank];

    world->hosts = 0;
    world->node_rank = world->node_size = 0;
    world->on_node_peer = world->off_node_peer = -1;
    for (int i = 0; i < world->size; i++) {
        if (host[i] >= world->hosts)
            world->hosts = host[i] + 1;
        if (host[i] == own) {
            world->node_rank += i < world->rank;
            world->node_size++;
        }
        if (i && host[i] == host[0] && world->on_node_peer < 0)
            world->on_node_peer = i;
        if (host[i] != host[0] && world->off_node_peer < 0)
            world->off_node_peer = i;
    }
}

int fr_world_find(struct fr_world *world)
{
    char name[MPI_MAX_PROCESSOR_NAME] = "";
    char *names = NULL;
    int length, number;

    MPI_Comm_rank(MPI_COMM_WORLD, &world->rank);
    MPI_Comm_size(MPI_COMM_WORLD, &world->size);
    MPI_Get_processor_name(name, &length);
    number = trailing_number(name);
    world->host = fr_record_new((size_t)world->size, sizeof *world->host);
    world->node_number = fr_record_new((size_t)world->size, sizeof *world->node_number);
    if (world->rank == 0)
        names = fr_record_new((size_t)world->size, sizeof name);
    if (!world->host || !world->node_number || (world->rank == 0 && !names)) {
        fr_world_forget(world);
        return -1;
    }
    MPI_Gather(name, sizeof name, MPI_CHAR, names, sizeof name, MPI_CHAR, 0, MPI_COMM_WORLD);
    if (names)
        number_hosts(names, world->size, world->host);
    MPI_Bcast(world->host, world->size, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Allgather(&number, 1, MPI_INT, world->node_number, 1, MPI_INT, MPI_COMM_WORLD);
    find_places(world);
    find_mpi(world);
    fr_record_free(names);
    return 0;
}

void fr_world_forget(struct fr_world *world)
{
    fr_record_free(world->host);
    fr_record_free(world->node_number);
    world->host = world->node_number = NULL;
}

struct fr_team fr_team_begin(const struct fr_world *world, bool is_member)
{
    const char own = is_member;
    struct fr_team team = { .is_member = fr_record_new((size_t)world->size, 1) };

    if (!team.is_member)
        fr_world_out_of_memory();
    MPI_Allgather(&own, 1, MPI_CHAR, team.is_member, 1, MPI_CHAR, MPI_COMM_WORLD);
    MPI_Comm_split(MPI_COMM_WORLD, is_member ? 0 : MPI_UNDEFINED, world->rank, &team.comm);
    return team;
}

static void wait_for_release(void)
{
    struct timespec nap = { .tv_nsec = 100000 };
    const long longest_ns = 20000000;
    MPI_Request request;
    int is_released = 0;

    MPI_Irecv(NULL, 0, MPI_CHAR, 0, TAG_RELEASE, MPI_COMM_WORLD, &request);
    for (;;) {
        MPI_Test(&request, &is_released, MPI_STATUS_IGNORE);
        if (is_released)
            return;
        nanosleep(&nap, NULL);
        nap.tv_nsec = nap.tv_nsec < longest_ns / 2 ? nap.tv_nsec * 2 : longest_ns;
    }
}

void fr_team_end(const struct fr_world *world, struct fr_team *team)
{
    if (team->comm == MPI_COMM_NULL) {
        wait_for_release();
    } else {
        MPI_Barrier(team->comm);
        for (int i = 0; i < world->size && world->rank == 0; i++)
            if (!team->is_member[i])
                MPI_Send(NULL, 0, MPI_CHAR, i, TAG_RELEASE, MPI_COMM_WORLD);
        MPI_Comm_free(&team->comm);
    }
    fr_record_free(team->is_member);
    team->is_member = NULL;
    /* The next measurement must not start while other ranks still sleep. */
    MPI_Barrier(MPI_COMM_WORLD);
}
