/* The processes of one column, each with a clock of its own, for the short messages of a panel
 * (docs/models/block_cyclic.md#decision-members-of-a-column). */
#ifndef FR_BLOCK_CYCLIC_MEMBERS_H
#define FR_BLOCK_CYCLIC_MEMBERS_H

#include "engine/block_cyclic/network.h"

/* Whether the members are followed: latencies by distance are known, and broadcasts of a panel of
 * so many columns travel along trees. */
bool cyclic_follows_members(const struct cyclic_network *net, int64_t width);
/* Seconds of the messages of a panel of `width` columns that begins in process row `row`. */
/* pdgetf2: of each column the pivot is found, its row exchanged and what is right of it sent. */
double cyclic_pivots_s(struct cyclic_network *net, int64_t row, int64_t width);
/* pdgeqr2: of each column the diagonal element is sent, the norm found, and the products with the
 * columns to its right added up. */
double cyclic_reflectors_s(struct cyclic_network *net, int64_t row, int64_t width);

/* HPL_pdmxswp: the search for the pivot of one of `width` columns, and the exchange of its row; the
 * mean over process rows. */
double cyclic_exchange_s(struct cyclic_network *net, double width);

#endif
