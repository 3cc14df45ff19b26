/* Evaluates the models in memory, as the engine does those of a document, and fits the weight. */
#include "calibrations/calibrate/blocked/modeling.h"

#include <math.h>

#include "engine/blocked/routine.h"

void fr_kept_models_add(struct fr_kept_models *models, const struct blocked_kernel *kernel,
                        bool is_cold, struct blocked_model *model)
{
    if (models->count == FR_KEPT_MODELS_MAX)
        blocked_model_free(model);
    else
        models->kept[models->count++] = (struct fr_kept_model){ *kernel, is_cold, *model };
}

void fr_kept_models_free(struct fr_kept_models *models)
{
    for (int i = 0; i < models->count; i++)
        blocked_model_free(&models->kept[i].model);
    models->count = 0;
}

static bool is_inside(const struct blocked_piece *piece, const int64_t *at, size_t dimensions)
{
    for (size_t d = 0; d < dimensions; d++)
        if (at[d] < piece->box.min[d] || at[d] > piece->box.max[d])
            return false;
    return true;
}

/* The median time of a call; NAN without a model or outside of it. */
static double call_s(const struct fr_kept_models *models, const struct blocked_call *call,
                     bool is_cold)
{
    const struct blocked_piece *best = NULL;
    struct blocked_model const *model = NULL;

    for (int i = 0; i < models->count && !model; i++)
        if (models->kept[i].is_cold == is_cold &&
            blocked_kernel_equal(&models->kept[i].kernel, &call->kernel))
            model = &models->kept[i].model;
    for (size_t i = 0; model && i < model->pieces; i++) {
        const struct blocked_piece *piece = &model->piece[i];

        if (is_inside(piece, call->size, model->dimensions) &&
            (!best || piece->error < best->error))
            best = piece;
    }
    if (!best)
        return NAN;
    return fmax(0, blocked_polynomial(&best->box, model->dimensions,
                                      (int(*)[BLOCKED_MAX_SIZES])model->exponent, model->terms,
                                      best->coef[BLOCKED_MED], call->size));
}

struct summing {
    const struct fr_kept_models *models;
    struct fr_weight_run *run;
};

static bool add_call(void *context, const struct blocked_call *call)
{
    struct summing *sum = context;

    if (blocked_call_is_empty(call))
        return true;
    sum->run->in_cache_s += call_s(sum->models, call, false);
    sum->run->out_of_cache_s += call_s(sum->models, call, true);
    return !isnan(sum->run->in_cache_s + sum->run->out_of_cache_s);
}

bool fr_weight_predict(const struct fr_kept_models *models, int variant, int n, int b,
                       struct fr_weight_run *out)
{
    struct summing sum = { models, out };

    out->in_cache_s = out->out_of_cache_s = 0;
    return trinv_calls(variant, n, b, add_call, &sum);
}

double fr_weight_fit(const struct fr_weight_run *run, int count, double *error)
{
    double above = 0, below = 0, squares = 0, weight;

    for (int i = 0; i < count; i++) {
        const double apart = (run[i].out_of_cache_s - run[i].in_cache_s) / run[i].time_s;

        above += (run[i].time_s - run[i].in_cache_s) / run[i].time_s * apart;
        below += apart * apart;
    }
    weight = below > 0 ? fmax(0, fmin(1, above / below)) : NAN;
    for (int i = 0; i < count; i++) {
        const double blend_s = (1 - weight) * run[i].in_cache_s + weight * run[i].out_of_cache_s;

        squares += pow(blend_s / run[i].time_s - 1, 2) / count;
    }
    *error = sqrt(squares);
    return weight;
}

void fr_reuse_shares(const double *time_s, int rows, double warm_s, double cold_s, double *share)
{
    double largest = 0;

    for (int i = 0; i < rows; i++) {
        const double reached = cold_s > warm_s ? (time_s[i] - warm_s) / (cold_s - warm_s) : 0;

        largest = fmax(largest, fmin(1, reached));
        share[i] = largest;
    }
}
