/* Interface between the files of the link loads: places of nodes, routes, and the load of each link
 * (docs/models/krylov-links.md). */
#ifndef FR_KRYLOV_ROUTES_H
#define FR_KRYLOV_ROUTES_H

#include "engine/krylov/links.h"

/* Where a node lies.  Torus: coordinates of its router; dragonfly: group, chassis of the group,
 * router of the chassis; fat tree: leaf. */
struct krylov_place {
    int32_t at[FR_MAX_EXTENTS];
    int32_t index; /* of the router among those that the job may use; fat tree: the slot */
};

/* Writes the permutation of 0 ... count - 1 that `scattered` means: Fisher and Yates with the
 * generator splitmix64. */
void krylov_shuffle(int64_t count, int32_t *out);
/* The slots of nodes: those of the allocation's block of a torus, of all touched leaves of a tree,
 * of the job on a dragonfly. */
double krylov_slots(const struct fr_topology *topology, const struct fr_vector *allocation,
                    int64_t nodes);
/* The place of a slot; `index` is left 0 but on a fat tree. */
struct krylov_place krylov_place_of(const struct fr_topology *topology,
                                    const struct fr_vector *allocation, int64_t nodes,
                                    int64_t slot);

/* Hops from one coordinate to another around a ring: the shorter way, upwards at the half; negative
 * downwards. */
int64_t krylov_ring_way(int64_t from, int64_t to, int64_t ring);

/* Bytes of the flows over a link, and the same weighed by the rates of their protocols. */
struct krylov_load {
    double bytes, weighted;
};
static inline void krylov_load_add(struct krylov_load *sum, struct krylov_load load)
{
    sum->bytes += load.bytes;
    sum->weighted += load.weighted;
}

/* Kinds of links, and the index in krylov_network.load: on a torus one for each dimension and
 * direction. */
enum krylov_link {
    LINK_OUT,
    LINK_IN,
    LINK_TORUS_UP,
    LINK_TORUS_DOWN = LINK_TORUS_UP + FR_MAX_EXTENTS,
    LINK_CHASSIS = LINK_TORUS_DOWN + FR_MAX_EXTENTS,
    LINK_GROUP,
    LINK_GLOBAL,
    LINK_UP,
    LINK_DOWN,
    LINKS
};

/* The part of the network that a job can use, and the loads of its links. */
struct krylov_network {
    const struct fr_topology *topology;
    struct krylov_place *place; /* of each node */
    int64_t extent[FR_MAX_EXTENTS], ring[FR_MAX_EXTENTS];
    int64_t stride[FR_MAX_EXTENTS]; /* of `index` by coordinate */
    /* Links of each kind.  Of a torus, until krylov_network_sum, the change of the load from the
     * link below. */
    struct krylov_load *load[LINKS];
    int64_t count[LINKS];
};

/* A link of a route that is not a torus's. */
struct krylov_hop {
    enum krylov_link kind;
    int64_t index;
};
enum { KRYLOV_MOST_HOPS = 5 };
/* The links of the route between two routers of a dragonfly, or between two nodes below a fat tree;
 * returns their number. */
size_t krylov_dragonfly_route(const struct krylov_network *network, const struct krylov_place *from,
                              const struct krylov_place *to,
                              struct krylov_hop out[KRYLOV_MOST_HOPS]);
size_t krylov_tree_route(const struct krylov_network *network, const struct krylov_place *from,
                         const struct krylov_place *to, struct krylov_hop out[KRYLOV_MOST_HOPS]);

/* Sets what follows from the allocation: extents, rings, strides, counts of links.  Places and
 * loads are not set.  Returns the number of links, which may be too large for memory. */
double krylov_network_measure(struct krylov_network *network, const struct fr_topology *topology,
                              const struct fr_vector *allocation, int64_t nodes);
/* Adds a flow from node `from` + i to node `to` + i for each i below `count`. */
void krylov_network_add(struct krylov_network *network, int64_t from, int64_t to, int64_t count,
                        struct krylov_load flow);
/* Turns changes into loads, once after the last flow. */
void krylov_network_sum(struct krylov_network *network);

#endif
