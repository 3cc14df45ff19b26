/* Classes of processes of a grid, and the messages of each in a halo exchange
 * (docs/models/krylov.md#classes-of-processes). */
#ifndef FR_KRYLOV_CLASSES_H
#define FR_KRYLOV_CLASSES_H

#include "engine/krylov/communication/krylov.h"

/* Messages of a process, counted by kind (bit d is set if the neighbour differs in dimension d) and
 * by place: on the node, or off it across 0 to 3 router borders. */
enum { KINDS = 8, ON_NODE = 0, OFF_NODE = 1, PLACES = OFF_NODE + 4 };
struct halo_counts {
    double count[KINDS][PLACES];
};

/* The grid, padded to three dimensions. */
struct halo_grid {
    int64_t process[FR_MAX_EXTENTS]; /* extents */
    int64_t on_node[FR_MAX_EXTENTS], host[FR_MAX_EXTENTS];
    int64_t c;
    bool is_boxed; /* the processes of a node are a box */
    bool is_periodic, is_full, is_one_sided;
};

struct halo_grid halo_grid_of(const struct krylov_grid_values *v,
                              const struct krylov_stencil *stencil);
/* The stencil in three dimensions. */
struct krylov_stencil halo_padded(const struct krylov_stencil *stencil);

/* Indices of one dimension at the same position: the first, the last, or those between. */
struct halo_range {
    int64_t begin, count;
    bool is_first, is_last;
};
/* Splits the indices of a dimension; returns the number of ranges. */
size_t halo_ranges(int64_t extent, struct halo_range out[3]);

/* Receives each class of processes: how many there are and the messages of each. */
struct halo_visitor {
    void (*visit)(void *context, double processes, const struct halo_counts *counts);
    void *context;
};
/* Call the visitor for every class of a grid whose nodes hold boxes, or blocks of c consecutive
 * ranks. */
void halo_visit_boxes(const struct halo_grid *grid, struct halo_visitor visitor);
void halo_visit_ranks(const struct halo_grid *grid, struct halo_visitor visitor);

/* Lines of ranks that halo_visit_ranks visits; callers bound them by HALO_MOST_LINES. */
int64_t halo_rank_lines(const struct fr_vector *process_grid);
enum { HALO_MOST_LINES = 2000000 };

#endif
