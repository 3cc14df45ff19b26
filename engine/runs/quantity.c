/* Quantities that a prediction and a saved run share. */
#include "engine/runs/quantity.h"
#include "engine/prediction/model.h"
#include "engine/prediction/prediction.h"
#include "engine/runs/saved_run.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static bool find_phase(const char *name, struct fr_quantity *out)
{
    static const char head[] = "breakdown_", tail[] = "_time_s";
    const size_t length = strlen(name), around = strlen(head) + strlen(tail);

    if (length <= around || length - around >= sizeof out->phase ||
        strncmp(name, head, strlen(head)) != 0 || strcmp(name + length - strlen(tail), tail) != 0)
        return false;
    *out = (struct fr_quantity){ .output = NULL };
    memcpy(out->phase, name + strlen(head), length - around);
    return true;
}

bool fr_quantity_find(const struct fr_model *model, const char *name, struct fr_quantity *out)
{
    const struct fr_output *output = fr_output_find(model->outputs, name);

    if (!output)
        return find_phase(name, out);
    if (output->kind != FR_OUTPUT_NUMBER)
        return false;
    *out = (struct fr_quantity){ .output = output, .place = (size_t)(output - model->outputs) };
    return true;
}

double fr_quantity_predicted(const struct fr_quantity *quantity,
                             const struct fr_prediction *prediction)
{
    if (quantity->output)
        return fr_output_get(quantity->output, prediction);
    for (size_t i = 0; i < prediction->phase_count; i++)
        if (strcmp(prediction->phase[i].name, quantity->phase) == 0)
            return prediction->phase[i].time_s;
    return NAN;
}

double fr_quantity_measured(const struct fr_quantity *quantity, const struct fr_saved_run *run)
{
    const struct fr_run_document *document = run->document;

    if (quantity->output && strcmp(quantity->output->name, "time_s") == 0)
        return document->time_s;
    if (quantity->output)
        return run->outputs[quantity->place];
    for (size_t i = 0; i < document->breakdown.count; i++)
        if (strcmp(document->breakdown.row[i].phase, quantity->phase) == 0)
            return document->breakdown.row[i].time_s;
    return NAN;
}

bool fr_quantity_is_time(const struct fr_quantity *quantity)
{
    return quantity->output && strcmp(quantity->output->name, "time_s") == 0;
}

const char *fr_quantity_unit(const struct fr_quantity *quantity)
{
    return quantity->output ? quantity->output->unit : "s";
}
