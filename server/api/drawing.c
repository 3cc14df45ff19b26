/* What a chart says in words, and which point of the sweep stands where. */
#include "api/drawing.h"

#include <stdio.h>
#include <string.h>

/* The point of the product where x and series stand at these places, all other lists at their
 * first. */
size_t drawing_point(const struct drawing *drawing, size_t machine, size_t series, size_t x)
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
const char *drawing_axis_title(struct fr_request *rq, const char *name, const char *unit)
{
    char title[DRAWING_LABEL_BYTES];
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

const char *drawing_label(struct fr_request *rq, const struct drawing *drawing, size_t machine,
                          size_t series)
{
    const char *name = drawing->question->subject[machine].cal->machine;
    const bool has_machines = drawing->question->subject_count > 1;
    char label[DRAWING_LABEL_BYTES] = "", value[40];

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

const char *const *drawing_categories(struct fr_request *rq, const struct fr_axis *x)
{
    const char **names = fr_arena_zeroed(rq->arena, x->count + 1, sizeof *names);

    for (size_t i = 0; names && i < x->count; i++) {
        char value[40];

        fr_param_print(x->param, x->value[i], value, sizeof value);
        names[i] = fr_arena_text(rq->arena, value, strlen(value));
    }
    return names;
}

const char *drawing_title(struct fr_request *rq, const struct drawing *drawing)
{
    char title[DRAWING_LABEL_BYTES];
    const struct fr_param *n = fr_param_find(drawing->question->model->params, "n");

    snprintf(title, sizeof title, "%s on %s", drawing->question->model->name,
             drawing->question->subject_count == 1 ? drawing->question->subject[0].cal->machine
                                                   : "several machines");
    if (n && drawing->x->param != n && (!drawing->series || drawing->series->param != n))
        snprintf(title + strlen(title), sizeof title - strlen(title), ", n = %.0f",
                 fr_param_get(n, drawing->question->values));
    return fr_arena_text(rq->arena, title, strlen(title));
}
