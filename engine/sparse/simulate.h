/* A complete simulation: work by either kernel model, clocks, solves, memory. */
#ifndef FR_SPARSE_SIMULATE_H
#define FR_SPARSE_SIMULATE_H

#include "engine/prediction/prediction.h"
#include "engine/sparse/clocks/clocks.h"
#include "engine/sparse/counts/structure_source.h"
#include "engine/sparse/structure/forests.h"

enum sparse_part { SPARSE_ONLY_FACTOR, SPARSE_ONLY_SOLVE, SPARSE_BOTH };

struct sparse_simulation {
    /* Inputs. */
    const struct fr_structure_source *source; /* counts work (paper), admits it (calibrated) */
    const struct sparse_structure *s;         /* NULL: the simulation is refused */
    struct sparse_grid grid;                  /* of a layer */
    int32_t layers;                /* a power of 2; more than 1 with a window, without solves */
    bool is_calibrated;            /* the kernel model; true for a window */
    int32_t window;                /* look-ahead panels (overlap `window`) */
    bool is_schedule_static;       /* likewise */
    struct sparse_machine machine; /* paper */
    struct sparse_network network;
    enum sparse_part part;
    int64_t nrhs, solves;     /* right-hand sides of a solve; solves */
    double *clock_s, *load_s; /* zeroes, receive those of each rank, layer by layer; or NULL */
    /* Results. */
    struct sparse_times times;               /* of the factorization; zeroes without it */
    struct sparse_solve_times solve;         /* of one solve; zeroes without it */
    struct sparse_times total;               /* of the parts asked for, one after the other */
    struct sparse_memory memory;             /* of the process that needs most */
    struct sparse_forests forests;           /* of several layers, while it runs */
    double sequential_s, sequential_upper_s; /* of these parts; upper: with TLB misses; NaN: not
                                                known */
    struct sparse_totals totals;             /* paper: of all processes */
    struct sparse_bounds bounds;             /* paper: on the misses of a single process */
    double window_fraction;                  /* updates within the window over all; else NaN */
};

/* The processes of all layers. */
static inline int64_t sparse_all_processes(const struct sparse_simulation *of)
{
    return of->layers * sparse_processes(of->grid);
}

/* Simulates; records in run->out which calibrated values were used and which table was exceeded.
 * FR_OK, or a code with faults. */
int sparse_simulate(struct sparse_simulation *of, struct fr_evaluation *run);
/* Finds the memory alone, in O(blocks).  Likewise. */
int sparse_simulate_memory(struct sparse_simulation *of, struct fr_evaluation *run);

#endif
