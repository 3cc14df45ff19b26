/* The facts of a partition in the body of a request (docs/models/partition.md#facts). */
#ifndef FR_FACTS_DOCUMENT_H
#define FR_FACTS_DOCUMENT_H

#include "engine/core/arena.h"
#include "engine/krylov/partition/partition.h"
#include "server/json/value.h"

/* Decodes and checks the facts, in memory of the arena.  NULL with faults that point into the
 * document. */
const struct krylov_partition *fr_facts_decode(json_t *document, struct fr_arena *arena,
                                               struct fr_faults *faults);

#endif
