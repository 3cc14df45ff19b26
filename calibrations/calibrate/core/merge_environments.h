/* The environments of merged documents. */
#ifndef FR_MERGE_ENVIRONMENTS_H
#define FR_MERGE_ENVIRONMENTS_H

#include "calibrations/calibrate/core/merge_sources.h"

/* Writes `,"environments":[...]` if the documents, given as their members, have more than one;
 * those of a document that was merged before are kept.  Returns 0, or -1 if one is not an object or
 * there are more than 64. */
int fr_merge_environments(const struct fr_sources *whole, int count, struct fr_writer *out);

#endif
