/* Rooflines: the limits of computation and bandwidth, with predicted and measured points.
 *
 * Configurations run along the axis, as in the figures of the CnC paper
 * (docs/models/cnc.md#decision-rooflines-of-the-whole-job). With x=arithmetic_intensity the axis is
 * the intensity.
 */
#include "server/charts/sweep_drawing.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { COMPUTE, BANDWIDTH, PREDICTED, MEASURED, ROOF_SERIES };

struct roofline {
    const struct fr_output *compute, *bandwidth, *gflops, *intensity;
    size_t points;
    double *value[ROOF_SERIES]; /* gflops at each point */
    double *at;                 /* intensity of each point, flop/byte */
    const char **category;
};

static bool find_outputs(const struct fr_output *outputs, struct roofline *roof)
{
    roof->compute = fr_output_find(outputs, "compute_bound_gflops");
    roof->bandwidth = fr_output_find(outputs, "bandwidth_bound_gflops");
    roof->gflops = fr_output_find(outputs, "gflops");
    roof->intensity = fr_output_find(outputs, "intensity_flops_per_byte");
    return roof->compute && roof->bandwidth && roof->gflops && roof->intensity;
}

/* "B200P16" for block_size 200 on 16 processes: initials and values of the lists. */
static const char *category_of(struct fr_request *rq, const struct fr_question *question,
                               size_t index)
{
    char text[DRAWING_LABEL_BYTES] = "";

    for (size_t i = question->axis_count; i-- > 0;) {
        const struct fr_axis *axis = &question->axis[i];
        char value[80], rest[DRAWING_LABEL_BYTES];

        fr_axis_print(axis, index % axis->count, value, sizeof value);
        index /= axis->count;
        memcpy(rest, text, sizeof rest);
        snprintf(text, sizeof text, "%c%.60s%.90s", axis->param->name[0] - 'a' + 'A', value, rest);
    }
    return fr_arena_text(rq->arena, text, strlen(text));
}

/* The best measured rate at the point predicted last, in Gflop/s. */
static double measured_gflops(const struct drawing *drawing)
{
    const struct fr_measured_points *measured = drawing->measured;
    double best = NAN;

    for (size_t i = 0; measured && i < measured->count; i++) {
        const struct fr_measured_run *run = &measured->run[i];

        if (fr_measured_agrees(measured, run, drawing->sweep->values, drawing->compared))
            best = fmax(best, drawing->sweep->prediction->flops / run->value / 1e9);
    }
    return best;
}

static void predict(struct fr_request *rq, struct drawing *drawing, struct roofline *roof)
{
    const struct fr_prediction *prediction = drawing->sweep->prediction;

    for (size_t i = 0; i < roof->points; i++) {
        const bool is_legal = drawing_predict(drawing, i);

        roof->category[i] = category_of(rq, drawing->question, i);
        roof->at[i] = is_legal ? fr_output_get(roof->intensity, prediction) : NAN;
        roof->value[COMPUTE][i] = is_legal ? fr_output_get(roof->compute, prediction) : NAN;
        roof->value[BANDWIDTH][i] = is_legal ? fr_output_get(roof->bandwidth, prediction) : NAN;
        roof->value[PREDICTED][i] = is_legal ? fr_output_get(roof->gflops, prediction) : NAN;
        roof->value[MEASURED][i] = is_legal ? measured_gflops(drawing) : NAN;
        for (size_t k = 0; k < ROOF_SERIES; k++)
            drawing_widen(drawing, roof->value[k][i]);
    }
}

static void swap(double *a, double *b)
{
    const double spare = *a;

    *a = *b;
    *b = spare;
}

/* Lines over the intensity run from left to right, independently of the order of the lists. */
static void sort_by_intensity(struct roofline *roof)
{
    for (size_t i = 1; i < roof->points; i++) {
        for (size_t k = i; k > 0 && roof->at[k] < roof->at[k - 1]; k--) {
            swap(&roof->at[k], &roof->at[k - 1]);
            for (size_t series = 0; series < ROOF_SERIES; series++)
                swap(&roof->value[series][k], &roof->value[series][k - 1]);
        }
    }
}

static int prepare(struct fr_request *rq, struct roofline *roof)
{
    roof->at = fr_arena_zeroed(rq->arena, roof->points, sizeof *roof->at);
    roof->category = fr_arena_zeroed(rq->arena, roof->points + 1, sizeof *roof->category);
    for (size_t i = 0; i < ROOF_SERIES; i++) {
        roof->value[i] = fr_arena_zeroed(rq->arena, roof->points, sizeof(double));
        if (!roof->value[i])
            return FR_NOMEM;
    }
    return roof->at && roof->category ? FR_OK : FR_NOMEM;
}

static bool has_values(const double *value, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!isnan(value[i]))
            return true;
    return false;
}

static int draw(struct fr_request *rq, struct drawing *drawing, struct fr_plot *plot,
                struct fr_faults *faults)
{
    static const char *const labels[] = { "compute bound", "bandwidth bound", "predicted",
                                          "measured, best run" };
    const bool is_over_intensity =
        drawing->options.x && strcmp(drawing->options.x, "intensity_flops_per_byte") == 0;
    struct roofline roof = { .points = drawing->sweep->points };
    struct fr_series series[ROOF_SERIES];
    struct fr_plot_axis x_axis = { .title = "configuration" };
    struct fr_plot_axis y_axis = { .title = "performance (Gflop/s)" };
    double *places = fr_arena_zeroed(rq->arena, roof.points, sizeof *places);
    size_t count = 0;

    if (drawing->options.y)
        return fr_fault(faults, FR_RELATION, "y", "a roofline is in Gflop/s; omit y");
    if (!find_outputs(drawing->question->model->outputs, &roof))
        return fr_fault(faults, FR_RELATION, "kind",
                        "%s has no bounds, so there is no roofline to draw",
                        drawing->question->model->name);
    if (roof.points > DRAWING_BARS || drawing->question->target_count > 1)
        return fr_fault(faults, FR_TOO_MANY_POINTS, "kind",
                        "a roofline shows one machine and at most %d configurations", DRAWING_BARS);
    if (!places || prepare(rq, &roof) != FR_OK)
        return fr_fault(faults, FR_NOMEM, "kind", "too many points for a chart");
    predict(rq, drawing, &roof);
    y_axis.is_log = is_over_intensity || drawing_has_log_y(drawing);
    y_axis.from_zero = !y_axis.is_log;
    for (size_t i = 0; i < roof.points; i++)
        places[i] = (double)i;
    if (is_over_intensity) {
        sort_by_intensity(&roof);
        x_axis =
            (struct fr_plot_axis){ .title = "arithmetic intensity (flop/byte)", .is_log = true };
    } else {
        x_axis.categories = roof.category;
    }
    for (size_t i = 0; i < ROOF_SERIES; i++)
        if (has_values(roof.value[i], roof.points))
            series[count++] = (struct fr_series){
                .label = labels[i],
                .x = is_over_intensity ? roof.at : places,
                .y = roof.value[i],
                .count = roof.points,
                .is_bare = i == COMPUTE || i == BANDWIDTH,
                /* A line would hide the bound that it meets. */
                .is_points = i == MEASURED || i == PREDICTED,
            };
    if (drawing->sweep->legal)
        fr_plot_lines(plot, drawing_title(rq, drawing), &x_axis, &y_axis, series, count);
    return FR_OK;
}

const struct fr_chart fr_chart_roofline = {
    .name = "roofline",
    .of = FR_OF_SWEEP,
    .sweep.has_own_axes = true,
    .draw.sweep = draw,
};
