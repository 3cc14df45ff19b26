/* Charts of sweeps. */
#ifndef FR_DRAWING_H
#define FR_DRAWING_H

#include "engine/runs/saved_run.h"
#include "server/charts/chart.h"
#include "server/questions/recommend.h"
#include "server/questions/sweep.h"

/* Saved runs on a chart: measurements of the configurations that its lines predict. */

/* A chart considers at most this many runs, the newest first. */
enum { FR_MOST_MEASURED = 2000 };

struct fr_measured_run {
    const void *values; /* the model's parameters, resolved */
    double value;       /* of the plotted quantity; NaN: not measured */
    double stalls_per_byte;
    const double *repetitions; /* of a time or a rate; NULL otherwise */
    size_t repetition_count;
};

/* The runs of one machine and one model. The request's arena owns them. */
struct fr_measured_points {
    const struct fr_model *model;
    struct fr_measured_run *run;
    size_t count;
};
/* Loads the runs. Returns FR_OK or a fault. */
int fr_measured_load(struct fr_request *rq, const struct fr_model *model,
                     const struct fr_target *target, const struct fr_quantity *quantity,
                     struct fr_measured_points *out, struct fr_faults *faults);

/* Marks the parameters in which a run must agree with a line: those that define the run.
 * Automatic choices, and tunables of a tuned line, count only if the request sets them. */
uint64_t fr_measured_compared(const struct fr_question *question, const struct fr_param *x);
/* The value of a parameter of the run; NaN: it leaves it open. */
double fr_measured_at(const struct fr_measured_run *run, const struct fr_param *x);
/* Whether the run has this resolved configuration. */
bool fr_measured_agrees(const struct fr_measured_points *measured,
                        const struct fr_measured_run *run, const void *values, uint64_t compared);

/* State of drawing a chart: a sweep whose points run along an axis, with one line for each value
 * of a second list. */

enum { DRAWING_SERIES = 24, DRAWING_BARS = 64, DRAWING_LABEL_BYTES = 160 };

/* Of a line whose points are predicted. */
struct drawing_line {
    bool has_point;                                      /* a legal one */
    char refusal[FR_WHERE_BYTES + FR_MESSAGE_BYTES + 2]; /* of its first point that is not */
};

struct drawing_options {
    int kind; /* number of sweep charts; names in the order of list.h */
    int logx, logy, tune, measured, congestion;
    struct fr_look look;
    /* as given in the request, or NULL */
    const char *x, *y, *series, *hidden, *title;
};

struct drawing {
    struct fr_sweep *sweep;
    const struct fr_question *question;
    const struct fr_chart *chart;
    struct drawing_options options;
    const struct fr_axis *x; /* the list along the axis */
    const struct fr_axis
        *series; /* the list of lines, or the y axis of a map; NULL: one line for each machine */
    const bool *hidden;           /* lines that are not drawn, but keep their colours; NULL: none */
    const struct fr_axis *spread; /* the list that a band spans, or of panels; NULL: none */
    struct fr_quantities y;       /* more than one only for lines and groups */
    struct fr_measured_points *measured; /* one for each machine; NULL: not requested */
    uint64_t compared;                   /* parameters in which runs must agree with a line */
    double low_y, high_y;
    struct fr_chart_warnings *warnings; /* of all points, for the chart's JSON; NULL: not wanted */
    struct drawing_line *line;          /* DRAWING_SERIES of them; NULL: nothing to note */
};

/* The machine of a line: each has the values of the series in turn. */
size_t drawing_machine(const struct drawing *drawing, size_t line);
/* The index in the product of the point of this line and these values of x and the spread. */
size_t drawing_point(const struct drawing *drawing, size_t line, size_t x, size_t spread);
/* Predicts that point; false if it is not legal. */
bool drawing_predict(struct drawing *drawing, size_t index);
/* Predicts that point; NaN if it is not legal or has no value. Extends the range of y. */
double drawing_measure(struct drawing *drawing, size_t index);
/* Another output of the point predicted last, which must be legal. */
double drawing_value(struct drawing *drawing, size_t output);
void drawing_widen(struct drawing *drawing, double y);
/* Whether the y axis is logarithmic: as logy says, or as suits the range of y. */
bool drawing_has_log_y(const struct drawing *drawing);
/* Makes an x axis of numbers logarithmic: as logx says, or as suits their range. */
void drawing_scale_x(const struct drawing *drawing, struct fr_plot_axis *axis);
/* Whether the point predicted last has a value that lies outside the calibrated range. */
bool drawing_is_outside(const struct drawing *drawing);

/* Number of lines of the chart: machines times values of the series, with those that are hidden. */
size_t drawing_lines_count(const struct drawing *drawing);
bool drawing_is_hidden(const struct drawing *drawing, size_t line);
/* Hides the lines whose values options.hidden lists; faults name hidden. */
void drawing_hide(struct fr_request *rq, struct drawing *drawing, struct fr_faults *faults);
/* The colour and shape of a line, as in struct fr_series. Each value of a choice, such as a
 * variant, has the same colour in all charts of one machine, whichever values are drawn. */
unsigned drawing_colour(const struct drawing *drawing, size_t line, size_t output);
/* Whether runs are shown for this line. If the series only selects a prediction method, the runs
 * are the same for all lines and are shown once. */
bool drawing_shows_runs(const struct drawing *drawing, size_t line);
/* Whether the run matches the point predicted last and, if also_in_x, its x as well; and the
 * parameters of the set `chosen`, which the point has chosen. */
bool drawing_agrees(const struct drawing *drawing, const struct fr_measured_run *run,
                    size_t machine, bool also_in_x, uint64_t chosen);

/* Texts, owned by the request's arena: an axis title with its unit, the label of a line, the
 * values of an axis as names, the title of the chart. */
const char *drawing_axis_title(struct fr_request *rq, const char *name, const char *unit);
const char *drawing_y_title(struct fr_request *rq, const struct drawing *drawing);
/* The value of the list of lines, or the machine where several have one each; NULL: one line. */
const char *drawing_line_value(struct fr_request *rq, const struct drawing *drawing, size_t line);
/* The label of one output's line; `line` is the label that the outputs share. */
const char *drawing_output_label(struct fr_request *rq, const struct drawing *drawing,
                                 const char *line, size_t output);
const char *drawing_label(struct fr_request *rq, const struct drawing *drawing, size_t line);
const char *const *drawing_categories(struct fr_request *rq, const struct fr_axis *x);
/* An axis with the values as names; without categories if out of memory. */
struct fr_plot_axis drawing_category_axis(struct fr_request *rq, const struct fr_axis *x);
/* The title from the request, or a generated one. */
const char *drawing_title(struct fr_request *rq, const struct drawing *drawing);

/* What the question changes: "imaginary machine: network.bandwidth × 2"; NULL without what-ifs. */
const char *drawing_note(struct fr_request *rq, const struct fr_question *question);
/* Notes whether a point of the product is legal, and the reason of sweep->faults if it is not. */
void drawing_note_point(struct drawing *drawing, size_t index, bool is_legal);
/* The title.  Appends to the note of the plot, which stands below, each line that has no legal
 * point, with a reason; to call when all points are predicted. */
const char *drawing_headline(struct fr_request *rq, const struct drawing *drawing,
                             struct fr_plot *plot);

/* Parses `options.y` (NULL: the time); faults name y. */
void drawing_choose_outputs(struct fr_request *rq, struct drawing *drawing,
                            struct fr_faults *faults);
/* Reports that no point of the chart has a value; adds no fault if no point is legal. */
int drawing_needs_value(const struct drawing *drawing, struct fr_faults *faults);

/* The points of the chart of a recommendation, kept between its answer and its chart: of each
 * number of nodes the fastest configuration. */

enum fr_node_column {
    FR_NODE_COUNTS,
    FR_NODE_TIMES_S,
    FR_NODE_LOWS_S,
    FR_NODE_HIGHS_S,
    FR_NODE_QUANTILES_S,
    FR_NODE_CORE_HOURS,
    FR_NODE_COLUMNS
};
struct fr_node_points {
    struct fr_chart_warnings warnings;
    double knee, best; /* their nodes; NaN: none */
    size_t count;      /* 0: the model has no nodes */
    /* Columns of `count` values, NaN where one is unknown; then a bool for each point. */
    double value[];
};
static inline double *fr_node_column(struct fr_node_points *points, enum fr_node_column column)
{
    return points->value + (size_t)column * points->count;
}
/* Whether each point lies outside the calibrated range. */
static inline bool *fr_node_outside(struct fr_node_points *points)
{
    return (bool *)fr_node_column(points, FR_NODE_COLUMNS);
}

/* Those of a recommendation, in the order of their nodes.  NULL if memory is short. */
struct fr_node_points *fr_node_points_find(struct fr_question *question,
                                           const struct fr_recommended *found);
/* Keeps them for a chart of the same question, whatever its look. */
void fr_node_points_keep(struct fr_request *rq, const struct fr_question *question,
                         const struct fr_goal *goal, const struct fr_node_points *points);
/* Those that were kept, copied to the request's arena; NULL if there are none. */
struct fr_node_points *fr_node_points_kept(struct fr_request *rq,
                                           const struct fr_question *question,
                                           const struct fr_goal *goal);

#endif
