/* Whether an algorithm makes the calls that forerun predicts it by.
 *
 * The linker leads every call of a kernel through calls.c (the options are in the file `wrapped`),
 * so what is compared is what the libraries were really asked for.
 */
#ifndef CALLS_H
#define CALLS_H

#include "engine/blocked/sequence.h"

struct calls {
    struct blocked_call *call; /* grows; the owner frees it */
    size_t count, capacity;
};

/* Each kernel call from now on is added to `calls`; NULL: no more. */
void calls_record(struct calls *calls);

/* Lists what is expected to a visitor: trinv_calls or sylv_calls with their arguments. */
typedef bool calls_walk(const void *arguments, blocked_visit *visit, void *context);

/* Compares with the expected calls that are not empty.  False: `why` says which call differs. */
bool calls_agree(const struct calls *made, calls_walk *walk, const void *arguments, char *why,
                 size_t why_bytes);

#endif
