/* A chart under way: a sweep whose points run along an axis, and a line for each of a second list.
 */
#ifndef FR_DRAWING_H
#define FR_DRAWING_H

#include "server/charts/chart.h"
#include "server/charts/measured.h"
#include "server/questions/sweep.h"

enum { DRAWING_SERIES = 24, DRAWING_OUTPUTS = 6, DRAWING_BARS = 64, DRAWING_LABEL_BYTES = 160 };

struct drawing_options {
    int kind; /* of the sweep charts, in the order of list.h */
    int logx, logy, tune, measured, congestion;
    int64_t width, height;
    const char *x_name, *y_text, *series_name, *title; /* as given, or NULL */
};

struct drawing {
    struct fr_sweep *sweep;
    const struct fr_question *question;
    const struct fr_chart *chart;
    struct drawing_options options;
    const struct fr_axis *x;      /* along the axis */
    const struct fr_axis *series; /* one line each, or the y axis of a map; NULL: each machine */
    const struct fr_axis *spread; /* a band's or a box's: what it spans; NULL: nothing */
    struct fr_quantity y[DRAWING_OUTPUTS]; /* several of lines alone */
    const char *y_names[DRAWING_OUTPUTS];
    size_t y_count;
    struct fr_measured_points *measured; /* one for each machine; NULL: not asked for */
    uint64_t compared;                   /* where runs must agree with a line */
    double low_y, high_y;
};

/* The place in the product where the machine, the series and x stand at these values. */
size_t drawing_point(const struct drawing *drawing, size_t machine, size_t series, size_t x);
size_t drawing_spread_point(const struct drawing *drawing, size_t machine, size_t series, size_t x,
                            size_t spread);
/* Predicts that point; NaN where it is not legal or has no value.  Widens the range of y. */
double drawing_measure(struct drawing *drawing, size_t index);
/* Another output of the point that was predicted last and is legal. */
double drawing_value(struct drawing *drawing, size_t output);
void drawing_widen(struct drawing *drawing, double y);

/* Lines of the chart: each machine by each value of the series. */
size_t drawing_lines_count(const struct drawing *drawing);
/* Whether runs are shown for this line: where the series only says how to predict, one line shows
 * them for all. */
bool drawing_shows_runs(const struct drawing *drawing, size_t line);
/* Whether the run belongs to the point that was predicted last, and to its x too. */
bool drawing_agrees(const struct drawing *drawing, const struct fr_measured_run *run,
                    size_t machine, bool also_in_x);

/* Texts, in the request's arena: an axis' title with its unit, a line's label, the values of an
 * axis as names, the chart's title. */
const char *drawing_axis_title(struct fr_request *rq, const char *name, const char *unit);
const char *drawing_y_title(struct fr_request *rq, const struct drawing *drawing);
/* Of one output's line; `line` is the label that the outputs share. */
const char *drawing_output_label(struct fr_request *rq, const struct drawing *drawing,
                                 const char *line, size_t output);
const char *drawing_label(struct fr_request *rq, const struct drawing *drawing, size_t machine,
                          size_t series);
const char *const *drawing_categories(struct fr_request *rq, const struct fr_axis *x);
/* An axis of the values as names; without categories where memory is short. */
struct fr_plot_axis drawing_category_axis(struct fr_request *rq, const struct fr_axis *x);
/* As given, or made. */
const char *drawing_title(struct fr_request *rq, const struct drawing *drawing);

/* Reads `y_text`, NULL for the time; faults name y. */
void drawing_choose_outputs(struct fr_request *rq, struct drawing *drawing,
                            struct fr_faults *faults);
/* The fault of a chart none of whose points has a value; none where no point is legal. */
int drawing_needs_value(const struct drawing *drawing, struct fr_faults *faults);

/* The options of every sweep chart. */
extern const struct fr_param drawing_params[];

#endif
