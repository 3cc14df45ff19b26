/* The facts of a partition as text, for the output of the analysis and for the store: one JSON
 * object without blanks,
 *
 *     {"processes":P,"rows":[…],"diagonal":[…],"offdiagonal":[…],"messages":[[from,to,words],…]}
 */
#ifndef FR_MATRIX_PARTITION_H
#define FR_MATRIX_PARTITION_H

#include "engine/krylov/partition/partition.h"
#include "server/json/writer.h"

/* Writes the object. */
void fr_partition_write(struct fr_writer *w, const struct krylov_partition *partition);

/* Reads the text that fr_partition_write writes, in linear time and little more memory than the
 * result takes, and checks it with krylov_partition_check.  NULL with a fault; free with
 * krylov_partition_free. */
struct krylov_partition *fr_partition_read(const char *text, size_t length,
                                           struct fr_faults *faults);

#endif
