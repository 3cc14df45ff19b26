/* Options and ranks of the benchmarks of the network. */
#ifndef FR_NETWORKING_H
#define FR_NETWORKING_H

#include "calibrations/calibrate/core/options.h"

/* The topology given on the command line: links between any two nodes. */

enum fr_links_type { FR_NO_LINKS, FR_IS_TORUS, FR_IS_DRAGONFLY, FR_IS_UNIFORM };
enum { FR_LINK_CLASSES = 3 };

/* The links of a torus differ by dimension, those of a dragonfly by class: within a
 * chassis, between the chassis of a group, between groups. */
struct fr_links {
    enum fr_links_type type;
    int dimensions;            /* of a torus */
    int side[FR_LINK_CLASSES]; /* of a torus: in routers */
    int routers_per_chassis, chassis_per_group;
    int nodes_per_router;
};

/* torus:4x4x4 or torus:24x24x24:2, dragonfly:6x16:4 (chassis of a group, routers of a chassis,
 * nodes of a router), uniform.  Returns 0 or -1. */
int fr_links_parse(const char *text, struct fr_links *out);

/* The links of each class on a minimal route between two node numbers, the first dimension varying
 * fastest; between groups of a dragonfly, the average.  Returns 0, or -1 if the topology has no
 * such node. */
int fr_links_between(const struct fr_links *topology, int from, int to,
                     double links[FR_LINK_CLASSES]);

/* Options of the network benchmarks. */

enum { FR_GRIDS_MAX = 96, FR_LAYERS_MAX = 64 };

/* layers * q * q processes. */
struct fr_grid_shape {
    int processes, layers;
};

enum fr_transfer { FR_SEND, FR_PUT_FLUSH, FR_GET_FLUSH, FR_PUT_FENCE, FR_GET_FENCE, FR_TRANSFERS };

struct fr_networking {
    struct fr_grid_shape grid[FR_GRIDS_MAX];
    int grids;                /* 0: those of fr_networking_shapes */
    struct fr_list messages;  /* empty: the default sizes of each benchmark */
    int transfer;             /* enum fr_transfer */
    struct fr_links topology; /* type FR_NO_LINKS: not given */
    const char *times;        /* file for the times of all processes, or NULL */
};

/* The options; their values are a struct fr_networking. */
extern const struct fr_option fr_networking_options[];

/* q, or 0 if the processes do not form square layers. */
int fr_grid_side(struct fr_grid_shape shape);

/* Reads a list such as "16,64:4": processes, and layers if more than one.  Returns 0 or -1. */
int fr_networking_grids(const char *text, struct fr_networking *out);
/* The given grids, or else, for 1, 2, 4, ... layers, squares with sides of 2, 4, 8, ... and the
 * largest one in the job of `processes`, and the whole job with any number of layers that divides
 * it into squares.  Layers are as many as the models replicate, at most the cube root of the
 * processes (docs/models/dense.md#decision-copies-are-bounded-by-the-cube-root-of-the-processes).
 * The largest grids come first. */
int fr_networking_shapes(const struct fr_networking *networking, int processes,
                         struct fr_grid_shape shape[FR_GRIDS_MAX]);

/* The places of the nodes of the job in the network. */

struct fr_context;

/* The rank on another node that is the fewest links from rank 0, the first one if several are or if
 * no topology is given; -1 if there is no other node. */
int fr_hops_nearest(const struct fr_context *context);
/* The links on a minimal route between the nodes of two ranks; NaN where no topology is given, or
 * where it has no such node. */
double fr_hops_between(const struct fr_context *context, int rank, int other);

#endif
