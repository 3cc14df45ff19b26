/* The distance between names, for suggestions after a misspelling. */
#ifndef FR_CORE_TEXT_H
#define FR_CORE_TEXT_H

#include <stddef.h>

/* The number of edits that turn one name into the other. */
size_t fr_text_distance(const char *a, const char *b);

/* Finds the candidate that a misspelt name probably stands for.  Begin with the name alone. */
struct fr_nearest {
    const char *name;
    const char *found; /* the nearest of the candidates so far; NULL: none is near */
    size_t distance;
};
void fr_nearest_consider(struct fr_nearest *nearest, const char *candidate);

#endif
