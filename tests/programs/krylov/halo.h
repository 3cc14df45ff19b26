/* The messages that a rank swaps with its neighbours: faces, or the whole surface. */
#ifndef HALO_H
#define HALO_H

#include "tests/programs/krylov/layout.h"

enum { HALO_DIRECTIONS = 27, HALO_MIDDLE = 13 };

/* Of the 27 directions, numbered by -1, 0, 1 in three dimensions, the last one fastest; a smaller
 * grid has its dimensions last. */
struct halo {
    int messages;
    struct halo_message {
        int direction, peer, count; /* of doubles */
        bool is_on_node;
        double *sent, *received;
    } message[HALO_DIRECTIONS];
    MPI_Request request[2 * HALO_DIRECTIONS];
    int pending; /* the first request that is not known to be done */
    /* What was sent, to be compared with the model. */
    double on_node, off_node, on_node_bytes, off_node_bytes;
};

void halo_init(struct halo *halo, const struct layout *layout,
               const struct krylov_stencil *stencil);
void halo_free(struct halo *halo);
void halo_begin(struct halo *halo);
void halo_progress(struct halo *halo);
void halo_wait(struct halo *halo);
/* One exchange whose values are looked at: each is made of its sender, its direction and its place.
 * Ends the program if one is wrong. */
void halo_verify(struct halo *halo, const struct layout *layout);

#endif
