/* A call of a kernel, written on one line as `dtrsm LLNN 100 200 -1` (blocked.md 1). */
#ifndef FR_BLOCKED_CALL_H
#define FR_BLOCKED_CALL_H

#include "engine/blocked/routine.h"

enum { BLOCKED_MAX_SIZE = 1000000, BLOCKED_CALL_BYTES = 96, BLOCKED_WHY_BYTES = 160 };

struct blocked_call {
    struct blocked_kernel kernel;
    int64_t size[BLOCKED_MAX_SIZES]; /* in the order of the BLAS interface; 0 is legal */
    int alpha;                       /* +1 or -1; +1 where the routine has none */
};

/* A size given by a letter (`dtrsm LLNN b n -1`); false: no such letter. */
typedef bool blocked_letter(void *context, const char *letter, size_t length, int64_t *size);

/* Reads the call that `text` begins with, up to its end, a ';', '|' or a line's end.  Blanks are
 * free; the flags may be joined or apart, alpha may be left out (+1).  `letter` may be NULL.
 * Returns the characters taken, or 0 with a sentence in `why`. */
size_t blocked_call_read(const char *text, blocked_letter *letter, void *context,
                         struct blocked_call *out, char why[BLOCKED_WHY_BYTES]);
/* The same line again. */
void blocked_call_print(const struct blocked_call *call, char out[BLOCKED_CALL_BYTES]);
/* A call with an empty operand costs nothing and has no model. */
bool blocked_call_is_empty(const struct blocked_call *call);

/* What is done with each call of a sequence; false ends it. */
typedef bool blocked_visit(void *context, const struct blocked_call *call);

static inline int64_t blocked_least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

#endif
