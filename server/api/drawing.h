/* A chart under way: a sweep whose points run along an axis, and a line for each of a second list.
 */
#ifndef FR_DRAWING_H
#define FR_DRAWING_H

#include "api/sweep.h"
#include "chart/chart.h"

enum { DRAWING_SERIES = 24, DRAWING_BARS = 64, DRAWING_LABEL_BYTES = 160 };

enum drawing_kind { DRAWING_LINES, DRAWING_BREAKDOWN };

struct drawing_options {
    int kind, logx, logy, tune;
    int64_t width, height;
};

struct drawing {
    struct fr_sweep *sweep;
    const struct fr_question *question;
    struct drawing_options options;
    const char *x_name, *y_name, *series_name, *title;
    const struct fr_axis *x;      /* along the axis */
    const struct fr_axis *series; /* one line each; NULL: one line for each machine */
    const struct fr_output *y;
    double low_y, high_y;
};

/* The place in the product where the machine, the series and x stand at these values. */
size_t drawing_point(const struct drawing *drawing, size_t machine, size_t series, size_t x);

/* Texts, in the request's arena: an axis' title with its unit, a line's label, the values of an
 * axis as names, the chart's title. */
const char *drawing_axis_title(struct fr_request *rq, const char *name, const char *unit);
const char *drawing_label(struct fr_request *rq, const struct drawing *drawing, size_t machine,
                          size_t series);
const char *const *drawing_categories(struct fr_request *rq, const struct fr_axis *x);
const char *drawing_title(struct fr_request *rq, const struct drawing *drawing);

/* Predict every point and write the script; faults where the chart cannot show so much. */
int drawing_lines(struct fr_request *rq, struct drawing *drawing, struct fr_plot *plot,
                  struct fr_faults *faults);
int drawing_breakdown(struct fr_request *rq, struct drawing *drawing, struct fr_plot *plot,
                      struct fr_faults *faults);

#endif
