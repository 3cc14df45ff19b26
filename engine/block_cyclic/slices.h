/* Slices of an operand on their way to the processes that multiply them
 * (docs/models/block_cyclic.md#slices-that-are-turned). */
#ifndef FR_BLOCK_CYCLIC_SLICES_H
#define FR_BLOCK_CYCLIC_SLICES_H

#include "engine/block_cyclic/walk.h"

/* What a slice costs each column with the same number of columns. */
struct cyclic_slice {
    double broadcast_s, copy_s, update_s;
};

/* Every column of a span with columns of a matrix spends the cost of the span on a slice of
 * `width`, of which each process sends a share. */
void cyclic_spend_slice(struct cyclic_walk *walk, const struct cyclic_spans *spans,
                        const struct cyclic_slice *costs, double width);
void cyclic_send_along_rows(struct cyclic_walk *walk, bool is_ring, int64_t c, double bytes);

/* A slice that lies along a process row, and is needed along a process column, or the other way
 * (PB_Cpaxpby.c; docs/models/block_cyclic.md#slices-that-are-turned). */
struct cyclic_turn {
    double received, sent; /* messages of a process that needs, and that has, a part */
    double hop_s, bytes;   /* of a message */
    double receive_s;      /* of all that a process needs */
    double copy_s, pack_s; /* of the process that needs, and that has, a part */
};
/* The slice of `length` and `width` lies along the rows, or the columns; a process needs the part
 * `share` of its length. */
struct cyclic_turn cyclic_turn_of(const struct cyclic_walk *walk, enum cyclic_scope lies,
                                  double length, double share, double width);
/* Seconds of a turn if nothing else goes on; messages travel while others are packed or unpacked.
 */
double cyclic_turned_all_s(const struct cyclic_turn *turn);
/* The processes of each row combine a vector; all wait for the last. */
void cyclic_combine_rows(struct cyclic_walk *walk, double bytes);

/* A slice of `length`, which lies along the process row of its owner, turned and sent along the
 * rows; a process needs `rows` of it. */
void cyclic_send_turned(struct cyclic_walk *walk, bool is_ring, const struct cyclic_owner *owner,
                        double length, double rows, double width);

#endif
