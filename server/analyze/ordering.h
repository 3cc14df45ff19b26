/* Column orderings. */
#ifndef FR_ANALYZE_ORDERING_H
#define FR_ANALYZE_ORDERING_H

#include "server/analyze/sparsity.h"

/* The names, ended by NULL. */
extern const char *const fr_orderings[];

/* Sets place[j] to the position of column j in the elimination, for all n columns.  The result
 * depends on the pattern only.  FR_OK, or FR_NOMEM with a fault. */
int fr_ordering_find(const char *name, const struct fr_sparsity *pattern, int *place,
                     struct fr_faults *faults);

#endif
