/* Bytes that several replies and caches share, counted by owners. */
#include "server/http/http.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

struct fr_shared_bytes *fr_shared_bytes_new(const void *bytes, size_t length)
{
    struct fr_shared_bytes *shared = malloc(sizeof *shared + length);

    if (!shared)
        return NULL;
    atomic_init(&shared->owners, 1);
    shared->length = length;
    if (length)
        memcpy(shared->bytes, bytes, length);
    return shared;
}

struct fr_shared_bytes *fr_shared_bytes_hold(struct fr_shared_bytes *shared)
{
    atomic_fetch_add_explicit(&shared->owners, 1, memory_order_relaxed);
    return shared;
}

void fr_shared_bytes_drop(struct fr_shared_bytes *shared)
{
    /* Acquire and release: what other owners did comes before the free. */
    if (shared && atomic_fetch_sub_explicit(&shared->owners, 1, memory_order_acq_rel) == 1)
        free(shared);
}
