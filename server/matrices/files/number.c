/* Three methods, each rounding once, the fastest first.  Up to 2^53 and 10^±22 the digits and the
 * power of ten are exact doubles, to be multiplied or divided (Clinger 1990).  Up to 19 digits and
 * 10^±27 integers of 128 bits suffice.  The C library reads the rest. */
#include "server/matrices/files/reader.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

__extension__ typedef unsigned __int128 wide;

enum { EXACT_POWER = 22, WIDE_POWER = 27, MOST_EXPONENT = 100000 };

static const double power_of_10[EXACT_POWER + 1] = { 1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                                     1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                                     1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22 };

static const uint64_t most_mantissa =
    UINT64_C(999999999999999999); /* leaves space for one more digit */

static inline unsigned digit_of(char c)
{
    return (unsigned)(unsigned char)c - '0';
}

const char *fr_scan_count(const char *at, const char *end, int64_t *value)
{
    const char *const begin = at;
    int64_t count = 0;

    for (; at < end && digit_of(*at) <= 9; at++)
        count = count < FR_COUNT_MOST / 10 ? 10 * count + digit_of(*at) : FR_COUNT_MOST;
    *value = count;
    return at > begin ? at : NULL;
}

/* mantissa * 10^exponent for a nonzero mantissa.  5^27 is below 2^63. */
static double read_widely(uint64_t mantissa, int exponent)
{
    const int room = __builtin_clzll(mantissa);
    const wide numerator = (wide)(mantissa << room) << 64;
    uint64_t five = 1;
    wide quotient;

    for (int i = abs(exponent); i; i--)
        five *= 5;
    if (exponent >= 0)
        return ldexp((double)((wide)mantissa * five), exponent);
    /* At least 65 bits, so that the lowest can record a remainder. */
    quotient = numerator / five;
    return ldexp((double)(quotient | (quotient * five != numerator)), exponent - room - 64);
}

/* digits[at, end) without its point, times 10^exponent, by strtod. */
static double read_slowly(const char *at, const char *end, int exponent)
{
    char text[FR_MATRIX_LINE_BYTES + 16], *out = text;

    for (; at < end; at++)
        if (digit_of(*at) <= 9)
            *out++ = *at;
    sprintf(out, "e%d", exponent);
    return strtod(text, NULL);
}

/* Reads an exponent with its letter; Fortran allows a sign without the letter.  Returns `at` if
 * there is none, NULL if it is incomplete. */
static const char *scan_exponent(const char *at, const char *end, bool is_fortran, int *exponent)
{
    const bool has_letter = at < end && (*at == 'e' || *at == 'E' || *at == 'd' || *at == 'D');
    const char *sign = at + has_letter;
    const bool has_sign = sign < end && (*sign == '+' || *sign == '-');
    int64_t count;

    if (!has_letter && !(has_sign && is_fortran))
        return at;
    at = fr_scan_count(sign + has_sign, end, &count);
    if (count > MOST_EXPONENT)
        count = MOST_EXPONENT;
    *exponent = (int)(has_sign && *sign == '-' ? -count : count);
    return at;
}

const char *fr_scan_real(const char *at, const char *end, const struct fr_real_style *style,
                         double *value)
{
    const bool has_sign = at < end && (*at == '+' || *at == '-');
    const bool is_negative = has_sign && *at == '-';
    const char *const begin = at + has_sign, *behind;
    uint64_t mantissa = 0;
    int behind_point = 0, written = 0, exponent;
    bool has_point = false, is_long = false;

    for (at = begin; at < end; at++) {
        const unsigned digit = digit_of(*at);

        if (digit <= 9) {
            is_long |= mantissa > most_mantissa;
            mantissa = 10 * mantissa + digit;
            behind_point += has_point;
        } else if (*at == '.' && !has_point) {
            has_point = true;
        } else {
            break;
        }
    }
    if (at - begin == has_point)
        return NULL;
    behind = scan_exponent(at, end, style->is_fortran, &written);
    exponent =
        written - (has_point ? behind_point : style->decimals) - (behind == at ? style->scale : 0);
    if (!is_long && mantissa <= UINT64_C(1) << 53 && exponent >= -EXACT_POWER &&
        exponent <= EXACT_POWER)
        *value = exponent < 0 ? (double)mantissa / power_of_10[-exponent]
                              : (double)mantissa * power_of_10[exponent];
    else if (!is_long && !mantissa)
        *value = 0;
    else if (!is_long && abs(exponent) <= WIDE_POWER)
        *value = read_widely(mantissa, exponent);
    else
        *value = read_slowly(begin, at, exponent);
    if (is_negative)
        *value = -*value;
    return behind;
}
