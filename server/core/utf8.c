/* Decodes UTF-8, and finds or replaces what is no text to read. */
#include "server/core/utf8.h"

#include <string.h>

static size_t length_by_lead(unsigned char lead)
{
    if (lead < 0x80)
        return 1;
    if (lead < 0xc0 || lead > 0xf7)
        return 0;
    return lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
}

size_t fr_utf8_decode(const char *text, size_t left, uint32_t *code)
{
    static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
    const unsigned char *s = (const unsigned char *)text;
    const size_t length = length_by_lead(s[0]);
    uint32_t found = s[0];

    if (length > left)
        return 0;
    if (length > 1)
        found &= 0x7fu >> length;
    for (size_t i = 1; i < length; i++) {
        if ((s[i] & 0xc0) != 0x80)
            return 0;
        found = found << 6 | (s[i] & 0x3fu);
    }
    if (length > 1 &&
        (found < least[length] || found > 0x10ffff || (found >= 0xd800 && found <= 0xdfff)))
        return 0;
    *code = found;
    return length;
}

bool fr_utf8_is_hidden(uint32_t code)
{
    return code < 0x20 || (code >= 0x7f && code < 0xa0) || code == 0x61c || code == 0xfeff ||
           (code >= 0x200b && code <= 0x200f) || (code >= 0x2028 && code <= 0x202e) ||
           (code >= 0x2060 && code <= 0x2069);
}

bool fr_is_utf8(const char *text, size_t length)
{
    uint32_t code;

    for (size_t i = 0, step; i < length; i += step) {
        step = fr_utf8_decode(text + i, length - i, &code);
        if (!step)
            return false;
    }
    return true;
}

bool fr_is_shown(const char *text)
{
    const size_t length = strlen(text);
    uint32_t code;

    for (size_t i = 0, step; i < length; i += step) {
        step = fr_utf8_decode(text + i, length - i, &code);
        if (!step || fr_utf8_is_hidden(code))
            return false;
    }
    return true;
}

void fr_utf8_sanitize(char *text)
{
    const size_t length = strlen(text);
    uint32_t code;

    for (size_t i = 0; i < length;) {
        const size_t step = fr_utf8_decode(text + i, length - i, &code);

        if (!step)
            text[i] = '?';
        i += step ? step : 1;
    }
}
