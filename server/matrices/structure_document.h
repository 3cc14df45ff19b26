/* A block structure as a JSON document, forerun-blocks-1
 * (docs/models/sparse_lu.md#block-structure). */
#ifndef FR_JSON_STRUCTURE_H
#define FR_JSON_STRUCTURE_H

#include "engine/sparse/structure/structure.h"
#include "server/json/writer.h"

#include "server/json/value.h"

/* The most block updates for which closure is checked, which takes some seconds. */
#define FR_STRUCTURE_MOST_UPDATES 1e9

/* Decodes and checks a structure.  NULL with faults that point into the document; free with
 * sparse_structure_free. */
struct sparse_structure *fr_structure_decode(json_t *document, struct fr_faults *faults);
void fr_structure_write(struct fr_writer *w, const struct sparse_structure *s);

#endif
