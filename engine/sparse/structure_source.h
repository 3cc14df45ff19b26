/* Where a model of sparse matrices takes block structures and counted charges from: the server
 * keeps both, tests bring their own. */
#ifndef FR_STRUCTURE_SOURCE_H
#define FR_STRUCTURE_SOURCE_H

#include "engine/sparse/work_counts.h"

struct fr_structure_source {
    void *context;
    /* The structure of a stored matrix, or of the question itself. `is_counted`: all its updates
     * are going to be counted (the kernel model `paper`), which too many of them forbid.
     * Borrowed until the question ends; NULL with a fault naming `matrix` or `ordering`. */
    const struct sparse_structure *(*find)(void *context, const char *matrix, const char *ordering,
                                           bool is_counted, struct fr_faults *faults);
    /* Charges of the kernel model `paper`, from a cache or counted now, those of one process with
     * bounds; NULL with a fault. Every one is given back with release. */
    const struct sparse_work_counts *(*charges)(void *context, const struct sparse_structure *s,
                                                struct sparse_grid grid,
                                                const struct sparse_machine *machine,
                                                struct fr_faults *faults);
    /* Whether the question may do the work of so many updates besides, and take so many bytes; a
     * code with a fault. */
    int (*allow)(void *context, double updates, double bytes, struct fr_faults *faults);
    void (*release)(void *context, const struct sparse_work_counts *charges);
};

#endif
