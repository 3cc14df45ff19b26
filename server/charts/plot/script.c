/* The head of a chart's script, and the two functions through which anything reaches it.
 *
 * Texts are inert three times over: in single quotes gnuplot runs nothing and knows no escapes, the
 * terminal is `noenhanced`, so that no character means markup, and what XML forbids is left out.
 */
#include "server/charts/plot/script.h"
#include "server/core/utf8.h"

#include <math.h>
#include <string.h>

enum { WIDTH = 900, HEIGHT = 540, LEAST_PIXELS = 160, MOST_PIXELS = 4000 };
enum { MARGIN_X = 90, MARGIN_Y = 90 }; /* titles and tics, about */
enum { FONT = 13, PNG_FONT = 11, TITLE_FONT = 15, LEAST_FONT = 10 };
/* The bytes of the character at `text` if it may be shown, else 0: not control characters, broken
 * UTF-8, and what XML cannot write.  `*skip` is how many bytes to pass over. */
static size_t shown_bytes(const char *text, size_t *skip)
{
    enum { MOST_BYTES = 4 }; /* of a character: the decoder stops at the final NUL */
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
    bool after_quote = true;

    fr_writer_text(script, "'");
    for (; *at && characters < most; at += skip) {
        const size_t length = shown_bytes(at, &skip);

        if (!length)
            continue;
        /* gnuplot writes `>` into an SVG as it is, but XML allows no `]]>`. */
        if (*at == '>' && brackets >= 2)
            fr_writer_text(script, " ");
        brackets = *at == ']' ? brackets + 1 : 0;
        /* gnuplot takes a doubled quote for one only behind another character: at the beginning
         * and behind a quote it would end the string. */
        if (*at == '\'')
            fr_writer_text(script, after_quote ? "’" : "''");
        else
            fr_writer_append(script, at, length);
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

static int bounded(int pixels, int otherwise)
{
    if (pixels <= 0)
        return otherwise;
    return pixels < LEAST_PIXELS ? LEAST_PIXELS : pixels > MOST_PIXELS ? MOST_PIXELS : pixels;
}

int fr_script_font(const struct fr_plot *plot, int pixels)
{
    return plot->format == FR_PNG ? (pixels * PNG_FONT + FONT / 2) / FONT : pixels;
}

static void write_terminal(struct fr_writer *w, const struct fr_plot *plot, int width, int height)
{
    const double inch = 96;

    if (plot->format == FR_PNG)
        fr_writer_printf(w, "set terminal pngcairo noenhanced size %d,%d font 'DejaVu Sans,%d'",
                         width, height, PNG_FONT);
    else if (plot->format == FR_PDF)
        fr_writer_printf(w,
                         "set terminal pdfcairo noenhanced size %.3fin,%.3fin"
                         " font 'DejaVu Sans,%d' fontscale 0.67 linewidth 1.25",
                         width / inch, height / inch, FONT);
    else
        fr_writer_printf(w,
                         "set terminal svg noenhanced size %d,%d font 'DejaVu Sans,%d'"
                         " name 'forerun' dashlength 0.7",
                         width, height, FONT);
    fr_writer_text(w, " background '#ffffff'\n");
}

/* A long title is set smaller, and cut in the end, so that it stays on the picture; it stands over
 * the middle of the axes. */
static void write_title(struct fr_plot *plot, const char *title, double width)
{
    struct fr_writer *w = &plot->script;
    const double character = 0.62; /* of the font's size */
    const double fitting = width / (character * (double)(fr_script_width(title) + 1));
    const int size = fitting >= TITLE_FONT  ? TITLE_FONT
                     : fitting > LEAST_FONT ? (int)fitting
                                            : LEAST_FONT;

    if (!title || !*title)
        return;
    fr_writer_text(w, "set title ");
    fr_script_cut(w, title, (size_t)(width / (character * size)));
    fr_writer_printf(w, " font ',%d'\n", fr_script_font(plot, size));
}

struct fr_room fr_script_begin(struct fr_plot *plot, const char *title, struct fr_key key)
{
    struct fr_writer *w = &plot->script;
    const int width = bounded(plot->width, WIDTH), height = bounded(plot->height, HEIGHT);
    struct fr_room room = { .width = width - MARGIN_X - key.beside, .height = height - MARGIN_Y };

    fr_writer_text(w, "# Runs on its own: gnuplot THIS.gp > chart.svg; for other pictures change "
                      "the terminal to pngcairo or pdfcairo.\n"
                      "set encoding utf8\n");
    write_terminal(w, plot, width, height);
    fr_writer_text(w, "set border 3 lc rgb '#444444' lw 1\n"
                      "set grid xtics ytics back lt 1 dt 1 lc rgb '#e0e0e0' lw 1\n"
                      "set xtics nomirror out textcolor rgb '#000000'\n"
                      "set ytics nomirror out textcolor rgb '#000000'\n");
    fr_key_write(plot, key, &room);
    write_title(plot, title, room.width + MARGIN_X);
    return room;
}
