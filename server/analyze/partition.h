/* From a matrix to the facts of its partitions (docs/models/partition.md). */
#ifndef FR_ANALYZE_PARTITION_H
#define FR_ANALYZE_PARTITION_H

#include "server/analyze/options.h"

/* Divides the matrix among each of the process counts of the options and writes all records;
 * returns the exit status of the process. */
int fr_partition_run(const struct fr_analyze_options *options);

#endif
