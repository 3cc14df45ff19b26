/* The calls of the blocked algorithms, one after another, without storing them (blocked.md 2, 3).
 */
#ifndef FR_BLOCKED_SEQUENCE_H
#define FR_BLOCKED_SEQUENCE_H

#include "engine/blocked/call.h"

enum { TRINV_VARIANTS = 4, SYLV_VARIANTS = 16 };
enum sylv_leaf { SYLV_LEAF_COMMON, SYLV_LEAF_OWN };

/* L := L^-1 of order n, variant 1 to 4, block size b; empty calls are listed too. */
bool trinv_calls(int variant, int64_t n, int64_t b, blocked_visit *visit, void *context);
/* L X + X U = C, X m by n, variant 1 to 16; empty statements are not executed and not listed. */
bool sylv_calls(int variant, int64_t m, int64_t n, int64_t b, enum sylv_leaf leaf,
                blocked_visit *visit, void *context);

#endif
