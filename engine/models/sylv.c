/* sylv: the triangular Sylvester equation L X + X U = C, sixteen blocked variants
 * (docs/models/blocked.md#sylvester-equation). */
#include "engine/blocked/blocked.h"

#include <inttypes.h>

struct sylv {
    struct blocked_values common;
    int64_t m, n, variant, block_size;
    int leaf;
};

/* Limits the work of a prediction, which visits about three calls for each block of X. */
enum { MOST_BLOCKS = 65536 };

static const char *const leaves[] = {
    [SYLV_LEAF_COMMON] = "common",
    [SYLV_LEAF_OWN] = "own",
    NULL,
};

static size_t variants(const void *values, const struct fr_calibration *cal, int64_t *out,
                       size_t capacity)
{
    (void)values;
    (void)cal;
    return blocked_variants(SYLV_VARIANTS, out, capacity);
}

static const struct fr_param params[] = {
    FR_INT(struct sylv, m, .unit = "1", .min = 1, .max = BLOCKED_MAX_SIZE, .flags = FR_AUTOMATIC,
           .doc = "Order of L, rows of X; left open, n."),
    FR_INT(struct sylv, n, .unit = "1", .min = 1, .max = BLOCKED_MAX_SIZE, .flags = FR_REQUIRED,
           .doc = "Order of U, columns of X."),
    FR_INT(struct sylv, variant, .unit = "1", .min = 1, .max = SYLV_VARIANTS, .flags = FR_TUNABLE,
           .candidates = variants,
           .doc =
               "1 to 16: 4 p + q + 1, where the loop invariant has done p steps of the top-right "
               "chain and q steps of the bottom-left chain of updates."),
    BLOCKED_BLOCK_SIZE(struct sylv),
    FR_CHOICE_OF(
        struct sylv, leaf, .choices = leaves, .unit = "", .flags = FR_AUTOMATIC | FR_RECORDED,
        .doc = "Solver of a diagonal block: own, the unblocked version of the variant, as in "
               "the paper, or common, one column-wise solver for all variants. Automatic: own "
               "if the calibration has its sixteen models, else common."),
    BLOCKED_PARAMS,
    FR_PARAMS_END,
};

static bool walk(const void *values, blocked_visit *visit, void *context)
{
    const struct sylv *v = values;

    return sylv_calls((int)v->variant, v->m, v->n, v->block_size, (enum sylv_leaf)v->leaf, visit,
                      context);
}

/* docs/models/blocked.md#unblocked-kernels */
static enum sylv_leaf usual_leaf(const struct blocked_values *values,
                                 const struct fr_calibration *cal)
{
    const struct blocked_routine *first = blocked_routine_find("sylv1_unb");
    const enum blocked_locality locality =
        values->locality == BLOCKED_OUT_OF_CACHE ? BLOCKED_OUT_OF_CACHE : BLOCKED_IN_CACHE;

    for (int i = 0; i < SYLV_VARIANTS; i++)
        if (!blocked_find(cal, &(struct blocked_kernel){ .routine = first + i }, values->threads,
                          locality))
            return SYLV_LEAF_COMMON;
    return SYLV_LEAF_OWN;
}

static int resolve(void *values, const struct fr_calibration *cal, struct fr_faults *faults)
{
    struct sylv *v = values, few;
    const int64_t b = v->block_size;
    int64_t blocks;

    if (v->m == FR_OPEN_INT)
        v->m = v->n;
    blocks = ((v->m + b - 1) / b) * ((v->n + b - 1) / b);
    if (blocks > MOST_BLOCKS)
        return fr_fault(faults, FR_RELATION, "block_size",
                        "%" PRId64 " divides X into %" PRId64 " blocks, more than %d; use a larger "
                        "block size",
                        b, blocks, MOST_BLOCKS);
    if (v->leaf == FR_OPEN_CHOICE)
        v->leaf = usual_leaf(&v->common, cal);
    few = *v;
    few.m = blocked_smaller(v->m, BLOCKED_FEW * b);
    few.n = blocked_smaller(v->n, BLOCKED_FEW * b);
    return blocked_resolve(&v->common, &few, walk, v->leaf == SYLV_LEAF_OWN ? "sylv_own" : "sylv",
                           cal, faults);
}

static bool has_kernels(const struct fr_calibration *cal)
{
    const struct blocked_values usual = { .threads = 1, .locality = BLOCKED_IN_CACHE };
    struct sylv v = {
        .m = BLOCKED_FEW, .n = BLOCKED_FEW, .block_size = 1, .leaf = usual_leaf(&usual, cal)
    };

    for (v.variant = 1; v.variant <= SYLV_VARIANTS; v.variant++)
        if (!blocked_has_models(cal, &v, walk))
            return false;
    return true;
}

static void predict(const void *values, struct fr_evaluation *run)
{
    const struct sylv *v = values;
    const double m = (double)v->m, n = (double)v->n;

    blocked_sum(&v->common, sylv_flops(m, n), sylv_flops_fused(m, n), run);
}

const struct fr_model fr_model_sylv = {
    .name = "sylv",
    .summary = "Blocked solution of the triangular Sylvester equation, sixteen variants, from "
               "models of its kernels.",
    .source = "Peise, Bientinesi: Performance Modeling for Dense Linear Algebra (2012)",
    .assumes =
        FR_TEXTS("L is lower and U upper triangular; C is overwritten by X.",
                 "Panels are solved recursively with the same variant and block size; only "
                 "diagonal blocks use the unblocked solver.",
                 "Variants are numbered p-major; the paper may number them q-major, which "
                 "exchanges 2 with 5, 3 with 9, 4 with 13, 7 with 10, 8 with 14 and 12 with 15.",
                 "The time of the algorithm is the sum of the times of its calls."),
    .cost = FR_LONG,
    BLOCKED_MODEL(struct sylv, blocked_outputs, FR_USE(REUSE), "sylv", has_kernels),
};
