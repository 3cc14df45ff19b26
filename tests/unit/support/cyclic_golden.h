/* The golden calibrations of block-cyclic programs: their messages and their times. */
#ifndef FR_CYCLIC_GOLDEN_H
#define FR_CYCLIC_GOLDEN_H

#include "engine/block_cyclic/network.h"
#include "tests/unit/support/golden.h"

struct cyclic_fixture {
    struct fr_arena *arena;
    json_t *golden;
    struct fr_prediction out; /* of the last network */
    struct fr_faults faults;
};
#define CYCLIC_TEST(name) \
    TEST_OF(name, struct cyclic_fixture *f, cyclic_golden_begin, cyclic_golden_end)
int cyclic_golden_begin(void **state);
int cyclic_golden_end(void **state);
/* The document of a calibration, which may be changed. */
json_t *cyclic_document(struct cyclic_fixture *f, const char *calibration);
struct cyclic_network cyclic_network_with(struct cyclic_fixture *f,
                                          const struct fr_calibration *cal,
                                          const struct cyclic_values *v);
/* The network of a grid that fills the cores of its nodes. */
struct cyclic_network cyclic_network_of(struct cyclic_fixture *f, const struct fr_calibration *cal,
                                        int64_t rows, int64_t columns);

#endif
