/* Adds up the times of the calls of a blocked algorithm, and finds the kernels that it needs
 * (docs/models/blocked.md#prediction). */
#include "engine/blocked/blocked.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const char *const blocked_localities[] = {
    [BLOCKED_IN_CACHE] = "in_cache",
    [BLOCKED_OUT_OF_CACHE] = "out_of_cache",
    [BLOCKED_BLEND] = "blend",
    NULL,
};
const char *const blocked_time_names[] = {
    [BLOCKED_MEDIAN] = "median",
    [BLOCKED_MINIMUM] = "minimum",
    [BLOCKED_AVERAGE] = "average",
    [BLOCKED_MAXIMUM] = "maximum",
    NULL,
};

const struct fr_output blocked_outputs[] = { BLOCKED_OUTPUTS("calls") };

const char *const blocked_blind_spots[] = {
    "Operands that one call leaves in the cache for the next: in_cache is too fast, out_of_cache "
    "too slow.",
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

size_t blocked_block_sizes(const void *values, const struct fr_calibration *cal, int64_t *out,
                           size_t capacity)
{
    size_t count = 0;

    (void)values;
    (void)cal;
    for (int64_t b = 8; b <= 256 && count < capacity; b += 8)
        out[count++] = b;
    return count;
}

size_t blocked_variants(size_t variants, int64_t *out, size_t capacity)
{
    size_t count = 0;

    for (; count < variants && count < capacity; count++)
        out[count] = (int64_t)count + 1;
    return count;
}

enum { MOST_KERNELS = 64 };

/* A kernel that the calls use, with the models that the locality needs; others are NULL. */
struct used {
    struct blocked_kernel kernel;
    const struct blocked_fitted *in_cache, *out_of_cache;
};

struct sum {
    const struct blocked_values *values;
    const struct fr_calibration *cal;
    const char *kernel_set; /* the name of all kernels in forerun-calibrate, or NULL */
    struct used used[MOST_KERNELS];
    size_t kernels;
    bool is_full; /* more than MOST_KERNELS kernels are used */
    struct {
        const char *routine;
        double time_s;
    } phase[FR_MAX_PHASES];
    size_t phases;
    struct blocked_times total;
    double variance, calls, outside, reordered, flops;
    double steps; /* of work not yet charged to the request */
    struct fr_arena *arena;
    struct fr_prediction *out;
    const struct fr_listing *listing;
};

static bool needs(const struct blocked_values *values, enum blocked_locality locality)
{
    return values->locality == (int)locality || values->locality == BLOCKED_BLEND;
}

static struct used *use(struct sum *sum, const struct blocked_kernel *kernel)
{
    struct used *used = sum->used;

    for (size_t i = 0; i < sum->kernels; i++, used++)
        if (blocked_kernel_equal(&used->kernel, kernel))
            return used;
    if (sum->kernels == MOST_KERNELS) {
        sum->is_full = true;
        return NULL;
    }
    sum->kernels++;
    *used = (struct used){ .kernel = *kernel };
    if (needs(sum->values, BLOCKED_IN_CACHE))
        used->in_cache = blocked_find(sum->cal, kernel, sum->values->threads, BLOCKED_IN_CACHE);
    if (needs(sum->values, BLOCKED_OUT_OF_CACHE))
        used->out_of_cache =
            blocked_find(sum->cal, kernel, sum->values->threads, BLOCKED_OUT_OF_CACHE);
    return used;
}

static bool visit_kernel(void *context, const struct blocked_call *call)
{
    if (!blocked_call_is_empty(call))
        use(context, &call->kernel);
    return true;
}

/* The options of forerun-calibrate that make the models of `kernels`, or of one kernel. */
static void print_options(const struct blocked_kernel *kernel, const char *kernels,
                          enum blocked_locality locality, int threads, char *out, size_t size)
{
    char one[40], count[24] = "";

    snprintf(one, sizeof one, "%s%s%s", kernel->routine->name, kernel->flags[0] ? ":" : "",
             kernel->flags);
    if (threads != 1)
        snprintf(count, sizeof count, " --threads=%d", threads);
    snprintf(out, size, "--only=routine_models --kernels=%s%s%s", kernels ? kernels : one, count,
             locality == BLOCKED_OUT_OF_CACHE ? " --locality=out_of_cache" : "");
}

static void refuse_missing(const struct sum *sum, const struct used *used,
                           enum blocked_locality locality, struct fr_faults *faults)
{
    const struct blocked_kernel *kernel = &used->kernel;
    const int threads = (int)sum->values->threads;
    char options[160];

    print_options(kernel, sum->kernel_set, locality, threads, options, sizeof options);
    fr_fault(faults, FR_GROUP_MISSING, "calibration",
             "no model of %s%s%s, %s, %d thread%s in kernels.routine_models; "
             "forerun-calibrate %s makes it",
             kernel->routine->name, kernel->flags[0] ? " " : "", kernel->flags,
             blocked_localities[locality], threads, threads == 1 ? "" : "s", options);
}

static void settle_weight(struct blocked_values *values, const struct fr_calibration *cal,
                          struct fr_faults *faults)
{
    if (values->locality != BLOCKED_BLEND && !isnan(values->out_of_cache_weight))
        fr_fault(faults, FR_RELATION, "out_of_cache_weight",
                 "only a blend has a weight; omit it or set locality=blend");
    if (values->locality != BLOCKED_BLEND || !isnan(values->out_of_cache_weight))
        return;
    values->out_of_cache_weight = cal->kernels.out_of_cache_weight;
    if (isnan(values->out_of_cache_weight))
        fr_fault(faults, FR_MISSING, "out_of_cache_weight",
                 "the calibration has no kernels.out_of_cache_weight; give one from 0 to 1");
}

int blocked_resolve(struct blocked_values *values, const void *whole, blocked_walk *walk,
                    const char *kernels, const struct fr_calibration *cal, struct fr_faults *faults)
{
    const size_t before = faults->count;
    struct sum sum = { .values = values, .cal = cal, .kernel_set = kernels };

    settle_weight(values, cal, faults);
    walk(whole, visit_kernel, &sum);
    for (size_t i = 0; i < sum.kernels; i++) {
        if (needs(values, BLOCKED_IN_CACHE) && !sum.used[i].in_cache)
            refuse_missing(&sum, &sum.used[i], BLOCKED_IN_CACHE, faults);
        if (needs(values, BLOCKED_OUT_OF_CACHE) && !sum.used[i].out_of_cache)
            refuse_missing(&sum, &sum.used[i], BLOCKED_OUT_OF_CACHE, faults);
    }
    if (sum.is_full)
        fr_fault(faults, FR_RANGE, "calls", "more than %d kernels", MOST_KERNELS);
    return faults->count > before ? FR_RELATION : FR_OK;
}

static double blend(double in_cache, double out_of_cache, double weight)
{
    return (1 - weight) * in_cache + weight * out_of_cache;
}

/* Units of work: the test of a region is one step. */
enum { EVALUATION_STEPS = 16, DISTANCE_STEPS = 16 };

/* Evaluates one model, counts its work, and warns of sizes outside all regions.  Returns whether
 * there are any. */
static bool evaluate(struct sum *sum, const struct blocked_fitted *fitted,
                     const struct blocked_call *call, struct blocked_times *out)
{
    const struct blocked_routine *routine = fitted->kernel.routine;
    const struct blocked_region *nearest = blocked_evaluate(fitted, call, out);

    double size[BLOCKED_MAX_SIZES], weight = 1;

    sum->steps += EVALUATION_STEPS + (double)fitted->regions * (nearest ? 1 + DISTANCE_STEPS : 1);
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
static bool times_of(struct sum *sum, const struct used *used, const struct blocked_call *call,
                     struct blocked_times *out)
{
    const double weight = sum->values->out_of_cache_weight;
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
static bool is_exhausted(struct sum *sum)
{
    const double steps = sum->steps;

    sum->steps = 0;
    return !fr_arena_spend(sum->arena, steps);
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
static void add_to_phase(struct sum *sum, const char *routine, double time_s)
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
    struct sum *sum = context;
    struct blocked_times times = { 0 };
    const struct used *used;
    bool is_outside;

    if (blocked_call_is_empty(call))
        return true;
    used = use(sum, &call->kernel);
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
static void bound(const struct sum *sum, double peak, struct fr_prediction *out)
{
    fr_bound(out, "critical_path", sum->total.min);
    fr_bound(out, "work", sum->flops / peak);
    fr_check_bound(out);
}

void blocked_sum(const struct blocked_values *values, const void *whole, blocked_walk *walk,
                 double flops, double fused, struct fr_evaluation *run)
{
    struct fr_prediction *out = run->out;
    const double peak = run->cal->core_peak_flops_per_s * (double)values->threads;
    struct sum sum = { .values = values, .cal = run->cal, .out = out, .arena = run->arena };

    out->used |= FR_USE(ROUTINE_MODELS);
    if (!walk(whole, visit_call, &sum)) {
        fr_fault(run->faults, FR_NOMEM, "",
                 "the request has too many kernel calls; ask for fewer points, smaller matrices or "
                 "larger blocks");
        return;
    }
    if (sum.reordered)
        fr_warn(out, FR_WARN_REORDERED, NULL, sum.reordered, 0, sum.calls);
    for (size_t i = 0; i < sum.phases; i++)
        fr_phase(out, sum.phase[i].routine, FR_COMPUTATION, sum.phase[i].time_s, 0);
    out->extra[BLOCKED_EXTRA_MIN] = sum.total.min;
    out->extra[BLOCKED_EXTRA_AVG] = sum.total.avg;
    out->extra[BLOCKED_EXTRA_MAX] = sum.total.max;
    out->extra[BLOCKED_EXTRA_STD] = sqrt(sum.variance);
    out->extra[BLOCKED_EXTRA_CALLS] = sum.calls;
    out->extra[BLOCKED_EXTRA_OUTSIDE] = sum.outside;
    out->extra[BLOCKED_EXTRA_FUSED] = fused;
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
    struct sum *sum = context;
    struct blocked_times times = { 0 };
    char text[BLOCKED_CALL_BYTES];
    bool is_outside = false;

    if (!blocked_call_is_empty(call))
        is_outside = times_of(sum, use(sum, &call->kernel), call, &times);
    blocked_call_print(call, text);
    return !is_exhausted(sum) &&
           sum->listing->row(sum->listing->context, text,
                             (const double[]){ times.med, times.min, times.avg, times.max,
                                               times.std, is_outside });
}

void blocked_explain(const struct blocked_values *values, const void *whole, blocked_walk *walk,
                     struct fr_evaluation *run, const struct fr_listing *listing)
{
    struct sum sum = {
        .values = values, .cal = run->cal, .out = run->out, .arena = run->arena, .listing = listing
    };

    walk(whole, visit_listed, &sum);
}
