/* The memory that sampled calls work on (blocked.md 4): operands of the calls that were announced,
 * with contents that stay tame.
 *
 * Three matrices are what a call works on: two that are read and one that is overwritten.  Each has
 * the room that the largest operand in its place needs.  The contents follow from row and column
 * alone: symmetric, near 1 on the diagonal and of the order 0.1/n beside it, so either triangle can
 * be solved with, a square is positive definite, and it is diagonally dominant.
 */
#ifndef FR_OPERANDS_H
#define FR_OPERANDS_H

#include "calibrations/calibrate/blocked/execute.h"

/* Operands in the algorithms are parts of a larger matrix. */
enum { FR_LEADING = 2500 };

/* Leading dimensions of a call's operands, in its order; 0: the default. */
struct fr_layout {
    int leading[FR_OPERANDS_MAX];
};

/* What there must be room for. */
struct fr_extent {
    int largest; /* rows or columns of any operand */
    /* By place: operands that are read, then the one that is overwritten. */
    struct {
        int rows, columns;   /* of any operand */
        int default_columns; /* of any with the default leading dimension */
        size_t elements;     /* of the largest with another one, what lies between columns too */
        size_t bytes;        /* of the pages that the largest touches */
    } place[FR_OPERANDS_MAX];
};

/* `layout` may be NULL here and below. */
void fr_extent_add(struct fr_extent *extent, const struct blocked_call *call,
                   const struct fr_layout *layout);

/* At least FR_LEADING and the largest size, never a multiple of 256: there columns share the same
 * few sets of a cache. */
int fr_leading_default(int largest);

/* Room for the operands of one place. */
struct fr_operand_room {
    double *at;
    size_t elements;
    int leading; /* as what is in it is laid out */
    int *filled; /* rows of each column that are */
    int columns;
};

struct fr_operand_memory {
    int leading;                                  /* the default */
    double scale;                                 /* of the elements beside the diagonal */
    struct fr_operand_room room[FR_OPERANDS_MAX]; /* the last is written over; by extent's places */
    int *pivots;
    void *pages;
    size_t bytes;
};

/* Whole pages from the system: a simulator that shares what malloc gives between its processes
 * would spoil the contents.  What calls will touch is at most half of the computer's memory.
 * Returns 0, or -1 with a sentence in `why`. */
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
