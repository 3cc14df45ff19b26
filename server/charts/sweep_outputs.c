/* Selects the outputs that a chart shows: one, or several with the same unit as lines. */
#include "server/charts/sweep_drawing.h"

#include <stdio.h>
#include <string.h>

static const char *unit_of(const struct fr_quantity *y)
{
    const char *unit = fr_quantity_unit(y);

    return unit ? unit : "";
}

void drawing_choose_outputs(struct fr_request *rq, struct drawing *drawing,
                            struct fr_faults *faults)
{
    struct fr_quantities *y = &drawing->y;

    fr_quantities_read(drawing->question->model, drawing->options.y ? drawing->options.y : "time_s",
                       "y", rq->arena, y, faults);
    for (size_t i = 1; i < y->count; i++)
        if (strcmp(unit_of(&y->quantity[i]), unit_of(&y->quantity[0])) != 0)
            fr_fault(faults, FR_RELATION, "y",
                     "%s is in '%s', %s in '%s'; use a separate chart for each unit", y->name[i],
                     unit_of(&y->quantity[i]), y->name[0], unit_of(&y->quantity[0]));
    if (y->count > 1 && !drawing->chart->sweep.takes_outputs)
        fr_fault(faults, FR_RELATION, "y", "only lines and groups show several outputs; give one");
}

int drawing_needs_value(const struct drawing *drawing, struct fr_faults *faults)
{
    if (!drawing->sweep->legal)
        return FR_RANGE; /* the sweep has reported the reason */
    return fr_fault(faults, FR_NOT_FOUND, "y", "%s has no value at these points",
                    drawing->y.name[0]);
}

const char *drawing_y_title(struct fr_request *rq, const struct drawing *drawing)
{
    const char *unit = fr_quantity_unit(&drawing->y.quantity[0]);

    if (drawing->y.count == 1)
        return drawing_axis_title(rq, drawing->y.name[0], unit);
    return drawing_axis_title(
        rq, strcmp(unit_of(&drawing->y.quantity[0]), "s") == 0 ? "time_s" : "value", unit);
}

const char *drawing_output_label(struct fr_request *rq, const struct drawing *drawing,
                                 const char *line, size_t output)
{
    const char *name = drawing->y.name[output];
    char label[2 * DRAWING_LABEL_BYTES];
    const char *end;

    if (drawing->y.count == 1)
        return line;
    /* Among other times, "time" alone would be ambiguous. */
    snprintf(label, sizeof label, "%s%s%s", drawing_lines_count(drawing) > 1 ? line : "",
             drawing_lines_count(drawing) > 1 ? ", " : "",
             strcmp(name, "time_s") == 0
                 ? "predicted time"
                 : drawing_axis_title(rq, name, unit_of(&drawing->y.quantity[output])));
    end = strstr(label, " ("); /* the axis title has the unit */
    return fr_arena_text(rq->arena, label, end ? (size_t)(end - label) : strlen(label));
}
