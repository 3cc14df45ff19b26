/* What all charts share: the head of a script, colours and shapes, axes. */
#ifndef FR_CHART_SCRIPT_H
#define FR_CHART_SCRIPT_H

#include "chart/chart.h"

/* Terminal, fonts, title, grid, key; `series` for the size of the key. */
void fr_script_begin(struct fr_plot *plot, const char *title, const struct fr_series *series,
                     size_t count);
/* The part of a plot command that names a series in the key. */
void fr_script_key(struct fr_writer *script, const struct fr_series *series);
/* `lc rgb '#…'` of the series at `place`. */
void fr_script_colour(struct fr_writer *script, const struct fr_series *series, size_t place);
/* Characters, not bytes, as fr_plot_text will write them. */
size_t fr_script_width(const char *text);

/* What an axis has to show. */
struct fr_span {
    double low, high; /* low > high: nothing */
};
#define FR_SPAN_EMPTY ((struct fr_span){ .low = INFINITY, .high = -INFINITY })

/* Whether the axis can show the value at all: finite, and above 0 on a logarithmic axis. */
bool fr_plot_axis_shows(const struct fr_plot_axis *axis, double value);
void fr_span_add(struct fr_span *span, const struct fr_plot_axis *axis, double value);
/* Range, scale, tics and title of the axis called 'x' or 'y'. */
void fr_plot_axis_write(struct fr_writer *script, char name, const struct fr_plot_axis *axis,
                        struct fr_span span);

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
