/* The processes of the job, their nodes, and subsets of them that take part in a measurement. */
#ifndef FR_WORLD_H
#define FR_WORLD_H

#include "calibrations/calibrate/core/environment.h"

#include <mpi.h>

struct fr_world {
    int rank, size;
    int hosts;
    int node_rank, node_size; /* among the ranks of this node */
    int on_node_peer;         /* the next rank on the node of rank 0, or -1 */
    int off_node_peer;        /* the first rank on another node, or -1 */
    int *host;                /* of each rank: nodes are numbered in order of first appearance */
    int *node_number;         /* of each rank: the number at the end of its host name, or -1 */
    bool is_simulated;        /* SimGrid: all ranks are in one process */
    char mpi[80];             /* the library's name and version */
};

/* Collective, after MPI_Init.  Returns 0, or -1 if out of memory. */
int fr_world_find(struct fr_world *world);
void fr_world_forget(struct fr_world *world);

/* Whether long messages of all processes at once are left out by default.  With this many processes
 * on several nodes they take most of the time, and their times are proportional to those of shorter
 * messages.  Inline, because unit tests have no MPI. */
enum { FR_WORLD_MANY = 64 };
static inline bool fr_world_is_many(const struct fr_world *world)
{
    return world->hosts > 1 && world->size >= FR_WORLD_MANY;
}

/* Ends the whole job, because a single rank cannot leave a collective operation. */
_Noreturn void fr_world_out_of_memory(void);
/* fr_record_new (core/document.h), or else that. */
void *fr_world_record(size_t count, size_t size);

/* A subset of the ranks that measures.  The others wait without using their cores, so that they do
 * not disturb the measurement. */
struct fr_team {
    MPI_Comm comm;   /* MPI_COMM_NULL on a rank that waits */
    char *is_member; /* of each rank; owned by the team */
};

/* Collective over all ranks; rank 0 must be a member and is rank 0 of the team.  Ends the program
 * if memory runs out. */
struct fr_team fr_team_begin(const struct fr_world *world, bool is_member);
/* Collective over all ranks; returns when the members are done. */
void fr_team_end(const struct fr_world *world, struct fr_team *team);

/* Watches the nodes of a job while a benchmark runs, and notices what disturbs it. */

struct fr_watch {
    const struct fr_world *world;
    MPI_Comm node; /* the ranks of this node */
    int cores;     /* of a node */
    double best_s; /* of the reference loop on this node so far */
    struct fr_load_reading before;
};

/* All functions are collective over all ranks.  On a simulated cluster, which nothing disturbs,
 * they do nothing. */
struct fr_watch fr_watch_open(const struct fr_world *world, int cores);
void fr_watch_close(struct fr_watch *watch);

void fr_watch_begin(struct fr_watch *watch);
/* Whether a node was disturbed since the beginning, with the reasons on rank 0: of each kind that
 * of the node that was disturbed most. */
bool fr_watch_end(struct fr_watch *watch, char reasons[FR_LOAD_BYTES]);

#endif
