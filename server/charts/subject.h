/* The question behind a chart, for the JSON of the chart. */
#ifndef FR_CHART_SUBJECT_H
#define FR_CHART_SUBJECT_H

#include "engine/prediction/prediction.h"
#include "server/charts/plot/plot.h"

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

#endif
