/* GET /api/v1/chart/{model}.svg: a sweep drawn, one line for each value of `series`. */
#include "api/api.h"
#include "api/picture.h"
#include "api/sweep.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_SERIES = 24, MOST_BARS = 64, LABEL_BYTES = 160 };

enum kind { LINES, BREAKDOWN };
static const char *const kinds[] = { [LINES] = "lines", [BREAKDOWN] = "breakdown", NULL };

struct options {
    int kind, logx, logy, tune;
    int64_t width, height;
};

static const struct fr_param options_table[] = {
    FR_CHOICE_OF(struct options, kind, .choices = kinds, .fallback = LINES, .flags = FR_DEFAULT,
                 .doc = "Lines, or stacked bars of the breakdown."),
    FR_BOOL(struct options, logx, .flags = FR_AUTOMATIC, .doc = "Logarithmic x axis."),
    FR_BOOL(struct options, logy, .flags = FR_AUTOMATIC, .doc = "Logarithmic y axis."),
    FR_TUNE(struct options),
    FR_INT(struct options, width, .unit = "pixels", .min = 160, .max = 4000, .fallback = 900,
           .flags = FR_DEFAULT, .doc = "Width of the picture."),
    FR_INT(struct options, height, .unit = "pixels", .min = 160, .max = 4000, .fallback = 540,
           .flags = FR_DEFAULT, .doc = "Height of the picture."),
    FR_PARAMS_END,
};

/* The chart under way. */
struct drawing {
    struct fr_sweep *sweep;
    const struct fr_question *question;
    struct options options;
    const char *x_name, *y_name, *series_name, *title;
    const struct fr_axis *x;      /* along the axis */
    const struct fr_axis *series; /* one line each; NULL: one line for each machine */
    const struct fr_output *y;
    double low_y, high_y;
};

static const struct fr_axis *find_axis(const struct fr_question *question, const char *name)
{
    for (size_t i = 0; i < question->axis_count; i++)
        if (strcmp(question->axis[i].param->name, name) == 0)
            return &question->axis[i];
    return NULL;
}

/* A parameter with one value is an axis with one point. */
static const struct fr_axis *lone_axis(struct fr_request *rq, const struct fr_question *question,
                                       const char *name)
{
    const struct fr_param *param = fr_param_find(question->model->params, name);
    struct fr_axis *axis = fr_arena_zeroed(rq->arena, 1, sizeof *axis);
    double *value = fr_arena_zeroed(rq->arena, 1, sizeof *value);

    if (!param || !axis || !value || fr_param_is_open(param, question->values))
        return NULL;
    *value = fr_param_get(param, question->values);
    *axis = (struct fr_axis){ param, value, 1 };
    return axis;
}

/* Which list runs along the axis, which makes the lines; a third has no place in a picture. */
static void choose_axes(struct fr_request *rq, struct drawing *drawing, struct fr_faults *faults)
{
    const struct fr_question *question = drawing->question;

    if (drawing->x_name && !(drawing->x = find_axis(question, drawing->x_name)) &&
        !(drawing->x = lone_axis(rq, question, drawing->x_name)))
        fr_fault(faults, FR_CHOICE, "x", "'%.40s' is not among the parameters that were given",
                 drawing->x_name);
    if (drawing->series_name && strcmp(drawing->series_name, "machine") != 0 &&
        !(drawing->series = find_axis(question, drawing->series_name)) &&
        !(drawing->series = lone_axis(rq, question, drawing->series_name)))
        fr_fault(faults, FR_CHOICE, "series", "'%.40s' is not among the parameters that were given",
                 drawing->series_name);
    for (size_t i = 0; i < question->axis_count && !faults->count; i++) {
        const struct fr_axis *axis = &question->axis[i];

        if (axis == drawing->x || axis == drawing->series)
            continue;
        if (!drawing->x && (axis->param->kind == FR_KIND_INT || axis->param->kind == FR_KIND_REAL))
            drawing->x = axis;
        else if (!drawing->series && !drawing->series_name)
            drawing->series = axis;
        else
            fr_fault(faults, FR_RELATION, axis->param->name,
                     "a chart has one list along x and one as series; give one value here");
    }
    if (!drawing->x && !faults->count)
        fr_fault(faults, FR_MISSING, "x",
                 "required: a parameter with a list of values, such as processes=16..4096..*4");
    if (drawing->x && drawing->x == drawing->series)
        fr_fault(faults, FR_RELATION, "series", "is x already");
}

static void choose_output(struct drawing *drawing, struct fr_faults *faults)
{
    const struct fr_output *outputs = drawing->question->model->outputs;

    drawing->y = fr_output_find(outputs, drawing->y_name ? drawing->y_name : "time_s");
    if (drawing->y)
        return;
    for (; outputs->name; outputs++) {
        if (fr_text_is_near(drawing->y_name, outputs->name)) {
            fr_fault(faults, FR_CHOICE, "y", "'%.40s' is not an output; did you mean %s",
                     drawing->y_name, outputs->name);
            return;
        }
    }
    fr_fault(faults, FR_CHOICE, "y", "'%.40s' is not an output of %s", drawing->y_name,
             drawing->question->model->name);
}

/* The point of the product where x and series stand at these places, all other lists at their
 * first. */
static size_t point_index(const struct drawing *drawing, size_t machine, size_t series, size_t x)
{
    const struct fr_question *question = drawing->question;
    size_t index = machine;

    for (size_t i = 0; i < question->axis_count; i++) {
        const struct fr_axis *axis = &question->axis[i];

        index = index * axis->count + (axis == drawing->x        ? x
                                       : axis == drawing->series ? series
                                                                 : 0);
    }
    return index;
}

/* "time (s)": the name as words, with its unit. */
static const char *axis_title(struct fr_request *rq, const char *name, const char *unit)
{
    char title[LABEL_BYTES];
    char *end;

    snprintf(title, sizeof title, "%s", name);
    end = strrchr(title, '_');
    if (end && unit && (strcmp(end + 1, unit) == 0 || strcmp(end, "_bytes") == 0))
        *end = '\0'; /* the unit follows in brackets */
    for (char *at = title; *at; at++)
        if (*at == '_')
            *at = ' ';
    if (unit && *unit && strcmp(unit, "1") != 0)
        snprintf(title + strlen(title), sizeof title - strlen(title), " (%s)", unit);
    return fr_arena_text(rq->arena, title, strlen(title));
}

static const char *series_label(struct fr_request *rq, const struct drawing *drawing,
                                size_t machine, size_t series)
{
    const char *name = drawing->question->subject[machine].cal->machine;
    const bool has_machines = drawing->question->subject_count > 1;
    char label[LABEL_BYTES] = "", value[40];

    if (drawing->series) {
        const struct fr_param *param = drawing->series->param;

        fr_param_print(param, drawing->series->value[series], value, sizeof value);
        if (param->kind == FR_KIND_CHOICE)
            snprintf(label, sizeof label, "%s", value);
        else
            snprintf(label, sizeof label, "%s %s", param->name, value);
    }
    if (has_machines || !drawing->series)
        snprintf(label + strlen(label), sizeof label - strlen(label), "%s%s",
                 drawing->series ? ", " : "", name);
    return fr_arena_text(rq->arena, label, strlen(label));
}

static void measure(struct drawing *drawing, size_t index, double *y)
{
    *y = NAN;
    if (!fr_sweep_point(drawing->sweep, index))
        return;
    *y = fr_output_get(drawing->y, drawing->sweep->prediction);
    if (*y < drawing->low_y)
        drawing->low_y = *y;
    if (*y > drawing->high_y)
        drawing->high_y = *y;
}

static bool is_power_of_2(double value)
{
    int exponent;

    return frexp(value, &exponent) == 0.5;
}

static void scale_x(const struct drawing *drawing, struct fr_plot_axis *axis)
{
    const struct fr_axis *x = drawing->x;
    double low = INFINITY, high = 0;
    bool are_powers = x->param->kind == FR_KIND_INT;

    for (size_t i = 0; i < x->count; i++) {
        low = fmin(low, x->value[i]);
        high = fmax(high, x->value[i]);
        are_powers = are_powers && is_power_of_2(x->value[i]);
    }
    axis->is_log = drawing->options.logx == FR_OPEN_CHOICE ? low > 0 && high / low >= 8
                                                           : drawing->options.logx && low > 0;
    axis->is_log2 = axis->is_log && are_powers;
}

static void scale_y(const struct drawing *drawing, struct fr_plot_axis *axis)
{
    const double low = drawing->low_y, high = drawing->high_y;

    axis->is_log = drawing->options.logy == FR_OPEN_CHOICE ? low > 0 && high / low >= 20
                                                           : drawing->options.logy && low > 0;
    axis->from_zero = !axis->is_log && low >= 0;
}

static const char *const *categories(struct fr_request *rq, const struct fr_axis *x)
{
    const char **names = fr_arena_zeroed(rq->arena, x->count + 1, sizeof *names);

    for (size_t i = 0; names && i < x->count; i++) {
        char value[40];

        fr_param_print(x->param, x->value[i], value, sizeof value);
        names[i] = fr_arena_text(rq->arena, value, strlen(value));
    }
    return names;
}

static const char *default_title(struct fr_request *rq, const struct drawing *drawing)
{
    char title[LABEL_BYTES];
    const struct fr_param *n = fr_param_find(drawing->question->model->params, "n");

    snprintf(title, sizeof title, "%s on %s", drawing->question->model->name,
             drawing->question->subject_count == 1 ? drawing->question->subject[0].cal->machine
                                                   : "several machines");
    if (n && drawing->x->param != n && (!drawing->series || drawing->series->param != n))
        snprintf(title + strlen(title), sizeof title - strlen(title), ", n = %.0f",
                 fr_param_get(n, drawing->question->values));
    return fr_arena_text(rq->arena, title, strlen(title));
}

static int too_many(struct fr_faults *faults, size_t lines)
{
    return fr_fault(faults, FR_TOO_MANY_POINTS, "series", "%zu lines; a chart shows at most %d",
                    lines, MOST_SERIES);
}

static int draw_lines(struct fr_request *rq, struct drawing *drawing, struct fr_plot *plot,
                      struct fr_faults *faults)
{
    const struct fr_axis *x = drawing->x;
    const size_t each = drawing->series ? drawing->series->count : 1;
    const size_t lines = each * drawing->question->subject_count;
    struct fr_series *series = fr_arena_zeroed(rq->arena, lines, sizeof *series);
    double *y = fr_arena_zeroed(rq->arena, lines * x->count, sizeof *y);
    double *places = fr_arena_zeroed(rq->arena, x->count, sizeof *places);
    struct fr_plot_axis x_axis = { .title = axis_title(rq, x->param->name, x->param->unit) };
    struct fr_plot_axis y_axis = { .title = axis_title(rq, drawing->y->name, drawing->y->unit) };

    if (lines > MOST_SERIES)
        return too_many(faults, lines);
    if (!series || !y || !places)
        return fr_fault(faults, FR_NOMEM, x->param->name, "too many points for a chart");
    if (x->param->kind == FR_KIND_CHOICE || x->param->kind == FR_KIND_BOOL)
        x_axis.categories = categories(rq, x);
    else
        scale_x(drawing, &x_axis);
    for (size_t i = 0; i < x->count; i++)
        places[i] = x_axis.categories ? (double)i : x->value[i];
    for (size_t line = 0; line < lines; line++) {
        double *points = y + line * x->count;

        for (size_t i = 0; i < x->count; i++)
            measure(drawing, point_index(drawing, line / each, line % each, i), &points[i]);
        series[line] = (struct fr_series){
            .label = series_label(rq, drawing, line / each, line % each),
            .x = places,
            .y = points,
            .count = x->count,
        };
    }
    scale_y(drawing, &y_axis);
    if (drawing->sweep->legal)
        fr_plot_lines(plot, drawing->title ? drawing->title : default_title(rq, drawing), &x_axis,
                      &y_axis, series, lines);
    return FR_OK;
}

/* The series of a phase's name, new where it is not known yet; NULL where there is no room. */
static struct fr_series *phase_series(struct fr_request *rq, struct fr_series *series,
                                      size_t *count, const char *name, const char *suffix,
                                      size_t bars)
{
    char label[LABEL_BYTES];

    snprintf(label, sizeof label, "%s%s", name, suffix);
    for (size_t i = 0; i < *count; i++)
        if (strcmp(series[i].label, label) == 0)
            return &series[i];
    if (*count == MOST_SERIES)
        return NULL;
    series[*count] = (struct fr_series){
        .label = fr_arena_text(rq->arena, label, strlen(label)),
        .y = fr_arena_zeroed(rq->arena, bars, sizeof(double)),
        .count = bars,
    };
    return series[*count].y ? &series[(*count)++] : NULL;
}

/* What is hidden behind computation does not lengthen the run: only the rest is stacked. */
static int draw_breakdown(struct fr_request *rq, struct drawing *drawing, struct fr_plot *plot,
                          struct fr_faults *faults)
{
    const struct fr_axis *x = drawing->x;
    struct fr_plot_axis x_axis = { .title = axis_title(rq, x->param->name, x->param->unit),
                                   .categories = categories(rq, x) };
    const struct fr_plot_axis y_axis = { .title = "time (s)", .from_zero = true };
    struct fr_series series[MOST_SERIES];
    size_t count = 0;

    if ((drawing->series && drawing->series->count > 1) || drawing->question->subject_count > 1)
        return fr_fault(faults, FR_RELATION, "kind", "a breakdown shows one machine and no series");
    if (x->count > MOST_BARS)
        return fr_fault(faults, FR_TOO_MANY_POINTS, x->param->name, "more than %d bars", MOST_BARS);
    for (size_t bar = 0; bar < x->count; bar++) {
        const struct fr_prediction *prediction = drawing->sweep->prediction;

        if (!fr_sweep_point(drawing->sweep, point_index(drawing, 0, 0, bar)))
            continue;
        for (size_t i = 0; i < prediction->phase_count; i++) {
            const struct fr_phase *phase = &prediction->phase[i];
            struct fr_series *part = phase_series(rq, series, &count, phase->name, "", x->count);

            if (part)
                ((double *)(uintptr_t)part->y)[bar] = phase->time_s - phase->hidden_s;
        }
    }
    if (drawing->sweep->legal)
        fr_plot_bars(plot, drawing->title ? drawing->title : default_title(rq, drawing), &x_axis,
                     &y_axis, series, count);
    return FR_OK;
}

static int answer(struct fr_request *rq, struct fr_reply *reply, struct drawing *drawing,
                  struct fr_faults *faults)
{
    struct fr_plot plot = { .format = rq->format,
                            .width = (int)drawing->options.width,
                            .height = (int)drawing->options.height };
    struct fr_sweep sweep;

    choose_axes(rq, drawing, faults);
    choose_output(drawing, faults);
    if (fr_sweep_begin(&sweep, rq, drawing->question, drawing->options.tune, faults) != FR_OK)
        return fr_reply_faults(reply, faults);
    drawing->sweep = &sweep;
    drawing->low_y = INFINITY;
    drawing->high_y = -INFINITY;
    fr_writer_init(&plot.script);
    if (drawing->options.kind == BREAKDOWN)
        draw_breakdown(rq, drawing, &plot, faults);
    else
        draw_lines(rq, drawing, &plot, faults);
    if (!sweep.legal && !faults->count)
        *faults = *sweep.faults;
    if (faults->count) {
        fr_writer_free(&plot.script);
        return fr_reply_faults(reply, faults);
    }
    fr_metrics_predictions(&rq->server->metrics, drawing->question->model, sweep.legal);
    return fr_picture_reply(rq, reply, &plot);
}

int fr_get_chart(struct fr_request *rq, struct fr_reply *reply)
{
    struct fr_question question;
    struct drawing drawing = { .question = &question };
    const struct fr_text_option texts[] = {
        { "x", &drawing.x_name },    { "y", &drawing.y_name }, { "series", &drawing.series_name },
        { "title", &drawing.title }, { NULL, NULL },
    };
    const struct fr_asking asking = {
        .options = options_table,
        .option_values = &drawing.options,
        .texts = texts,
        .takes_lists = true,
        .leaves_tunables_open = fr_sweep_is_tuned(rq),
    };
    struct fr_faults faults;
    int status = fr_ask(rq, reply, &asking, &question, &faults);

    if (status == FR_OK && !faults.count && fr_ask_is_known(rq, reply, &question))
        status = 304;
    else if (status == FR_OK && !faults.count && fr_picture_is_cached(rq, reply))
        status = 200;
    else if (status == FR_OK)
        status = answer(rq, reply, &drawing, &faults);
    fr_ask_end(&question);
    return status;
}
