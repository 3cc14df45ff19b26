/* Stacked bars of the phases of a time. */
#include "server/charts/sweep_drawing.h"

#include <stdio.h>
#include <string.h>

/* The series of the phase with this name, added if it is new; NULL if the table is full. */
static struct fr_series *phase_series(struct fr_request *rq, struct fr_series *series,
                                      size_t *count, const char *name, const char *suffix,
                                      size_t bars)
{
    char label[DRAWING_LABEL_BYTES];

    snprintf(label, sizeof label, "%s%s", name, suffix);
    for (size_t i = 0; i < *count; i++)
        if (strcmp(series[i].label, label) == 0)
            return &series[i];
    if (*count == DRAWING_SERIES)
        return NULL;
    series[*count] = (struct fr_series){
        .label = fr_arena_text(rq->arena, label, strlen(label)),
        .y = fr_arena_zeroed(rq->arena, bars, sizeof(double)),
        .count = bars,
    };
    return series[*count].y ? &series[(*count)++] : NULL;
}

/* The part of a phase that overlaps computation does not add to the total time, so only the rest
 * is stacked. */
static int draw(struct fr_request *rq, struct drawing *drawing, struct fr_plot *plot,
                struct fr_faults *faults)
{
    const struct fr_axis *x = drawing->x;
    struct fr_plot_axis x_axis = drawing_category_axis(rq, x);
    const struct fr_plot_axis y_axis = { .title = "time (s)", .from_zero = true };
    struct fr_series series[DRAWING_SERIES];
    size_t count = 0;

    if ((drawing->series && drawing->series->count > 1) || drawing->question->target_count > 1)
        return fr_fault(faults, FR_RELATION, "kind", "a breakdown shows one machine and no series");
    if (x->count > DRAWING_BARS)
        return fr_fault(faults, FR_TOO_MANY_POINTS, x->param->name, "more than %d bars",
                        DRAWING_BARS);
    for (size_t bar = 0; bar < x->count; bar++) {
        const struct fr_prediction *prediction = drawing->sweep->prediction;

        if (!drawing_predict(drawing, drawing_point(drawing, 0, bar, 0)))
            continue;
        for (size_t i = 0; i < prediction->phase_count; i++) {
            const struct fr_phase *phase = &prediction->phase[i];
            struct fr_series *part = NULL;

            if (phase->time_s > phase->hidden_s)
                part = phase_series(rq, series, &count, phase->name, "", x->count);
            if (part)
                ((double *)(uintptr_t)part->y)[bar] = phase->time_s - phase->hidden_s;
        }
    }
    if (drawing->sweep->legal)
        fr_plot_bars(plot, drawing_title(rq, drawing), &x_axis, &y_axis, series, count);
    return FR_OK;
}

const struct fr_chart fr_chart_breakdown = {
    .name = "breakdown",
    .of = FR_OF_SWEEP,
    .draw.sweep = draw,
};
