/* Chooses the locality of a question and refuses kernels that the calibration does not model
 * (docs/models/blocked.md#prediction). */
#include "engine/blocked/blocked.h"

#include <math.h>
#include <stdio.h>

const char *const blocked_localities[] = {
    [BLOCKED_IN_CACHE] = "in_cache",
    [BLOCKED_OUT_OF_CACHE] = "out_of_cache",
    [BLOCKED_BLEND] = "blend",
    [BLOCKED_REUSE] = "reuse",
    NULL,
};
const char *const blocked_first_uses[] = {
    [BLOCKED_IN_CACHE] = "in_cache",
    [BLOCKED_OUT_OF_CACHE] = "out_of_cache",
    NULL,
};
const char *const blocked_time_names[] = {
    [BLOCKED_MEDIAN] = "median",
    [BLOCKED_MINIMUM] = "minimum",
    [BLOCKED_AVERAGE] = "average",
    [BLOCKED_MAXIMUM] = "maximum",
    NULL,
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

static bool needs(const struct blocked_values *values, enum blocked_locality locality)
{
    const int other = locality == BLOCKED_IN_CACHE ? BLOCKED_OUT_OF_CACHE : BLOCKED_IN_CACHE;

    return values->locality != other;
}

struct blocked_used *blocked_use(struct blocked_total *sum, const struct blocked_kernel *kernel)
{
    struct blocked_used *used = sum->used;

    for (size_t i = 0; i < sum->kernels; i++, used++)
        if (blocked_kernel_equal(&used->kernel, kernel))
            return used;
    if (sum->kernels == BLOCKED_MOST_KERNELS) {
        sum->is_full = true;
        return NULL;
    }
    sum->kernels++;
    *used = (struct blocked_used){ .kernel = *kernel };
    if (needs(sum->values, BLOCKED_IN_CACHE))
        used->in_cache = blocked_find(sum->cal, kernel, sum->values->threads, BLOCKED_IN_CACHE);
    if (needs(sum->values, BLOCKED_OUT_OF_CACHE))
        used->out_of_cache =
            blocked_find(sum->cal, kernel, sum->values->threads, BLOCKED_OUT_OF_CACHE);
    return used;
}

static bool visit_kernel(void *context, const struct blocked_call *call)
{
    struct blocked_total *sum = context;

    if (blocked_call_is_empty(call))
        return true;
    blocked_use(sum, &call->kernel);
    sum->has_operands = sum->has_operands && call->operands;
    return true;
}

bool blocked_has_models(const struct fr_calibration *cal, const void *whole, blocked_walk *walk)
{
    const struct blocked_values values = { .threads = 1, .locality = BLOCKED_IN_CACHE };
    struct blocked_total sum = { .values = &values, .cal = cal };

    walk(whole, visit_kernel, &sum);
    for (size_t i = 0; i < sum.kernels; i++)
        if (!sum.used[i].in_cache)
            return false;
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

static void refuse_missing(const struct blocked_total *sum, const struct blocked_used *used,
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

/* docs/models/blocked.md#decision-reuse-where-the-calibration-has-it */
static void settle_locality(struct blocked_values *values, const struct blocked_total *sum,
                            struct fr_faults *faults)
{
    const bool has_reuse = sum->cal->kernels.reuse.count > 0;
    bool has_both = true;

    for (size_t i = 0; i < sum->kernels; i++)
        has_both = has_both && sum->used[i].in_cache && sum->used[i].out_of_cache;
    if (values->locality == FR_OPEN_CHOICE)
        values->locality =
            has_reuse && has_both && sum->has_operands ? BLOCKED_REUSE : BLOCKED_IN_CACHE;
    if (values->locality != BLOCKED_REUSE)
        return;
    if (!has_reuse)
        fr_fault(faults, FR_GROUP_MISSING, "calibration",
                 "no kernels.reuse; forerun-calibrate --only=routine_models "
                 "--locality=in_cache,out_of_cache makes it");
    if (!sum->has_operands)
        fr_fault(faults, FR_RELATION, "locality",
                 "reuse: calls do not say which operands they share; use in_cache, out_of_cache "
                 "or blend");
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
    struct blocked_total sum = {
        .values = values, .cal = cal, .kernel_set = kernels, .has_operands = true
    };

    values->walk = walk;
    walk(whole, visit_kernel, &sum);
    settle_locality(values, &sum, faults);
    settle_weight(values, cal, faults);
    for (size_t i = 0; i < sum.kernels; i++) {
        if (needs(values, BLOCKED_IN_CACHE) && !sum.used[i].in_cache)
            refuse_missing(&sum, &sum.used[i], BLOCKED_IN_CACHE, faults);
        if (needs(values, BLOCKED_OUT_OF_CACHE) && !sum.used[i].out_of_cache)
            refuse_missing(&sum, &sum.used[i], BLOCKED_OUT_OF_CACHE, faults);
    }
    if (sum.is_full)
        fr_fault(faults, FR_RANGE, "calls", "more than %d kernels", BLOCKED_MOST_KERNELS);
    return faults->count > before ? FR_RELATION : FR_OK;
}
