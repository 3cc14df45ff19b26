/* Scripts for gnuplot, and the texts in pictures. */
#ifndef FR_CHART_SCRIPT_H
#define FR_CHART_SCRIPT_H

#include "server/charts/plot/plot.h"

#include <math.h>

/* Shared by all charts: the head of a script, colours and markers, axes. */

/* The contents of the legend. */
struct fr_key {
    size_t count, widest; /* number of entries; characters of the widest */
    double beside;        /* width in pixels of other items to the right of the axes */
    double names;         /* the same of names to the left, for which a legend makes room */
    double least_axes;    /* pixels that a legend beside the axes leaves them; 0: as usual */
};
void fr_key_add(struct fr_key *key, const char *label); /* no title if empty */

/* Approximate width and height of the axes in pixels, and characters available for a legend
 * label. */
struct fr_room {
    double width, height;
    size_t label;
};

/* Chooses the place of the legend and reduces the area of the axes accordingly. */
void fr_key_write(struct fr_plot *plot, struct fr_key key, struct fr_room *room);

/* Writes the title, and the plot's note below it, within plot->width. */
void fr_title_write(struct fr_plot *plot, const char *title);
/* Writes terminal, colours, title, grid and legend. */
struct fr_room fr_script_begin(struct fr_plot *plot, const char *title, struct fr_key key);
/* Writes the part of a plot command that sets the legend entry. */
void fr_script_key(struct fr_writer *script, const char *label, size_t most);
/* The linetypes that the head of a script defines: 1 to FR_COLOURS are the colours of series. */
enum { FR_COLOURS = 8, FR_INK = 11, FR_FRAME, FR_FAINT, FR_GRID, FR_GROUND };
/* Writes these linetypes in the colours of the plot's theme. */
void fr_theme_write(struct fr_plot *plot);
/* Colours as #rrggbb: of the ground, and of the series at `place`. */
const char *fr_theme_ground(enum fr_theme theme);
const char *fr_theme_series(enum fr_theme theme, size_t place);
/* Writes `lc N`, the linetype of the series at `place`; colour as in struct fr_series. */
void fr_script_colour(struct fr_writer *script, unsigned colour, size_t place);
/* How often the palette was used up before this series. */
size_t fr_script_round(unsigned colour, size_t place);
/* Writes `pt N` for measured points: hollow, so that the marker of a line remains visible. */
void fr_script_hollow(struct fr_writer *script, unsigned shape, size_t place);
/* Writes a row of numbers and a newline. */
void fr_script_row(struct fr_writer *script, const double *values, size_t count);
/* The length in characters (not bytes) of what fr_plot_text writes. */
size_t fr_script_width(const char *text);
/* As fr_plot_text, with at most `most` characters. */
void fr_script_cut(struct fr_writer *script, const char *text, size_t most);
/* The normal font size: pixels for SVG, points for PNG. */
enum { FR_FONT = 13, FR_PNG_FONT = 11 };
/* Converts a font size in pixels of an SVG to the size for the chart's terminal. */
int fr_script_font(const struct fr_plot *plot, int pixels);

/* The offset of a series from the centre of its category, with several series side by side. */
struct fr_slot {
    double offset, half_width; /* relative to the distance between two categories */
};
struct fr_slot fr_script_slot(size_t place, size_t count);
/* The position at this offset from the category, rounded to visible digits. */
double fr_script_place(size_t category, double offset);

/* The range of values that an axis must show. */
struct fr_span {
    double low, high; /* low > high: empty */
};
#define FR_SPAN_EMPTY ((struct fr_span){ .low = INFINITY, .high = -INFINITY })

/* Whether the axis can show the value: finite, and above 0 on a logarithmic axis. */
bool fr_plot_axis_shows(const struct fr_plot_axis *axis, double value);
void fr_span_add(struct fr_span *span, const struct fr_plot_axis *axis, double value);
/* Writes range, scale, tics and title of the axis called "x", "y" or "y2"; returns the range.
 * Call it for the x axis first: its names reduce the area of the axes. */
struct fr_span fr_plot_axis_write(struct fr_plot *plot, const char *name,
                                  const struct fr_plot_axis *axis, struct fr_span span,
                                  struct fr_room *room);

/* The lines of text that the marks of an axis take above it, and its marks, of which x is drawn
 * over `across`. */
size_t fr_marks_above(const struct fr_plot_axis *x);
void fr_marks_write(struct fr_plot *plot, const struct fr_plot_axis *x, struct fr_span across,
                    const struct fr_room *room);

enum { FR_LABEL_BYTES = 64 };
/* Writes 64 KiB or 8191 B: the largest unit without a fraction. */
void fr_label_bytes(double bytes, char out[FR_LABEL_BYTES]);
/* Writes 0.1, or 2×10⁻⁶ unless `is_plain`; in plain characters, because markup is off. */
void fr_label_value(double value, bool is_plain, char out[FR_LABEL_BYTES]);

/* A measured value with its family, its curve and its position on that curve. */
struct fr_point {
    int family;
    int64_t key;
    double x, y;
};
/* The curves of the points as series, ordered by family, then key, then x; sorts `points`.
 * `label` returns the name of a curve, owned by the arena. The arena owns the result; NULL if
 * out of memory. */
struct fr_series *fr_points_series(struct fr_point *points, size_t count,
                                   const char *(*label)(const struct fr_point *point,
                                                        struct fr_arena *arena),
                                   struct fr_arena *arena, size_t *series_count);
/* Formats a text of at most 95 characters, owned by the arena; "" if out of memory. */
const char *fr_chart_text(struct fr_arena *arena, const char *format, ...) FR_PRINTF(2, 3);

/* Tics of an axis of time. */

enum { FR_MOST_DATES = 24 };

struct fr_date_tic {
    double value; /* seconds since 1970, UTC */
    char label[24];
};

/* The tics between two times (seconds since 1970, the years 0 to 9999), of the smallest step whose
 * labels fit into so many characters side by side.  Returns their number, which may be 0. */
size_t fr_dates_find(double low, double high, double characters,
                     struct fr_date_tic out[FR_MOST_DATES]);

/* What gnuplot said on its standard error.  A script holds texts of strangers, so that this may be
 * anything. */

/* The axes in pixels from the upper left. */
struct fr_said_box {
    double left, right, bottom, top;
};

/* Reads `axes XMIN XMAX YMIN YMAX`, pixels from the lower left, from the last line of `length`
 * bytes, which it changes.  False if it says something else, or axes outside of a
 * picture of this size. */
bool fr_said_axes(char *said, size_t length, int width, int height, struct fr_said_box *box);

/* Makes one line of `length` bytes, behind which is room for a NUL: blanks and control characters
 * become single spaces. */
void fr_said_line(char *said, size_t length);

/* The JSON of a chart. Each function appends members to plot->shown if the format is FR_JSON, and
 * does nothing otherwise. */

/* Opens the object: title, note, width and height in pixels. */
void fr_shown_begin(struct fr_plot *plot, const char *title);
/* The member `name`: title, scale (linear, log, categories), range; with categories their names, at
 * the positions 0, 1, 2, …. */
void fr_shown_axis(struct fr_plot *plot, const char *name, const struct fr_plot_axis *axis,
                   struct fr_span range);
/* The member `series`: values that the axes show, with their intervals. */
void fr_shown_lines(struct fr_plot *plot, const struct fr_plot_axis *x,
                    const struct fr_plot_axis *y, const struct fr_series *series, size_t count);
/* mark: `stack`, `bar` or `lying`, whose lengths are along x. */
void fr_shown_bars(struct fr_plot *plot, const struct fr_plot_axis *along, const char *mark,
                   const struct fr_series *series, size_t count);
void fr_shown_boxes(struct fr_plot *plot, const struct fr_box_series *series, size_t count);
/* The member `cells`, as a whole or cell by cell. */
void fr_shown_tiles(struct fr_plot *plot, const struct fr_plot_scale *scale,
                    const struct fr_tile *tile, size_t count);
void fr_shown_cells_begin(struct fr_plot *plot, const struct fr_plot_scale *scale);
void fr_shown_cell(struct fr_plot *plot, const struct fr_tile *tile);
void fr_shown_cells_end(struct fr_plot *plot);

#endif
