/* Box plots of measured repetitions and runs, with the prediction marked over each box. */
#include "server/charts/sweep_drawing.h"

#include <math.h>

/* The values of one box. */
struct sample {
    double *value;
    size_t count, capacity;
};

static void add(struct sample *sample, double value)
{
    if (!isnan(value) && sample->count < sample->capacity)
        sample->value[sample->count++] = value;
}

/* All repetitions of the runs that match the point predicted last. */
static void collect(struct drawing *drawing, size_t machine, struct sample *sample)
{
    const struct fr_measured_points *measured = &drawing->measured[machine];

    sample->count = 0;
    for (size_t i = 0; i < measured->count; i++) {
        const struct fr_measured_run *run = &measured->run[i];

        if (!drawing_agrees(drawing, run, machine, true, 0))
            continue;
        for (size_t k = 0; k < run->repetition_count; k++)
            add(sample, run->repetitions[k]);
        if (!run->repetition_count)
            add(sample, run->value);
    }
    fr_sort(sample->value, sample->count);
    for (size_t i = 0; i < sample->count; i++)
        drawing_widen(drawing, sample->value[i]);
}

/* The box of a sorted sample. Outliers are copied, because the sample is reused. */
static int make_box(struct fr_request *rq, const struct sample *sample, size_t category,
                    struct fr_box *box)
{
    struct fr_box_statistics of;
    double *outlier;
    size_t outliers = 0;

    fr_box_statistics(sample->value, sample->count, &of);
    outlier = fr_arena_zeroed(rq->arena, of.outliers, sizeof *outlier);
    if (!outlier)
        return FR_NOMEM;
    for (size_t i = 0; i < sample->count; i++)
        if (sample->value[i] < of.lower_whisker || sample->value[i] > of.upper_whisker)
            outlier[outliers++] = sample->value[i];
    *box = (struct fr_box){
        .category = category,
        .low = of.lower_whisker,
        .lower_quartile = of.first_quartile,
        .median = of.median,
        .upper_quartile = of.third_quartile,
        .high = of.upper_whisker,
        .outliers = outlier,
        .outlier_count = outliers,
    };
    return FR_OK;
}

static int draw_line(struct fr_request *rq, struct drawing *drawing, size_t line,
                     struct sample *sample, struct fr_box_series *series)
{
    const size_t count = drawing->x->count;
    struct fr_box *boxes = fr_arena_zeroed(rq->arena, count, sizeof *boxes);
    double *predicted = fr_arena_zeroed(rq->arena, count, sizeof *predicted);

    if (!boxes || !predicted)
        return FR_NOMEM;
    *series = (struct fr_box_series){ .label = drawing_label(rq, drawing, line),
                                      .value = drawing_line_value(rq, drawing, line),
                                      .boxes = boxes,
                                      .predicted = predicted,
                                      .colour = drawing_colour(drawing, line, 0) };
    for (size_t i = 0; i < count; i++) {
        const double value = drawing_measure(drawing, drawing_point(drawing, line, i, 0));

        sample->count = 0;
        if (!isnan(value))
            collect(drawing, drawing_machine(drawing, line), sample);
        if (!sample->count)
            continue;
        if (make_box(rq, sample, i, &boxes[series->count]) != FR_OK)
            return FR_NOMEM;
        predicted[series->count++] = value;
    }
    return FR_OK;
}

static int draw(struct fr_request *rq, struct drawing *drawing, struct fr_plot *plot,
                struct fr_faults *faults)
{
    enum { MOST_VALUES = 100000 };
    const struct fr_axis *x = drawing->x;
    const size_t lines = drawing_lines_count(drawing);
    struct fr_box_series *series = fr_arena_zeroed(rq->arena, lines, sizeof *series);
    struct sample sample = { .capacity = MOST_VALUES };
    const struct fr_plot_axis x_axis = drawing_category_axis(rq, x);
    struct fr_plot_axis y_axis = { .title = drawing_y_title(rq, drawing) };
    size_t boxes = 0, shown = 0;

    sample.value = fr_arena_zeroed(rq->arena, MOST_VALUES, sizeof *sample.value);
    if (lines > DRAWING_SERIES || x->count > DRAWING_BARS)
        return fr_fault(faults, FR_TOO_MANY_POINTS, "kind", "a box plot has at most %d values of x",
                        DRAWING_BARS);
    for (size_t line = 0; series && sample.value && line < lines; line++) {
        if (drawing_is_hidden(drawing, line))
            continue;
        if (draw_line(rq, drawing, line, &sample, &series[shown]) != FR_OK)
            series = NULL;
        else
            boxes += series[shown++].count;
    }
    if (!series || !sample.value || !x_axis.categories)
        return fr_fault(faults, FR_NOMEM, x->param->name, "too many points for a chart");
    if (drawing->sweep->legal && !boxes)
        return fr_fault(
            faults, FR_NOT_FOUND, "kind",
            "no saved run has one of the requested configurations, so there is no box to draw");
    y_axis.is_log = drawing_has_log_y(drawing);
    if (boxes)
        fr_plot_boxes(plot, drawing_headline(rq, drawing, plot), &x_axis, &y_axis, series, shown);
    return FR_OK;
}

const struct fr_chart fr_chart_boxes = {
    .name = "boxes",
    .of = FR_OF_SWEEP,
    .sweep.needs_runs = true,
    .sweep.has_lines = true,
    .draw.sweep = draw,
};
