/* Parses a topology and counts the links of minimal routes. */
#include "calibrations/calibrate/network/networking.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE_MAX = 100000 };

/* Reads numbers separated by x; returns how many, up to 3, or -1.  `*end` points after the
 * last. */
static int take_sides(const char *text, int side[FR_LINK_CLASSES], const char **end)
{
    int count = 0;

    for (;;) {
        char *after;
        long value;

        if (count == FR_LINK_CLASSES || !isdigit((unsigned char)*text))
            return -1;
        value = strtol(text, &after, 10);
        if (value < 1 || value > SIDE_MAX)
            return -1;
        side[count++] = (int)value;
        text = after;
        if (*text != 'x')
            break;
        text++;
    }
    *end = text;
    return count;
}

/* Reads ":4" at the end; nothing means 1. */
static int take_nodes(const char *text, int *nodes)
{
    int side[FR_LINK_CLASSES];

    *nodes = 1;
    if (!*text)
        return 0;
    if (*text != ':' || take_sides(text + 1, side, &text) != 1 || *text)
        return -1;
    *nodes = side[0];
    return 0;
}

int fr_links_parse(const char *text, struct fr_links *out)
{
    static const char torus[] = "torus:", dragonfly[] = "dragonfly:";
    struct fr_links t = { .type = FR_IS_UNIFORM, .nodes_per_router = 1 };
    int side[FR_LINK_CLASSES];

    if (strncmp(text, torus, strlen(torus)) == 0) {
        t.type = FR_IS_TORUS;
        t.dimensions = take_sides(text + strlen(torus), t.side, &text);
        if (t.dimensions < 0 || take_nodes(text, &t.nodes_per_router))
            return -1;
    } else if (strncmp(text, dragonfly, strlen(dragonfly)) == 0) {
        t.type = FR_IS_DRAGONFLY;
        if (take_sides(text + strlen(dragonfly), side, &text) != 2 ||
            take_nodes(text, &t.nodes_per_router))
            return -1;
        t.chassis_per_group = side[0];
        t.routers_per_chassis = side[1];
    } else if (strcmp(text, "uniform") != 0) {
        return -1;
    }
    *out = t;
    return 0;
}

static int torus_links(const struct fr_links *t, int from, int to, double links[FR_LINK_CLASSES])
{
    from /= t->nodes_per_router;
    to /= t->nodes_per_router;
    for (int d = 0; d < t->dimensions; d++) {
        const int apart = abs(from % t->side[d] - to % t->side[d]);

        links[d] = apart < t->side[d] - apart ? apart : t->side[d] - apart;
        from /= t->side[d];
        to /= t->side[d];
    }
    return from || to ? -1 : 0;
}

/* Between groups there are one global link and zero to three local ones on either side; this uses
 * the midpoint, split evenly. */
static void dragonfly_links(const struct fr_links *t, int from, int to,
                            double links[FR_LINK_CLASSES])
{
    const int router_a = from / t->nodes_per_router, router_b = to / t->nodes_per_router;
    const int chassis_a = router_a / t->routers_per_chassis;
    const int chassis_b = router_b / t->routers_per_chassis;

    if (chassis_a / t->chassis_per_group != chassis_b / t->chassis_per_group) {
        links[0] = links[1] = 0.75;
        links[2] = 1;
        return;
    }
    links[0] = router_a % t->routers_per_chassis != router_b % t->routers_per_chassis;
    links[1] = chassis_a != chassis_b;
}

int fr_links_between(const struct fr_links *topology, int from, int to,
                     double links[FR_LINK_CLASSES])
{
    memset(links, 0, FR_LINK_CLASSES * sizeof *links);
    if (from < 0 || to < 0)
        return -1;
    if (topology->type == FR_IS_TORUS)
        return torus_links(topology, from, to, links);
    if (topology->type == FR_IS_DRAGONFLY)
        dragonfly_links(topology, from, to, links);
    else
        links[0] = from != to;
    return 0;
}
