/* The head of a chart's script: terminal, grid, legend, title. */
#include "server/charts/plot/script.h"
#include "server/charts/plot/shown.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 900, HEIGHT = 540, LEAST_PIXELS = 160, MOST_PIXELS = 4000 };
enum { MARGIN_X = 90, MARGIN_Y = 90 }; /* approximate height of titles and tics */
enum { TITLE_FONT = 15, BREAKING_FONT = 12, LEAST_FONT = 10, TITLE_LINES = 3 };
#define CHARACTER 0.62 /* width of one, relative to the font size */

static int bounded(int pixels, int otherwise)
{
    if (pixels <= 0)
        return otherwise;
    return pixels < LEAST_PIXELS ? LEAST_PIXELS : pixels > MOST_PIXELS ? MOST_PIXELS : pixels;
}

static void write_terminal(struct fr_writer *w, const struct fr_plot *plot, int width, int height)
{
    const double inch = 96;

    if (plot->format == FR_PNG)
        fr_writer_printf(w, "set terminal pngcairo noenhanced size %d,%d font 'DejaVu Sans,%d'",
                         width, height, FR_PNG_FONT);
    else if (plot->format == FR_PDF)
        fr_writer_printf(w,
                         "set terminal pdfcairo noenhanced size %.3fin,%.3fin"
                         " font 'DejaVu Sans,%d' fontscale 0.67 linewidth 1.25",
                         width / inch, height / inch, FR_FONT);
    else
        fr_writer_printf(w,
                         "set terminal svg noenhanced size %d,%d font 'DejaVu Sans,%d'"
                         " name 'forerun' dashlength 0.7",
                         width, height, FR_FONT);
    fr_writer_printf(w, " background '%s'\n", fr_theme_ground(plot->theme));
}

/* As one string; NULL is no line. A quoted string has no newlines, so that they are joined to it.
 */
static void write_lines(struct fr_writer *w, const char *const line[TITLE_LINES], size_t most)
{
    for (size_t i = 0; i < TITLE_LINES; i++) {
        if (!line[i])
            continue;
        fr_writer_text(w, i ? ".\"\\n\"." : "");
        fr_script_cut(w, line[i], most);
    }
}

/* The space of `text` nearest to its middle, where a long line is broken; NULL if there is none. */
static const char *middle_space(const char *text)
{
    const char *middle = text + strlen(text) / 2, *found = NULL;

    for (const char *at = strchr(text, ' '); at; at = strchr(at + 1, ' '))
        if (!found || labs(at - middle) < labs(found - middle))
            found = at;
    return found;
}

static int font_of(double width, size_t characters)
{
    const double fitting = width / (CHARACTER * (double)(characters + 1));

    return fitting >= TITLE_FONT ? TITLE_FONT : fitting > LEAST_FONT ? (int)fitting : LEAST_FONT;
}

/* A long title gets a smaller font, then a second line, and each line is finally cut, so that it
 * fits into the image. It is centred over the axes. */
static void write_title(struct fr_plot *plot, const char *title, double width)
{
    const char *line[TITLE_LINES] = { title, NULL, plot->note }, *space;
    char first[FR_PLOT_TEXT];
    size_t widest = 0;
    int size;

    if (!title || !*title)
        return;
    if (font_of(width, fr_script_width(title)) < BREAKING_FONT && strlen(title) < sizeof first &&
        (space = middle_space(title))) {
        snprintf(first, sizeof first, "%.*s", (int)(space - title), title);
        line[0] = first;
        line[1] = space + 1;
    }
    for (size_t i = 0; i < TITLE_LINES; i++)
        widest = fr_script_width(line[i]) > widest ? fr_script_width(line[i]) : widest;
    size = font_of(width, widest);
    fr_writer_text(&plot->script, "set title ");
    write_lines(&plot->script, line, (size_t)(width / (CHARACTER * size)));
    fr_writer_printf(&plot->script, " font ',%d' textcolor lt %d\n", fr_script_font(plot, size),
                     FR_INK);
}

struct fr_room fr_script_begin(struct fr_plot *plot, const char *title, struct fr_key key)
{
    struct fr_writer *w = &plot->script;
    const int width = bounded(plot->width, WIDTH), height = bounded(plot->height, HEIGHT);
    struct fr_room room = { .width = width - MARGIN_X - key.beside, .height = height - MARGIN_Y };

    plot->width = width;
    plot->height = height;
    fr_shown_begin(plot, title);
    fr_writer_text(w, "# Runs on its own: gnuplot THIS.gp > chart.svg; for other formats change "
                      "the terminal to pngcairo or pdfcairo.\n"
                      "set encoding utf8\n");
    write_terminal(w, plot, width, height);
    fr_theme_write(plot);
    fr_writer_printf(w,
                     "set border 3 lc %d lw 1\n"
                     "set grid xtics ytics back lt 1 dt 1 lc %d lw 1\n"
                     "set xtics nomirror out textcolor lt %d\n"
                     "set ytics nomirror out textcolor lt %d\n",
                     FR_FRAME, FR_GRID, FR_INK, FR_INK);
    fr_key_write(plot, key, &room);
    write_title(plot, title, room.width + MARGIN_X);
    return room;
}
