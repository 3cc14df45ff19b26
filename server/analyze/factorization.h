/* forerun-analyze --factorize: the numeric factorization with the permutations of the analysis. */
#ifndef FR_ANALYZE_FACTORIZATION_H
#define FR_ANALYZE_FACTORIZATION_H

#include "server/analyze/options.h"

/* Factorizes; the first process prints one line of JSON.  Collective.  Returns the exit status of
 * the process. */
int fr_factorization_run(const struct fr_analyze_options *options);

#endif
