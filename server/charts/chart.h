/* Charts: their table, their subject and their reply. */
#ifndef FR_CHART_H
#define FR_CHART_H

#include "engine/core/arena.h"
#include "engine/prediction/prediction.h"
#include "server/charts/plot/plot.h"
#include "server/http/server.h"

/* Charts of a calibration and of a sweep. Each is a constant descriptor in a file of its own,
 * listed once in list.h. */

struct drawing;              /* sweep_drawing.h */
struct fr_accuracy_question; /* server/runs/residuals.h */
struct fr_spy;               /* server/matrices/files/spy.h */

/* Options of calibration charts; each chart takes some of them. */
struct fr_chart_options {
    struct fr_look look;
    /* empty: those of the first model of the document */
    struct fr_words routine, flags;
    int64_t threads;
    int locality;
    int64_t m, n, k; /* sizes that are held fixed */
    int x;           /* one of m, n, k */
    struct fr_words with;
};
/* The descriptors of the member `look` of an options struct S, with its usual size. */
#define FR_CHART_LOOK(S, usual_width, usual_height)                                 \
    { .name = "width",                                                              \
      .kind = FR_KIND_INT,                                                          \
      .offset = offsetof(S, look.width),                                            \
      .unit = "pixels",                                                             \
      .min = 160,                                                                   \
      .max = 4000,                                                                  \
      .fallback = usual_width,                                                      \
      .flags = FR_DEFAULT,                                                          \
      .doc = "Pixels." },                                                           \
        { .name = "height",                                                         \
          .kind = FR_KIND_INT,                                                      \
          .offset = offsetof(S, look.height),                                       \
          .unit = "pixels",                                                         \
          .min = 160,                                                               \
          .max = 4000,                                                              \
          .fallback = usual_height,                                                 \
          .flags = FR_DEFAULT,                                                      \
          .doc = "Pixels." },                                                       \
    {                                                                               \
        .name = "theme", .kind = FR_KIND_CHOICE, .offset = offsetof(S, look.theme), \
        .choices = fr_theme_names, .flags = FR_DEFAULT,                             \
        .doc = "Colours for a light or a dark ground."                              \
    }
#define FR_CHART_TITLE(S) FR_BORROWED(S, title, .doc = "Title of the chart; never interpreted.")
/* The parameter table of struct fr_chart_options with the look alone. */
extern const struct fr_param fr_chart_look_params[];

/* Input of a calibration chart. */
struct fr_chart_source {
    const struct fr_calibration *cal;
    const struct fr_calibration *other; /* a second calibration to compare with, or NULL */
    const struct fr_chart_options *options;
    struct fr_arena *arena;
    struct fr_plot *plot;
    struct fr_faults *faults; /* receives the faults of options that do not fit the document */
};

/* The subject of a chart. */
enum fr_chart_of { FR_OF_CALIBRATION, FR_OF_SWEEP };

struct fr_chart {
    const char *name; /* {what} in the path of a calibration chart, kind= of a sweep chart */
    enum fr_chart_of of;
    const struct fr_param *params; /* calibration charts: the options it takes */
    struct {
        bool has_own_axes;  /* works without a list for x and one for series */
        bool has_no_x;      /* the points of a line lie over what no parameter counts */
        bool takes_spread;  /* takes one more list, drawn as a band */
        bool has_panels;    /* takes one more list, whose values stand side by side */
        bool takes_outputs; /* y may name several outputs */
        bool needs_runs;    /* draws saved runs even without measured=true */
        bool has_lines;     /* one for each value of the series, which `hidden` may leave out */
        bool is_weak;       /* efficiency: the problem grows with x */
    } sweep;
    /* Writes the script. The member that matches `of` is set. */
    union {
        /* False if the document has nothing to draw, or with a fault. */
        bool (*calibration)(const struct fr_chart_source *source);
        /* FR_OK, or a fault. */
        int (*sweep)(struct fr_request *rq, struct drawing *drawing, struct fr_plot *plot,
                     struct fr_faults *faults);
    } draw;
};
extern const struct fr_chart *const fr_charts[]; /* NULL-terminated, in the order of list.h */
/* NULL if no chart has this name. */
const struct fr_chart *fr_chart_find(enum fr_chart_of of, const char *name);

/* Charts that have a route each.  False if there is nothing to draw, or with a fault. */
bool fr_history_draw(struct fr_request *rq, const struct fr_accuracy_question *question,
                     struct fr_plot *plot, struct fr_faults *faults);
void fr_spy_draw(struct fr_plot *plot, const char *title, const struct fr_spy *spy);
/* False if no partition is ready; `y` is a choice of fr_partitions_chart_params. */
bool fr_partitions_draw(struct fr_plot *plot, const char *title,
                        const struct fr_partition_record *record, size_t count, int y,
                        struct fr_arena *arena);
/* False if memory is short. */
bool fr_messages_draw(struct fr_plot *plot, const char *title, const struct krylov_partition *facts,
                      struct fr_arena *arena);

/* The question behind a chart, for the JSON of the chart. */

/* The warnings of the predictions of a chart, and how many predictions have each. */
struct fr_chart_warnings {
    struct fr_chart_warning {
        enum fr_warning_code code;
        char what[80]; /* the quantity concerned, or empty */
        size_t points;
    } row[FR_MAX_WARNINGS];
    size_t count;
};
/* Counts the warnings of one more prediction.  A chart with more kinds of warnings than fit leaves
 * out the last. */
void fr_chart_warnings_add(struct fr_chart_warnings *warnings,
                           const struct fr_prediction *prediction);

struct fr_chart_subject {
    const char *kind;
    const char *model;                          /* NULL: none, as of a chart of a calibration */
    const char *x_parameter, *series_parameter; /* NULL: none */
    const char *const *outputs;
    size_t output_count;
    const struct fr_chart_warnings *warnings; /* NULL: the chart shows no predictions */
};
/* Appends the members of the subject to the JSON of the plot; nothing in other formats. */
void fr_chart_subject_write(struct fr_plot *plot, const struct fr_chart_subject *subject);

/* Turns a plot into a reply: the cache of rendered charts, the gnuplot program, its failures. */

/* An empty plot with this look. */
struct fr_plot fr_chart_begin(const struct fr_request *rq, const struct fr_look *look);
/* 304 if the client has the chart of this id and name with these options, 200 if the cache has it,
 * which becomes the body of the reply; else 0. */
int fr_chart_find_drawn(struct fr_request *rq, struct fr_reply *reply, const char *id,
                        const char *name, const struct fr_param *params, const void *options);
/* The second half of that: the ETag is there. */
bool fr_chart_is_cached(struct fr_request *rq, struct fr_reply *reply);
/* Renders the plot, or its JSON with the subject, and returns the HTTP status; stores it under the
 * ETag, which is made from what is drawn where there is none.  If the plot is not drawn, replies
 * with the faults if there are any, or else with 404 and `nothing`.  Frees what the plot owns. */
int fr_chart_reply(struct fr_request *rq, struct fr_reply *reply, struct fr_plot *plot,
                   bool is_drawn, const struct fr_chart_subject *subject,
                   const struct fr_faults *faults, const char *nothing);

/* Where the best of the lines of a chart changes. */

enum { FR_CROSSINGS = 2 }; /* labels above the axes; more would stand upright over the lines */

/* Marks where one line overtakes all others, up to FR_CROSSINGS times; where there are more, as
 * with lines that lie on each other, none.  The lines share `x`, which rises; points are no lines.
 * `is_least`: the best is the least value.  The scales are those of the axes, as the lines are
 * straight there.  Returns the number of marks; labels belong to the arena. */
size_t fr_crossings_mark(const struct fr_series *series, size_t count, bool is_least,
                         const struct fr_plot_axis *x, const struct fr_plot_axis *y,
                         struct fr_arena *arena, struct fr_plot_mark marks[FR_CROSSINGS]);

#endif
