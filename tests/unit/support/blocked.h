/* The golden file of the blocked algorithms, and a calibration with its routine models. */
#ifndef FR_TEST_BLOCKED_H
#define FR_TEST_BLOCKED_H

#include "engine/blocked/blocked.h"
#include "tests/unit/support/golden.h"
#include "tests/unit/support/question.h"

struct blocked_ground {
    json_t *golden;
    struct fr_arena *arena;
    const struct fr_calibration *cal;
};
/* Setup and teardown of a group; the state is a struct blocked_ground. */
int blocked_begin(void **state);
int blocked_end(void **state);
/* A document with the models of the golden file; the caller owns it. */
json_t *blocked_document(json_t *golden);
/* A routine model for any flags with one region from 8 to 1024.  Its times grow with every size and
 * are twice as large out of cache.  The caller owns it. */
json_t *blocked_any_model(const struct blocked_routine *routine, double threads, bool is_cold);
/* The kernel of a routine and joined flags, such as `dtrsm` and `LLNN`. */
struct blocked_kernel blocked_kernel_named(const char *routine, const char *flags);

#endif
