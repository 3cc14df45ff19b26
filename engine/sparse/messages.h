/* The panels that one step sends through a grid, and what a message costs (sparse-lu.md 5). */
#ifndef FR_SPARSE_MESSAGES_H
#define FR_SPARSE_MESSAGES_H

#include "engine/sparse/grid.h"
#include "engine/sparse/params.h"
#include "engine/sparse/structure.h"

#include <stdbool.h>

/* Seconds of a message: a + m / B(m), or m / B(m) where B has the latency in it.  B is linear
 * between its points in log10 m and constant outside them. No bytes cost nothing. */
double sparse_message_s(const struct sparse_network *network, double bytes);

/* What is sent of L(:,k) along a process row, or of U(k,:) along a process column. */
struct sparse_panel {
    bool is_there; /* any block, of L the diagonal one included */
    bool is_off; /* any block off the diagonal: updates need it, so the others' panel is received */
    double index_bytes, value_bytes;
};

/* L(:,k) by process row (Pr of them) and U(k,:) by process column (Pc). O(Pr + Pc + blocks). */
void sparse_panels(const struct sparse_structure *s, struct sparse_grid grid, int64_t index_bytes,
                   int32_t k, struct sparse_panel *l, struct sparse_panel *u);
/* Seconds of sending a panel to one receiver. */
double sparse_panel_s(const struct sparse_network *network, const struct sparse_panel *panel);

#endif
