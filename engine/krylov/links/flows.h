/* Interface between the files of the link loads: flows between nodes
 * (docs/models/krylov-links.md#flows-between-nodes). */
#ifndef FR_KRYLOV_FLOWS_H
#define FR_KRYLOV_FLOWS_H

#include "engine/krylov/communication/classes.h"
#include "engine/krylov/links/routes.h"

/* What a message of one kind (bit d is set if the neighbour differs in dimension d) adds to its
 * links; 0 for kinds that the stencil does not send. */
struct krylov_kinds {
    struct krylov_load of[KINDS];
};

/* Adds the messages of a grid whose nodes hold boxes; the nodes are numbered row by row. */
void krylov_add_boxes(const struct halo_grid *grid, const struct krylov_kinds *kinds,
                      struct krylov_network *network);
/* Adds the messages of a grid whose nodes hold blocks of c consecutive ranks. */
void krylov_add_ranks(const struct halo_grid *grid, const struct krylov_kinds *kinds,
                      struct krylov_network *network);

#endif
