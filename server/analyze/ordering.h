/* Orders of elimination: metis, amd, colamd, natural. */
#ifndef FR_ANALYZE_ORDERING_H
#define FR_ANALYZE_ORDERING_H

#include "server/analyze/sparsity.h"

/* The names, ended by NULL. */
extern const char *const fr_orderings[];

/* Column j is eliminated as number place[j], n of them.  The same pattern is always ordered
 * alike. */
int fr_ordering_find(const char *name, const struct fr_sparsity *pattern, int *place,
                     struct fr_faults *faults);

#endif
