/* Writes texts and numbers into a chart's script; all external data passes through this file.
 *
 * Three measures keep texts inert: gnuplot neither executes nor unescapes single-quoted strings,
 * the terminal is `noenhanced` and has no markup, and characters that XML forbids are left out.
 */
#include "server/charts/plot/script.h"
#include "server/core/utf8.h"

#include <math.h>

/* The length in bytes of the character at `text` if it may be shown, else 0: control characters,
 * invalid UTF-8 and characters that XML forbids. `*skip` is the number of bytes to advance. */
static size_t shown_bytes(const char *text, size_t *skip)
{
    enum { MOST_BYTES = 4 }; /* of a character: the decoder stops at the terminating NUL */
    uint32_t code = 0;
    const size_t length = fr_utf8_decode(text, MOST_BYTES, &code);
    const bool is_control = code < 0x20 || (code >= 0x7f && code < 0xa0);

    *skip = length ? length : 1;
    return is_control || (code & 0xfffe) == 0xfffe ? 0 : length;
}

void fr_script_cut(struct fr_writer *script, const char *text, size_t most)
{
    const char *at = text ? text : "";
    size_t characters = 0, brackets = 0, skip;
    bool after_quote = true, is_reference;

    fr_writer_text(script, "'");
    for (; *at && characters < most; at += skip) {
        const size_t length = shown_bytes(at, &skip);

        if (!length)
            continue;
        /* gnuplot writes `>` into an SVG unescaped, but XML forbids `]]>`. */
        if (*at == '>' && brackets >= 2)
            fr_writer_text(script, " ");
        is_reference = *at == '&' && at[1] == '#';
        brackets = *at == ']' ? brackets + 1 : 0;
        /* gnuplot reads a doubled quote as a quote only after another character. At the
         * beginning, or after a quote, it would end the string. */
        if (*at == '\'')
            fr_writer_text(script, after_quote ? "’" : "''");
        else
            fr_writer_append(script, at, length);
        /* It leaves a character reference in an SVG as it is, and XML forbids some: `&#x0;`. */
        if (is_reference)
            fr_writer_text(script, " ");
        after_quote = *at == '\'' && !after_quote;
        characters++;
    }
    fr_writer_text(script, *at ? "…'" : "'");
}

void fr_plot_text(struct fr_writer *script, const char *text)
{
    fr_script_cut(script, text, FR_PLOT_TEXT);
}

void fr_plot_number(struct fr_writer *script, double value)
{
    if (isfinite(value))
        fr_writer_number(script, value);
    else
        fr_writer_text(script, "NaN");
}

void fr_script_row(struct fr_writer *script, const double *values, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        fr_plot_number(script, values[i]);
        fr_writer_text(script, i + 1 < count ? " " : "\n");
    }
}

size_t fr_script_width(const char *text)
{
    size_t characters = 0;

    for (; text && *text && characters < FR_PLOT_TEXT; text++)
        characters += ((unsigned char)*text & 0xc0) != 0x80;
    return characters;
}

int fr_script_font(const struct fr_plot *plot, int pixels)
{
    return plot->format == FR_PNG ? (pixels * FR_PNG_FONT + FR_FONT / 2) / FR_FONT : pixels;
}
