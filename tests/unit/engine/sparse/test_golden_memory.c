/* The golden cases of the memory of one layer: all parts exactly
 * (docs/models/sparse_lu.md#how-the-model-is-tested). */
#include "engine/sparse/memory.h"
#include "tests/unit/support/sparse_golden.h"

/* The factors of several layers are divided otherwise; their window and their blocks are not. */
static void check_memory(json_t *item, const char *id)
{
    json_t *wanted = json_object_get(item, "expect");
    struct sparse_structure *s = sparse_golden_structure(item);
    struct sparse_memory got;

    s->supernode_max = (int64_t)sparse_golden_number(item, "supernode_max");
    assert_int_equal(sparse_memory_find(s, sparse_golden_grid(item),
                                        (int64_t)sparse_golden_number(item, "index_bytes"),
                                        (int32_t)sparse_golden_number(item, "lookahead_panels"),
                                        &got),
                     FR_OK);
    sparse_golden_equal(got.window, wanted, "window", id);
    sparse_golden_equal(got.gathered, wanted, "gathered", id);
    if (sparse_golden_number(item, "layers") == 1) {
        sparse_golden_equal(got.factors, wanted, "factors", id);
        sparse_golden_equal(got.product, wanted, "product", id);
        sparse_golden_equal(sparse_memory_bytes(&got), wanted, "bytes", id);
    }
    sparse_structure_free(s);
}

static void memory_is_that_of_the_library(void **state)
{
    (void)state;
    sparse_golden_each("memory", 8, check_memory);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(memory_is_that_of_the_library) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
