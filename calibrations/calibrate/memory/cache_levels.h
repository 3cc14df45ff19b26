/* The data caches of a core, as the operating system reports them. */
#ifndef FR_CACHE_LEVELS_H
#define FR_CACHE_LEVELS_H

#include <stdint.h>

enum { FR_CACHE_LEVELS_MAX = 4 };

struct fr_data_cache {
    char name[8]; /* L1, L2, ... */
    int64_t capacity_bytes, line_bytes;
};

struct fr_cache_levels {
    struct fr_data_cache level[FR_CACHE_LEVELS_MAX]; /* inner level first */
    int count;
    const char *told_by; /* for sources */
};

/* Returns 0, or -1 if the levels found are no hierarchy with one line size. */
int fr_cache_levels_find(struct fr_cache_levels *out);

#endif
