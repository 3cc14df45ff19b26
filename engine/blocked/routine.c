/* The table of kernels.  The basis of a kernel's model consists of all monomials that the leading
 * exponents of its operation count dominate (docs/models/kernel_models.md#monomial-basis).
 */
#include "engine/blocked/routine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

double trinv_flops(double n)
{
    return n * n * n / 3 + 2 * n / 3;
}

double trinv_flops_fused(double n)
{
    return n * n * n / 6 + n * n / 2 + n / 3;
}

double sylv_flops(double m, double n)
{
    return m * n * (m + n);
}

double sylv_flops_fused(double m, double n)
{
    return m * n * (m + n) / 2 + m * n;
}

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
    (void)flags;
    return trinv_flops(size[0]);
}

static double flops_sylv(const char *flags, const double *size)
{
    (void)flags;
    return sylv_flops(size[0], size[1]);
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

/* The leading terms, m n^2 - n^3/3 for a tall matrix. */
static double flops_dgetrf(const char *flags, const double *size)
{
    const double tall = size[0] > size[1] ? size[0] : size[1];
    const double side = size[0] > size[1] ? size[1] : size[0];

    (void)flags;
    return side * side * (tall - side / 3);
}

static const struct blocked_leading cube = { 1, { { 3 } } };
static const struct blocked_leading product = { 1, { { 1, 1, 1 } } };
static const struct blocked_leading left = { 1, { { 2, 1 } } }, right = { 1, { { 1, 2 } } };
static const struct blocked_leading both = { 2, { { 2, 1 }, { 1, 2 } } };
static const struct blocked_leading lu = { 4, { { 2, 1 }, { 1, 2 }, { 3, 0 }, { 0, 3 } } };

#define NAMED(text) .name = text, .path = "kernels.routine_models." text
#define TRIANGLE                                                                         \
    .flag_names = { "side", "uplo", "trans", "diag" },                                   \
    .flag_letters = { "LR", "UL", "NTC", "NU" }, .flags = 4, .size_names = { "m", "n" }, \
    .sizes = 2, .has_alpha = true, .flops = flops_triangle, .leading = &left,            \
    .leading_right = &right
#define TRINV(v)                                                                             \
    {                                                                                        \
        NAMED("trinv" #v "_unb"), .size_names = { "n" }, .sizes = 1, .flops = flops_inverse, \
                                  .leading = &cube                                           \
    }
#define SYLV(v)                                                                               \
    {                                                                                         \
        NAMED("sylv" #v "_unb"), .size_names = { "m", "n" }, .sizes = 2, .flops = flops_sylv, \
                                 .leading = &both                                             \
    }

const struct blocked_routine blocked_routines[] = {
    { NAMED("dgemm"), .flag_names = { "transA", "transB" }, .flag_letters = { "NTC", "NTC" },
      .flags = 2, .size_names = { "m", "n", "k" }, .sizes = 3, .has_alpha = true,
      .flops = flops_dgemm, .leading = &product },
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
      .flags = 2, .size_names = { "n", "k" }, .sizes = 2, .has_alpha = true, .flops = flops_dsyrk,
      .leading = &left },
    { NAMED("dsymm"), .flag_names = { "side", "uplo" }, .flag_letters = { "LR", "UL" }, .flags = 2,
      .size_names = { "m", "n" }, .sizes = 2, .has_alpha = true, .flops = flops_dsymm,
      .leading = &left, .leading_right = &right },
    { NAMED("dpotrf"), .flag_names = { "uplo" }, .flag_letters = { "UL" }, .flags = 1,
      .size_names = { "n" }, .sizes = 1, .flops = flops_dpotrf, .leading = &cube },
    { NAMED("dgetrf"), .size_names = { "m", "n" }, .sizes = 2, .flops = flops_dgetrf,
      .leading = &lu },
    { NAMED("dtrtri"), .flag_names = { "uplo", "diag" }, .flag_letters = { "UL", "NU" }, .flags = 2,
      .size_names = { "n" }, .sizes = 1, .flops = flops_inverse, .leading = &cube },
    { .name = NULL },
};

const struct blocked_routine *blocked_routine_find(const char *name)
{
    for (const struct blocked_routine *routine = blocked_routines; routine->name; routine++)
        if (strcmp(routine->name, name) == 0)
            return routine;
    return NULL;
}

/* Whether `b` is the next variant after `a`, as trinv2_unb is after trinv1_unb. */
static bool is_next_variant(const char *a, const char *b)
{
    const size_t stem = strcspn(a, "0123456789");
    char *rest_a, *rest_b;

    return a[stem] && strncmp(a, b, stem) == 0 &&
           strtol(b + stem, &rest_b, 10) == strtol(a + stem, &rest_a, 10) + 1 &&
           strcmp(rest_a, rest_b) == 0;
}

void blocked_routine_names(char out[BLOCKED_NAMES_BYTES])
{
    const struct blocked_routine *first = blocked_routines, *last;
    size_t used = 0;

    for (; first->name && used < BLOCKED_NAMES_BYTES; first = last + 1) {
        const char *comma = used ? ", " : "";

        for (last = first; last[1].name && is_next_variant(last->name, last[1].name); last++)
            ;
        used +=
            (size_t)snprintf(out + used, BLOCKED_NAMES_BYTES - used,
                             first == last ? "%s%s" : "%s%s to %s", comma, first->name, last->name);
    }
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

static bool is_dominated(const struct blocked_leading *leading, const int *exponent, int extra)
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
    const struct blocked_routine *routine = kernel->routine;
    const struct blocked_leading *leading = routine->leading_right && kernel->flags[0] == 'R'
                                                ? routine->leading_right
                                                : routine->leading;
    const size_t sizes = routine->sizes;
    size_t terms = 0;

    for (size_t d = 0; d < BLOCKED_MAX_SIZES; d++)
        degree[d] = 0;
    for (int i = 0; i <= HIGHEST; i++)
        for (int j = 0; j <= (sizes > 1 ? HIGHEST : 0); j++)
            for (int k = 0; k <= (sizes > 2 ? HIGHEST : 0); k++) {
                const int candidate[BLOCKED_MAX_SIZES] = { i, j, k };

                if (!is_dominated(leading, candidate, degree_extra))
                    continue;
                memcpy(exponent[terms++], candidate, sizeof candidate);
                for (size_t d = 0; d < BLOCKED_MAX_SIZES; d++)
                    degree[d] = candidate[d] > degree[d] ? candidate[d] : degree[d];
            }
    return terms;
}
