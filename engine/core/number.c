/* Reading a number from text, strictly: what people type (`1e6`, `-0.5`), nothing that a C library
 * takes beside it (hex, inf, nan, blanks). */
#include "engine/forerun.h"

#include <ctype.h>
#include <stdlib.h>

static const char *skip_digits(const char *at)
{
    while (isdigit((unsigned char)*at))
        at++;
    return at;
}

bool fr_number_parse(const char *text, double *value)
{
    const char *at = text + (*text == '-' || *text == '+');
    const char *digits = at;
    size_t count;

    at = skip_digits(at);
    count = (size_t)(at - digits);
    if (*at == '.') {
        digits = ++at;
        at = skip_digits(at);
        count += (size_t)(at - digits);
    }
    if (!count)
        return false;
    if (*at == 'e' || *at == 'E') {
        at += 1 + (at[1] == '-' || at[1] == '+');
        if (!isdigit((unsigned char)*at))
            return false;
        at = skip_digits(at);
    }
    if (*at)
        return false;
    *value = strtod(text, NULL);
    return true;
}
