/* How near two names are. */
#ifndef FR_CORE_TEXT_H
#define FR_CORE_TEXT_H

#include <stdbool.h>
#include <stddef.h>

/* The edits between two names, and whether so few that one was probably meant to be the other. */
size_t fr_text_distance(const char *a, const char *b);
bool fr_text_is_near(const char *name, const char *candidate);

#endif
