/* The question behind a chart: model, parameters, outputs, and the warnings of its predictions. */
#include "server/charts/chart.h"

#include <stdio.h>
#include <string.h>

static void count(struct fr_chart_warnings *warnings, const struct fr_warning *warning)
{
    const char *what = warning->what ? warning->what : "";
    struct fr_chart_warning *known = warnings->row;
    const struct fr_chart_warning *end = known + warnings->count;

    while (known < end && (known->code != warning->code ||
                           strncmp(known->what, what, sizeof known->what - 1) != 0))
        known++;
    if (known == warnings->row + FR_MAX_WARNINGS)
        return;
    if (known == end) {
        *known = (struct fr_chart_warning){ .code = warning->code };
        snprintf(known->what, sizeof known->what, "%s", what);
        warnings->count++;
    }
    known->points++;
}

void fr_chart_warnings_add(struct fr_chart_warnings *warnings,
                           const struct fr_prediction *prediction)
{
    for (size_t i = 0; i < prediction->warning_count; i++)
        count(warnings, &prediction->warning[i]);
}

static void write_warnings(struct fr_writer *w, const struct fr_chart_warnings *warnings)
{
    fr_json_pair_array(w, "warnings");
    for (size_t i = 0; warnings && i < warnings->count; i++) {
        const struct fr_chart_warning *warning = &warnings->row[i];

        fr_json_object(w);
        fr_json_pair(w, "code", fr_warning_name(warning->code));
        fr_json_pair(w, "what", *warning->what ? warning->what : NULL);
        fr_json_pair_integer(w, "points", (int64_t)warning->points);
        fr_json_object_end(w);
    }
    fr_json_array_end(w);
}

void fr_chart_subject_write(struct fr_plot *plot, const struct fr_chart_subject *subject)
{
    struct fr_writer *w = &plot->shown;

    if (plot->format != FR_JSON)
        return;
    fr_json_pair(w, "model", subject->model);
    fr_json_pair(w, "kind", subject->kind);
    fr_json_pair(w, "x_parameter", subject->x_parameter);
    fr_json_pair(w, "series_parameter", subject->series_parameter);
    fr_json_pair_array(w, "outputs");
    for (size_t i = 0; i < subject->output_count; i++)
        fr_json_text(w, subject->outputs[i]);
    fr_json_array_end(w);
    write_warnings(w, subject->warnings);
}
