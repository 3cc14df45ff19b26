/* The topology given on the command line: links between any two nodes. */
#ifndef FR_LINKS_H
#define FR_LINKS_H

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

#endif
