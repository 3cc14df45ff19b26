/* The JSON of a chart. Each function appends members to plot->shown if the format is FR_JSON, and
 * does nothing otherwise. */
#ifndef FR_SHOWN_H
#define FR_SHOWN_H

#include "server/charts/plot/script.h"

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
