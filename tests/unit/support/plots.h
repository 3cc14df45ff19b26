/* Shared by the tests of charts: plots, their scripts and rendered images. */
#ifndef FR_PLOTS_H
#define FR_PLOTS_H

#include "server/charts/chart.h"

struct fr_plot plot_of(enum fr_format format);
struct fr_plot scripted(const char *script);

/* The text of a writer as a string that the caller frees; the writer is emptied. */
char *taken(struct fr_writer *w);
/* Kept until eight more scripts were asked for. */
char *script_of(struct fr_plot plot);
/* The image of a plot, rendered by a new renderer; the caller frees it. Frees the script. */
char *picture_of(struct fr_plot plot, size_t *length);
/* The chart with this name; fails the test if there is none. */
const struct fr_chart *calibration_chart(const char *name);
/* Draws the chart without options; fails the test on a fault. */
bool drawn(const struct fr_chart *chart, const struct fr_calibration *cal, struct fr_arena *arena,
           struct fr_plot *plot);
/* Renders the script, which must succeed, and frees it. */
void check_renders(struct fr_plot plot);
/* Renders many charts, which must succeed, by one gnuplot: its start takes longer than a chart.
 * begin, add each, end. */
struct plots {
    struct fr_plot all;
    size_t count;
};
struct plots plots_begin(void);
void plots_add(struct plots *plots, struct fr_plot plot);
void plots_end(struct plots *plots);

#define assert_contains(text, part) check_contains((text), (part), true, __FILE__, __LINE__)
#define assert_lacks(text, part) check_contains((text), (part), false, __FILE__, __LINE__)
void check_contains(const char *text, const char *part, bool is_wanted, const char *file, int line);

#endif
