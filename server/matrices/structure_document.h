/* A block structure as a JSON document, forerun-blocks-1 (sparse-lu.md 1). */
#ifndef FR_JSON_STRUCTURE_H
#define FR_JSON_STRUCTURE_H

#include "engine/sparse/structure.h"
#include "server/json/writer.h"

#include "server/json/value.h"

/* Closure is looked at up to so many updates of blocks: some seconds. */
#define FR_STRUCTURE_MOST_UPDATES 1e9

/* Decodes and checks; NULL with faults, which are pointers into the document. Free with
 * sparse_structure_free. */
struct sparse_structure *fr_structure_decode(json_t *document, struct fr_faults *faults);
void fr_structure_write(struct fr_writer *w, const struct sparse_structure *s);

#endif
