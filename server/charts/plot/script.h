/* What all charts share: the head of a script, colours and shapes, axes. */
#ifndef FR_CHART_SCRIPT_H
#define FR_CHART_SCRIPT_H

#include "server/charts/plot/plot.h"

/* What the legend has to hold. */
struct fr_key {
    size_t count, widest; /* entries; characters of the widest */
    double beside;        /* pixels that something else takes to the right of the axes */
};
void fr_key_add(struct fr_key *key, const char *label); /* none where empty */

/* About how many pixels the axes will have, and characters each label of the legend. */
struct fr_room {
    double width, height;
    size_t label;
};

/* Where the legend goes; takes its room off. */
void fr_key_write(struct fr_plot *plot, struct fr_key key, struct fr_room *room);

/* Terminal, fonts, title, grid, legend. */
struct fr_room fr_script_begin(struct fr_plot *plot, const char *title, struct fr_key key);
/* The part of a plot command that names what it draws in the legend. */
void fr_script_key(struct fr_writer *script, const char *label, size_t most);
/* `lc rgb '#…'` of the series at `place`; colour as in struct fr_series. */
void fr_script_colour(struct fr_writer *script, unsigned colour, size_t place);
/* How often the colours have come round before it. */
size_t fr_script_round(unsigned colour, size_t place);
/* `pt N` of measured points: hollow, so that a line's marker shows through. */
void fr_script_hollow(struct fr_writer *script, unsigned shape, size_t place);
/* Numbers in a row, the last followed by a line's end. */
void fr_script_row(struct fr_writer *script, const double *values, size_t count);
/* Characters, not bytes, as fr_plot_text will write them. */
size_t fr_script_width(const char *text);
/* As fr_plot_text, at most so many characters. */
void fr_script_cut(struct fr_writer *script, const char *text, size_t most);
/* The usual font's size: in pixels of an SVG, in points of a PNG. */
enum { FR_FONT = 13, FR_PNG_FONT = 11 };
/* A font's size in the chart's terminal, from its size in pixels of an SVG. */
int fr_script_font(const struct fr_plot *plot, int pixels);

/* The place of one of several series beside the others of its category. */
struct fr_slot {
    double offset, half_width; /* of the distance between two categories */
};
struct fr_slot fr_script_slot(size_t place, size_t count);
/* So far from the category, without the digits that nobody sees. */
double fr_script_place(size_t category, double offset);

/* What an axis has to show. */
struct fr_span {
    double low, high; /* low > high: nothing */
};
#define FR_SPAN_EMPTY ((struct fr_span){ .low = INFINITY, .high = -INFINITY })

/* Whether the axis can show the value at all: finite, and above 0 on a logarithmic axis. */
bool fr_plot_axis_shows(const struct fr_plot_axis *axis, double value);
void fr_span_add(struct fr_span *span, const struct fr_plot_axis *axis, double value);
/* Range, scale, tics and title of the axis called "x", "y" or "y2"; returns the range.  The x axis
 * comes first: names along it take of the room. */
struct fr_span fr_plot_axis_write(struct fr_plot *plot, const char *name,
                                  const struct fr_plot_axis *axis, struct fr_span span,
                                  struct fr_room *room);

enum { FR_LABEL_BYTES = 64 };
/* 64 KiB, 8191 B: in the largest unit that leaves no fraction. */
void fr_label_bytes(double bytes, char out[FR_LABEL_BYTES]);
/* 0.1, or where not `is_plain` 2×10⁻⁶: plain characters, since markup is off. */
void fr_label_value(double value, bool is_plain, char out[FR_LABEL_BYTES]);

/* A measured value: the family and the curve that it belongs to, its place on that curve. */
struct fr_point {
    int family;
    int64_t key;
    double x, y;
};
/* The curves of the points, each a series, by family, then key, then x; sorts `points`.  `label`
 * names a curve in the arena.  NULL where memory is short. */
struct fr_series *fr_points_series(struct fr_point *points, size_t count,
                                   const char *(*label)(const struct fr_point *point,
                                                        struct fr_arena *arena),
                                   struct fr_arena *arena, size_t *series_count);
/* A text in the arena, at most 95 characters of it; "" where memory is short. */
const char *fr_chart_text(struct fr_arena *arena, const char *format, ...) FR_PRINTF(2, 3);

#endif
