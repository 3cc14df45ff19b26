/* Memory for what a rank has found, as opposed to the bytes that it sends.
 *
 * SimGrid's smpicc makes malloc and its relatives macros for memory that all ranks share and whose
 * contents mean nothing: right for the messages of a hundred simulated ranks, wrong for records.
 * The parentheses keep the macros away.
 */
#ifndef FR_RECORD_H
#define FR_RECORD_H

#include <stdlib.h>

/* Zeroed; NULL when memory runs out. */
static inline void *fr_record_new(size_t count, size_t size)
{
    return (calloc)(count, size);
}

static inline void fr_record_free(void *record)
{
    (free)(record);
}

#endif
