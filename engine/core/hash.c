/* FNV-1a (Fowler, Noll, Vo). */
#include "engine/core/number.h"

uint64_t fr_hash_bytes(uint64_t hash, const void *bytes, size_t length)
{
    const unsigned char *at = bytes;

    for (size_t i = 0; i < length; i++)
        hash = (hash ^ at[i]) * UINT64_C(1099511628211);
    return hash;
}
