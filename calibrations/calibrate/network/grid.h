/* Grids of processes and the patterns on them. */
#ifndef FR_GRID_H
#define FR_GRID_H

#include "calibrations/calibrate/network/networking.h"
#include "engine/calibration/calibration.h"

#include <mpi.h>

/* ---- grid ------------------------------------------------------------------------------ */

/* The communication patterns of the dense algorithms on c layers of q x q processes, at
 * rank = layer * q^2 + row * q + column (docs/models/dense.md#communication-patterns).
 */

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

struct fr_grid_pattern;
/* Returns the number of repetitions, or 0 if this process takes no part. */
typedef int fr_pattern_operation(const struct fr_grid *grid, const struct fr_grid_pattern *pattern,
                                 int bytes);

enum fr_grid_line { FR_IN_ROW, FR_IN_COLUMN, FR_IN_LAYERS };

struct fr_grid_pattern {
    enum fr_pattern_kind kind;
    fr_pattern_operation *run;
    enum fr_grid_line along; /* of a pattern on one of them */
    bool is_alone;           /* the first row, column or line alone */
    bool is_from_diagonal;   /* each column's root is on the diagonal; else the first */
    int blocks;              /* of each operand, in a step */
    bool is_late;            /* processes off the diagonal compute twice as long */
    bool is_ahead;           /* messages for the next step run while processes compute */
    bool is_tree;            /* of messages in rows or columns that wait for each other */
    int operations;          /* of each of q steps; 0: repetitions of one */
    int pauses;              /* in each step, one after another */
    bool is_empty;           /* without bytes: one row for all sizes */
    bool is_of_slowest;      /* the slowest process counts, because a mean is meaningless */
};

extern const struct fr_grid_pattern fr_patterns[FR_PATTERNS];

/* Whether the pattern exists on such a grid. */
bool fr_pattern_exists(const struct fr_grid_pattern *pattern, struct fr_grid_shape shape);
/* About how many messages and how long pauses follow each other in all repetitions. */
double fr_pattern_messages(const struct fr_grid_pattern *pattern, struct fr_grid_shape shape);
double fr_pattern_paused_s(const struct fr_grid_pattern *pattern, struct fr_grid_shape shape,
                           int bytes);

/* ---- grid patterns --------------------------------------------------------------------- */

/* The operations of the patterns that are defined elsewhere than their table.  Each runs on all
 * processes of the grid, and returns its number of repetitions.
 */

enum { FR_PATTERN_TIMES = 8 };      /* repetitions of an operation */
enum { FR_PATTERN_BLOCKS_MAX = 4 }; /* of an operand */

/* A pause in place of a kernel, long enough for the messages of one step to end before those of the
 * next begin: messages that share a network are seldom slower. */
double fr_pattern_pause_s(int bytes);
/* Pauses if `is_here`; other processes wait for those that pause. */
void fr_pattern_pause(const struct fr_grid *grid, bool is_here, double pause_s);

fr_pattern_operation fr_pattern_shift, fr_pattern_shift_pair, fr_pattern_distribute,
    fr_pattern_reduce_layers, fr_pattern_replicate_layers;

/* All messages of Cannon: distribution, the shifts of a layer's steps, and the sum over the layers.
 * The shifts follow each other; or both run at once without a product; or products hide them. */
fr_pattern_operation fr_pattern_cannon;

/* All messages of SUMMA with one block per process. */
fr_pattern_operation fr_pattern_summa;

/* Mean of the last q steps of TRSM and of Cholesky. */
fr_pattern_operation fr_pattern_solve, fr_pattern_factor;

/* The same with overlap: broadcasts for the next step run while processes update, SUMMA's without
 * products, and Cholesky's while none but the next process column computes. */
fr_pattern_operation fr_pattern_broadcast_both_ahead, fr_pattern_solve_ahead,
    fr_pattern_factor_ahead;

/* ---- grid ahead ------------------------------------------------------------------------ */

/* Broadcasts that run while a process computes, as binomial trees of point-to-point messages.
 *
 * Each process runs its broadcasts one after another, in the order in which they were started. It
 * tests their messages between slices of a pause.
 */

enum { FR_AHEAD_MAX = 2 * FR_PATTERN_BLOCKS_MAX }; /* broadcasts under way */

struct fr_ahead {
    const struct fr_grid *grid; /* borrowed */
    struct {
        MPI_Comm comm;
        int root, bytes;
    } broadcast[FR_AHEAD_MAX];
    int count, current;
    int place, members; /* of this process in the current broadcast; 0 members: not begun */
    int mask;           /* of the last message posted */
    MPI_Request request;
};

struct fr_ahead fr_ahead_make(const struct fr_grid *grid);
/* Starts a broadcast of sent[0]; every process of the communicator calls it. */
void fr_ahead_start(struct fr_ahead *ahead, MPI_Comm comm, int root, int bytes);
/* As fr_pattern_pause, while the broadcasts run. */
void fr_ahead_pause(struct fr_ahead *ahead, bool is_here, double pause_s);
/* Waits for all broadcasts. */
void fr_ahead_finish(struct fr_ahead *ahead);

#endif
