/* The table of kernels, and what follows from a kernel's operation count: the basis of its model is
 * all monomials dominated by the leading exponents of the count (blocked.md 5).
 */
#include "engine/blocked/routine.h"

#include <string.h>

static double flops_dgemm(const char *flags, const double *size)
{
    (void)flags;
    return 2 * size[0] * size[1] * size[2];
}

static double flops_triangle(const char *flags, const double *size)
{
    return flags[0] == 'R' ? size[0] * size[1] * size[1] : size[0] * size[0] * size[1];
}

static double flops_inverse(const char *flags, const double *size)
{
    const double n = size[0];

    (void)flags;
    return n * n * n / 3 + 2 * n / 3;
}

static double flops_sylv(const char *flags, const double *size)
{
    (void)flags;
    return size[0] * size[1] * (size[0] + size[1]);
}

static double flops_dsyrk(const char *flags, const double *size)
{
    (void)flags;
    return size[0] * (size[0] + 1) * size[1];
}

static double flops_dsymm(const char *flags, const double *size)
{
    return 2 * flops_triangle(flags, size);
}

static double flops_dpotrf(const char *flags, const double *size)
{
    const double n = size[0];

    (void)flags;
    return n * n * n / 3 + n * n / 2 + n / 6;
}

/* Leading terms: m n^2 - n^3/3 for a tall matrix, the same with m and n exchanged for a wide one.
 */
static double flops_dgetrf(const char *flags, const double *size)
{
    const double tall = size[0] > size[1] ? size[0] : size[1];
    const double side = size[0] > size[1] ? size[1] : size[0];

    (void)flags;
    return side * side * (tall - side / 3);
}

#define NAMED(text) .name = text, .path = "kernels.routine_models." text
#define TRIANGLE                                                                         \
    .flag_names = { "side", "uplo", "trans", "diag" },                                   \
    .flag_letters = { "LR", "UL", "NTC", "NU" }, .flags = 4, .size_names = { "m", "n" }, \
    .sizes = 2, .has_alpha = true, .flops = flops_triangle
#define TRINV(v)                                                                            \
    {                                                                                       \
        NAMED("trinv" #v "_unb"), .size_names = { "n" }, .sizes = 1, .flops = flops_inverse \
    }
#define SYLV(v)                                                                              \
    {                                                                                        \
        NAMED("sylv" #v "_unb"), .size_names = { "m", "n" }, .sizes = 2, .flops = flops_sylv \
    }

const struct blocked_routine blocked_routines[] = {
    { NAMED("dgemm"), .flag_names = { "transA", "transB" }, .flag_letters = { "NTC", "NTC" },
      .flags = 2, .size_names = { "m", "n", "k" }, .sizes = 3, .has_alpha = true,
      .flops = flops_dgemm },
    { NAMED("dtrsm"), TRIANGLE },
    { NAMED("dtrmm"), TRIANGLE },
    TRINV(1),
    TRINV(2),
    TRINV(3),
    TRINV(4),
    SYLV(),
    SYLV(1),
    SYLV(2),
    SYLV(3),
    SYLV(4),
    SYLV(5),
    SYLV(6),
    SYLV(7),
    SYLV(8),
    SYLV(9),
    SYLV(10),
    SYLV(11),
    SYLV(12),
    SYLV(13),
    SYLV(14),
    SYLV(15),
    SYLV(16),
    { NAMED("dsyrk"), .flag_names = { "uplo", "trans" }, .flag_letters = { "UL", "NTC" },
      .flags = 2, .size_names = { "n", "k" }, .sizes = 2, .has_alpha = true, .flops = flops_dsyrk },
    { NAMED("dsymm"), .flag_names = { "side", "uplo" }, .flag_letters = { "LR", "UL" }, .flags = 2,
      .size_names = { "m", "n" }, .sizes = 2, .has_alpha = true, .flops = flops_dsymm },
    { NAMED("dpotrf"), .flag_names = { "uplo" }, .flag_letters = { "UL" }, .flags = 1,
      .size_names = { "n" }, .sizes = 1, .flops = flops_dpotrf },
    { NAMED("dgetrf"), .size_names = { "m", "n" }, .sizes = 2, .flops = flops_dgetrf },
    { NAMED("dtrtri"), .flag_names = { "uplo", "diag" }, .flag_letters = { "UL", "NU" }, .flags = 2,
      .size_names = { "n" }, .sizes = 1, .flops = flops_inverse },
    { .name = NULL },
};

const struct blocked_routine *blocked_routine_find(const char *name)
{
    for (const struct blocked_routine *routine = blocked_routines; routine->name; routine++)
        if (strcmp(routine->name, name) == 0)
            return routine;
    return NULL;
}

bool blocked_kernel_equal(const struct blocked_kernel *a, const struct blocked_kernel *b)
{
    return a->routine == b->routine && strcmp(a->flags, b->flags) == 0;
}

double blocked_flops(const struct blocked_kernel *kernel, const int64_t *size)
{
    double as_double[BLOCKED_MAX_SIZES] = { 0 };

    for (size_t d = 0; d < kernel->routine->sizes; d++)
        as_double[d] = (double)size[d];
    return kernel->routine->flops(kernel->flags, as_double);
}

/* ---- the basis ---------------------------------------------------------------------------- */

/* Leading exponents of an operation count. */
struct leading {
    size_t count;
    int exponent[4][BLOCKED_MAX_SIZES];
};

static struct leading leading_of(const struct blocked_kernel *kernel)
{
    static const struct leading cube = { 1, { { 3 } } };
    static const struct leading product = { 1, { { 1, 1, 1 } } };
    static const struct leading left = { 1, { { 2, 1 } } }, right = { 1, { { 1, 2 } } };
    static const struct leading both = { 2, { { 2, 1 }, { 1, 2 } } };
    static const struct leading factors = { 4, { { 2, 1 }, { 1, 2 }, { 3, 0 }, { 0, 3 } } };
    const char *name = kernel->routine->name;

    if (kernel->routine->sizes == 1)
        return cube;
    if (kernel->routine->sizes == 3)
        return product;
    if (strncmp(name, "sylv", 4) == 0)
        return both;
    if (strcmp(name, "dgetrf") == 0)
        return factors;
    return kernel->flags[0] == 'R' ? right : left;
}

static bool is_dominated(const struct leading *leading, const int *exponent, int extra)
{
    for (size_t i = 0; i < leading->count; i++) {
        bool is_below = true;

        for (size_t d = 0; d < BLOCKED_MAX_SIZES; d++)
            is_below = is_below && exponent[d] <= leading->exponent[i][d] + extra;
        if (is_below)
            return true;
    }
    return false;
}

size_t blocked_basis(const struct blocked_kernel *kernel, int degree_extra,
                     int exponent[BLOCKED_MAX_TERMS][BLOCKED_MAX_SIZES],
                     int degree[BLOCKED_MAX_SIZES])
{
    enum { HIGHEST = 5 };
    const struct leading leading = leading_of(kernel);
    const size_t sizes = kernel->routine->sizes;
    size_t terms = 0;

    for (size_t d = 0; d < BLOCKED_MAX_SIZES; d++)
        degree[d] = 0;
    for (int i = 0; i <= HIGHEST; i++)
        for (int j = 0; j <= (sizes > 1 ? HIGHEST : 0); j++)
            for (int k = 0; k <= (sizes > 2 ? HIGHEST : 0); k++) {
                const int candidate[BLOCKED_MAX_SIZES] = { i, j, k };

                if (!is_dominated(&leading, candidate, degree_extra))
                    continue;
                memcpy(exponent[terms++], candidate, sizeof candidate);
                for (size_t d = 0; d < BLOCKED_MAX_SIZES; d++)
                    degree[d] = candidate[d] > degree[d] ? candidate[d] : degree[d];
            }
    return terms;
}
