/* The head of a chart's script: terminal, grid, legend. */
#include "server/charts/plot/script.h"

enum { WIDTH = 900, HEIGHT = 540, LEAST_PIXELS = 160, MOST_PIXELS = 4000 };
enum { MARGIN_X = 90, MARGIN_Y = 90 }; /* approximate height of titles and tics */

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
    fr_title_write(plot, title);
    return room;
}
