/* A body that several replies may share. */
#include "server/http/http.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

struct fr_blob *fr_blob_new(const void *bytes, size_t length)
{
    struct fr_blob *blob = malloc(sizeof *blob + length);

    if (!blob)
        return NULL;
    atomic_init(&blob->owners, 1);
    blob->length = length;
    if (length)
        memcpy(blob->bytes, bytes, length);
    return blob;
}

struct fr_blob *fr_blob_share(struct fr_blob *blob)
{
    atomic_fetch_add_explicit(&blob->owners, 1, memory_order_relaxed);
    return blob;
}

void fr_blob_drop(struct fr_blob *blob)
{
    /* Acquire and release: what other owners did comes before the free. */
    if (blob && atomic_fetch_sub_explicit(&blob->owners, 1, memory_order_acq_rel) == 1)
        free(blob);
}
