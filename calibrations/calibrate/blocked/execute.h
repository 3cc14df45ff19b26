/* Executing one call of a kernel: routine -> the BLAS, LAPACK or leaf that it names, and the shapes
 * of its operands.
 */
#ifndef FR_EXECUTE_H
#define FR_EXECUTE_H

#include <stdbool.h>
#include <stddef.h>

#include "engine/blocked/call.h"

enum { FR_OPERANDS_MAX = 3 };

struct fr_execution;

struct fr_operand {
    double *at;
    int rows, columns, leading;
};

/* A row of the table.  The last operand is the one that is overwritten. */
struct fr_executor {
    const char *name; /* of the routine, or what the names of several begin with */
    const char *operand_names[FR_OPERANDS_MAX];
    size_t operands;
    bool has_beta; /* a second scalar stands before the last operand; it is 1 */
    bool uses_up;  /* what it leaves behind is no input for it: each execution needs a copy */
    void (*shape)(struct fr_execution *execution);
    void (*run)(const struct fr_execution *execution);
};

/* A call as its executor wants it: nothing is looked up or converted while the clock runs. */
struct fr_execution {
    const struct fr_executor *executor;
    char flags[BLOCKED_MAX_FLAGS + 1];
    int size[BLOCKED_MAX_SIZES];
    double alpha;
    int variant; /* of a leaf; 0: the one for all */
    struct fr_operand operand[FR_OPERANDS_MAX];
    int *pivots;
};

/* NULL: no such routine.  Every one of blocked_routines has one. */
const struct fr_executor *fr_executor_find(const struct blocked_routine *routine);

/* All but where the operands lie: their rows and columns, leading 0. */
struct fr_execution fr_execution_of(const struct blocked_call *call);

/* On operands that have been placed (operands.h). */
static inline void fr_execution_run(const struct fr_execution *execution)
{
    execution->executor->run(execution);
}

#endif
