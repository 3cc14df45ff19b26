/* The table of calibration charts, from list.h. */
#include "server/charts/plot/chart.h"

#define FR_CALIBRATION_CHART(name) extern const struct fr_calibration_chart fr_chart_##name;
#include "server/charts/list.h"
#undef FR_CALIBRATION_CHART

const struct fr_calibration_chart *const fr_calibration_charts[] = {
#define FR_CALIBRATION_CHART(name) &fr_chart_##name,
#include "server/charts/list.h"
#undef FR_CALIBRATION_CHART
    NULL,
};
