/* Reads the blocks from the compressed subscripts of SuperLU_DIST. */
#ifndef FR_ANALYZE_EXTRACT_H
#define FR_ANALYZE_EXTRACT_H

#include "server/analyze/library.h"
#include "server/matrices/files/blocks.h"

#define FR_MOST_UPDATES FR_BLOCKS_MOST_UPDATES

/* The result of symbfact. */
struct fr_subscripts {
    int n;
    Glu_persist_t persist;   /* xsup: first columns; supno: the supernode of each column */
    Glu_freeable_t freeable; /* lsub: rows of each supernode; usub: first rows of U's segments */
};

/* The block structure, not checked yet.  NULL with a fault; free with sparse_structure_free. */
struct sparse_structure *fr_extract(const struct fr_subscripts *subscripts,
                                    struct fr_faults *faults);

#endif
