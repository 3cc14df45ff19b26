/* forerun-analyze --factorize: the real thing, on the permutations whose structure is told. */
#ifndef FR_ANALYZE_FACTORIZATION_H
#define FR_ANALYZE_FACTORIZATION_H

#include "server/analyze/options.h"

/* Collective.  The first process prints one line; returns the process's exit status. */
int fr_factorization_run(const struct fr_analyze_options *options);

#endif
