/* Fields of `network.topology`, the links between nodes
 * (docs/models/krylov.md#distance-in-the-network). */
#include "engine/fields/fields.h"

static const struct fr_field class_latency[] = {
    NUMBER(struct fr_hop_links, chassis, .unit = "s", .scaling = FR_SCALE_LATENCY,
           .flags = FR_FIELD_NEEDED, .doc = "Links within a chassis."),
    NUMBER(struct fr_hop_links, group, .unit = "s", .scaling = FR_SCALE_LATENCY,
           .flags = FR_FIELD_NEEDED, .doc = "Links within a group."),
    NUMBER(struct fr_hop_links, global, .unit = "s", .scaling = FR_SCALE_LATENCY,
           .flags = FR_FIELD_NEEDED, .doc = "Links between groups."),
    END,
};
static const struct fr_field hop_links[] = {
    NUMBER(struct fr_hop_links, chassis, .unit = "1", .flags = FR_FIELD_ZERO,
           .doc = "Links within a chassis."),
    NUMBER(struct fr_hop_links, group, .unit = "1", .flags = FR_FIELD_ZERO,
           .doc = "Links within a group."),
    NUMBER(struct fr_hop_links, global, .unit = "1", .flags = FR_FIELD_ZERO,
           .doc = "Links between groups."),
    END,
};
static const struct fr_field hop_estimates[] = {
    OBJECT(struct fr_hop_estimates, best, hop_links, .flags = FR_FIELD_NEEDED, .doc = "Best case."),
    OBJECT(struct fr_hop_estimates, average, hop_links, .flags = FR_FIELD_NEEDED,
           .doc = "Average case."),
    OBJECT(struct fr_hop_estimates, max, hop_links, .flags = FR_FIELD_NEEDED, .doc = "Worst case."),
    END,
};
#define BANDWIDTH(member, text)                                                                 \
    NUMBER(struct fr_link_bandwidths, member, .unit = "bytes/s", .scaling = FR_SCALE_BANDWIDTH, \
           .doc = text)
static const struct fr_field torus_bandwidths[] = {
    BANDWIDTH(torus, "Link between neighboring routers."),
    END,
};
static const struct fr_field dragonfly_bandwidths[] = {
    BANDWIDTH(chassis, "All cables between two routers of a chassis."),
    BANDWIDTH(group, "All cables between two routers of a group, in different chassis."),
    BANDWIDTH(global, "All cables between two groups."),
    END,
};
static const struct fr_field leaf_bandwidths[] = {
    BANDWIDTH(up, "One uplink of a leaf."),
    BANDWIDTH(down, "One downlink to a leaf."),
    END,
};
#define TOP struct fr_topology
#define LINK_BANDWIDTH(type, table)                                                   \
    OBJECT(TOP, link_bandwidth_bytes_per_s, table, .unit = "bytes/s", .when = (type), \
           .flags = FR_FIELD_LONE,                                                    \
           .doc = "Bandwidth of a link in one direction: one number, or one for each class.")
static const struct fr_field hop_classes[] = {
    { AT("chassis", TOP, hop_classes.chassis), .kind = FR_FIELD_OBJECT, .fields = hop_estimates,
      .flags = FR_FIELD_NEEDED, .doc = "Links within a chassis." },
    { AT("group", TOP, hop_classes.group), .kind = FR_FIELD_OBJECT, .fields = hop_estimates,
      .flags = FR_FIELD_NEEDED, .doc = "Links within a group." },
    { AT("global", TOP, hop_classes.global), .kind = FR_FIELD_OBJECT, .fields = hop_estimates,
      .flags = FR_FIELD_NEEDED, .doc = "Links between groups." },
    END,
};
static const struct fr_field uniform_hops[] = {
    { AT("best", TOP, hops.best), .kind = FR_FIELD_NUMBER, .unit = "1",
      .flags = FR_FIELD_NEEDED | FR_FIELD_ZERO, .doc = "Best case." },
    { AT("average", TOP, hops.average), .kind = FR_FIELD_NUMBER, .unit = "1",
      .flags = FR_FIELD_NEEDED | FR_FIELD_ZERO, .doc = "Average case." },
    { AT("max", TOP, hops.max), .kind = FR_FIELD_NUMBER, .unit = "1",
      .flags = FR_FIELD_NEEDED | FR_FIELD_ZERO, .doc = "Worst case." },
    END,
};
const char *const fr_topology_types[] = {
    [FR_TORUS] = "torus",
    [FR_DRAGONFLY] = "dragonfly",
    [FR_UNIFORM] = "uniform",
    NULL,
};
enum { TORUS = 1 << FR_TORUS, DRAGONFLY = 1 << FR_DRAGONFLY, UNIFORM = 1 << FR_UNIFORM };
const struct fr_field fr_fields_topology[] = {
    CHOICE(TOP, type, fr_topology_types, .flags = FR_FIELD_NEEDED | FR_FIELD_SELECTS,
           .doc = "Kind of network."),
    NUMBERS(TOP, dimensions, .unit = "1", .when = TORUS, .flags = FR_FIELD_NEEDED,
            .doc = "Routers in each dimension."),
    COUNT(TOP, nodes_per_router, .when = TORUS | DRAGONFLY, .flags = FR_FIELD_NEEDED,
          .doc = "Nodes on a router."),
    NUMBERS(TOP, hop_latency_s, .unit = "s", .when = TORUS | UNIFORM,
            .flags = FR_FIELD_NEEDED | FR_FIELD_LONE | FR_FIELD_ZERO, .scaling = FR_SCALE_LATENCY,
            .doc = "Latency of a link: one number, or one for each dimension of a torus."),
    COUNT(TOP, routers_per_chassis, .when = DRAGONFLY, .flags = FR_FIELD_NEEDED,
          .doc = "Routers in a chassis."),
    COUNT(TOP, chassis_per_group, .when = DRAGONFLY, .flags = FR_FIELD_NEEDED,
          .doc = "Chassis in a group."),
    { AT("hop_latency_s", TOP, class_latency_s), .kind = FR_FIELD_OBJECT, .fields = class_latency,
      .when = DRAGONFLY, .flags = FR_FIELD_NEEDED,
      .doc = "Latency of a link of each class, dynamic routing." },
    { AT("static_hop_latency_s", TOP, static_class_latency_s), .kind = FR_FIELD_OBJECT,
      .fields = class_latency, .when = DRAGONFLY,
      .doc = "Latency of a link of each class, static routing." },
    { .name = "hop_classes",
      .kind = FR_FIELD_OBJECT,
      .fields = hop_classes,
      .when = DRAGONFLY,
      .flags = FR_FIELD_NEEDED,
      .doc = "Links of each class on a route between nodes of one chassis, group, or two groups." },
    { .name = "hops",
      .kind = FR_FIELD_OBJECT,
      .fields = uniform_hops,
      .when = UNIFORM,
      .flags = FR_FIELD_NEEDED,
      .doc = "Hops of any message between nodes." },
    COUNT(TOP, nodes_per_leaf, .when = UNIFORM,
          .doc = "Nodes on a leaf switch of a fat tree of two levels; with uplinks_per_leaf."),
    COUNT(TOP, uplinks_per_leaf, .when = UNIFORM,
          .doc = "Links of a leaf switch to the upper level, and as many back."),
    LINK_BANDWIDTH(TORUS, torus_bandwidths),
    LINK_BANDWIDTH(DRAGONFLY, dragonfly_bandwidths),
    LINK_BANDWIDTH(UNIFORM, leaf_bandwidths),
    END,
};
