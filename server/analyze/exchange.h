/* What processes exchange before a product with a divided matrix. */
#ifndef FR_ANALYZE_EXCHANGE_H
#define FR_ANALYZE_EXCHANGE_H

#include "engine/krylov/partition/partition.h"
#include "server/matrices/files/matrix.h"

/* Finds the facts of a partition: process owner[i] has row i and value i of the vector.  O(entries
 * + messages log messages) time; 4 bytes a column and 16 a message of memory.  NULL with a fault,
 * also for more messages than KRYLOV_PARTITION_MOST_MESSAGES; free with krylov_partition_free. */
struct krylov_partition *fr_exchange_find(const struct fr_matrix *matrix, const int32_t *owner,
                                          int32_t processes, struct fr_faults *faults);

#endif
