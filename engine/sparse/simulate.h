/* A complete simulation: work by either kernel model, clocks, memory. */
#ifndef FR_SPARSE_SIMULATE_H
#define FR_SPARSE_SIMULATE_H

#include "engine/prediction/prediction.h"
#include "engine/sparse/clocks.h"
#include "engine/sparse/memory.h"
#include "engine/sparse/structure_source.h"

struct sparse_simulation {
    /* Inputs. */
    const struct fr_structure_source *source; /* counts work (paper), admits it (calibrated) */
    const struct sparse_structure *s;         /* NULL: the simulation is refused */
    struct sparse_grid grid;
    bool is_calibrated;            /* the kernel model */
    struct sparse_machine machine; /* paper */
    struct sparse_network network;
    double *clock_s, *load_s; /* receive those of each rank; or NULL */
    /* Results. */
    struct sparse_times times;
    double memory_bytes;                     /* of the process that needs most */
    double sequential_s, sequential_upper_s; /* upper: with TLB misses; NaN: not known */
    struct sparse_totals totals;             /* paper: of all processes */
    struct sparse_bounds bounds;             /* paper: on the misses of a single process */
};

/* Simulates; records in run->out which calibrated values were used and which table was exceeded.
 * FR_OK, or a code with faults. */
int sparse_simulate(struct sparse_simulation *of, struct fr_evaluation *run);

#endif
