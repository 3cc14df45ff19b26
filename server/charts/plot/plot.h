/* Plots. Each kind of plot writes a gnuplot script with inline data; gnuplot.c runs the program.
 *
 * All text from requests and documents is written by fr_plot_text and all numbers by
 * fr_plot_number, because gnuplot runs shell commands from double-quoted strings.
 */
#ifndef FR_PLOT_H
#define FR_PLOT_H

#include "server/http/http.h"

/* The ground on which a chart is drawn, which sets all its colours. */
enum fr_theme { FR_LIGHT, FR_DARK };
extern const char *const fr_theme_names[]; /* NULL-terminated */

struct fr_plot {
    struct fr_writer script;
    struct fr_writer shown; /* FR_JSON: an open object of what the chart shows */
    enum fr_format format;  /* FR_SVG, FR_PNG, FR_PDF, FR_GP, FR_JSON */
    int width, height;      /* pixels; 0: the default, 900 by 540, which the script replaces */
    enum fr_theme theme;
    size_t lines_above; /* lines of text between the title and the axes */
    const char *note;   /* a second line of the title, which says what is imaginary; or NULL */
};

/* One line of a chart. */
struct fr_series {
    const char *label;
    const char *value;   /* of the list that has one series for each value, or NULL */
    const double *x, *y; /* NaN: a gap */
    size_t count;
    /* A band in the line's colour, from low to high at each x; NULL: none. */
    const double *low, *high;
    const char *band_label; /* legend of the band; NULL: none */
    const bool *is_outside; /* points outside the calibrated range, drawn dashed; NULL: none */
    bool is_points;         /* measured points instead of a line */
    bool is_bare;           /* a line without markers, such as a bound */
    bool is_right;          /* uses the right axis */
    /* Index of the colour and of the marker, from 1; 0: the position of the series. Related
     * series share an index: measured points have the colour of their line, and the thread
     * counts of one routine share its colour but not its marker. */
    unsigned colour, shape;
};

/* A vertical line across a chart that marks a limit on the x axis. */
struct fr_plot_mark {
    double x;
    const char *label;
};

/* An axis: its title with the unit, and its scale. */
struct fr_plot_axis {
    const char *title;
    bool is_log;
    bool is_log2;  /* tics at powers of two, as for node and process counts */
    bool is_bytes; /* with is_log2: tics such as 64 KiB */
    bool from_zero;
    bool is_tight;                 /* a linear axis without a margin around the data */
    bool is_time;                  /* a linear x axis of seconds since 1970, with dates in UTC */
    const char *const *categories; /* NULL-terminated: names at 0, 1, 2, … instead of numbers */
    const struct fr_plot_mark *marks; /* x axis of fr_plot_lines only */
    size_t mark_count;
    /* y axis of fr_plot_lines only: the axis of the series with is_right; NULL: none. */
    const struct fr_plot_axis *right;
};

/* Writes a complete script for lines over an axis; the functions below also write complete scripts.
 *
 * A roofline uses it as well: its bounds are is_bare, its runs is_points. Over categories such as
 * B512P16, the series are compute bound, bandwidth bound, prediction and measured values. Over the
 * arithmetic intensity, both axes are is_log; the bandwidth bound is a line of two points up to the
 * ridge (ceiling / bandwidth, ceiling), and the compute bound is a line of two points from there.
 */
void fr_plot_lines(struct fr_plot *plot, const char *title, const struct fr_plot_axis *x,
                   const struct fr_plot_axis *y, const struct fr_series *series, size_t count);

/* Stacked bars, one for each of x->categories. series[k].y holds the height of part k of each of
 * the `count` bars; series[k].x is unused. NaN and negative values are left out. */
void fr_plot_bars(struct fr_plot *plot, const char *title, const struct fr_plot_axis *x,
                  const struct fr_plot_axis *y, const struct fr_series *series, size_t count);

/* Groups of bars, one for each of x->categories. series[k].y holds the height of bar k in each
 * group; series[k].x is unused. NaN is left out; negative bars extend downwards, those of a
 * logarithmic y upwards from below the least. */
void fr_plot_groups(struct fr_plot *plot, const char *title, const struct fr_plot_axis *x,
                    const struct fr_plot_axis *y, const struct fr_series *series, size_t count);

/* The same lying: a group for each of y->categories, the last at the top; series[k].y holds the
 * lengths. */
void fr_plot_lying(struct fr_plot *plot, const char *title, const struct fr_plot_axis *x,
                   const struct fr_plot_axis *y, const struct fr_series *series, size_t count);

/* Five numbers of a sample, and its outliers. A box is left out unless the axis can show it
 * completely (no NaN, no 0 on a logarithmic axis). */
struct fr_box {
    size_t category; /* index into x->categories */
    /* low and high are the ends of the whiskers */
    double low, lower_quartile, median, upper_quartile, high;
    const double *outliers;
    size_t outlier_count;
};

struct fr_box_series {
    const char *label;
    const char *value; /* as in fr_series */
    const struct fr_box *boxes;
    size_t count;
    const double *predicted; /* a mark over each box; NULL: no marks; NaN: no mark on this box */
    unsigned colour;         /* as in fr_series */
};

/* Box plots over x->categories, with the series side by side. */
void fr_plot_boxes(struct fr_plot *plot, const char *title, const struct fr_plot_axis *x,
                   const struct fr_plot_axis *y, const struct fr_box_series *series, size_t count);

/* Predicted (y) against measured (x) values on two logarithmic axes of the same range, with the
 * diagonal and lines 20 % of the measured value above and below it. Of the axes it uses only the
 * titles; of the series only label, x, y, count, colour, shape and, for the JSON, is_points. */
void fr_plot_scatter(struct fr_plot *plot, const char *title, const struct fr_plot_axis *x,
                     const struct fr_plot_axis *y, const struct fr_series *series, size_t count);

/* Writes a single-quoted gnuplot string of at most FR_PLOT_TEXT characters, in which nothing is
 * executed. */
enum { FR_PLOT_TEXT = 160 };
void fr_plot_text(struct fr_writer *script, const char *text);
/* Writes a number, or NaN (a gap in gnuplot) if it is not finite. */
void fr_plot_number(struct fr_writer *script, double value);

/* A rectangle of a chart, coloured by its value; NaN: grey. */
struct fr_tile {
    double low_x, high_x, low_y, high_y, value;
};

/* The colour scale of tiles. */
struct fr_plot_scale {
    const char *title; /* with its unit */
    double least;      /* lower end of the scale, above 0 if is_log */
    double most;       /* upper end; values outside the scale have the colour of the nearer end */
    bool is_log;
    size_t marked;              /* index of the framed tile, from 1; 0: none */
    int digits;                 /* significant digits of the values written; 0: one decimal */
    const char *const *reasons; /* why tiles are grey, a legend entry each; NULL-terminated */
};

/* Rectangles over two axes; later ones cover earlier ones. The value is written on a tile if it
 * fits. */
void fr_plot_tiles(struct fr_plot *plot, const char *title, const struct fr_plot_axis *x,
                   const struct fr_plot_axis *y, const struct fr_plot_scale *scale,
                   const struct fr_tile *tile, size_t count);

struct fr_clock;
struct fr_renderer;
/* Runs at most `at_once` gnuplot programs at a time, which may read `folders` (core/process.h;
 * borrowed). NULL on failure. Free with fr_renderer_free. */
struct fr_renderer *fr_renderer_new(unsigned at_once, const char *folders, struct fr_clock *clock);
void fr_renderer_free(struct fr_renderer *renderer);
/* Limits for one chart: the time to draw it, which is also the longest wait for a free slot, and
 * its size. Call it before the renderer is shared. The defaults are 10 s and 8 MiB. */
void fr_renderer_limit(struct fr_renderer *renderer, unsigned deadline_ms, size_t image_bytes);

enum fr_render_result { FR_RENDERED, FR_RENDER_BUSY, FR_RENDER_TIMEOUT, FR_RENDER_FAILED };
/* Runs gnuplot on the script and appends the image to `out`; for FR_GP appends the script
 * itself, for FR_JSON what it shows with the place of the axes in the picture. Thread-safe. On
 * failure `out` is unchanged and `why` holds the message of gnuplot. The process must not ignore
 * SIGCHLD. */
int fr_render(struct fr_renderer *renderer, const struct fr_plot *plot, struct fr_writer *out,
              char *why, size_t why_size);

#endif
