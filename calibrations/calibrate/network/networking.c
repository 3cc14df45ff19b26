/* The table of the network options, and the grids and message sizes that follow from them. */
#include "calibrations/calibrate/network/networking.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* In the order of enum fr_transfer. */
static const char *const transfer_names[] = {
    "send", "put", "get", "put-fence", "get-fence", NULL
};

int fr_grid_side(struct fr_grid_shape shape)
{
    const int square = shape.layers > 0 ? shape.processes / shape.layers : 0;
    const int side = (int)lround(sqrt(square));

    return side * side * shape.layers == shape.processes ? side : 0;
}

/* An integer from 1 to a million at the start of the text; 0 for anything else. */
static int take_whole(const char **text)
{
    enum { WHOLE_MAX = 1000000 };
    char *end;
    long value;

    if (**text < '1' || **text > '9')
        return 0;
    value = strtol(*text, &end, 10);
    *text = end;
    return value > WHOLE_MAX ? 0 : (int)value;
}

int fr_networking_grids(const char *text, struct fr_networking *out)
{
    int grids = 0;

    for (;; text++) {
        struct fr_grid_shape *shape = &out->grid[grids];

        if (grids++ == FR_GRIDS_MAX)
            return -1;
        *shape = (struct fr_grid_shape){ take_whole(&text), 1 };
        if (*text == ':') {
            text++;
            shape->layers = take_whole(&text);
        }
        if (!fr_grid_side(*shape) || shape->layers > FR_LAYERS_MAX)
            return -1;
        for (int i = 0; i + 1 < grids; i++)
            if (out->grid[i].processes == shape->processes && out->grid[i].layers == shape->layers)
                return -1;
        if (*text != ',')
            break;
    }
    if (*text)
        return -1;
    out->grids = grids;
    return 0;
}

/* Adds the grid if it is one of the models', fits into the job and is new. */
static int add_shape(struct fr_grid_shape *shape, int count, int side, int layers, int processes)
{
    const int64_t wanted = (int64_t)layers * side * side;

    if (side < 2 || wanted > processes || (int64_t)layers * layers * layers > wanted)
        return count;
    for (int i = 0; i < count; i++)
        if (shape[i].processes == wanted && shape[i].layers == layers)
            return count;
    if (count < FR_GRIDS_MAX)
        shape[count++] = (struct fr_grid_shape){ (int)wanted, layers };
    return count;
}

static int largest_first(const void *a, const void *b)
{
    const struct fr_grid_shape *x = a, *y = b;

    if (x->processes != y->processes)
        return x->processes > y->processes ? -1 : 1;
    return (x->layers > y->layers) - (x->layers < y->layers);
}

int fr_networking_shapes(const struct fr_networking *networking, int processes,
                         struct fr_grid_shape shape[FR_GRIDS_MAX])
{
    int count = 0;

    if (networking->grids) {
        memcpy(shape, networking->grid, sizeof networking->grid);
        return networking->grids;
    }
    for (int layers = 1; layers <= FR_LAYERS_MAX; layers++) {
        const int most = (int)sqrt((double)processes / layers);
        const bool is_usual = (layers & (layers - 1)) == 0;

        for (int side = 2; side <= most && is_usual; side *= 2)
            count = add_shape(shape, count, side, layers, processes);
        if (is_usual || layers * most * most == processes)
            count = add_shape(shape, count, most, layers, processes);
    }
    qsort(shape, (size_t)count, sizeof *shape, largest_first);
    return count;
}

static int take_grids(const char *text, void *values, char why[FR_OPTION_WHY_BYTES])
{
    return fr_networking_grids(text, values)
               ? fr_option_refuse(why,
                                  "%.80s is not a list of different process counts, each layers "
                                  "times a square, as in 16,64:4, with at most %d layers",
                                  text, FR_LAYERS_MAX)
               : 0;
}

static int take_messages(const char *text, void *values, char why[FR_OPTION_WHY_BYTES])
{
    enum { STEP = sizeof(double) }; /* reductions add doubles */
    struct fr_list *const out = &((struct fr_networking *)values)->messages;
    struct fr_list list = { 0 };
    char part[24];

    for (const char *at = text;; at++) {
        const size_t length = strcspn(at, ",");
        int64_t *value = &list.value[list.count];

        snprintf(part, sizeof part, "%.*s", (int)length, at);
        if (list.count == FR_LIST_MAX || length >= sizeof part || fr_value_bytes(part, value) ||
            *value < STEP || *value % STEP)
            return fr_option_refuse(
                why, "%.80s is not a list of sizes from 8 bytes to 1G that 8 divides", text);
        for (int i = 0; i < list.count; i++)
            if (list.value[i] == *value)
                return fr_option_refuse(why, "%s twice", part);
        list.count++;
        at += length;
        if (!*at)
            break;
    }
    *out = list;
    return 0;
}

static int take_topology(const char *text, void *values, char why[FR_OPTION_WHY_BYTES])
{
    struct fr_networking *n = values;

    return fr_links_parse(text, &n->topology)
               ? fr_option_refuse(why,
                                  "%.80s is none of torus:4x4x4, torus:24x24x24:2, "
                                  "dragonfly:6x16:4, uniform",
                                  text)
               : 0;
}

#define ROW(type, member, ...)                                                                  \
    {                                                                                           \
        .kind = FR_OPTION_##type, .offset = offsetof(struct fr_networking, member), __VA_ARGS__ \
    }

const struct fr_option fr_networking_options[] = {
    { .help = "Network" },
    ROW(OTHER, grid, .name = "grids", .argument = "P[:C],...", .parse = take_grids,
        .flags = FR_OPTION_RECORDED,
        .help =
            "Processes, and layers, of the patterns; default: squares of 1, 2, 4, ... layers up "
            "to the job"),
    ROW(OTHER, messages, .name = "messages", .argument = "BYTES,...", .parse = take_messages,
        .flags = FR_OPTION_RECORDED,
        .help = "Message sizes of patterns, exchange, burst and broadcast; default: up to nine "
                "sizes, at most 16M, and both sides of each protocol's limit"),
    ROW(NAME, transfer, .name = "transfer", .argument = "NAME", .names = transfer_names,
        .flags = FR_OPTION_RECORDED,
        .help = "How ping-pong and contention move messages: send (default), put or get (with a "
                "flush), put-fence, get-fence"),
    ROW(OTHER, topology, .name = "topology", .argument = "T", .parse = take_topology,
        .flags = FR_OPTION_RECORDED,
        .help = "torus:24x24x24:2, dragonfly:6x16:4 (chassis, routers, nodes) or uniform: measure "
                "hops"),
    ROW(TEXT, times, .name = "times", .argument = "FILE",
        .help = "Write the contention times of every process to FILE, as CSV"),
    { 0 },
};
