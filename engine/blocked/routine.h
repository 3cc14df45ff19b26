/* The kernels of blocked algorithms.  One table describes each of them: flags, sizes, operation
 * count and leading exponents.  Reading calls, checking documents, fitting and refusals follow from
 * it (docs/models/blocked.md#calls).
 */
#ifndef FR_BLOCKED_ROUTINE_H
#define FR_BLOCKED_ROUTINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { BLOCKED_MAX_SIZES = 3, BLOCKED_MAX_FLAGS = 4, BLOCKED_MAX_TERMS = 64 };

/* Exponents of the sizes in the leading terms of an operation count. */
struct blocked_leading {
    size_t count;
    int exponent[4][BLOCKED_MAX_SIZES];
};

struct blocked_routine {
    const char *name;                            /* dtrsm */
    const char *path;                            /* kernels.routine_models.dtrsm */
    const char *flag_names[BLOCKED_MAX_FLAGS];   /* in the BLAS order: side, uplo, trans, diag */
    const char *flag_letters[BLOCKED_MAX_FLAGS]; /* the legal letters of each flag: "LR" */
    const char *size_names[BLOCKED_MAX_SIZES];   /* in the BLAS order: m, n */
    size_t flags, sizes;                         /* number of flags and of sizes */
    bool has_alpha;
    /* Number of operations; `flags` are the joined letters.  Additions, multiplications and
     * divisions count one each. */
    double (*flops)(const char *flags, const double *size);
    const struct blocked_leading *leading, *leading_right; /* right: side R; NULL: the same */
};

/* Every routine; ends with name NULL. */
extern const struct blocked_routine blocked_routines[];
/* The routine of this name, or NULL. */
const struct blocked_routine *blocked_routine_find(const char *name);
/* Writes the names of all routines for a message, variants as a range: "dgemm, dtrsm, ...,
 * trinv1_unb to trinv4_unb, ...". */
enum { BLOCKED_NAMES_BYTES = 200 };
void blocked_routine_names(char out[BLOCKED_NAMES_BYTES]);

/* Statistics of the times of a call. */
enum blocked_statistic {
    BLOCKED_MIN,
    BLOCKED_MED,
    BLOCKED_AVG,
    BLOCKED_MAX,
    BLOCKED_STD,
    BLOCKED_STATISTICS
};

/* A routine with its flags.  A model describes one kernel. */
struct blocked_kernel {
    const struct blocked_routine *routine;
    char flags[BLOCKED_MAX_FLAGS + 1]; /* joined letters; empty for unblocked kernels */
};
bool blocked_kernel_equal(const struct blocked_kernel *a, const struct blocked_kernel *b);
/* Number of operations of a call of the kernel. */
double blocked_flops(const struct blocked_kernel *kernel, const int64_t *size);

/* Minimal operation counts of the two algorithms; `_fused` counts a multiplication with its
 * addition as one (docs/models/blocked.md#decision-operation-counts). */
double trinv_flops(double n);
double trinv_flops_fused(double n);
double sylv_flops(double m, double n);
double sylv_flops_fused(double m, double n);

/* Writes the exponents of the monomials of a kernel's model, ascending, the first size slowest.
 * `degree_extra` (0 to 2) raises each bound; `degree` gets the highest exponent of each size.
 * Returns the number of monomials, at most BLOCKED_MAX_TERMS
 * (docs/models/kernel_models.md#monomial-basis). */
size_t blocked_basis(const struct blocked_kernel *kernel, int degree_extra,
                     int exponent[BLOCKED_MAX_TERMS][BLOCKED_MAX_SIZES],
                     int degree[BLOCKED_MAX_SIZES]);

#endif
