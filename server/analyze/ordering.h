/* Column orderings. */
#ifndef FR_ANALYZE_ORDERING_H
#define FR_ANALYZE_ORDERING_H

#include "engine/sparse/structure/orderings.h"
#include "server/analyze/sparsity.h"

/* Sets place[j] to the position of column j in the elimination, for all n columns; `name` is one of
 * sparse_orderings.  The result depends on the pattern only.  FR_OK, or FR_NOMEM with a fault. */
int fr_ordering_find(const char *name, const struct fr_sparsity *pattern, int *place,
                     struct fr_faults *faults);

#endif
