/* UTF-8, decoded strictly: no overlong forms, no surrogates. */
#ifndef FR_UTF8_H
#define FR_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The bytes of the character at `text`, and its code; 0 if none starts there.  At most `left`
 * bytes, at least 1, are read. */
size_t fr_utf8_decode(const char *text, size_t left, uint32_t *code);
/* Controls of ASCII and of terminals (0x9b begins an escape sequence), and what reverses the
 * direction of a line or breaks it, so that a line would not show what it says. */
bool fr_utf8_is_hidden(uint32_t code);
bool fr_is_utf8(const char *text, size_t length);
/* Whether the text is UTF-8, and shows all that it has. */
bool fr_is_shown(const char *text);
/* Replaces each invalid byte by `?`. */
void fr_utf8_sanitize(char *text);

#endif
