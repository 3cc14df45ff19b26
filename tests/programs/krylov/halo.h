/* The messages that a rank swaps with its neighbours: faces, or faces, edges and corners. */
#ifndef HALO_H
#define HALO_H

#include "tests/programs/krylov/layout.h"

enum { HALO_DIRECTIONS = 27, HALO_MIDDLE = 13 };

/* Messages by direction.  The 27 directions are numbered by -1, 0, 1 in three dimensions, the last
 * one fastest; a grid with fewer dimensions uses the last ones. */
struct halo {
    int messages;
    struct neighbor_message {
        int direction, peer, count; /* of doubles */
        bool is_on_node;
        double *sent, *received;
    } message[HALO_DIRECTIONS];
    MPI_Request request[2 * HALO_DIRECTIONS];
    int pending; /* the first request that may be incomplete */
    /* Messages and bytes sent, for the comparison with the model. */
    double on_node, off_node, on_node_bytes, off_node_bytes;
};

/* Allocates the messages of this rank; free with halo_free. */
void halo_init(struct halo *halo, const struct layout *layout,
               const struct krylov_stencil *stencil);
void halo_free(struct halo *halo);
void halo_begin(struct halo *halo);
void halo_progress(struct halo *halo);
void halo_wait(struct halo *halo);
/* One exchange whose values encode sender, direction and index.  Ends the program if a value is
 * wrong. */
void halo_verify(struct halo *halo, const struct layout *layout);

#endif
