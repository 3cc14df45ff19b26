/* UTF-8, decoded strictly: no overlong forms, no surrogates. */
#ifndef FR_UTF8_H
#define FR_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The bytes of the character at `text`, and its code; 0 if none starts there.  At most `left`
 * bytes, at least 1, are read. */
size_t fr_utf8_decode(const char *text, size_t left, uint32_t *code);
bool fr_is_utf8(const char *text, size_t length);
/* Replaces each invalid byte by `?`. */
void fr_utf8_sanitize(char *text);

#endif
