/* Fields of `network.topology`, the links between nodes
 * (docs/models/krylov.md#distance-in-the-network). */
#include "engine/fields/fields.h"

#define LINK_CLASSES(ROW)                                                         \
    ROW(chassis, "Links within a chassis."), ROW(group, "Links within a group."), \
        ROW(global, "Links between groups."), END
#define CLASS_LATENCY(f, text)                                               \
    NUMBER(struct fr_hop_links, f, .unit = "s", .scaling = FR_SCALE_LATENCY, \
           .flags = FR_FIELD_NEEDED, .doc = text)
static const struct fr_field class_latency[] = { LINK_CLASSES(CLASS_LATENCY) };
#define HOP_LINKS(f, text) \
    NUMBER(struct fr_hop_links, f, .unit = "1", .flags = FR_FIELD_ZERO, .doc = text)
static const struct fr_field hop_links[] = { LINK_CLASSES(HOP_LINKS) };
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
#define HOP_CLASS(f, text) \
    IN(TOP, hop_classes, OBJECT, f, .fields = hop_estimates, .flags = FR_FIELD_NEEDED, .doc = text)
static const struct fr_field hop_classes[] = { LINK_CLASSES(HOP_CLASS) };
static const struct fr_field uniform_hops[] = {
    IN(TOP, hops, NUMBER, best, .unit = "1", .flags = FR_FIELD_NEEDED | FR_FIELD_ZERO,
       .doc = "Best case."),
    IN(TOP, hops, NUMBER, average, .unit = "1", .flags = FR_FIELD_NEEDED | FR_FIELD_ZERO,
       .doc = "Average case."),
    IN(TOP, hops, NUMBER, max, .unit = "1", .flags = FR_FIELD_NEEDED | FR_FIELD_ZERO,
       .doc = "Worst case."),
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
    MEMBERS(
        "hop_classes", hop_classes, .when = DRAGONFLY, .flags = FR_FIELD_NEEDED,
        .doc =
            "Links of each class on a route between nodes of one chassis, group, or two groups."),
    MEMBERS("hops", uniform_hops, .when = UNIFORM, .flags = FR_FIELD_NEEDED,
            .doc = "Hops of any message between nodes."),
    COUNT(TOP, nodes_per_leaf, .when = UNIFORM,
          .doc = "Nodes on a leaf switch of a fat tree of two levels; with uplinks_per_leaf."),
    COUNT(TOP, uplinks_per_leaf, .when = UNIFORM,
          .doc = "Links of a leaf switch to the upper level, and as many back."),
    LINK_BANDWIDTH(TORUS, torus_bandwidths),
    LINK_BANDWIDTH(DRAGONFLY, dragonfly_bandwidths),
    LINK_BANDWIDTH(UNIFORM, leaf_bandwidths),
    END,
};
