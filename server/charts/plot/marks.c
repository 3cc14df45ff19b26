/* Marks of an x axis: vertical lines with labels.
 *
 * One or two labels stand above the axes, where nothing is drawn, one above the other; more stand
 * upright along their lines.
 */
#include "server/charts/plot/script.h"

#include <math.h>

enum { MOST_ABOVE = 2 };
enum { FONT = 10, LINE = 17, CHARACTER = 7 }; /* pixels: of labels above the axes */
enum { BESIDE = 40 };                         /* pixels that labels have beside the axes */

size_t fr_marks_above(const struct fr_plot_axis *x)
{
    return x->mark_count <= MOST_ABOVE ? x->mark_count : 0;
}

static void write_line(struct fr_writer *w, double x, double top)
{
    fr_writer_text(w, "set arrow from first ");
    fr_plot_number(w, x);
    fr_writer_text(w, ", graph 0 to first ");
    fr_plot_number(w, x);
    fr_writer_printf(w, ", graph %.4g nohead back lw 1 dt (6,4) lc %d\n", top, FR_FAINT);
}

static void write_label(struct fr_plot *plot, const struct fr_plot_mark *mark, double height,
                        const char *place)
{
    struct fr_writer *w = &plot->script;

    fr_writer_text(w, "set label ");
    fr_plot_text(w, mark->label);
    fr_writer_text(w, " at first ");
    fr_plot_number(w, mark->x);
    fr_writer_printf(w, ", graph %.4g %s font ',%d' textcolor lt %d noenhanced\n", height, place,
                     fr_script_font(plot, FONT), FR_FAINT);
}

static double pixels(const struct fr_plot_mark *mark)
{
    return (double)(fr_script_width(mark->label) * CHARACTER);
}

/* Labels end at their lines if there is room on the left; otherwise they begin there.  The second
 * begins at its line too where it would cross the first line and there is room on the right.  The
 * line that goes higher is the one that no label crosses.
 */
static void write_above(struct fr_plot *plot, const struct fr_plot_axis *x, struct fr_span across,
                        const struct fr_room *room)
{
    const size_t count = x->mark_count;
    const struct fr_plot_mark *mark[MOST_ABOVE];
    double at[MOST_ABOVE];
    bool is_left[MOST_ABOVE];

    for (size_t i = 0; i < count; i++)
        mark[i] = &x->marks[i];
    if (count > 1 && mark[0]->x > mark[1]->x) {
        mark[0] = &x->marks[1];
        mark[1] = &x->marks[0];
    }
    for (size_t i = 0; i < count; i++) {
        const double part = x->is_log || x->is_log2
                                ? log(mark[i]->x / across.low) / log(across.high / across.low)
                                : (mark[i]->x - across.low) / (across.high - across.low);

        at[i] = room->width * (across.high > across.low ? part : 0.5);
        is_left[i] = at[i] + BESIDE > pixels(mark[i]);
    }
    if (count > 1 && !is_left[0] && at[1] - at[0] < pixels(mark[1]) &&
        at[1] + BESIDE + pixels(mark[1]) < room->width)
        is_left[1] = false;
    for (size_t i = 0; i < count; i++) {
        const size_t level = is_left[0] ? i : count - 1 - i;
        const double middle = 1 + ((double)level + 0.5) * LINE / room->height;

        write_line(&plot->script, mark[i]->x, middle + 0.4 * LINE / room->height);
        write_label(plot, mark[i], middle,
                    is_left[i] ? "right offset character -0.5,0" : "left offset character 0.5,0");
    }
}

void fr_marks_write(struct fr_plot *plot, const struct fr_plot_axis *x, struct fr_span across,
                    const struct fr_room *room)
{
    if (fr_marks_above(x)) {
        write_above(plot, x, across, room);
        return;
    }
    for (size_t i = 0; i < x->mark_count; i++) {
        write_line(&plot->script, x->marks[i].x, 1);
        write_label(plot, &x->marks[i], 0.02, "rotate by 90 left offset -1,0");
    }
}
