/* Quantities that a prediction and a saved run share. */
#include "engine/core/number.h"
#include "engine/prediction/model.h"
#include "engine/runs/saved_run.h"

#include <math.h>
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

bool fr_quantity_is_rate(const struct fr_quantity *quantity)
{
    return quantity->output && (strcmp(quantity->output->name, "gflops") == 0 ||
                                strcmp(quantity->output->name, "percent_of_peak") == 0);
}

const char *fr_quantity_unit(const struct fr_quantity *quantity)
{
    return quantity->output ? quantity->output->unit : "s";
}

void fr_quantity_refuse(const struct fr_model *model, const char *name, enum fr_code code,
                        const char *where, struct fr_faults *faults)
{
    struct fr_nearest nearest = { .name = name };

    for (const struct fr_output *output = model->outputs;
         faults->count < FR_MAX_FAULTS && output->name; output++) {
        char flat[FR_OUTPUT_NAME_BYTES];

        fr_output_flat_name(output, flat);
        if (output->kind == FR_OUTPUT_NUMBER)
            fr_nearest_consider(&nearest, flat);
        if (nearest.found == flat)
            nearest.found = output->name;
    }
    if (nearest.found)
        fr_fault(faults, code, where, "'%.40s' is not an output of %s; did you mean %s", name,
                 model->name, nearest.found);
    else
        fr_fault(faults, code, where,
                 "'%.40s' is not a numeric output of %s; /api/v1/models/%s lists them", name,
                 model->name, model->name);
}

static void read_one(const struct fr_model *model, const char *name, const char *where,
                     struct fr_quantities *out, struct fr_faults *faults)
{
    for (size_t i = 0; i < out->count; i++)
        if (strcmp(out->name[i], name) == 0) {
            fr_fault(faults, FR_REPEATED, where, "'%.40s' is given twice; give it once", name);
            return;
        }
    if (fr_quantity_find(model, name, &out->quantity[out->count]))
        out->name[out->count++] = name;
    else
        fr_quantity_refuse(model, name, FR_CHOICE, where, faults);
}

void fr_quantities_read(const struct fr_model *model, const char *names, const char *where,
                        struct fr_arena *arena, struct fr_quantities *out, struct fr_faults *faults)
{
    for (;;) {
        const size_t length = strcspn(names, ",");
        const char *name = fr_arena_text(arena, names, length);

        if (!name) {
            fr_fault(faults, FR_NOMEM, where, "memory for one request is used up; ask for less");
            return;
        }
        if (out->count == FR_MOST_QUANTITIES) {
            fr_fault(faults, FR_TOO_MANY_POINTS, where, "at most %d outputs are shown together",
                     FR_MOST_QUANTITIES);
            return;
        }
        read_one(model, name, where, out, faults);
        if (!names[length])
            return;
        names += length + 1;
    }
}
