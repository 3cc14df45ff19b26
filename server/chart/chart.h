/* Charts: a kind of chart writes a gnuplot script with its data inline; gnuplot.c runs the program.
 *
 * Every text of a request or a document reaches the script through fr_plot_text alone, every number
 * through fr_plot_number: gnuplot runs shell commands from double-quoted strings.
 */
#ifndef FR_CHART_H
#define FR_CHART_H

#include "http/http.h"

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
    bool is_points; /* measured points instead of a line */
    /* Counted from 1; 0: the series' own place.  Series that share one belong together: the points
     * measured of a line take its colour, thread counts of a routine its colour, not its shape. */
    unsigned colour, shape;
};

/* A vertical line across a chart: a limit on its x axis. */
struct fr_mark {
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
    const char *const *categories; /* NULL-ended: names at 0, 1, 2, … instead of numbers */
    const struct fr_mark *marks;   /* x axis of fr_plot_lines only */
    size_t mark_count;
};

/* The chart that most kinds are: lines over an axis.  Writes a whole script. */
void fr_plot_lines(struct fr_plot *plot, const char *title, const struct fr_plot_axis *x,
                   const struct fr_plot_axis *y, const struct fr_series *series, size_t count);

/* Stacked bars, one for each of x->categories: series k holds in y the height of its part of each
 * bar (`count` of them; x unused; NaN and less than 0 are left out).  Writes a whole script. */
void fr_plot_bars(struct fr_plot *plot, const char *title, const struct fr_plot_axis *x,
                  const struct fr_plot_axis *y, const struct fr_series *series, size_t count);

/* A single-quoted gnuplot string, inert; at most FR_PLOT_TEXT characters of it. */
enum { FR_PLOT_TEXT = 160 };
void fr_plot_text(struct fr_writer *script, const char *text);
/* A number; NaN, which gnuplot takes for a gap, where it is not finite. */
void fr_plot_number(struct fr_writer *script, double value);

/* A kind of chart drawn from one calibration document; listed in chart/list.h. */
struct fr_calibration_chart {
    const char *name; /* the {what} of the path */
    const char *summary;
    unsigned group; /* the enum fr_group it draws */
    /* False where the document has nothing to draw. */
    bool (*draw)(const struct fr_calibration *cal, struct fr_arena *arena, struct fr_plot *plot);
};
extern const struct fr_calibration_chart *const fr_calibration_charts[]; /* NULL-ended */

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
