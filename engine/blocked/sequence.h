/* The calls of the blocked algorithms, generated one after another without storing them. */
#ifndef FR_BLOCKED_SEQUENCE_H
#define FR_BLOCKED_SEQUENCE_H

#include "engine/blocked/call.h"

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
