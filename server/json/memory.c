#include "server/json/value.h"

#include <jansson.h>

#include <malloc.h>
#include <stdlib.h>

/* Smaller amounts are soon used again. */
enum { TRIMMED_BYTES = 8 * 1024 * 1024 };

struct account {
    size_t limit_bytes, held_bytes, most_bytes;
    bool is_bounded, is_exhausted;
};
static _Thread_local struct account account;

static void *take(size_t size)
{
    void *memory;

    if (account.is_bounded && (account.held_bytes > account.limit_bytes ||
                               size > account.limit_bytes - account.held_bytes)) {
        account.is_exhausted = true;
        return NULL;
    }
    memory = malloc(size);
    account.held_bytes += malloc_usable_size(memory);
    if (account.held_bytes > account.most_bytes)
        account.most_bytes = account.held_bytes;
    return memory;
}

static void release(void *memory)
{
    const size_t size = malloc_usable_size(memory);

    account.held_bytes -= size < account.held_bytes ? size : account.held_bytes;
    free(memory);
}

void fr_json_memory_install(void)
{
    json_set_alloc_funcs(take, release);
}

void fr_json_memory_begin(size_t limit_bytes)
{
    account = (struct account){ .limit_bytes = limit_bytes, .is_bounded = true };
}

void fr_json_memory_end(void)
{
    if (account.most_bytes >= TRIMMED_BYTES)
        malloc_trim(0);
    account = (struct account){ .is_bounded = false };
}

bool fr_json_memory_is_exhausted(void)
{
    return account.is_exhausted;
}

size_t fr_json_memory_limit(void)
{
    return account.limit_bytes;
}
