/* Sums the models of the calls of a run, and fits the weight. */
#include "calibrations/calibrate/blocked/modeling.h"

#include <math.h>

#include "engine/blocked/fitted.h"

/* The median time of a call; NAN without a model or outside of it. */
static double call_s(const struct fr_calibration *models, int threads,
                     const struct blocked_call *call, enum blocked_locality locality)
{
    const struct blocked_fitted *model = blocked_find(models, &call->kernel, threads, locality);
    struct blocked_times times;

    return model && !blocked_evaluate(model, call, &times) ? times.med : NAN;
}

struct summing {
    const struct fr_calibration *models;
    int threads;
    struct fr_weight_run *run;
};

static bool add_call(void *context, const struct blocked_call *call)
{
    struct summing *sum = context;

    if (blocked_call_is_empty(call))
        return true;
    sum->run->in_cache_s += call_s(sum->models, sum->threads, call, BLOCKED_IN_CACHE);
    sum->run->out_of_cache_s += call_s(sum->models, sum->threads, call, BLOCKED_OUT_OF_CACHE);
    return !isnan(sum->run->in_cache_s + sum->run->out_of_cache_s);
}

bool fr_weight_predict(const struct fr_calibration *models, int threads, int variant, int n, int b,
                       struct fr_weight_run *out)
{
    struct summing sum = { models, threads, out };

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
