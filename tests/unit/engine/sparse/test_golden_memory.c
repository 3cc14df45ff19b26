/* The golden cases of memory, of one layer or several: all parts exactly
 * (docs/models/sparse_lu.md#how-the-model-is-tested). */
#include "engine/sparse/clocks/clocks.h"
#include "tests/unit/support/sparse_golden.h"

static void check_memory(json_t *item, const char *id)
{
    json_t *wanted = json_object_get(item, "expect");
    struct sparse_structure *s = sparse_golden_structure(item);
    const int32_t layers = (int32_t)golden_number(item, "layers");
    struct sparse_forests forests;
    struct sparse_memory got;

    assert_int_equal(sparse_forests_init(&forests, s, layers), FR_OK);
    s->supernode_max = (int64_t)golden_number(item, "supernode_max");
    assert_int_equal(sparse_memory_find(s, sparse_golden_grid(item), &forests,
                                        (int64_t)golden_number(item, "index_bytes"),
                                        (int32_t)golden_number(item, "lookahead_panels"), &got),
                     FR_OK);
    sparse_golden_equal(got.window, wanted, "window", id);
    sparse_golden_equal(got.gathered, wanted, "gathered", id);
    sparse_golden_equal(got.factors, wanted, "factors", id);
    sparse_golden_equal(got.product, wanted, "product", id);
    sparse_golden_equal(sparse_memory_bytes(&got), wanted, "bytes", id);
    sparse_forests_free(&forests);
    sparse_structure_free(s);
}

TEST(memory_is_that_of_the_library)
{
    sparse_golden_each("memory", 8, check_memory);
}
