/* The golden file of the blocked algorithms, and a calibration made of its routine models. */
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
/* A document's `routine_models` from the golden file's models; owned by the caller. */
json_t *blocked_document(json_t *golden);
/* A routine model of one region from 8 to 1024, whatever the flags: 1 µs and 1 ns for each unit of
 * the sizes' product, twice that out of the cache.  Owned by the caller. */
json_t *blocked_any_model(const struct blocked_routine *routine, double threads, bool is_cold);
/* `dtrsm` and `LLNN` as a kernel. */
struct blocked_kernel blocked_kernel_named(const char *routine, const char *flags);

#endif
