#include "tests/unit/support/cyclic_golden.h"

#include "engine/block_cyclic/walk.h"

int cyclic_golden_begin(void **state)
{
    struct cyclic_fixture *f = test_calloc(1, sizeof *f);

    f->arena = fr_arena_new(1 << 26);
    f->golden = golden_load("block-cyclic.json");
    *state = f;
    return 0;
}

int cyclic_golden_end(void **state)
{
    struct cyclic_fixture *f = *state;

    json_decref(f->golden);
    fr_arena_free(f->arena);
    test_free(f);
    return 0;
}

json_t *cyclic_document(struct cyclic_fixture *f, const char *calibration)
{
    return json_object_get(json_object_get(f->golden, "calibrations"), calibration);
}

struct cyclic_network cyclic_network_with(struct cyclic_fixture *f,
                                          const struct fr_calibration *cal,
                                          const struct cyclic_values *v)
{
    struct fr_evaluation *run = fr_arena_zeroed(f->arena, 1, sizeof *run);
    struct cyclic_network net;

    fr_prediction_clear(&f->out);
    *run = (struct fr_evaluation){
        .cal = cal, .arena = f->arena, .out = &f->out, .faults = &f->faults
    };
    assert_int_equal(cyclic_network_begin(&net, v, run), FR_OK);
    return net;
}

struct cyclic_network cyclic_network_of(struct cyclic_fixture *f, const struct fr_calibration *cal,
                                        int64_t rows, int64_t columns)
{
    const struct cyclic_values v = { .process_rows = rows,
                                     .process_columns = columns,
                                     .block_size = 64,
                                     .threads = 1,
                                     .ranks_per_node = cal->node.cores_per_node };

    return cyclic_network_with(f, cal, &v);
}
