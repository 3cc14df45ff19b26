/* The fronts of a multifrontal factorization divided among processes
 * (docs/models/multifrontal.md#processes). */
#ifndef FR_SPARSE_FRONT_MAPPING_H
#define FR_SPARSE_FRONT_MAPPING_H

#include "engine/multifrontal/multifrontal.h"

enum { SPARSE_FRONT_PROCESSES_MOST = 1024 };

/* What the fullest process needs at once, and the sum of what each needs. */
struct sparse_front_share {
    int64_t processes;
    int64_t most_entries, all_entries; /* factors, and the stack at the fullest moment */
    int64_t most_indices, all_indices; /* of the factors, with the heads of fronts */
};

/* Deals subtrees of similar work to the processes, the fronts above them to the one with least
 * work, and divides the large ones of these evenly; adds up factors and stack of each process in
 * the order of the fronts.  `processes`: 1 to SPARSE_FRONT_PROCESSES_MOST.  FR_OK, or FR_NOMEM with
 * a fault.  O(fronts log(fronts) + divided fronts * processes). */
int sparse_fronts_share(const struct sparse_fronts *fronts, int64_t processes,
                        struct sparse_front_share *share, struct fr_faults *faults);

#endif
