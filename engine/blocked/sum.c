/* Adds up the times of the calls of a blocked algorithm (docs/models/blocked.md#prediction). */
#include "engine/blocked/blocked.h"

#include <math.h>

const struct fr_output blocked_outputs[] = { BLOCKED_OUTPUTS("calls") };

const char *const blocked_blind_spots[] = {
    "Operands that one call leaves in the cache for the next, unless locality=reuse: in_cache is "
    "too fast, out_of_cache too slow.",
    "The loop around the calls, which takes tens of nanoseconds for each of them.",
    "Background load and clock rates other than those of the calibration.",
    "Leading dimensions and alignments other than those that were sampled.",
    NULL,
};

const struct fr_column blocked_columns[] = {
    { "call", FR_COLUMN_TEXT },         { "time_s", FR_COLUMN_NUMBER },
    { "time_min_s", FR_COLUMN_NUMBER }, { "time_average_s", FR_COLUMN_NUMBER },
    { "time_max_s", FR_COLUMN_NUMBER }, { "time_std_s", FR_COLUMN_NUMBER },
    { "outside", FR_COLUMN_BOOL },      { NULL, FR_COLUMN_TEXT },
};

static double blend(double in_cache, double out_of_cache, double weight)
{
    return (1 - weight) * in_cache + weight * out_of_cache;
}

/* Evaluates one model, and warns of sizes outside all regions.  Returns whether there are any. */
static bool evaluate(struct blocked_total *sum, const struct blocked_fitted *fitted,
                     const struct blocked_call *call, struct blocked_times *out)
{
    const struct blocked_routine *routine = fitted->kernel.routine;
    const struct blocked_evaluation *found =
        blocked_recall(&sum->memo, fitted, call, sum->arena, &sum->steps);
    const struct blocked_region *nearest = found->nearest;
    double size[BLOCKED_MAX_SIZES], weight = 1;

    *out = found->times;
    for (size_t d = 0; nearest && d < routine->sizes; d++)
        size[d] = (double)call->size[d];
    for (size_t d = 0; nearest && d < routine->sizes; d++)
        if (size[d] < nearest->low[d] || size[d] > nearest->high[d])
            weight = fr_extrapolate_call(sum->out, routine->path, size, routine->sizes, d,
                                         nearest->low[d], nearest->high[d]);
    out->min *= weight;
    out->med *= weight;
    out->avg *= weight;
    out->max *= weight;
    return nearest != NULL;
}

/* Puts the minimum, average and maximum in order around the median
 * (docs/models/kernel_models.md#decision-statistics-in-order).  Returns whether any has changed. */
static bool put_in_order(struct blocked_times *times)
{
    const struct blocked_times fitted = *times;

    times->min = fmin(fitted.min, fitted.med);
    times->max = fmax(fitted.max, fitted.med);
    times->avg = fmin(fmax(fitted.avg, times->min), times->max);
    return times->min != fitted.min || times->max != fitted.max || times->avg != fitted.avg;
}

/* Times of one call for the locality, in order; returns whether a model is extrapolated. */
static bool times_of(struct blocked_total *sum, const struct blocked_used *used,
                     const struct blocked_call *call, struct blocked_times *out)
{
    const double weight =
        sum->reuse ? blocked_reuse_weight(sum->reuse, call) : sum->values->out_of_cache_weight;
    struct blocked_times cold;
    bool is_outside = used->in_cache && evaluate(sum, used->in_cache, call, out);

    if (used->out_of_cache) {
        is_outside = evaluate(sum, used->out_of_cache, call, &cold) || is_outside;
        *out = !used->in_cache ? cold
                               : (struct blocked_times){
                                     .min = blend(out->min, cold.min, weight),
                                     .med = blend(out->med, cold.med, weight),
                                     .avg = blend(out->avg, cold.avg, weight),
                                     .max = blend(out->max, cold.max, weight),
                                     .std = blend(out->std, cold.std, weight),
                                 };
    }
    sum->reordered += put_in_order(out);
    return is_outside;
}

/* Charges the work of a call; returns whether the limit of the request is exceeded. */
static bool is_exhausted(struct blocked_total *sum)
{
    double steps = sum->steps;

    sum->steps = 0;
    if (sum->reuse) {
        steps += sum->reuse->steps;
        sum->reuse->steps = 0;
    }
    return !fr_arena_spend(sum->arena, steps);
}

/* Passes all calls to the visitor, with the reuse of their operands if the locality asks for it.
 * Returns whether it let all of them pass. */
static bool walk_all(struct blocked_total *sum, blocked_visit *visit)
{
    const struct blocked_values *v = sum->values;
    struct blocked_reuse reuse;
    bool is_done;

    if (v->locality != BLOCKED_REUSE)
        return v->walk(v, visit, sum);
    sum->out->used |= FR_USE(REUSE);
    if (blocked_reuse_open(&reuse, sum->cal, v->walk, v, v->first_use == BLOCKED_IN_CACHE) != 0)
        return false;
    sum->reuse = &reuse;
    is_done = v->walk(v, visit, sum);
    sum->reuse = NULL;
    blocked_reuse_close(&reuse);
    return is_done;
}

static double chosen(const struct blocked_times *times, int statistic)
{
    switch ((enum blocked_time)statistic) {
    case BLOCKED_MINIMUM:
        return times->min;
    case BLOCKED_AVERAGE:
        return times->avg;
    case BLOCKED_MAXIMUM:
        return times->max;
    case BLOCKED_MEDIAN:
        break;
    }
    return times->med;
}

/* All kernels of a routine share a phase. */
static void add_to_phase(struct blocked_total *sum, const char *routine, double time_s)
{
    size_t i = 0;

    while (i < sum->phases && sum->phase[i].routine != routine)
        i++;
    if (i == sum->phases)
        sum->phase[sum->phases++].routine = routine;
    sum->phase[i].time_s += time_s;
}

static bool visit_call(void *context, const struct blocked_call *call)
{
    struct blocked_total *sum = context;
    struct blocked_times times = { 0 };
    const struct blocked_used *used;
    bool is_outside;

    if (blocked_call_is_empty(call))
        return true;
    used = blocked_use(sum, &call->kernel);
    is_outside = times_of(sum, used, call, &times);
    add_to_phase(sum, used->kernel.routine->name, chosen(&times, sum->values->statistic));
    sum->total.min += times.min;
    sum->total.avg += times.avg;
    sum->total.max += times.max;
    sum->variance += times.std * times.std;
    sum->flops += blocked_flops(&call->kernel, call->size);
    sum->calls++;
    sum->outside += is_outside;
    return !is_exhausted(sum);
}

/* docs/models/blocked.md#lower-bounds */
static void bound(const struct blocked_total *sum, double peak, struct fr_prediction *out)
{
    fr_bound(out, "critical_path", sum->total.min);
    fr_bound(out, "work", sum->flops / peak);
}

void blocked_sum(const struct blocked_values *values, double flops, double fused,
                 struct fr_evaluation *run)
{
    struct fr_prediction *out = run->out;
    const double peak = run->cal->core_peak_flops_per_s * (double)values->threads;
    struct blocked_total sum = {
        .values = values, .cal = run->cal, .out = out, .arena = run->arena
    };

    out->used |= FR_USE(ROUTINE_MODELS);
    if (!walk_all(&sum, visit_call)) {
        fr_fault(run->faults, FR_NOMEM, "",
                 "the request has too many kernel calls; ask for fewer points, smaller matrices or "
                 "larger blocks");
        return;
    }
    if (sum.reordered > 0)
        fr_warn(out, FR_WARN_REORDERED, NULL, sum.reordered, 0, sum.calls);
    for (size_t i = 0; i < sum.phases; i++)
        fr_phase(out, sum.phase[i].routine, FR_COMPUTATION, sum.phase[i].time_s, 0);
    *FR_OWN_OF(struct blocked_own, out) = (struct blocked_own){
        .time_min_s = sum.total.min,
        .time_average_s = sum.total.avg,
        .time_max_s = sum.total.max,
        .time_std_s = sqrt(sum.variance),
        .calls = sum.calls,
        .calls_outside = sum.outside,
        .flops_fused = fused,
    };
    out->flops = flops;
    bound(&sum, peak, out);
    if (!(out->time_s > 0))
        return;
    out->gflops = flops / out->time_s / 1e9;
    if (!isnan(peak)) {
        out->used |= FR_USE(NODE_CORES) | FR_USE(NODE_PEAK);
        out->percent_of_peak = 100 * flops / (out->time_s * peak);
    }
}

static bool visit_listed(void *context, const struct blocked_call *call)
{
    struct blocked_total *sum = context;
    struct blocked_times times = { 0 };
    char text[BLOCKED_CALL_BYTES];
    bool is_outside = false;

    if (!blocked_call_is_empty(call))
        is_outside = times_of(sum, blocked_use(sum, &call->kernel), call, &times);
    blocked_call_print(call, text);
    return !is_exhausted(sum) &&
           sum->listing->row(sum->listing->context, text,
                             (const double[]){ times.med, times.min, times.avg, times.max,
                                               times.std, is_outside });
}

void blocked_explain(const void *values, struct fr_evaluation *run,
                     const struct fr_listing *listing)
{
    struct blocked_total sum = {
        .values = values, .cal = run->cal, .out = run->out, .arena = run->arena, .listing = listing
    };

    walk_all(&sum, visit_listed);
}
