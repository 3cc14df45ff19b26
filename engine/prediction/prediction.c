/* Predictions: phases, bounds and outputs. */
#include "engine/prediction/prediction.h"

#include <math.h>
#include <string.h>

/* All NaN are alike. */
static uint64_t mix(uint64_t hash, double number)
{
    const double alike = isnan(number) ? NAN : number;

    return fr_hash_bytes(hash, &alike, sizeof alike);
}

uint64_t fr_prediction_digest(const struct fr_prediction *prediction)
{
    const double *number = (const double *)(const void *)prediction;
    uint64_t hash = FR_HASH_START;

    for (size_t i = 0; i < offsetof(struct fr_prediction, vector) / sizeof *number; i++)
        hash = mix(hash, number[i]);
    for (size_t i = 0; i < prediction->phase_count; i++) {
        hash = fr_hash_bytes(hash, prediction->phase[i].name, strlen(prediction->phase[i].name));
        hash = mix(mix(hash, prediction->phase[i].time_s), prediction->phase[i].hidden_s);
    }
    return hash ? hash : 1;
}

void fr_prediction_clear(struct fr_prediction *out)
{
    out->time_s = out->computation_s = out->communication_s = out->hidden_s = 0;
    out->flops = out->gflops = out->percent_of_peak = NAN;
    out->processes = out->nodes = NAN;
    out->memory_bytes_per_process = out->memory_limit_bytes_per_process = NAN;
    out->communication_bytes_per_process = NAN;
    out->bound_s = NAN;
    out->bound_by = NULL;
    out->is_rough = false;
    for (size_t i = 0; i < FR_MAX_OWN; i++)
        out->own[i] = NAN;
    for (size_t i = 0; i < FR_MAX_VECTORS; i++)
        out->vector[i].count = 0;
    out->text = NULL;
    out->used = 0;
    out->phase_count = out->warning_count = 0;
    out->weighed = NULL;
    out->erring = 0;
    out->erring_by = NULL;
    out->slowest_low = out->slowest_high = out->error_fraction = 0;
}

void fr_phase(struct fr_prediction *out, const char *name, enum fr_phase_kind kind, double time_s,
              double hidden_s)
{
    out->phase[out->phase_count++] = (struct fr_phase){ name, kind, time_s, hidden_s };
    out->time_s += time_s - hidden_s;
    out->hidden_s += hidden_s;
    if (kind == FR_COMPUTATION)
        out->computation_s += time_s;
    else
        out->communication_s += time_s;
}

void fr_bound(struct fr_prediction *out, const char *resource, double time_s)
{
    if (isnan(time_s) || out->bound_s >= time_s)
        return;
    out->bound_s = time_s;
    out->bound_by = resource;
}

void fr_check_bound(struct fr_prediction *out)
{
    const double rounding = 1e-12;

    if (out->time_s < out->bound_s * (1 - rounding))
        fr_warn(out, FR_WARN_BELOW_BOUND, out->bound_by, out->time_s, out->bound_s, INFINITY);
    else if (out->time_s < out->bound_s)
        out->bound_s = out->time_s;
    if (out->percent_of_peak > 100 * (1 + rounding))
        fr_warn(out, FR_WARN_BELOW_BOUND, "work", out->time_s,
                out->time_s * out->percent_of_peak / 100, INFINITY);
}

void fr_output_flat_name(const struct fr_output *output, char out[FR_OUTPUT_NAME_BYTES])
{
    size_t i = 0;

    for (; output->name[i] && i + 1 < FR_OUTPUT_NAME_BYTES; i++)
        out[i] = output->name[i] == '.' ? '_' : output->name[i];
    out[i] = '\0';
}

const struct fr_output *fr_output_find(const struct fr_output *outputs, const char *name)
{
    char flat[FR_OUTPUT_NAME_BYTES];

    for (; outputs->name; outputs++) {
        if (strcmp(outputs->name, name) == 0)
            return outputs;
        if (!strchr(outputs->name, '.'))
            continue;
        fr_output_flat_name(outputs, flat);
        if (strcmp(flat, name) == 0)
            return outputs;
    }
    return NULL;
}

static const void *output_at(const struct fr_output *output, const struct fr_prediction *prediction)
{
    return (const char *)prediction + output->offset;
}

double fr_output_get(const struct fr_output *output, const struct fr_prediction *prediction)
{
    if (output->kind != FR_OUTPUT_NUMBER)
        return NAN;
    return *(const double *)output_at(output, prediction);
}

const struct fr_vector *fr_output_vector(const struct fr_output *output,
                                         const struct fr_prediction *prediction)
{
    return output_at(output, prediction);
}

const char *fr_output_text(const struct fr_output *output, const struct fr_prediction *prediction)
{
    return *(const char *const *)output_at(output, prediction);
}
