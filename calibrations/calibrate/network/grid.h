/* The communication patterns of the dense algorithms on c layers of q x q processes, at
 * rank = layer * q^2 + row * q + column (docs/models/dense.md#communication-patterns).
 */
#ifndef FR_GRID_H
#define FR_GRID_H

#include <mpi.h>

#include "calibrations/calibrate/network/networking.h"
#include "engine/calibration/calibration.h"

enum { FR_GRID_BUFFERS = 4, FR_PATTERNS = FR_FACTOR_STEPS_AHEAD_FOUR + 1 };

struct fr_grid {
    int side, layers; /* q, c */
    int layer, row, column;
    MPI_Comm all, in_row, in_column, in_layers; /* the last three are owned */
    char *sent[2], *received[2];                /* blocks of A and B; borrowed */
    const struct fr_world *world;
    double *paused_s; /* the pauses of a pattern on its longest way; borrowed */
};

/* Collective over `all`, which has shape.processes ranks. */
struct fr_grid fr_grid_make(MPI_Comm all, struct fr_grid_shape shape);
void fr_grid_free(struct fr_grid *grid);

struct fr_grid_pattern {
    enum fr_pattern_kind kind;
    /* Whether the pattern exists on such a grid. */
    bool (*exists)(struct fr_grid_shape shape);
    /* Returns the number of repetitions, or 0 if this process takes no part. */
    int (*run)(const struct fr_grid *grid, int bytes);
    bool is_tree;       /* of messages in rows or columns that wait for each other */
    int operations;     /* of each of q steps; 0: repetitions of one */
    int pauses;         /* in each step, one after another */
    bool is_empty;      /* without bytes: one row for all sizes */
    bool is_of_slowest; /* the slowest process counts, because a mean is meaningless */
};

extern const struct fr_grid_pattern fr_patterns[FR_PATTERNS];

/* About how many messages and how long pauses follow each other in all repetitions. */
double fr_pattern_messages(const struct fr_grid_pattern *pattern, struct fr_grid_shape shape);
double fr_pattern_paused_s(const struct fr_grid_pattern *pattern, struct fr_grid_shape shape,
                           int bytes);

#endif
