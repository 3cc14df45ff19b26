/* Compares configurations by hashes of their parameters (docs/saved_runs.md#matching-runs). */
#include "engine/core/param.h"
#include "engine/runs/saved_run.h"

#include <assert.h>
#include <string.h>

/* With its end, so that two texts in a row are not another two. */
static uint64_t mix(uint64_t hash, const char *text)
{
    return fr_hash_bytes(hash, text, strlen(text) + 1);
}

/* Numbers as they are: their texts would take longer than a prediction. */
static uint64_t mix_value(uint64_t hash, const struct fr_param *param, const void *values)
{
    char vector[200];
    double number;

    if (param->mix)
        return param->mix(hash, values);
    if (param->kind == FR_KIND_TEXT)
        return mix(hash, fr_param_text(param, values));
    if (param->kind == FR_KIND_VECTOR) {
        fr_param_print(param, values, vector, sizeof vector);
        return mix(hash, vector);
    }
    number = fr_param_get(param, values) + 0.0; /* -0 is 0 */
    return fr_hash_bytes(hash, &number, sizeof number);
}

/* The name and value of a parameter; `hash` itself if it is open, or says nothing. */
static uint64_t mix_param(uint64_t hash, const struct fr_model *model, const struct fr_param *param,
                          const void *values)
{
    if (fr_param_is_open(param, values) || fr_param_is_idle(model->params, param, values))
        return hash;
    return mix_value(mix(hash, param->name), param, values);
}

uint64_t fr_configuration(const struct fr_model *model, const void *values, unsigned left_out)
{
    uint64_t hash = mix(FR_HASH_START, model->name);

    for (const struct fr_param *param = model->params; param->name; param++)
        if (!(param->flags & left_out))
            hash = mix_param(hash, model, param, values);
    return hash;
}

/* Another way to give a parameter says nothing that the parameter does not say. */
static bool is_compared(const struct fr_param *param)
{
    return !(param->flags & (FR_METHOD | FR_INPUT_ONLY));
}

/* What a model takes from a run if the question leaves it open, such as where the nodes lie, is
 * decided only by a question that gives it. */
static bool is_undecided(const struct fr_model *model, const struct fr_param *param)
{
    return param->flags & FR_ITERATIONS ||
           (model->set_run && param->flags & FR_AUTOMATIC && param->flags & FR_OPTIONAL);
}

void fr_footprint_of(const struct fr_model *model, const void *values, struct fr_footprint *out)
{
    size_t others = 0;

    *out = (struct fr_footprint){ .decided = FR_HASH_START };
    for (const struct fr_param *param = model->params; param->name; param++) {
        if (!is_compared(param))
            continue;
        if (!is_undecided(model, param)) {
            out->decided = mix_param(out->decided, model, param, values);
            continue;
        }
        assert(others < FR_MOST_UNDECIDED);
        out->other[others++] = mix_param(0, model, param, values);
    }
}

bool fr_footprint_agrees(const struct fr_model *model, const struct fr_footprint *run,
                         const struct fr_footprint *question, uint64_t given,
                         enum fr_agreement agreement)
{
    size_t other = 0;

    if (run->decided != question->decided)
        return false;
    for (const struct fr_param *param = model->params; param->name; param++) {
        if (!is_compared(param) || !is_undecided(model, param))
            continue;
        if ((param->flags & FR_ITERATIONS ? agreement == FR_SAME_TIME
                                          : (given & fr_param_bit(model->params, param)) != 0) &&
            run->other[other] != question->other[other])
            return false;
        other++;
    }
    return true;
}
