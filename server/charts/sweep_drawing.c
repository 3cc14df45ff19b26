/* Texts of a chart, and the mapping from chart positions to points of the sweep. */
#include "server/charts/sweep_drawing.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static size_t series_count(const struct drawing *drawing)
{
    return drawing->series ? drawing->series->count : 1;
}

size_t drawing_machine(const struct drawing *drawing, size_t line)
{
    return line / series_count(drawing);
}

/* The lists that are no axis have their first value. */
size_t drawing_point(const struct drawing *drawing, size_t line, size_t x, size_t spread)
{
    const struct fr_question *question = drawing->question;
    const size_t series = line % series_count(drawing);
    size_t index = drawing_machine(drawing, line);

    for (size_t i = 0; i < question->axis_count; i++) {
        const struct fr_axis *axis = &question->axis[i];

        index = index * axis->count + (axis == drawing->x        ? x
                                       : axis == drawing->series ? series
                                       : axis == drawing->spread ? spread
                                                                 : 0);
    }
    return index;
}

void drawing_widen(struct drawing *drawing, double y)
{
    if (y < drawing->low_y)
        drawing->low_y = y;
    if (y > drawing->high_y)
        drawing->high_y = y;
}

bool drawing_has_log_y(const struct drawing *drawing)
{
    const double low = drawing->low_y, high = drawing->high_y;

    return low > 0 &&
           (drawing->options.logy == FR_OPEN_CHOICE ? high / low >= 20 : drawing->options.logy);
}

static bool is_power_of_2(double value)
{
    int exponent;

    return frexp(value, &exponent) == 0.5;
}

void drawing_scale_x(const struct drawing *drawing, struct fr_plot_axis *axis)
{
    const struct fr_axis *x = drawing->x;
    double low = INFINITY, high = 0;
    const bool are_bytes = strcmp(x->param->unit, "bytes") == 0;
    bool are_powers = x->param->kind == FR_KIND_INT || are_bytes;

    for (size_t i = 0; i < x->count; i++) {
        low = fmin(low, x->value[i]);
        high = fmax(high, x->value[i]);
    }
    /* Between them may be others, such as 96 and 192 of the block sizes 32 to 256. */
    are_powers = are_powers && is_power_of_2(low) && is_power_of_2(high);
    axis->is_log = drawing->options.logx == FR_OPEN_CHOICE ? low > 0 && high / low >= 8
                                                           : drawing->options.logx && low > 0;
    axis->is_log2 = axis->is_log && are_powers;
    axis->is_bytes = axis->is_log2 && are_bytes;
}

double drawing_value(struct drawing *drawing, size_t output)
{
    const double y =
        fr_quantity_predicted(&drawing->y.quantity[output], drawing->sweep->prediction);

    drawing_widen(drawing, y);
    return y;
}

bool drawing_predict(struct drawing *drawing, size_t index)
{
    const bool is_legal = fr_sweep_point(drawing->sweep, index);

    drawing_note_point(drawing, index, is_legal);
    if (!is_legal)
        return false;
    if (drawing->warnings)
        fr_chart_warnings_add(drawing->warnings, drawing->sweep->prediction);
    return true;
}

double drawing_measure(struct drawing *drawing, size_t index)
{
    return drawing_predict(drawing, index) ? drawing_value(drawing, 0) : NAN;
}

bool drawing_is_outside(const struct drawing *drawing)
{
    return !drawing->sweep->faults->count &&
           fr_prediction_is_extrapolated(drawing->sweep->prediction);
}

size_t drawing_lines_count(const struct drawing *drawing)
{
    return drawing->question->target_count * series_count(drawing);
}

bool drawing_is_hidden(const struct drawing *drawing, size_t line)
{
    return drawing->hidden && drawing->hidden[line];
}

/* Hides the lines of this value; false if no line has it. */
static bool hide(struct fr_request *rq, const struct drawing *drawing, const char *name,
                 size_t length, bool *hidden)
{
    bool is_found = false;

    for (size_t line = 0; line < drawing_lines_count(drawing); line++) {
        const char *value = drawing_line_value(rq, drawing, line);

        if (value && strlen(value) == length && memcmp(value, name, length) == 0)
            is_found = hidden[line] = true;
    }
    return is_found;
}

void drawing_hide(struct fr_request *rq, struct drawing *drawing, struct fr_faults *faults)
{
    const char *name = drawing->options.hidden;
    const size_t count = drawing_lines_count(drawing);
    size_t shown = 0, length;
    bool *hidden;

    if (!name || faults->count)
        return;
    if (!drawing->chart->sweep.has_lines) {
        fr_fault(faults, FR_RELATION, "hidden", "this kind of chart has no line of each value");
        return;
    }
    drawing->hidden = hidden = fr_arena_zeroed(rq->arena, count, sizeof *hidden);
    if (!hidden) {
        fr_fault(faults, FR_NOMEM, "hidden", "too many lines for a chart");
        return;
    }
    for (; *name; name += length + (name[length] == ',')) {
        length = strcspn(name, ",");
        if (!hide(rq, drawing, name, length, hidden))
            fr_fault(faults, FR_CHOICE, "hidden", "'%.*s' is no line of this chart",
                     length > 40 ? 40 : (int)length, name);
    }
    for (size_t line = 0; line < count; line++)
        shown += !hidden[line];
    if (!shown)
        fr_fault(faults, FR_RELATION, "hidden", "hides every line; leave one");
}

unsigned drawing_colour(const struct drawing *drawing, size_t line, size_t output)
{
    const struct fr_axis *series = drawing->series;
    const bool is_by_choice = series && series->param->kind == FR_KIND_CHOICE &&
                              drawing->question->target_count == 1 && drawing->y.count == 1;

    return (unsigned)(is_by_choice ? (size_t)series->value[line]
                                   : line * drawing->y.count + output) +
           1;
}

bool drawing_shows_runs(const struct drawing *drawing, size_t line)
{
    const bool is_method = drawing->series && drawing->series->param->flags & FR_METHOD;
    size_t first = is_method ? line - line % drawing->series->count : line;

    while (first < line && drawing_is_hidden(drawing, first))
        first++;
    return drawing->measured && first == line;
}

bool drawing_agrees(const struct drawing *drawing, const struct fr_measured_run *run,
                    size_t machine, bool also_in_x, uint64_t chosen)
{
    const uint64_t x =
        also_in_x ? fr_param_bit(drawing->question->model->params, drawing->x->param) : 0;

    return fr_measured_agrees(&drawing->measured[machine], run, drawing->sweep->values,
                              drawing->compared | chosen | x);
}

/* "time (s)": the name as words, with its unit. */
const char *drawing_axis_title(struct fr_request *rq, const char *name, const char *unit)
{
    char title[DRAWING_LABEL_BYTES];
    char *end;

    snprintf(title, sizeof title, "%s", name);
    end = strrchr(title, '_');
    if (end && unit &&
        (strcmp(end + 1, unit) == 0 || strcmp(end, "_bytes") == 0 || strcmp(end, "_fraction") == 0))
        *end = '\0'; /* the unit follows in brackets */
    for (char *at = title; *at; at++)
        if (*at == '_')
            *at = ' ';
    if (unit && *unit && strcmp(unit, "1") != 0)
        snprintf(title + strlen(title), sizeof title - strlen(title), " (%s)", unit);
    return fr_arena_text(rq->arena, title, strlen(title));
}

const char *drawing_label(struct fr_request *rq, const struct drawing *drawing, size_t line)
{
    const char *name = drawing->question->target[drawing_machine(drawing, line)].cal->machine;
    const bool has_machines = drawing->question->target_count > 1;
    char label[DRAWING_LABEL_BYTES] = "", value[80];

    if (drawing->series) {
        const struct fr_param *param = drawing->series->param;

        fr_axis_print(drawing->series, line % series_count(drawing), value, sizeof value);
        if (param->kind == FR_KIND_CHOICE)
            snprintf(label, sizeof label, "%s", value);
        else
            snprintf(label, sizeof label, "%s %s", drawing_axis_title(rq, param->name, NULL),
                     value);
    }
    if (has_machines || !drawing->series)
        snprintf(label + strlen(label), sizeof label - strlen(label), "%s%s",
                 drawing->series ? ", " : "", name);
    return fr_arena_text(rq->arena, label, strlen(label));
}

static const char *axis_value(struct fr_request *rq, const struct fr_axis *axis, size_t index)
{
    char value[80];

    fr_axis_print(axis, index, value, sizeof value);
    return fr_arena_text(rq->arena, value, strlen(value));
}

const char *drawing_line_value(struct fr_request *rq, const struct drawing *drawing, size_t line)
{
    if (drawing->series)
        return axis_value(rq, drawing->series, line % series_count(drawing));
    return drawing->question->target_count > 1 ? drawing->question->target[line].cal->machine
                                               : NULL;
}

const char *const *drawing_categories(struct fr_request *rq, const struct fr_axis *x)
{
    const char **names = fr_arena_zeroed(rq->arena, x->count + 1, sizeof *names);

    for (size_t i = 0; names && i < x->count; i++)
        names[i] = axis_value(rq, x, i);
    return names;
}

struct fr_plot_axis drawing_category_axis(struct fr_request *rq, const struct fr_axis *x)
{
    return (struct fr_plot_axis){ .title = drawing_axis_title(rq, x->param->name, x->param->unit),
                                  .categories = drawing_categories(rq, x) };
}

static bool is_drawn(const struct drawing *drawing, const struct fr_param *param)
{
    for (size_t i = 0; i < drawing->question->axis_count; i++)
        if (drawing->question->axis[i].param == param)
            return true;
    return (drawing->x && drawing->x->param == param) ||
           (drawing->series && drawing->series->param == param);
}

/* Whether a title tells the value: what the request gives, and the methods that it leaves at their
 * usual choice. */
static bool is_told(const struct drawing *drawing, const struct fr_param *param)
{
    const struct fr_question *question = drawing->question;

    return !is_drawn(drawing, param) && !fr_param_is_open(param, question->values) &&
           (question->given & fr_param_bit(question->model->params, param) ||
            (param->flags & FR_TUNABLE && param->kind == FR_KIND_CHOICE));
}

const char *drawing_title(struct fr_request *rq, const struct drawing *drawing)
{
    enum { VALUE_CHARACTERS = 40 };
    const struct fr_question *question = drawing->question;
    char title[4 * DRAWING_LABEL_BYTES];

    if (drawing->options.title)
        return drawing->options.title;
    snprintf(title, sizeof title, "%s on %s", question->model->name,
             question->target_count == 1 ? question->target[0].cal->machine : "several machines");
    for (const struct fr_param *param = question->model->params; param->name; param++) {
        /* A variant or a matrix speaks for itself. */
        const bool is_named = !(param->flags & FR_REQUIRED) ||
                              (param->kind != FR_KIND_CHOICE && param->kind != FR_KIND_TEXT);
        const size_t length = strlen(title);
        char value[DRAWING_LABEL_BYTES];

        if (!is_told(drawing, param))
            continue;
        fr_param_print(param, question->values, value, sizeof value);
        snprintf(title + length, sizeof title - length, ", %s%s%.*s%s",
                 is_named ? drawing_axis_title(rq, param->name, NULL) : "", is_named ? " = " : "",
                 VALUE_CHARACTERS, value, strlen(value) > VALUE_CHARACTERS ? "..." : "");
    }
    return fr_arena_text(rq->arena, title, strlen(title));
}
