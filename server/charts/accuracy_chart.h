/* Charts of the accuracy report: their options. */
#ifndef FR_ACCURACY_CHART_H
#define FR_ACCURACY_CHART_H

#include "server/charts/chart.h"

struct fr_accuracy_options {
    int with_runs, theme;
    int64_t width, height;
};
/* The rows of a parameter table for struct fr_accuracy_options, with the usual size. */
#define FR_ACCURACY_LOOK(usual_width, usual_height)                                              \
    FR_BOOL(struct fr_accuracy_options, with_runs, .fallback = 1, .flags = FR_DEFAULT,           \
            .doc = "Whether what a run measured of its own computation serves its prediction."), \
        FR_CHART_LOOK(struct fr_accuracy_options, usual_width, usual_height)

#endif
