/* Which source of a document covers a value, found by its JSON pointer. */
#ifndef FR_COMPARISON_SOURCES_H
#define FR_COMPARISON_SOURCES_H

#include "forerun.h"

struct fr_source_index {
    const struct fr_source **by_pointer; /* sorted */
    size_t count;
};
/* False where memory is short. */
bool fr_sources_index(const struct fr_calibration *cal, struct fr_arena *arena,
                      struct fr_source_index *out);
/* The most particular one, or NULL. */
const struct fr_source *fr_source_of(const struct fr_source_index *index, const char *pointer);

#endif
