#include "server/http/http.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct fr_shared_bytes *fr_shared_bytes_new(const char *tag, const void *bytes, size_t length)
{
    struct fr_shared_bytes *shared = malloc(sizeof *shared + length);

    if (!shared)
        return NULL;
    shared->cached = (struct fr_cached){ .owners = 1, .free = free, .cost = length };
    snprintf(shared->tag, sizeof shared->tag, "%s", tag);
    shared->length = length;
    if (length)
        memcpy(shared->bytes, bytes, length);
    return shared;
}

bool fr_shared_bytes_are(const void *value, const void *tag)
{
    return strcmp(((const struct fr_shared_bytes *)value)->tag, tag) == 0;
}
