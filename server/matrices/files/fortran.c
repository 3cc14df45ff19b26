/* Parses formats of the form ( [kP[,]] [r] letter w [.d [Ee]] ), with blanks anywhere. */
#include "server/matrices/files/fortran.h"

#include "server/matrices/files/text.h"

#include <ctype.h>
#include <string.h>

enum { FORMAT_BYTES = 32, MOST_SCALE = 300 };

/* Copies the format without blanks, in upper case, up to its parenthesis; NULL if it is too long.
 */
static const char *copy(const char *at, const char *end, char out[FORMAT_BYTES])
{
    size_t used = 0;

    for (; at < end && used + 1 < FORMAT_BYTES; at++) {
        if (*at == ' ' || *at == '\t')
            continue;
        out[used++] = (char)toupper((unsigned char)*at);
        if (*at == ')') {
            out[used] = '\0';
            return at + 1;
        }
    }
    return NULL;
}

/* Reads a small number, if there is one. */
static bool take_number(const char **at, int *value)
{
    int64_t count;
    const char *end = fr_scan_count(*at, *at + strlen(*at), &count);

    if (!end || count > FR_MATRIX_LINE_BYTES)
        return false;
    *at = end;
    *value = (int)count;
    return true;
}

/* Reads `1P` or `1P,`; a leading number without P is the repeat count. */
static bool take_scale(const char **at, struct fr_fortran *format)
{
    const bool has_sign = **at == '-' || **at == '+', is_negative = **at == '-';
    const char *after = *at + has_sign;
    int scale;

    if (!take_number(&after, &scale) || *after != 'P')
        return !has_sign;
    after++;
    *at = after + (*after == ',');
    format->style.scale = is_negative ? -scale : scale;
    return scale <= MOST_SCALE;
}

static bool take_letter(const char **at, struct fr_fortran *format)
{
    const char letter = **at;

    if (!letter || !strchr("IFEDG", letter))
        return false;
    ++*at;
    if (letter == 'E' && (**at == 'S' || **at == 'N')) /* differ in output only */
        ++*at;
    format->is_integer = letter == 'I';
    return true;
}

static bool take_width(const char **at, struct fr_fortran *format)
{
    int exponent_digits;

    if (!take_number(at, &format->width))
        return false;
    if (**at == '.') {
        ++*at;
        if (!take_number(at, &format->style.decimals))
            return false;
        if (**at == 'E') {
            ++*at;
            if (!take_number(at, &exponent_digits))
                return false;
        }
    }
    return true;
}

const char *fr_fortran_parse(const char *at, const char *end, struct fr_fortran *format)
{
    char text[FORMAT_BYTES];
    const char *behind = copy(at, end, text), *word = text + 1;

    *format = (struct fr_fortran){ .per_line = 1, .style.is_fortran = true };
    if (!behind || *text != '(' || !take_scale(&word, format))
        return NULL;
    take_number(&word, &format->per_line);
    if (!take_letter(&word, format) || !take_width(&word, format) || strcmp(word, ")") != 0)
        return NULL;
    if (format->per_line < 1 || format->width < 1 ||
        format->per_line * format->width > FR_MATRIX_LINE_BYTES)
        return NULL;
    if (format->is_integer) /* I8.4: at least four digits on output */
        format->style = (struct fr_real_style){ .is_fortran = false };
    return behind;
}
