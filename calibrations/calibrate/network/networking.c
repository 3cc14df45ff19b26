#include "calibrations/calibrate/network/networking.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum key { KEY_GRIDS = FR_NETWORKING_KEY, KEY_MESSAGES, KEY_TRANSFER, KEY_TOPOLOGY, KEY_TIMES };

/* In the order of enum fr_transfer. */
static const char *const transfer_names[FR_TRANSFERS] = { "send", "put", "get", "put-fence",
                                                          "get-fence" };

static const struct argp_option table[] = {
    { "grids", KEY_GRIDS, "P[:C],...", 0,
      "Processes, and layers, of the patterns; default 4, 16, 64, ... up to the job", 0 },
    { "messages", KEY_MESSAGES, "BYTES,...", 0,
      "Messages of patterns, exchange, burst and broadcast; default up to nine, to 16M", 0 },
    { "transfer", KEY_TRANSFER, "NAME", 0,
      "How ping-pong and contention move messages: send (default), put or get (with a flush), "
      "put-fence, get-fence",
      0 },
    { "topology", KEY_TOPOLOGY, "T", 0,
      "torus:24x24x24:2, dragonfly:6x16:4 (chassis, routers, nodes) or uniform: measure hops", 0 },
    { "times", KEY_TIMES, "FILE", 0, "Write the contention times of every process to FILE, as CSV",
      0 },
    { 0 },
};

int fr_grid_side(struct fr_grid_shape shape)
{
    const int square = shape.layers > 0 ? shape.processes / shape.layers : 0;
    const int side = (int)lround(sqrt(square));

    return side * side * shape.layers == shape.processes ? side : 0;
}

/* A whole number from 1 to a million at the start of the text; 0 for anything else. */
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

int fr_networking_shapes(const struct fr_networking *networking, int processes,
                         struct fr_grid_shape shape[FR_GRIDS_MAX])
{
    const struct fr_grid_shape whole = { processes, 1 };
    int count = 0;

    if (networking->grids) {
        memcpy(shape, networking->grid, sizeof networking->grid);
        return networking->grids;
    }
    for (int p = 4; p <= processes && count < FR_GRIDS_MAX; p *= 4)
        shape[count++] = (struct fr_grid_shape){ p, 1 };
    if (fr_grid_side(whole) > 1 && shape[count ? count - 1 : 0].processes != processes)
        shape[count++] = whole;
    return count;
}

void fr_networking_short_messages(const struct fr_networking *networking, bool is_quick,
                                  struct fr_list *messages)
{
    static const struct fr_list usual = {
        8, { 8, 128, 1 << 10, 4 << 10, 16 << 10, 64 << 10, 256 << 10, 1 << 20 }
    };

    *messages = networking->messages.count ? networking->messages : usual;
    if (is_quick && !networking->messages.count)
        messages->count = 4;
}

static void take_messages(struct argp_state *state, const char *text, struct fr_list *out)
{
    enum { STEP = sizeof(double) }; /* reductions add doubles */
    char part[24];

    for (const char *at = text;; at++) {
        const size_t length = strcspn(at, ",");
        int64_t *value = &out->value[out->count];

        memset(part, 0, sizeof part);
        memcpy(part, at, length < sizeof part ? length : sizeof part - 1);
        if (out->count == FR_LIST_MAX || length >= sizeof part || fr_value_bytes(part, value) ||
            *value < STEP || *value % STEP) {
            argp_error(state,
                       "--messages: %s is no list of sizes from 8 bytes to 1G that 8 divides",
                       text);
            return;
        }
        for (int i = 0; i < out->count; i++)
            if (out->value[i] == *value)
                argp_error(state, "--messages: %s twice", part);
        out->count++;
        at += length;
        if (!*at)
            return;
    }
}

static void take_transfer(struct argp_state *state, const char *text, enum fr_transfer *out)
{
    for (int i = 0; i < FR_TRANSFERS; i++)
        if (strcmp(transfer_names[i], text) == 0) {
            *out = (enum fr_transfer)i;
            return;
        }
    argp_error(state, "--transfer: %s is none of send, put, get, put-fence, get-fence", text);
}

static error_t parse(int key, char *text, struct argp_state *state)
{
    struct fr_networking *n = state->input;

    if (key >= KEY_GRIDS && key <= KEY_TIMES)
        n->given |= UINT64_C(1) << (key - FR_NETWORKING_KEY);
    switch (key) {
    case KEY_GRIDS:
        if (fr_networking_grids(text, n))
            argp_error(state,
                       "--grids: %s is no list of different counts that are layers times a square, "
                       "as 16,64:4 is, with at most %d layers",
                       text, FR_LAYERS_MAX);
        return 0;
    case KEY_MESSAGES:
        take_messages(state, text, &n->messages);
        return 0;
    case KEY_TRANSFER:
        take_transfer(state, text, &n->transfer);
        return 0;
    case KEY_TOPOLOGY:
        if (fr_links_parse(text, &n->topology))
            argp_error(state,
                       "--topology: %s is none of torus:4x4x4, torus:24x24x24:2, dragonfly:6x16:4, "
                       "uniform",
                       text);
        return 0;
    case KEY_TIMES:
        n->times = text;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

const struct argp fr_networking_argp = { .options = table, .parser = parse };
