/* Loads of links. */
#ifndef FR_KRYLOV_LINKS_H
#define FR_KRYLOV_LINKS_H

#include "engine/krylov/communication/krylov.h"
#include "engine/krylov/partition/partition.h"

/* Loads of the network's links while all processes exchange with their neighbours
 * (docs/models/krylov-links.md).
 *
 * Every node has a link out and a link in.  A torus has links between neighbouring routers, a
 * dragonfly links within a chassis, within a group and between groups, a two-level fat tree links
 * between leaves and spines.  All are directed. */

/* Whether the routes of this network are known: a torus, a dragonfly, or a uniform network with
 * nodes_per_leaf and uplinks_per_leaf. */
bool krylov_has_links(const struct fr_topology *topology);
/* Whether the injection bandwidth or the bandwidth of a node is known. */
bool krylov_has_injection(const struct fr_calibration *cal);
/* FR_OK, or FR_GROUP_MISSING with a fault where neither the injection bandwidth nor the bandwidth
 * of a node is known.  Call it where link_sharing is true. */
int krylov_check_links(const struct fr_calibration *cal, struct fr_faults *faults);

/* The busiest link of one exchange; NaN where it was not computed. */
struct krylov_link_load {
    double link_s;          /* b: largest load of a link over its bandwidth, seconds */
    double link_bytes;      /* load of that link; of equally busy links the largest */
    double link_protocol_s; /* b_w: as b, each message weighed by the rate of its protocol */
    /* Measured over estimated time of a burst; 1 where none was measured with as many processes. */
    double correction;
};
extern const struct krylov_link_load krylov_no_load;

/* How much longer a message of this size fills its links than one of the last protocol: what sends
 * a message alone slower than the link
 * (docs/models/krylov-links.md#decision-slow-protocols-fill-links). */
double krylov_protocol_rate(const struct krylov_values *v, double bytes, struct fr_evaluation *run);

/* The load of a halo exchange on a grid.  The grid is resolved and krylov_has_links holds.  The
 * messages are those of the stencil (krylov_message_bytes).  For one node nothing is computed.
 * Nor is it, with the warning link_sharing_skipped, beyond 32,768 nodes, beyond 131,072 processes
 * whose nodes hold no boxes, and for mapping=topology_aware on a dragonfly or in less than three
 * dimensions.  Warns of link_bandwidth_assumed.  FR_NOMEM goes to run->faults. */
struct krylov_link_load krylov_grid_load(const struct krylov_grid_values *v,
                                         const struct krylov_stencil *stencil,
                                         enum fr_placement placement, struct fr_evaluation *run);

/* The same load for the messages of a partition; rank r is on node floor(r / c). */
struct krylov_link_load krylov_partition_load(const struct krylov_values *v,
                                              const struct krylov_words *message, size_t messages,
                                              enum fr_placement placement,
                                              struct fr_evaluation *run);

/* Interface between the files of the link loads: places of nodes, routes, and the load of each link
 * (docs/models/krylov-links.md). */

/* Where a node lies.  Torus: coordinates of its router; dragonfly: group, chassis of the group,
 * router of the chassis; fat tree: leaf. */
struct krylov_place {
    int32_t at[FR_MAX_EXTENTS];
    int32_t index; /* fat tree: the slot; else 0 */
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

static inline void krylov_load_subtract(struct krylov_load *sum, struct krylov_load load)
{
    sum->bytes -= load.bytes;
    sum->weighted -= load.weighted;
}
/* The larger of each. */
static inline void krylov_load_raise(struct krylov_load *most, struct krylov_load load)
{
    most->bytes = load.bytes > most->bytes ? load.bytes : most->bytes;
    most->weighted = load.weighted > most->weighted ? load.weighted : most->weighted;
}

/* Kinds of links, and the index in krylov_network.load: on a torus one for each dimension. */
enum krylov_link {
    LINK_OUT,
    LINK_IN,
    LINK_TORUS,
    LINK_CHASSIS = LINK_TORUS + FR_MAX_EXTENTS,
    LINK_GROUP,
    LINK_GLOBAL,
    LINK_UP,
    LINK_DOWN,
    LINKS
};

/* The ends of a way along a line of a torus: positions relative to its start. */
struct krylov_way {
    int32_t first, last;
};
/* A node's router, and where the ways of its flows start in the loads of each dimension: those
 * along the first from this node, along the second at the sum of both, along the third to it. */
struct krylov_torus_node {
    int32_t at[FR_MAX_EXTENTS];
    int32_t first, second_from, second_to, third;
};

/* The part of the network that a job can use, and the loads of its links. */
struct krylov_network {
    const struct fr_topology *topology;
    struct krylov_place *place; /* of each node */
    int64_t extent[FR_MAX_EXTENTS];
    /* Links of each kind, and one entry more.  Of nodes not the load, but its change from the node
     * before; of a torus its change from the link below, line by line, upwards and then downwards.
     */
    struct krylov_load *load[LINKS];
    int64_t count[LINKS];
    /* Torus only: routers around the machine; changes of a line, which is longer than its part of
     * the ring where a way leads around; ways by distance; nodes. */
    int64_t ring[FR_MAX_EXTENTS], line[FR_MAX_EXTENTS];
    const struct krylov_way *way[FR_MAX_EXTENTS];
    const struct krylov_torus_node *node;
    /* Torus whose nodes lie in order: ranges of changes, where they are worth it; else NULL. */
    struct krylov_load *range[FR_MAX_EXTENTS];
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

/* Sets what follows from the allocation: extents, rings, lines, counts of links.  Places and loads
 * are not set.  Returns the number of links, which may be too large for memory. */
double krylov_network_measure(struct krylov_network *network, const struct fr_topology *topology,
                              const struct fr_vector *allocation, int64_t nodes);
/* Sets a torus's ways and nodes, once the places are set; false if the memory is short. */
bool krylov_torus_prepare(struct krylov_network *network, int64_t nodes, struct fr_arena *arena);
/* Rows of flows: node `from` + r stride + i sends to node `to` + r stride + i, for each i below
 * `count` and each r below `rows`. */
struct krylov_flows {
    int64_t from, to, count, rows, stride;
};
void krylov_network_add(struct krylov_network *network, const struct krylov_flows *flows,
                        struct krylov_load each);
/* The largest bytes of a link of this kind, and the largest weighed bytes. */
struct krylov_load krylov_network_most(const struct krylov_network *network, enum krylov_link kind);

/* What these three do on a torus beyond the links of nodes. */
void krylov_torus_measure(struct krylov_network *network, const struct fr_vector *allocation);
void krylov_torus_add(const struct krylov_network *network, const struct krylov_flows *flows,
                      struct krylov_load each);
struct krylov_load krylov_torus_most(const struct krylov_network *network, size_t dimension);

/* Sets the ranges, once the counts are set, if node k is in slot k; false if the memory is short.
 */
bool krylov_runs_prepare(struct krylov_network *network, struct fr_arena *arena);
/* Whether a row of `count` flows costs as little as a few short ones. */
bool krylov_has_runs(const struct krylov_network *network, int64_t count);
/* A row of flows; krylov_has_runs holds. */
void krylov_runs_add(const struct krylov_network *network, int64_t from, int64_t to, int64_t count,
                     struct krylov_load flow);
/* Adds the ranges to the loads, once all flows are added; krylov_torus_most needs it. */
void krylov_runs_finish(struct krylov_network *network);

/* Sets a count.  A bound keeps one that does not fit into memory from overflowing. */
void krylov_count_links(struct krylov_network *network, enum krylov_link kind, double links);

/* Interface between the files of the link loads: flows between nodes
 * (docs/models/krylov-links.md#flows-between-nodes). */

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
