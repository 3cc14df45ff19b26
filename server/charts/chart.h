/* Charts: each is a constant descriptor in a file of its own, listed once in list.h.  The table
 * serves the routes of charts, their options and their schemas. */
#ifndef FR_CHART_H
#define FR_CHART_H

#include "server/charts/plot/plot.h"

struct drawing;              /* sweep_drawing.h */
struct fr_accuracy_question; /* server/runs/accuracy.h */
struct fr_spy;               /* server/matrices/files/spy.h */

/* The options of charts of calibrations; each chart takes some of them. */
struct fr_chart_options {
    int64_t width, height;
    /* open: those of the document's first model */
    struct fr_words routine, flags;
    int64_t threads;
    int locality;
    int64_t m, n, k; /* fixed sizes */
    int x;           /* of m, n, k */
    struct fr_words with;
};
/* The members width and height of an options struct S, with their defaults. */
#define FR_CHART_SIZE(S, usual_width, usual_height)                                            \
    FR_INT(S, width, .unit = "pixels", .min = 160, .max = 4000, .fallback = usual_width,       \
           .flags = FR_DEFAULT, .doc = "Width of the picture."),                               \
        FR_INT(S, height, .unit = "pixels", .min = 160, .max = 4000, .fallback = usual_height, \
               .flags = FR_DEFAULT, .doc = "Height of the picture.")
/* The size alone, of struct fr_chart_options. */
extern const struct fr_param fr_chart_size_params[];

/* What a chart of calibrations is drawn from. */
struct fr_chart_source {
    const struct fr_calibration *cal;
    const struct fr_calibration *other; /* a second one to lay over it, or NULL */
    const struct fr_chart_options *options;
    struct fr_arena *arena;
    struct fr_plot *plot;
    struct fr_faults *faults; /* options that do not fit the document */
};

/* What a chart is of. */
enum fr_chart_of { FR_OF_CALIBRATION, FR_OF_SWEEP, FR_OF_ACCURACY, FR_OF_MATRIX };

struct fr_chart {
    const char *name; /* {what} of a calibration's chart, kind= of a sweep */
    const char *summary;
    enum fr_chart_of of;
    const struct fr_param *params; /* the options it takes */
    unsigned group;                /* of a calibration: the enum fr_group it draws */
    struct {
        bool has_own_axes;  /* it does not need one list along x and one as series */
        bool takes_spread;  /* a further list makes a band */
        bool takes_outputs; /* y may name several outputs */
        bool needs_runs;    /* saved runs are drawn without measured=true, too */
    } sweep;
    /* Writes the script; the member of what the chart is of. */
    union {
        /* False where the document has nothing to draw, or with a fault. */
        bool (*calibration)(const struct fr_chart_source *source);
        /* FR_OK, or a fault. */
        int (*sweep)(struct fr_request *rq, struct drawing *drawing, struct fr_plot *plot,
                     struct fr_faults *faults);
        /* False where there is nothing to draw, or with a fault. */
        bool (*accuracy)(struct fr_request *rq, const struct fr_accuracy_question *question,
                         struct fr_plot *plot, struct fr_faults *faults);
        void (*matrix)(struct fr_plot *plot, const char *title, const struct fr_spy *spy);
    } draw;
};
extern const struct fr_chart *const fr_charts[]; /* NULL-ended, in the order of list.h */
/* NULL: there is none of that name. */
const struct fr_chart *fr_chart_find(enum fr_chart_of of, const char *name);

#endif
