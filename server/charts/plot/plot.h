/* Plots: each kind of plot writes a gnuplot script with its data inline; gnuplot.c runs the
 * program.
 *
 * Every text of a request or a document reaches the script through fr_plot_text alone, every number
 * through fr_plot_number: gnuplot runs shell commands from double-quoted strings.
 */
#ifndef FR_PLOT_H
#define FR_PLOT_H

#include "server/http/http.h"

struct fr_plot {
    struct fr_writer script;
    enum fr_format format; /* FR_SVG, FR_PNG, FR_PDF, FR_GP */
    int width, height;     /* pixels; 0: 900 by 540 */
};

/* One line of a chart: its points, its legend. */
struct fr_series {
    const char *label;
    const double *x, *y; /* NaN in y leaves a gap */
    size_t count;
    /* A band shaded beneath the line in its colour, from low to high at each x; NULL: none. */
    const double *low, *high;
    const char *band_label; /* its legend; NULL: none */
    bool is_points;         /* measured points instead of a line */
    bool is_bare;           /* a line without markers: a bound */
    bool is_right;          /* by the axis on the right */
    /* Counted from 1; 0: the series' own place.  Series that share one belong together: the points
     * measured of a line take its colour, thread counts of a routine its colour, not its shape. */
    unsigned colour, shape;
};

/* A vertical line across a chart: a limit on its x axis. */
struct fr_plot_mark {
    double x;
    const char *label;
};

/* An axis of a chart: its title with the unit, and its scale. */
struct fr_plot_axis {
    const char *title;
    bool is_log;
    bool is_log2;  /* tics at powers of two: node and process counts */
    bool is_bytes; /* with is_log2: tics such as 64 KiB */
    bool from_zero;
    bool is_tight;                    /* a linear one without room around the data */
    const char *const *categories;    /* NULL-ended: names at 0, 1, 2, … instead of numbers */
    const struct fr_plot_mark *marks; /* x axis of fr_plot_lines only */
    size_t mark_count;
    /* y axis of fr_plot_lines only: the axis of the series that are is_right; NULL: none. */
    const struct fr_plot_axis *right;
};

/* The chart that most kinds are: lines over an axis.  Writes a whole script, as the others do.
 *
 * A roofline, too: its bounds are is_bare, its runs is_points.  Over categories such as B512P16 the
 * series are compute bound, bandwidth bound, prediction and measured values; over the arithmetic
 * intensity, with both axes is_log, the bandwidth bound is a line of two points up to the ridge
 * (ceiling / bandwidth, ceiling), the compute bound one of two points from there. */
void fr_plot_lines(struct fr_plot *plot, const char *title, const struct fr_plot_axis *x,
                   const struct fr_plot_axis *y, const struct fr_series *series, size_t count);

/* Stacked bars, one for each of x->categories: series k holds in y the height of its part of each
 * bar (`count` of them; x unused; NaN and less than 0 are left out). */
void fr_plot_bars(struct fr_plot *plot, const char *title, const struct fr_plot_axis *x,
                  const struct fr_plot_axis *y, const struct fr_series *series, size_t count);

/* Bars side by side, a group for each of x->categories: series k holds in y the height of its bar
 * in each group (x unused; NaN is left out, less than 0 hangs down). */
void fr_plot_groups(struct fr_plot *plot, const char *title, const struct fr_plot_axis *x,
                    const struct fr_plot_axis *y, const struct fr_series *series, size_t count);

/* Five numbers of a sample and what lies beyond the whiskers.  A box that the axis cannot show
 * whole (NaN, 0 on a logarithmic one) is left out. */
struct fr_box {
    size_t category; /* its place in x->categories */
    /* low and high are the ends of the whiskers */
    double low, lower_quartile, median, upper_quartile, high;
    const double *outliers;
    size_t outlier_count;
};

struct fr_box_series {
    const char *label;
    const struct fr_box *boxes;
    size_t count;
    const double *predicted; /* a mark over each box; NULL: none; NaN leaves one out */
    unsigned colour;         /* as in fr_series */
};

/* Box plots over x->categories, the series side by side. */
void fr_plot_boxes(struct fr_plot *plot, const char *title, const struct fr_plot_axis *x,
                   const struct fr_plot_axis *y, const struct fr_box_series *series, size_t count);

/* Predicted (y) against measured (x) values, on two logarithmic axes of the same range, with the
 * diagonal and lines 20 % of the measured value above and below it.  Of the axes only the titles
 * are used, of the series label, x, y, count, colour and shape. */
void fr_plot_scatter(struct fr_plot *plot, const char *title, const struct fr_plot_axis *x,
                     const struct fr_plot_axis *y, const struct fr_series *series, size_t count);

/* A single-quoted gnuplot string, inert; at most FR_PLOT_TEXT characters of it. */
enum { FR_PLOT_TEXT = 160 };
void fr_plot_text(struct fr_writer *script, const char *text);
/* A number; NaN, which gnuplot takes for a gap, where it is not finite. */
void fr_plot_number(struct fr_writer *script, double value);

/* A rectangle of a chart, coloured by its value. */
struct fr_tile {
    double low_x, high_x, low_y, high_y, value;
};

/* What the colours of tiles mean. */
struct fr_plot_scale {
    const char *title; /* with the unit */
    double least;      /* the scale goes from here, above 0 where it is_log, … */
    double most;       /* … to here; what lies beyond has its last colour */
    bool is_log;
    size_t marked; /* the tile that is framed, counted from 1; 0: none */
    int digits;    /* significant ones of the values written; 0: one decimal */
};

/* Rectangles over two axes, each above those before it; its value is written on it where there is
 * room. */
void fr_plot_tiles(struct fr_plot *plot, const char *title, const struct fr_plot_axis *x,
                   const struct fr_plot_axis *y, const struct fr_plot_scale *scale,
                   const struct fr_tile *tile, size_t count);

struct fr_renderer;
/* At most `at_once` gnuplot programs run together. Free with fr_renderer_free. */
struct fr_renderer *fr_renderer_new(unsigned at_once);
void fr_renderer_free(struct fr_renderer *renderer);
/* How long one picture may take (also: how long it may wait for its turn), how large it may be.
 * For the time before the renderer is shared; at first 10 s and 8 MiB. */
void fr_renderer_limit(struct fr_renderer *renderer, unsigned deadline_ms, size_t picture_bytes);

enum fr_render_result { FR_RENDERED, FR_RENDER_BUSY, FR_RENDER_TIMEOUT, FR_RENDER_FAILED };
/* Runs gnuplot on the script (FR_GP: hands the script back) and appends the picture to `out`; any
 * number of threads may.  On failure `out` is untouched and `why` says what gnuplot said.  SIGCHLD
 * must not be ignored by the process. */
int fr_render(struct fr_renderer *renderer, const struct fr_plot *plot, struct fr_writer *out,
              char *why, size_t why_size);

#endif
