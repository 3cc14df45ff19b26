/* Formats numbers for the tics of an axis. */
#include "server/charts/plot/script.h"

#include <math.h>
#include <stdio.h>

/* Writes an exponent as ⁻¹². */
static void print_power(int exponent, char *out, size_t size)
{
    static const char *const digits[] = { "⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹" };
    char plain[16];
    size_t used = 0;

    snprintf(plain, sizeof plain, "%d", exponent);
    out[0] = '\0';
    for (const char *c = plain; *c && used < size; c++)
        used += (size_t)snprintf(out + used, size - used, "%s", *c == '-' ? "⁻" : digits[*c - '0']);
}

void fr_label_value(double value, bool is_plain, char out[FR_LABEL_BYTES])
{
    const int exponent = value == 0 ? 0 : (int)floor(log10(fabs(value)) + 1e-9);
    const double mantissa = value / pow(10, exponent);
    char power[32];

    if (is_plain || value == 0) {
        snprintf(out, FR_LABEL_BYTES, "%.10g", value);
        return;
    }
    print_power(exponent, power, sizeof power);
    if (fabs(mantissa - 1) < 1e-9)
        snprintf(out, FR_LABEL_BYTES, "10%s", power);
    else
        snprintf(out, FR_LABEL_BYTES, "%.10g×10%s", mantissa, power);
}

void fr_label_bytes(double bytes, char out[FR_LABEL_BYTES])
{
    static const char *const units[] = { "B", "KiB", "MiB", "GiB", "TiB" };
    size_t unit = 0;

    for (; bytes >= 1024 && fmod(bytes, 1024) == 0 && unit + 1 < sizeof units / sizeof *units;
         unit++)
        bytes /= 1024;
    snprintf(out, FR_LABEL_BYTES, "%.10g %s", bytes, units[unit]);
}
