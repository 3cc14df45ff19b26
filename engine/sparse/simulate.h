/* One simulation from end to end: charges by either kernel model, clocks, memory. */
#ifndef FR_SPARSE_SIMULATE_H
#define FR_SPARSE_SIMULATE_H

#include "engine/prediction/prediction.h"
#include "engine/sparse/clocks.h"
#include "engine/sparse/memory.h"
#include "engine/sparse/structure_source.h"

struct sparse_simulation {
    /* What is asked. */
    const struct fr_structure_source *source; /* of charges (paper), of leave (calibrated) */
    const struct sparse_structure *s;         /* NULL: refused */
    struct sparse_grid grid;
    bool is_calibrated;            /* the kernel model */
    struct sparse_machine machine; /* paper */
    struct sparse_network network;
    double *clock_s, *load_s; /* room for those of each rank, or NULL */
    /* What comes out. */
    struct sparse_times times;
    struct sparse_memory memory;
    double sequential_s, sequential_upper_s; /* NaN: memory has one latency */
    struct sparse_totals totals;             /* paper: of all processes */
    struct sparse_bounds bounds;             /* paper: on the misses of one */
};

/* Notes in run->out what was read of the calibration and what lies outside of its tables. A code
 * with faults. */
int sparse_simulate(struct sparse_simulation *of, struct fr_evaluation *run);

#endif
