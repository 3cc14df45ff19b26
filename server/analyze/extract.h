/* Blocks out of the library's compressed subscripts. */
#ifndef FR_ANALYZE_EXTRACT_H
#define FR_ANALYZE_EXTRACT_H

#include "server/analyze/library.h"
#include "server/matrices/files/blocks.h"

#define FR_MOST_UPDATES FR_BLOCKS_MOST_UPDATES

/* What symbfact leaves. */
struct fr_subscripts {
    int n;
    Glu_persist_t persist;   /* xsup: first columns; supno: the supernode of each column */
    Glu_freeable_t freeable; /* lsub: rows of each supernode; usub: first rows of U's segments */
};

/* Not yet checked.  NULL with a fault. */
struct sparse_structure *fr_extract(const struct fr_subscripts *subscripts,
                                    struct fr_faults *faults);

#endif
