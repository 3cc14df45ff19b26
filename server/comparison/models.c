/* Compares routine models by the median times that they predict for a few calls. */
#include "engine/blocked/fitted.h"
#include "server/comparison/comparison.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* At 1/4, 1/2 and 3/4 of the common size range, on a logarithmic scale. */
enum { CALLS = 3 };

#define PATTERN "kernels.routine_models.*"

/* Returns the model of the same calls in the other calibration, or NULL. */
static const struct blocked_fitted *counterpart(const struct fr_calibration *other,
                                                const struct blocked_fitted *wanted)
{
    for (size_t i = 0; i < other->kernels.routine_models.count; i++) {
        const struct blocked_fitted *fitted = &other->fitted[i];

        if (blocked_kernel_equal(&fitted->kernel, &wanted->kernel) &&
            fitted->locality == wanted->locality && fitted->threads == wanted->threads)
            return fitted;
    }
    return NULL;
}

/* Prints `kernels.routine_models[dtrsm,LLNN,in_cache,threads=1` without the closing bracket. */
static size_t print_path(const struct blocked_fitted *fitted, char out[FR_VALUE_PATH_BYTES])
{
    return (size_t)snprintf(
        out, FR_VALUE_PATH_BYTES, "kernels.routine_models[%s%s%s,%s,threads=%" PRId64,
        fitted->kernel.routine->name, *fitted->kernel.flags ? "," : "", fitted->kernel.flags,
        fitted->locality == BLOCKED_IN_CACHE ? "in_cache" : "out_of_cache", fitted->threads);
}

static void print_pointer(const struct fr_calibration *cal, const struct blocked_fitted *fitted,
                          char out[FR_WHERE_BYTES])
{
    snprintf(out, FR_WHERE_BYTES, "/kernels/routine_models/%zu", (size_t)(fitted - cal->fitted));
}

/* Computes sizes that both models cover; returns false if their ranges do not overlap. */
static bool common_call(const struct blocked_fitted *const fitted[FR_SIDES], double share,
                        struct blocked_call *out)
{
    *out = (struct blocked_call){ .kernel = fitted[FR_FROM]->kernel, .alpha = 1 };
    for (size_t d = 0; d < out->kernel.routine->sizes; d++) {
        const double low = fmax(fitted[FR_FROM]->low[d], fitted[FR_TO]->low[d]);
        const double high = fmin(fitted[FR_FROM]->high[d], fitted[FR_TO]->high[d]);

        if (low > high)
            return false;
        out->size[d] = llround(low * pow(high / low, share));
    }
    return true;
}

static void compare_call(struct fr_collector *collector,
                         const struct blocked_fitted *const fitted[FR_SIDES],
                         const struct blocked_call *call)
{
    char path[FR_VALUE_PATH_BYTES], pointer[FR_SIDES][FR_WHERE_BYTES];
    struct fr_found found = { .path = path, .pattern = PATTERN ".time_s", .unit = "s" };
    size_t used = print_path(fitted[FR_FROM], path);

    for (size_t d = 0; d < call->kernel.routine->sizes && used < sizeof path; d++)
        used += (size_t)snprintf(path + used, sizeof path - used, ",%s=%" PRId64,
                                 call->kernel.routine->size_names[d], call->size[d]);
    if (used < sizeof path)
        snprintf(path + used, sizeof path - used, "].time_s");
    for (int side = 0; side < FR_SIDES; side++) {
        struct blocked_times times;

        blocked_evaluate(fitted[side], call, &times);
        print_pointer(collector->out->cal[side], fitted[side], pointer[side]);
        found.side[side] = (struct fr_found_side){ times.med > 0, times.med, NULL, pointer[side] };
    }
    fr_collect(collector, &found);
}

/* Collects a model without a counterpart or without a common size range. */
static void collect_whole(struct fr_collector *collector, const struct blocked_fitted *from,
                          const struct blocked_fitted *to)
{
    const struct blocked_fitted *const fitted[FR_SIDES] = { from, to };
    char path[FR_VALUE_PATH_BYTES], range[60], pointer[FR_SIDES][FR_WHERE_BYTES];
    struct fr_found found = { .path = path, .pattern = PATTERN ".range" };
    const size_t used = print_path(from ? from : to, path);

    if (used < sizeof path)
        snprintf(path + used, sizeof path - used, "].range");
    for (int side = 0; side < FR_SIDES; side++) {
        const struct blocked_fitted *of = fitted[side];

        found.side[side] = (struct fr_found_side){ .number = NAN };
        if (!of)
            continue;
        snprintf(range, sizeof range, "%s from %.0f to %.0f", of->kernel.routine->size_names[0],
                 of->low[0], of->high[0]);
        print_pointer(collector->out->cal[side], of, pointer[side]);
        found.side[side].is_there = true;
        found.side[side].pointer = pointer[side];
        found.side[side].text = fr_arena_text(collector->arena, range, strlen(range));
        collector->is_out_of_memory = collector->is_out_of_memory || !found.side[side].text;
    }
    if (!collector->is_out_of_memory)
        fr_collect(collector, &found);
}

void fr_collect_routine_models(struct fr_collector *collector)
{
    const struct fr_calibration *from = collector->out->cal[FR_FROM];
    const struct fr_calibration *to = collector->out->cal[FR_TO];

    for (size_t i = 0; i < from->kernels.routine_models.count; i++) {
        const struct blocked_fitted *const pair[FR_SIDES] = { &from->fitted[i],
                                                              counterpart(to, &from->fitted[i]) };
        struct blocked_call call;

        if (!pair[FR_TO] || !common_call(pair, 0.5, &call)) {
            collect_whole(collector, pair[FR_FROM], pair[FR_TO]);
            continue;
        }
        for (int k = 1; k <= CALLS; k++)
            if (common_call(pair, k / (CALLS + 1.0), &call))
                compare_call(collector, pair, &call);
    }
    for (size_t i = 0; i < to->kernels.routine_models.count; i++)
        if (!counterpart(from, &to->fitted[i]))
            collect_whole(collector, NULL, &to->fitted[i]);
}
