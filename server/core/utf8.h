/* UTF-8, judged strictly: no overlong forms, no surrogates. */
#ifndef FR_UTF8_H
#define FR_UTF8_H

#include <stdbool.h>
#include <stddef.h>

/* The bytes of the character at `text`, 0 where none starts there; `left` is at least 1. */
size_t fr_utf8_step(const char *text, size_t left);
bool fr_is_utf8(const char *text, size_t length);
/* Puts `?` for each byte that belongs to no character. */
void fr_utf8_sanitize(char *text);

#endif
