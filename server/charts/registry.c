/* The table of charts, expanded from list.h. */
#include "server/charts/chart.h"

#include <string.h>

#define FR_CHART(name) extern const struct fr_chart fr_chart_##name;
#define FR_SWEEP_CHART(name) FR_CHART(name)
#include "server/charts/list.h"

const struct fr_chart *const fr_charts[] = {
#define FR_CHART(name) &fr_chart_##name,
#define FR_SWEEP_CHART(name) FR_CHART(name)
#include "server/charts/list.h"
    NULL,
};

const struct fr_param fr_chart_look_params[] = { FR_CHART_LOOK(struct fr_chart_options, 900, 540),
                                                 FR_PARAMS_END };

const struct fr_chart *fr_chart_find(enum fr_chart_of of, const char *name)
{
    for (const struct fr_chart *const *chart = fr_charts; *chart; chart++)
        if ((*chart)->of == of && strcmp((*chart)->name, name) == 0)
            return *chart;
    return NULL;
}
