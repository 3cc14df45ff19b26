/* Executes one call of a kernel.  A table maps each routine to its function of BLAS, LAPACK or
 * unblocked.h and to the shapes of its operands.
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

/* An operand as it is stored: its rows and columns are sizes of the call, by index.  FR_SIDE is the
 * order of the operand on the side of the first flag. */
enum { FR_SIDE = -1 };
struct fr_shape {
    const char *name;
    int rows, columns;
    int trans; /* 1 + the index of a flag that exchanges them unless it is 'N'; 0: none */
};

/* A row of the table.  The last operand is overwritten. */
struct fr_executor {
    const char *name; /* of the routine, or the common start of several names */
    struct fr_shape shape[FR_OPERANDS_MAX];
    size_t operands;
    bool has_beta; /* a second scalar, 1, precedes the last operand */
    bool uses_up;  /* cannot run on its own result: each execution needs a fresh operand */
    void (*run)(const struct fr_execution *execution);
};

/* A call prepared for execution, so that nothing is looked up or converted while it is timed. */
struct fr_execution {
    const struct fr_executor *executor;
    char flags[BLOCKED_MAX_FLAGS + 1];
    int size[BLOCKED_MAX_SIZES];
    double alpha;
    int variant; /* of an unblocked kernel; 0: common to all */
    struct fr_operand operand[FR_OPERANDS_MAX];
    int *pivots;
};

/* The executor of a routine, or NULL.  Every routine of blocked_routines has one. */
const struct fr_executor *fr_executor_find(const struct blocked_routine *routine);

/* Prepares a call except for the addresses and leading dimensions of its operands. */
struct fr_execution fr_execution_of(const struct blocked_call *call);

/* Executes a call whose operands have been placed (operands.h). */
static inline void fr_execution_run(const struct fr_execution *execution)
{
    execution->executor->run(execution);
}

#endif
