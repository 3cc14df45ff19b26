/* What the tests of charts share: plots, their scripts and pictures. */
#ifndef FR_PLOTS_H
#define FR_PLOTS_H

#include "server/charts/chart.h"

struct fr_plot plot_of(enum fr_format format);
struct fr_plot scripted(const char *script);

/* What a writer holds as a string, which the caller frees; the writer is emptied. */
char *taken(struct fr_writer *w);
char *script_of(struct fr_plot plot);
/* The picture of a plot by a renderer of its own; frees the script. */
char *picture_of(struct fr_plot plot, size_t *length);
/* The kind of this name; fails where there is none. */
const struct fr_chart *calibration_chart(const char *name);
/* Draws it without any option, which is no fault. */
bool drawn(const struct fr_chart *chart, const struct fr_calibration *cal, struct fr_arena *arena,
           struct fr_plot *plot);
/* Draws the script as an SVG, which has to succeed, and frees it. */
void check_renders(struct fr_plot plot);

#define assert_contains(text, part) check_contains((text), (part), true, __FILE__, __LINE__)
#define assert_lacks(text, part) check_contains((text), (part), false, __FILE__, __LINE__)
void check_contains(const char *text, const char *part, bool is_wanted, const char *file, int line);

#endif
