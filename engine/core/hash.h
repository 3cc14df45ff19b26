/* A hash that is the same on every machine, to compare what is too long to keep. */
#ifndef FR_CORE_HASH_H
#define FR_CORE_HASH_H

#include <stddef.h>
#include <stdint.h>

#define FR_HASH_START UINT64_C(14695981039346656037)
/* FNV-1a of some bytes, continued from `hash`, which begins with FR_HASH_START. */
uint64_t fr_hash_bytes(uint64_t hash, const void *bytes, size_t length);

#endif
