/* The order in which supernodes are taken (docs/models/sparse_lu.md#schedule). */
#ifndef FR_SPARSE_SCHEDULE_H
#define FR_SPARSE_SCHEDULE_H

#include "engine/sparse/structure/forests.h"

struct sparse_schedule {
    int32_t count;     /* N */
    int32_t *order;    /* N: the supernode at each position */
    int32_t *position; /* N: its inverse */
    int32_t *last;     /* N: the position after which a column changes no more; -1: it never does */
    /* Forests one after the other: that of number f from first[f] to first[f + 1] - 1.  They do not
     * see each other: `last` is of the own forest. */
    const struct sparse_forests *forests; /* borrowed; NULL: all supernodes are one forest */
    int32_t *first;
};

/* All supernodes, by levels of their dependences (`is_static`) or in their natural order, and then
 * by forests, if there are any.  FR_OK, or FR_NOMEM without a fault.  Free with
 * sparse_schedule_free.  O(blocks). */
int sparse_schedule_init(struct sparse_schedule *schedule, const struct sparse_structure *s,
                         bool is_static, const struct sparse_forests *forests);
/* Accepts a zeroed struct. */
void sparse_schedule_free(struct sparse_schedule *schedule);

/* The last position within the window of k, the next `window` positions of its forest. */
int32_t sparse_window_end(const struct sparse_schedule *schedule, int32_t k, int32_t window);

/* The block columns j of U(k,j) whose positions are within the window of k: those of k are j[at[k]]
 * to j[at[k + 1] - 1], by position. */
struct sparse_ahead {
    int64_t *at; /* N + 1 */
    int32_t *j;
};
/* As sparse_schedule_init and sparse_schedule_free. */
int sparse_ahead_init(struct sparse_ahead *ahead, const struct sparse_structure *s,
                      const struct sparse_schedule *schedule, int32_t window);
void sparse_ahead_free(struct sparse_ahead *ahead);

#endif
