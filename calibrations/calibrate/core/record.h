/* Memory for results, as opposed to message buffers.
 *
 * The smpicc of SimGrid redefines malloc and calloc as macros that return memory shared by all
 * ranks with undefined contents.  That suits message buffers but not results; the parentheses
 * prevent the expansion of the macros.
 */
#ifndef FR_RECORD_H
#define FR_RECORD_H

#include <stdlib.h>

/* Returns zeroed memory, or NULL. */
static inline void *fr_record_new(size_t count, size_t size)
{
    return (calloc)(count, size);
}

static inline void fr_record_free(void *record)
{
    (free)(record);
}

#endif
