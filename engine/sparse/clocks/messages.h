/* The panels that one step sends over a grid, and the time of a message
 * (docs/models/sparse_lu.md#messages). */
#ifndef FR_SPARSE_MESSAGES_H
#define FR_SPARSE_MESSAGES_H

#include "engine/sparse/counts/params.h"
#include "engine/sparse/structure/grid.h"
#include "engine/sparse/structure/structure.h"

#include <stdbool.h>

/* Seconds of a message: a + m / B(m), or m / B(m) if B includes the latency; 0 for no bytes.  B is
 * linear in log10 m between its points and constant outside them
 * (docs/models/sparse_lu.md#interpolation-of-the-bandwidth). */
double sparse_message_s(const struct sparse_network *network, double bytes);

/* How long a message takes, and how long its sender is busy with its bytes: m / B(m). */
struct sparse_sending {
    double time_s, port_s;
};
struct sparse_sending sparse_sending_of(const struct sparse_network *network, double bytes);
/* Of a panel, in one message or two. */
struct sparse_sending sparse_panel_sending(const struct sparse_network *network, double index_bytes,
                                           double value_bytes);

/* The blocks of L(:,k) in one process row, or of U(k,:) in one process column, as a message. */
struct sparse_panel {
    bool is_there; /* has any block, of L the diagonal one included */
    bool is_off;   /* has a block off the diagonal, so that its process needs the other panel */
    double index_bytes, value_bytes;
};

/* Fills in L(:,k) for each of Pr process rows and U(k,:) for each of Pc process columns.
 * O(Pr + Pc + blocks). */
void sparse_panels(const struct sparse_structure *s, struct sparse_grid grid, int64_t index_bytes,
                   int32_t k, struct sparse_panel *l, struct sparse_panel *u);
/* Seconds to send a panel to one receiver. */
double sparse_panel_s(const struct sparse_network *network, const struct sparse_panel *panel);
/* Bytes of the larger of its messages. */
double sparse_panel_message_bytes(const struct sparse_network *network,
                                  const struct sparse_panel *panel);

#endif
