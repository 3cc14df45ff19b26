/* Between the files of the halo exchange: which messages a process sends, and what they cost. */
#ifndef FR_KRYLOV_HALO_H
#define FR_KRYLOV_HALO_H

#include "engine/krylov/krylov.h"

/* Messages of a process are counted by kind (bit d: it goes to a neighbour along dimension d) and
 * by place: within the node, or off it and across 0 to 3 borders of routers that the mapping
 * knows. */
enum { KINDS = 8, ON_NODE = 0, OFF_NODE = 1, PLACES = OFF_NODE + 4 };
struct tally {
    double count[KINDS][PLACES];
};

/* Everything about the grid, padded to three dimensions. */
struct halo_grid {
    int64_t process[FR_MAX_EXTENTS]; /* extents */
    int64_t on_node[FR_MAX_EXTENTS], host[FR_MAX_EXTENTS];
    int64_t c;
    bool is_boxed; /* the processes of a node are a box */
    bool is_periodic, is_full;
};

/* Receives each class of processes: how many they are, and what each of them sends. */
struct halo_visitor {
    void (*visit)(void *context, double processes, const struct tally *tally);
    void *context;
};
/* Calls the visitor for every class of a grid; whose boxes are nodes, or whose blocks of c ranks
 * are. */
void halo_visit_boxes(const struct halo_grid *grid, struct halo_visitor visitor);
void halo_visit_ranks(const struct halo_grid *grid, struct halo_visitor visitor);

/* Lines of ranks that halo_visit_ranks goes through: bound them. */
int64_t halo_rank_lines(const struct fr_vector *process_grid);
enum { HALO_MOST_LINES = 2000000 };

#endif
