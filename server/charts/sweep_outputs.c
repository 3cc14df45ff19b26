/* Selects the outputs that a chart shows: one, or several with the same unit as lines. */
#include "server/charts/sweep_drawing.h"

#include <stdio.h>
#include <string.h>

static void refuse(const struct fr_model *model, const char *name, struct fr_faults *faults)
{
    struct fr_nearest nearest = { .name = name };

    for (const struct fr_output *output = model->outputs; output->name; output++)
        if (output->kind == FR_OUTPUT_NUMBER)
            fr_nearest_consider(&nearest, output->name);
    if (nearest.found)
        fr_fault(faults, FR_CHOICE, "y", "'%.40s' is not an output; did you mean %s", name,
                 nearest.found);
    else
        fr_fault(faults, FR_CHOICE, "y",
                 "'%.40s' is not a numeric output of %s; /api/v1/models/%s lists them", name,
                 model->name, model->name);
}

static const char *unit_of(const struct fr_quantity *y)
{
    const char *unit = fr_quantity_unit(y);

    return unit ? unit : "";
}

static void add(struct drawing *drawing, const char *name, struct fr_faults *faults)
{
    struct fr_quantity *y = &drawing->y[drawing->y_count];

    for (size_t i = 0; i < drawing->y_count; i++)
        if (strcmp(drawing->y_names[i], name) == 0) {
            fr_fault(faults, FR_REPEATED, "y", "'%.40s' is given twice; give it once", name);
            return;
        }
    if (!fr_quantity_find(drawing->question->model, name, y)) {
        refuse(drawing->question->model, name, faults);
        return;
    }
    if (drawing->y_count && strcmp(unit_of(y), unit_of(&drawing->y[0])) != 0)
        fr_fault(faults, FR_RELATION, "y",
                 "%s is in '%s', %s in '%s'; use a separate chart for each unit", name, unit_of(y),
                 drawing->y_names[0], unit_of(&drawing->y[0]));
    drawing->y_names[drawing->y_count++] = name;
}

void drawing_choose_outputs(struct fr_request *rq, struct drawing *drawing,
                            struct fr_faults *faults)
{
    const char *text = drawing->options.y ? drawing->options.y : "time_s";

    for (;;) {
        const size_t length = strcspn(text, ",");
        const char *name = fr_arena_text(rq->arena, text, length);

        if (!name) {
            fr_fault(faults, FR_NOMEM, "y", "memory for one request is used up; ask for less");
            return;
        }
        if (drawing->y_count == DRAWING_OUTPUTS) {
            fr_fault(faults, FR_TOO_MANY_POINTS, "y", "a chart shows at most %d outputs",
                     DRAWING_OUTPUTS);
            return;
        }
        add(drawing, name, faults);
        if (!text[length])
            break;
        text += length + 1;
    }
    if (drawing->y_count > 1 && !drawing->chart->sweep.takes_outputs)
        fr_fault(faults, FR_RELATION, "y", "only lines and groups show several outputs; give one");
}

int drawing_needs_value(const struct drawing *drawing, struct fr_faults *faults)
{
    if (!drawing->sweep->legal)
        return FR_RANGE; /* the sweep has reported the reason */
    return fr_fault(faults, FR_NOT_FOUND, "y", "%s has no value at these points",
                    drawing->y_names[0]);
}

const char *drawing_y_title(struct fr_request *rq, const struct drawing *drawing)
{
    const char *unit = fr_quantity_unit(&drawing->y[0]);

    if (drawing->y_count == 1)
        return drawing_axis_title(rq, drawing->y_names[0], unit);
    return drawing_axis_title(rq, strcmp(unit_of(&drawing->y[0]), "s") == 0 ? "time_s" : "value",
                              unit);
}

const char *drawing_output_label(struct fr_request *rq, const struct drawing *drawing,
                                 const char *line, size_t output)
{
    const char *name = drawing->y_names[output];
    char label[2 * DRAWING_LABEL_BYTES];
    const char *end;

    if (drawing->y_count == 1)
        return line;
    /* Among other times, "time" alone would be ambiguous. */
    snprintf(label, sizeof label, "%s%s%s", drawing_lines_count(drawing) > 1 ? line : "",
             drawing_lines_count(drawing) > 1 ? ", " : "",
             strcmp(name, "time_s") == 0
                 ? "predicted time"
                 : drawing_axis_title(rq, name, unit_of(&drawing->y[output])));
    end = strstr(label, " ("); /* the axis title has the unit */
    return fr_arena_text(rq->arena, label, end ? (size_t)(end - label) : strlen(label));
}
