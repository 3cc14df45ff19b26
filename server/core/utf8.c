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

size_t fr_utf8_step(const char *text, size_t left)
{
    static const unsigned least[] = { 0, 0, 0x80, 0x800, 0x10000 };
    const unsigned char *s = (const unsigned char *)text;
    const size_t length = length_by_lead(s[0]);
    unsigned code;

    if (length <= 1)
        return length;
    if (length > left)
        return 0;
    code = s[0] & (0x7fu >> length);
    for (size_t i = 1; i < length; i++) {
        if ((s[i] & 0xc0) != 0x80)
            return 0;
        code = code << 6 | (s[i] & 0x3fu);
    }
    if (code < least[length] || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff))
        return 0;
    return length;
}

bool fr_is_utf8(const char *text, size_t length)
{
    for (size_t i = 0, step; i < length; i += step) {
        step = fr_utf8_step(text + i, length - i);
        if (!step)
            return false;
    }
    return true;
}

void fr_utf8_sanitize(char *text)
{
    const size_t length = strlen(text);

    for (size_t i = 0; i < length;) {
        const size_t step = fr_utf8_step(text + i, length - i);

        if (!step)
            text[i] = '?';
        i += step ? step : 1;
    }
}
