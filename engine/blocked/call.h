/* A call of a kernel, written on one line as `dtrsm LLNN 100 200 -1`
 * (docs/models/blocked.md#calls). */
#ifndef FR_BLOCKED_CALL_H
#define FR_BLOCKED_CALL_H

#include "engine/blocked/routine.h"

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

#endif
