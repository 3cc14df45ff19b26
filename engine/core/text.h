/* The distance between names, for suggestions after a misspelling. */
#ifndef FR_CORE_TEXT_H
#define FR_CORE_TEXT_H

#include <stdbool.h>
#include <stddef.h>

/* The number of edits that turn one name into the other; and whether it is small enough for `name`
 * to be a misspelling of `candidate`. */
size_t fr_text_distance(const char *a, const char *b);
bool fr_text_is_near(const char *name, const char *candidate);

#endif
