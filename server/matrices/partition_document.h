/* The facts of a partition as a JSON document (docs/models/partition.md#facts), as a request
 * brings them. */
#ifndef FR_PARTITION_DOCUMENT_H
#define FR_PARTITION_DOCUMENT_H

#include "engine/krylov/partition.h"
#include "server/json/value.h"

/* Decodes and checks facts.  NULL with faults that point into the document; free with
 * krylov_partition_free. */
struct krylov_partition *fr_partition_decode(json_t *document, struct fr_faults *faults);

#endif
