/* Compares the kernel calls of an algorithm with those that forerun adds up.
 *
 * The linker redirects every kernel to calls.c (the options are in the file `wrapped`), so the
 * calls that reach the libraries are compared.
 */
#ifndef CALLS_H
#define CALLS_H

#include "engine/blocked/routine.h"

struct calls {
    struct blocked_call *call; /* the owner frees it */
    size_t count, capacity;
    /* The matrices, by number of the operands of a call, all with the same leading dimension and
     * number of elements; where they are given, the place of each operand is recorded. */
    const double *matrix[BLOCKED_MATRICES];
    int leading;
    size_t elements;
};

/* Starts to add each kernel call to `calls`; NULL stops. */
void calls_record(struct calls *calls);

/* Passes the expected calls to a visitor, by trinv_calls or sylv_calls. */
typedef bool calls_walk(const void *arguments, blocked_visit *visit, void *context);

/* Compares with the expected calls that are not empty, and the places of operands where they were
 * recorded.  If false, `why` names the first difference. */
bool calls_agree(const struct calls *made, calls_walk *walk, const void *arguments, char *why,
                 size_t why_bytes);

#endif
