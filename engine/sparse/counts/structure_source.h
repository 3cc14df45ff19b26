/* The provider of block structures and counted work for models of sparse matrices: the server, or a
 * test. */
#ifndef FR_STRUCTURE_SOURCE_H
#define FR_STRUCTURE_SOURCE_H

#include "engine/sparse/counts/work_counts.h"
#include "engine/sparse/structure/structure_key.h"

struct fr_structure_source {
    void *context;
    /* The structure of a stored matrix, or of the request itself, which leaves the key open (an
     * empty ordering, no limits).  Limits of a stored one that are left open follow its upload's.
     * `is_counted`: its updates will be counted (kernel model `paper`), so that a structure with
     * too many is refused.  Borrowed until the request ends; NULL with a fault of `matrix` or of a
     * member of the key; FR_STRUCTURE_MISSING if nobody has asked for this structure yet. */
    const struct sparse_structure *(*find)(void *context, const char *matrix,
                                           const struct sparse_structure_key *key, bool is_counted,
                                           struct fr_faults *faults);
    /* The work of the kernel model `paper`, from a cache or counted now; that of one process has
     * its bounds set.  NULL with a fault.  Return it with `release`. */
    const struct sparse_work_counts *(*counts)(void *context, const struct sparse_structure *s,
                                               struct sparse_grid grid,
                                               const struct sparse_machine *machine,
                                               struct fr_faults *faults);
    /* Admits work of so many updates and memory of so many bytes.  FR_OK, or FR_TOO_LONG with a
     * fault. */
    int (*allow)(void *context, double updates, double bytes, struct fr_faults *faults);
    void (*release)(void *context, const struct sparse_work_counts *counts);
};

#endif
