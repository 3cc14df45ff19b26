/* The kernels that blocked algorithms are made of: their flags, sizes, operation counts, and the
 * monomials of their models (blocked.md 1, 5, 9).
 */
#ifndef FR_BLOCKED_ROUTINE_H
#define FR_BLOCKED_ROUTINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { BLOCKED_MAX_SIZES = 3, BLOCKED_MAX_FLAGS = 4, BLOCKED_MAX_TERMS = 64 };

struct blocked_routine {
    const char *name;                            /* dtrsm */
    const char *path;                            /* kernels.routine_models.dtrsm */
    const char *flag_names[BLOCKED_MAX_FLAGS];   /* side, uplo, trans, diag: in the BLAS order */
    const char *flag_letters[BLOCKED_MAX_FLAGS]; /* what each may be: "LR" */
    const char *size_names[BLOCKED_MAX_SIZES];   /* m, n: in the BLAS order */
    size_t flags, sizes;                         /* how many of each */
    bool has_alpha;
    /* Operations, counting additions, multiplications and divisions one each; `flags` are the
     * joined letters. */
    double (*flops)(const char *flags, const double *size);
};

/* Every routine; ends with name NULL. */
extern const struct blocked_routine blocked_routines[];
/* NULL: unknown. */
const struct blocked_routine *blocked_routine_find(const char *name);

/* A routine with its flags: what has one model. */
struct blocked_kernel {
    const struct blocked_routine *routine;
    char flags[BLOCKED_MAX_FLAGS + 1]; /* joined letters; empty for leaves */
};
bool blocked_kernel_equal(const struct blocked_kernel *a, const struct blocked_kernel *b);
double blocked_flops(const struct blocked_kernel *kernel, const int64_t *size);

/* Exponents of the monomials of a kernel's model, all those dominated by the leading ones of its
 * operation count, each bound raised by `degree_extra` (0 to 2).  Ascending, the first size's
 * exponent slowest.  Returns how many, at most BLOCKED_MAX_TERMS; `degree` gets the highest
 * exponent of each size (for the sample grid). */
size_t blocked_basis(const struct blocked_kernel *kernel, int degree_extra,
                     int exponent[BLOCKED_MAX_TERMS][BLOCKED_MAX_SIZES],
                     int degree[BLOCKED_MAX_SIZES]);

#endif
