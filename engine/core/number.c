/* Numbers to and from text.  Reading accepts decimal numbers (`1e6`, `-0.5`) and refuses the other
 * forms of strtod: hexadecimal, inf, nan, leading blanks. */
#include "engine/core/number.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

void fr_number_text(double value, char *out, size_t size)
{
    /* Integers without an exponent: 1000000, not 1e+06. */
    if (value < 1e15 && value > -1e15 && value == (double)(long long)value) {
        snprintf(out, size, "%lld", (long long)value);
        return;
    }
    for (int digits = 6; digits <= 17; digits++) {
        snprintf(out, size, "%.*g", digits, value);
        if (strtod(out, NULL) == value)
            break;
    }
}

/* With four digits. */
static double rounded(double value, enum fr_rounding rounding)
{
    char exact[32], text[32];
    const char *exponent;
    double nearest, step;

    snprintf(exact, sizeof exact, "%.16e", value);
    snprintf(text, sizeof text, "%.3e", value);
    exponent = strchr(exact, 'e');
    if (!exponent) /* nan, inf */
        return value;
    nearest = strtod(text, NULL);
    if (rounding == FR_NEAREST)
        return nearest;
    step = pow(10, strtod(exponent + 1, NULL) - 3);
    if (rounding == FR_NO_LESS)
        return nearest < value ? nearest + step : nearest;
    return nearest > value ? nearest - step : nearest;
}

void fr_number_rounded(double value, enum fr_rounding rounding, char out[FR_ROUNDED_TEXT])
{
    const double shown = rounded(value, rounding);

    snprintf(out, FR_ROUNDED_TEXT, fabs(shown) >= 1e4 && fabs(shown) < 1e15 ? "%.0f" : "%.4g",
             shown);
}

void fr_number_bytes(double bytes, enum fr_rounding rounding, char out[FR_BYTES_TEXT])
{
    static const char *const units[] = { "bytes", "KiB", "MiB", "GiB", "TiB", "PiB" };
    enum { LAST = sizeof units / sizeof units[0] - 1 };
    char amount[FR_ROUNDED_TEXT];
    size_t unit = 0;

    for (; rounded(bytes, rounding) >= 1024 && unit < LAST; unit++)
        bytes /= 1024;
    fr_number_rounded(bytes, rounding, amount);
    snprintf(out, FR_BYTES_TEXT, "%s %s", amount, units[unit]);
}

int64_t fr_common_divisor(int64_t a, int64_t b)
{
    while (b) {
        const int64_t rest = a % b;

        a = b;
        b = rest;
    }
    return a;
}
