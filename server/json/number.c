/* Prints numbers as ECMAScript does: the fewest digits that read back to the same double, in plain
 * notation from 1e-7 up to but excluding 1e21, otherwise with an exponent (ECMA-262,
 * Number::toString; RFC 8785).
 *
 * A sweep writes a million numbers, and printf followed by a read-back takes a microsecond for
 * each. Numbers of ordinary size are therefore converted with exact integer arithmetic.
 */
#include "server/json/writer.h"

#include <assert.h>
#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

__extension__ typedef unsigned __int128 wide;

static size_t print_integer(uint64_t value, char *out)
{
    char reversed[20];
    size_t length = 0;

    do
        reversed[length++] = (char)('0' + value % 10);
    while (value /= 10);
    for (size_t i = 0; i < length; i++)
        out[i] = reversed[length - 1 - i];
    return length;
}

/* Writes the digits of a positive number without trailing zeros, and the position of its decimal
 * point: value = 0.d1d2d3... * 10^point.  Works for any value, but slowly. */
static size_t digits_by_printf(double value, char *digits, int *point)
{
    /* 15 digits always survive a double; below the normal range fewer may be enough. */
    int precision = value < DBL_MIN ? 1 : 15, exponent;
    char text[40];
    size_t length;

    for (;; precision++) {
        uint64_t mantissa;

        snprintf(text, sizeof text, "%.*e", precision - 1, value);
        exponent = atoi(strchr(text, 'e') + 1);
        if (precision > 1)
            memmove(text + 1, text + 2, (size_t)precision - 1); /* drop the decimal point */
        text[precision] = '\0';
        mantissa = strtoull(text, NULL, 10);
        /* At a power of two the next larger decimal may read back when the nearest does not. */
        for (int up = 0; up < 2; up++) {
            snprintf(text, sizeof text, "%" PRIu64 "e%d", mantissa + (uint64_t)up,
                     exponent - precision + 1);
            if ((precision == 17 && !up) || strtod(text, NULL) == value) {
                length = print_integer(mantissa + (uint64_t)up, digits);
                *point = exponent + 1 + (int)length - precision;
                while (length > 1 && digits[length - 1] == '0')
                    length--;
                return length;
            }
        }
    }
}

static wide power_of_5(int exponent)
{
    wide power = 1;

    while (exponent-- > 0)
        power *= 5;
    return power;
}

/* Whether a decimal at this distance reads back to a double whose neighbour is `room` away.  Ties
 * go to even m. */
static bool reads_back(wide distance, wide room, wide m)
{
    return m % 2 ? 2 * distance < room : 2 * distance <= room;
}

/* The same in exact arithmetic, for 1e-12 <= value < 1e15 and for the integers from 2^53 to 2^63.
 *
 * value = m 2^e with m < 2^53.  With s chosen so that value 10^s has 17 or 18 digits before the
 * point (for the integers s = 0), X = m `unit` counts it in units of 2^-k.  A decimal c reads back
 * to the value if c 2^k lies within unit / 2 of X.  The loop tries the nearest multiples of 1, 10,
 * 100, … until one does not read back.
 */
static size_t digits_exactly(double value, char *digits, int *point)
{
    int exponent;
    const wide m = (wide)(uint64_t)ldexp(frexp(value, &exponent), 53);
    const int s = value < 1e15 ? 17 - (int)floor(log10(value)) : 0;
    const int k = value < 1e15 ? 53 - exponent - s : 0;
    const wide unit = value < 1e15 ? power_of_5(s) : (wide)1 << (exponent - 53);
    const wide X = m * unit;
    /* The spacing of doubles halves below a power of two. */
    const wide room_below = m == (wide)1 << 52 ? unit / 2 : unit;
    wide best = 0;
    size_t length;

    for (wide scale = 1; scale <= (wide)1000000000000000000; scale *= 10) {
        const uint64_t step = (uint64_t)scale, multiple = (uint64_t)(X >> k) / step;
        const wide low = (wide)multiple * step, high = low + step;
        const wide below = X - (low << k), above = (high << k) - X;
        const bool low_reads_back = reads_back(below, room_below, m);
        const bool high_reads_back = reads_back(above, unit, m);
        const bool is_low = below < above || (below == above && multiple % 2 == 0);

        if (scale > 1 && !low_reads_back && !high_reads_back)
            break;
        best = (is_low && low_reads_back) || !high_reads_back ? low : high;
    }
    length = print_integer((uint64_t)best, digits);
    *point = (int)length - s;
    while (length > 1 && digits[length - 1] == '0')
        length--;
    return length;
}

static size_t place_digits(const char *digits, size_t length, int point, char *out)
{
    const int count = (int)length;
    char *at = out;

    if (point > 21 || point < -5) {
        *at++ = digits[0];
        if (count > 1) {
            *at++ = '.';
            memcpy(at, digits + 1, length - 1);
            at += length - 1;
        }
        return (size_t)(at - out) + (size_t)sprintf(at, "e%+d", point - 1);
    }
    if (point <= 0) {
        memcpy(at, "0.00000", (size_t)(2 - point));
        at += 2 - point;
        memcpy(at, digits, length);
        return (size_t)(at - out) + length;
    }
    if (point >= count) {
        memcpy(at, digits, length);
        memset(at + count, '0', (size_t)(point - count));
        return (size_t)point;
    }
    memcpy(at, digits, (size_t)point);
    at[point] = '.';
    memcpy(at + point + 1, digits + point, (size_t)(count - point));
    return length + 1;
}

size_t fr_number_print(double value, char out[FR_NUMBER_BYTES])
{
    char digits[20];
    size_t sign = 0, length;
    int point;

    assert(isfinite(value));
    if (value < 0) {
        out[sign++] = '-';
        value = -value;
    }
    if (value < 0x1p53 && value == (double)(uint64_t)value)
        return sign + print_integer((uint64_t)value, out + sign);
    length = (value >= 1e-12 && value < 1e15) || (value >= 0x1p53 && value < 0x1p63)
                 ? digits_exactly(value, digits, &point)
                 : digits_by_printf(value, digits, &point);
    return sign + place_digits(digits, length, point, out + sign);
}
