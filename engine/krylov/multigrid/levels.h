/* The levels of a multigrid preconditioner: what processes hold of each
 * (docs/models/multigrid.md#levels). */
#ifndef FR_KRYLOV_LEVELS_H
#define FR_KRYLOV_LEVELS_H

#include "engine/krylov/solvers/problem.h"

enum { KRYLOV_MOST_LEVELS = 32, KRYLOV_MOST_DENSE_ROWS = 10000 };

struct krylov_level {
    double rows, nonzeros, processes; /* of all processes; those that have rows */
    struct krylov_holding holding;    /* of a process that has any */
    double messages;                  /* sent in an exchange; only of a level given by its size */
    struct krylov_grid {              /* no points: the level was given by its size */
        struct fr_vector points, process_grid;
        struct krylov_stencil stencil; /* points of a process */
    } grid;
    /* To and from the next level; not set on the coarsest.  Of a process: entries, rows of the next
     * level, values of it that others have. */
    struct krylov_transfer {
        double entries, coarse_rows, ghosts;
        struct krylov_stencil stencil; /* no points: the next level was given by its size */
    } transfer;
};

/* The finest level first. */
struct krylov_levels {
    size_t count;
    struct krylov_level level[KRYLOV_MOST_LEVELS];
};

struct krylov_coarsening {
    const char *given; /* rows:nonzeros,... of the levels below the finest; empty: derived */
    double coarsest_rows;
    bool is_direct; /* the coarsest level is solved densely */
};

/* The levels below a grid, whose stencil holds the points of a process.  FR_OK, or FR_SYNTAX,
 * FR_RANGE or FR_RELATION with a fault of `levels` or `coarsest_rows`. */
int krylov_find_levels(const struct krylov_layout *layout, const struct krylov_stencil *stencil,
                       const struct fr_vector *global_grid,
                       const struct krylov_coarsening *coarsening, struct krylov_levels *out,
                       struct fr_faults *faults);

/* Appends the levels below the finest that a text gives
 * (docs/models/multigrid.md#given-levels).  FR_OK, or FR_SYNTAX, FR_RANGE or FR_RELATION with a
 * fault of `levels`. */
int krylov_read_levels(const char *text, const struct fr_vector *process_grid,
                       struct krylov_levels *out, struct fr_faults *faults);

#endif
