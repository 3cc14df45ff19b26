/* trinv: L := L^-1 of a lower triangular matrix in place, four blocked variants
 * (docs/models/blocked.md#triangular-inverse). */
#include "engine/blocked/blocked.h"

#include <inttypes.h>

struct trinv {
    struct blocked_values common;
    int64_t n, variant, block_size;
};

/* Limits the work of a prediction, which is answered without a queue. */
enum { MOST_STEPS = 4096 };

static size_t variants(const void *values, const struct fr_calibration *cal, int64_t *out,
                       size_t capacity)
{
    (void)values;
    (void)cal;
    return blocked_variants(TRINV_VARIANTS, out, capacity);
}

static const struct fr_param params[] = {
    FR_INT(struct trinv, n, .unit = "1", .min = 1, .max = BLOCKED_MAX_SIZE, .flags = FR_REQUIRED,
           .doc = "Order of the triangular matrix."),
    FR_INT(struct trinv, variant, .unit = "1", .min = 1, .max = TRINV_VARIANTS, .flags = FR_TUNABLE,
           .candidates = variants,
           .doc = "1 to 4, as in the paper; 4 does up to three times the operations."),
    BLOCKED_BLOCK_SIZE(struct trinv),
    BLOCKED_PARAMS,
    FR_PARAMS_END,
};

static bool walk(const void *values, blocked_visit *visit, void *context)
{
    const struct trinv *v = values;

    return trinv_calls((int)v->variant, v->n, v->block_size, visit, context);
}

static int resolve(void *values, const struct fr_calibration *cal, struct fr_faults *faults)
{
    struct trinv *v = values, few = *v;

    if (v->n / v->block_size > MOST_STEPS)
        return fr_fault(faults, FR_RELATION, "block_size",
                        "%" PRId64 " divides n = %" PRId64 " into more than %d steps; use %" PRId64
                        " or more",
                        v->block_size, v->n, MOST_STEPS, v->n / MOST_STEPS + 1);
    few.n = blocked_smaller(v->n, BLOCKED_FEW * v->block_size);
    return blocked_resolve(&v->common, &few, walk, "trinv", cal, faults);
}

static bool has_kernels(const struct fr_calibration *cal)
{
    struct trinv v = { .n = BLOCKED_FEW, .block_size = 1 };

    for (v.variant = 1; v.variant <= TRINV_VARIANTS; v.variant++)
        if (!blocked_has_models(cal, &v, walk))
            return false;
    return true;
}

static void predict(const void *values, struct fr_evaluation *run)
{
    const struct trinv *v = values;
    const double n = (double)v->n;

    blocked_sum(&v->common, trinv_flops(n), trinv_flops_fused(n), run);
}

const struct fr_model fr_model_trinv = {
    .name = "trinv",
    .summary = "Blocked inverse of a triangular matrix, four variants, from models of its kernels.",
    .source = "Peise, Bientinesi: Performance Modeling for Dense Linear Algebra (2012)",
    .assumes =
        FR_TEXTS("A lower triangular matrix without a unit diagonal, overwritten by its inverse; "
                 "diagonal blocks are inverted by the unblocked version of the same variant.",
                 "The time of the algorithm is the sum of the times of its calls."),
    .cost = FR_LONG,
    BLOCKED_MODEL(struct trinv, blocked_outputs, FR_USE(REUSE), "trinv", has_kernels),
};
