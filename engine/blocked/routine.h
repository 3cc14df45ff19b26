/* Routines, their calls, and sequences of these. */
#ifndef FR_BLOCKED_ROUTINE_H
#define FR_BLOCKED_ROUTINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The kernels of blocked algorithms.  One table describes each of them: flags, sizes, operation
 * count and leading exponents.  Reading calls, checking documents, fitting and refusals follow from
 * it (docs/models/blocked.md#calls).
 */

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

/* A call of a kernel, written on one line as `dtrsm LLNN 100 200 -1`
 * (docs/models/blocked.md#calls). */

enum { BLOCKED_MAX_SIZE = 1000000, BLOCKED_CALL_BYTES = 96, BLOCKED_WHY_BYTES = 320 };

/* Part of a matrix of the algorithm that a call reads or writes. */
enum blocked_triangle { BLOCKED_FULL, BLOCKED_LOWER, BLOCKED_UPPER };
struct blocked_operand {
    int matrix;          /* 0 to BLOCKED_MATRICES - 1 */
    int64_t row, column; /* of its first element in the matrix */
    int64_t rows, columns;
    enum blocked_triangle triangle;
};
enum { BLOCKED_MATRICES = 3, BLOCKED_MAX_OPERANDS = 3 };

struct blocked_call {
    struct blocked_kernel kernel;
    int64_t size[BLOCKED_MAX_SIZES]; /* in the BLAS order; may be 0 */
    double alpha;                    /* +1 if the routine has none */
    size_t operands;                 /* 0: not known */
    struct blocked_operand operand[BLOCKED_MAX_OPERANDS];
};

/* Resolves a letter in the place of a size (`dtrsm LLNN b n -1`); false if it has no value. */
typedef bool blocked_letter(void *context, const char *letter, size_t length, int64_t *size);

/* Reads the call at the start of `text`, up to the end of the text or a ';', '|' or line end.
 * Blanks may be added, flags may be joined or separate, and alpha may be omitted (+1).  A tuple of
 * all arguments, `(dtrsm, R, L, N, U, 512, 128, 0.37, A, 256, B, 512)` or `dtrsm(R, L, ...)`, is
 * the same call; operands and leading dimensions are skipped.  `letter` may be NULL.  Returns the
 * number of characters read, or 0 with an error message in `why`. */
size_t blocked_call_read(const char *text, blocked_letter *letter, void *context,
                         struct blocked_call *out, char why[BLOCKED_WHY_BYTES]);
/* Writes alpha with its sign, as a call has it. */
enum { BLOCKED_ALPHA_BYTES = 32 };
void blocked_alpha_print(double alpha, char out[BLOCKED_ALPHA_BYTES]);
/* Writes the call as one line that blocked_call_read accepts. */
void blocked_call_print(const struct blocked_call *call, char out[BLOCKED_CALL_BYTES]);
/* Whether a size is 0.  Such a call takes no time and needs no model. */
bool blocked_call_is_empty(const struct blocked_call *call);

/* Receives each call of a sequence; false ends the sequence. */
typedef bool blocked_visit(void *context, const struct blocked_call *call);

static inline int64_t blocked_smaller(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* The calls of the blocked algorithms, generated one after another without storing them. */

enum { TRINV_VARIANTS = 4, SYLV_VARIANTS = 16 };
enum sylv_leaf { SYLV_LEAF_COMMON, SYLV_LEAF_OWN };

/* Passes the calls of L := L^-1 of order n to `visit`, empty calls included; variant 1 to 4, block
 * size b.  Returns whether the visitor let all of them pass
 * (docs/models/blocked.md#triangular-inverse). */
bool trinv_calls(int variant, int64_t n, int64_t b, blocked_visit *visit, void *context);
/* The same for L X + X U = C, X m by n, variant 1 to 16, without empty calls
 * (docs/models/blocked.md#sylvester-equation). */
bool sylv_calls(int variant, int64_t m, int64_t n, int64_t b, enum sylv_leaf leaf,
                blocked_visit *visit, void *context);

#endif
