/* Options of the network benchmarks. */
#ifndef FR_NETWORKING_H
#define FR_NETWORKING_H

#include <stdbool.h>
#include <stdint.h>

#include "calibrations/calibrate/core/option.h"
#include "calibrations/calibrate/core/value.h"
#include "calibrations/calibrate/network/links.h"

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

#endif
