/* The memory that sampled calls work on (blocked.md 4): operands of any call up to a size, with
 * contents that stay tame.
 *
 * Three matrices are what a call works on: two that are read and one that is overwritten.  A fourth
 * has the contents that all of them are copies of: symmetric, near 1 on the diagonal and of the
 * order 0.1/n beside it, so either triangle can be solved with, it is positive definite, and it is
 * diagonally dominant.
 */
#ifndef FR_OPERANDS_H
#define FR_OPERANDS_H

#include "execute.h"

/* Operands in the algorithms are parts of a larger matrix. */
enum { FR_LEADING = 2500 };

/* Leading dimensions of a call's operands, in its order; 0: the default. */
struct fr_layout {
    int leading[FR_OPERANDS_MAX];
};

/* What there must be room for. */
struct fr_extent {
    int rows, columns; /* the largest of any operand */
    int leading;       /* the largest asked for; 0: the default will do */
};

/* `layout` may be NULL here and below. */
void fr_extent_add(struct fr_extent *extent, const struct blocked_call *call,
                   const struct fr_layout *layout);

/* At least FR_LEADING and the largest size, never a multiple of 256: there columns share the same
 * few sets of a cache. */
int fr_leading_default(int largest);

struct fr_operand_memory {
    struct fr_extent extent;
    int leading;    /* the default */
    double *source; /* with the default leading dimension, read-only once filled */
    double *work;   /* for the last operand of a call */
    struct fr_operand read[FR_OPERANDS_MAX - 1]; /* for the others: what is in them and how */
    int *pivots;
    void *pages;
    size_t bytes;
};

/* Whole pages from the system: a simulator that shares what malloc gives between its processes
 * would spoil the contents.  At most half of the computer's memory.  Returns 0, or -1 with a
 * sentence in `why`. */
int fr_operand_memory_open(struct fr_operand_memory *memory, const struct fr_extent *extent,
                           char why[BLOCKED_WHY_BYTES]);
void fr_operand_memory_close(struct fr_operand_memory *memory);

/* Gives a call its operands, the one that is overwritten as it is.  Asserts that it fits. */
void fr_operand_memory_place(struct fr_operand_memory *memory, const struct fr_layout *layout,
                             struct fr_execution *execution);
/* A fresh copy of what the call overwrites. */
void fr_operand_memory_refresh(const struct fr_operand_memory *memory,
                               const struct fr_execution *execution);

#endif
