/* calls: a list of kernel calls from the request, for a single kernel or for an algorithm of the
 * user (docs/models/blocked.md#calls).
 *
 * `dtrsm LLNN 96 n -1; dgemm NN n n 96 -1 | dtrmm RLNN 96 n +1`: ';' or a line end separates calls,
 * '|' separates the variants of an algorithm, and a size is a number or one of m, n, k.
 */
#include "engine/blocked/blocked.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

struct calls {
    struct blocked_values common;
    int64_t m, n, k, variant;
    struct fr_words calls;
};

enum { MOST_VARIANTS = 64 };

static size_t variants_of(const char *text)
{
    size_t count = 1;

    for (; *text; text++)
        count += *text == '|';
    return count;
}

static size_t variants(const void *values, const struct fr_calibration *cal, int64_t *out,
                       size_t capacity)
{
    const struct calls *v = values;

    (void)cal;
    return blocked_variants(variants_of(v->calls.text), out, capacity);
}

#define SIZE_OF_CALLS(f)                                                    \
    FR_INT(struct calls, f, .unit = "1", .min = 0, .max = BLOCKED_MAX_SIZE, \
           .flags = FR_AUTOMATIC | FR_OPTIONAL, .doc = "Value of " #f " in calls.")

static bool size_of_letter(void *context, const char *letter, size_t length, int64_t *size)
{
    const struct calls *v = context;

    if (length != 1 || !strchr("mnk", letter[0]))
        return false;
    *size = letter[0] == 'm' ? v->m : letter[0] == 'n' ? v->n : v->k;
    return *size != FR_OPEN_INT;
}

static bool is_separator(char c)
{
    return c == ';' || c == '\n' || c == '\r' || c == ' ' || c == '\t';
}

/* Reads all variants and visits the calls of the chosen one, or all calls if `chosen` is 0, with
 * NULL after those of each variant.
 * `faults` may be NULL. */
static bool read_calls(const struct calls *v, int64_t chosen, blocked_visit *visit, void *context,
                       struct fr_faults *faults)
{
    const char *at = v->calls.text;
    size_t number = 0;

    for (int64_t variant = 1;; variant++, at++) {
        const size_t before = number;

        while (is_separator(*at))
            at++;
        while (*at && *at != '|') {
            struct blocked_call call;
            char why[BLOCKED_WHY_BYTES];
            const size_t taken =
                blocked_call_read(at, size_of_letter, (void *)(uintptr_t)v, &call, why);

            number++;
            if (!taken && faults)
                fr_fault(faults, FR_SYNTAX, "calls", "call %zu: %s", number, why);
            if (taken && (!chosen || variant == chosen) && !visit(context, &call))
                return false;
            at += taken ? taken : strcspn(at, ";|\n\r");
            while (is_separator(*at))
                at++;
        }
        if (number == before && faults && variant <= MOST_VARIANTS)
            fr_fault(faults, FR_SYNTAX, "calls",
                     "variant %" PRId64 " has no call; a call is dtrsm LLNN 100 200 -1", variant);
        if (!chosen && !visit(context, NULL))
            return false;
        if (!*at)
            return true;
    }
}

/* The call of a list that has one. */
struct only {
    struct blocked_call call;
    size_t count;
};

static bool keep_call(void *context, const struct blocked_call *call)
{
    struct only *only = context;

    only->call = *call;
    return ++only->count == 1;
}

/* Samples have the sizes of their call as m, n and k: `dtrsm LLNN n n` is that of a square one. */
static bool is_call_of(const void *values, const void *run)
{
    const struct calls *sampled = run;
    struct calls asked = *(const struct calls *)values;
    struct only a = { .count = 0 }, b = { .count = 0 };

    asked.m = sampled->m;
    asked.n = sampled->n;
    asked.k = sampled->k;
    read_calls(&asked, asked.variant, keep_call, &a, NULL);
    read_calls(sampled, sampled->variant, keep_call, &b, NULL);
    return a.count == 1 && b.count == 1 && blocked_kernel_equal(&a.call.kernel, &b.call.kernel) &&
           memcmp(a.call.size, b.call.size, sizeof a.call.size) == 0 &&
           a.call.alpha == b.call.alpha;
}

static bool mix_call(void *context, const struct blocked_call *call)
{
    uint64_t *hash = context;
    char text[BLOCKED_CALL_BYTES] = "|";

    if (call)
        blocked_call_print(call, text);
    *hash = fr_hash_bytes(*hash, text, strlen(text) + 1);
    return true;
}

/* A tuple is the call of the short form. */
static uint64_t mix_calls(uint64_t hash, const void *values)
{
    read_calls(values, 0, mix_call, &hash, NULL);
    return hash;
}

static const struct fr_param params[] = {
    FR_TEXT(struct calls, calls, .unit = "", .flags = FR_REQUIRED, .is_of = is_call_of,
            .mix = mix_calls,
            .doc = "Calls such as 'dtrsm LLNN 100 200 -1' or 'dtrsm(L, L, N, N, 100, 200, -1, …)', "
                   "separated by ';', variants of an algorithm separated by '|'; sizes are "
                   "numbers or m, n, k."),
    FR_INT(struct calls, variant, .unit = "1", .min = 1, .max = MOST_VARIANTS, .fallback = 1,
           .flags = FR_DEFAULT | FR_TUNABLE, .candidates = variants,
           .doc = "Number of the variant in calls, from 1."),
    SIZE_OF_CALLS(m),
    SIZE_OF_CALLS(n),
    SIZE_OF_CALLS(k),
    BLOCKED_PARAMS,
    FR_PARAMS_END,
};

static bool walk(const void *values, blocked_visit *visit, void *context)
{
    const struct calls *v = values;

    return read_calls(v, v->variant, visit, context, NULL);
}

static bool ignore_call(void *context, const struct blocked_call *call)
{
    (void)context;
    (void)call;
    return true;
}

static int resolve(void *values, const struct fr_calibration *cal, struct fr_faults *faults)
{
    struct calls *v = values;
    const size_t before = faults->count, count = variants_of(v->calls.text);

    read_calls(v, 0, ignore_call, NULL, faults);
    if (count > MOST_VARIANTS)
        fr_fault(faults, FR_RANGE, "calls", "%zu variants; at most %d", count, MOST_VARIANTS);
    else if (v->variant > (int64_t)count)
        fr_fault(faults, FR_RANGE, "variant", "%" PRId64 ": calls has %zu variant%s", v->variant,
                 count, count == 1 ? "" : "s");
    if (faults->count > before)
        return FR_SYNTAX;
    return blocked_resolve(&v->common, v, walk, NULL, cal, faults);
}

/* The count of calls is `call_count` here, because `calls` is the parameter. */
static const struct fr_output outputs[] = { BLOCKED_OUTPUTS("call_count") };

static bool add_flops(void *context, const struct blocked_call *call)
{
    *(double *)context += blocked_flops(&call->kernel, call->size);
    return true;
}

static void predict(const void *values, struct fr_evaluation *run)
{
    const struct calls *v = values;
    double flops = 0;

    walk(v, add_flops, &flops);
    blocked_sum(&v->common, flops, NAN, run);
}

const struct fr_model fr_model_calls = {
    .name = "calls",
    .summary = "Lists of BLAS and LAPACK calls, or variants of such lists, from models of the "
               "kernels.",
    .source = "Peise, Bientinesi: Performance Modeling for Dense Linear Algebra (2012)",
    .assumes = FR_TEXTS("The time of a list is the sum of the times of its calls.",
                        "Operations are those of all calls, even if the algorithm needs fewer."),
    .cost = FR_LONG,
    BLOCKED_MODEL(struct calls, outputs, 0, NULL, NULL),
};
