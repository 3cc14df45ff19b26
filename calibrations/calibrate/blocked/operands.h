/* Memory for the operands of sampled calls (docs/models/kernel_models.md#sampler).
 *
 * A call has up to three operands: two that are read and one that is overwritten.  Each place has
 * memory for the largest operand announced.  An element depends on its row and column only.
 * Matrices are symmetric, with a diagonal near 1 and off-diagonal elements of the order 0.1/n:
 * either triangle can be solved with, and squares are positive definite and diagonally dominant.
 */
#ifndef FR_OPERANDS_H
#define FR_OPERANDS_H

#include "calibrations/calibrate/blocked/execute.h"

/* The leading dimension (docs/models/kernel_models.md#decision-leading-dimensions). */
enum { FR_LEADING = 2500 };

/* Leading dimensions of a call's operands, in its order; 0: the default. */
struct fr_layout {
    int leading[FR_OPERANDS_MAX];
};

/* The largest operands of all announced calls. */
struct fr_extent {
    int largest; /* rows or columns of any operand */
    /* By place: operands that are read, then the operand that is overwritten. */
    struct {
        int rows, columns;   /* of any operand */
        int default_columns; /* of operands with the default leading dimension */
        size_t elements;     /* of the largest with another, gaps between columns included */
        size_t bytes;        /* of the pages that the largest touches */
    } place[FR_OPERANDS_MAX];
};

/* Announces a call.  `layout` may be NULL here and below. */
void fr_extent_add(struct fr_extent *extent, const struct blocked_call *call,
                   const struct fr_layout *layout);

/* The default leading dimension if `largest` is the largest size. */
int fr_leading_default(int largest);

/* Memory of one place. */
struct fr_operand_room {
    double *at;
    size_t elements;
    int leading; /* of the present contents */
    int *filled; /* number of rows set in each column */
    int columns;
};

struct fr_operand_memory {
    int leading;                                  /* the default */
    double scale;                                 /* of the elements beside the diagonal */
    struct fr_operand_room room[FR_OPERANDS_MAX]; /* by place, the last is overwritten */
    int *pivots;
    void *pages;
    size_t bytes;
};

/* Takes pages from the system, because a simulator may share memory of malloc between its
 * processes. Calls may touch at most half of the memory of the computer.  Returns 0, or -1 with an
 * error message in `why`; fr_operand_memory_close frees the memory. */
int fr_operand_memory_open(struct fr_operand_memory *memory, const struct fr_extent *extent,
                           char why[BLOCKED_WHY_BYTES]);
void fr_operand_memory_close(struct fr_operand_memory *memory);

/* Sets the operands of a call, which must have been announced.  The operand that is overwritten
 * keeps its contents. */
void fr_operand_memory_place(struct fr_operand_memory *memory, const struct fr_layout *layout,
                             struct fr_execution *execution);
/* Restores the operand that the call overwrites. */
void fr_operand_memory_refresh(const struct fr_operand_memory *memory,
                               const struct fr_execution *execution);

#endif
