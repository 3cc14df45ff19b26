#include "comparison/sources.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int by_pointer(const void *left, const void *right)
{
    const struct fr_source *const *a = left, *const *b = right;

    return strcmp((*a)->pointer, (*b)->pointer);
}

bool fr_sources_index(const struct fr_calibration *cal, struct fr_arena *arena,
                      struct fr_source_index *out)
{
    const size_t count = cal->sources.count;
    const struct fr_source **sorted = fr_arena_zeroed(arena, count, sizeof *sorted);

    if (!sorted)
        return false;
    for (size_t i = 0; i < count; i++)
        sorted[i] = &cal->sources.row[i];
    if (count)
        qsort(sorted, count, sizeof *sorted, by_pointer);
    *out = (struct fr_source_index){ sorted, count };
    return true;
}

const struct fr_source *fr_source_of(const struct fr_source_index *index, const char *pointer)
{
    char part[FR_WHERE_BYTES];
    const struct fr_source wanted = { .pointer = part }, *key = &wanted;
    char *slash;

    snprintf(part, sizeof part, "%s", pointer);
    for (;;) {
        const struct fr_source *const *found =
            index->count ? bsearch(&key, index->by_pointer, index->count, sizeof key, by_pointer)
                         : NULL;

        if (found)
            return *found;
        slash = strrchr(part, '/');
        if (!slash)
            return NULL;
        *slash = '\0';
    }
}
