/* The routes of hops, and what a message over one costs: what the parts of network.h share. */
#ifndef FR_BLOCK_CYCLIC_ROUTES_H
#define FR_BLOCK_CYCLIC_ROUTES_H

#include "engine/block_cyclic/network.h"

/* The processes of a row or column of the scope, and the rows or columns that make a hop at once.
 */
static inline int64_t cyclic_members_of(const struct cyclic_network *net, enum cyclic_scope scope)
{
    return scope == CYCLIC_ALONG_ROWS ? net->columns : net->rows;
}
static inline int64_t cyclic_lines_of(const struct cyclic_network *net, enum cyclic_scope scope)
{
    return scope == CYCLIC_ALONG_ROWS ? net->rows : net->columns;
}
/* The route of a hop, from its slot or into it. */
const struct cyclic_route *cyclic_route_of(const struct cyclic_network *net,
                                           enum cyclic_scope scope, int64_t from, int64_t to);
/* What the messages of such a step share. */
const struct cyclic_crowd *cyclic_crowd_of(const struct cyclic_network *net,
                                           enum cyclic_scope scope, enum cyclic_step kind,
                                           int64_t step);
/* Ranks between the two ends of a hop. */
int64_t cyclic_shift_of(const struct cyclic_network *net, enum cyclic_scope scope, int64_t from,
                        int64_t to);
/* Where the distance between ranks lies among the measured distances of nodes.  Of two ranks on
 * different nodes these are at least one node apart. */
struct fr_latency_place cyclic_place_of(const struct cyclic_network *net, int64_t ranks);

/* The latency of the slowest of so many pairs of nodes at a distance
 * (docs/models/block_cyclic.md#decision-the-slowest-pair). */
double cyclic_distant_s(const struct cyclic_network *net, const struct fr_protocol *protocol,
                        struct fr_latency_place place, double pairs);
/* What messages meet on their node: how many share its interface, or if they stay on it the memory,
 * and the share of its cores that compute meanwhile. */
struct cyclic_load {
    double contention, computing;
};
/* Of a hop that leads from one process of each line, while the others compute. */
static inline struct cyclic_load cyclic_load_of(const struct cyclic_route *route)
{
    return (struct cyclic_load){ route->contention, 1 };
}
/* What a link charges for a message, and for each of its bytes.  `distant_s` is the latency between
 * nodes. */
struct cyclic_price cyclic_link_price(const struct cyclic_network *net,
                                      const struct fr_protocol *protocol, bool is_off,
                                      struct cyclic_load load, double distant_s);
struct cyclic_hop cyclic_message(const struct cyclic_network *net,
                                 const struct fr_protocol *protocol, double bytes, bool is_off,
                                 struct cyclic_load load, double distant_s);

#endif
