/* The golden cases of cnc_matmul, within 1e-9. */
#include "tests/unit/support/golden.h"

TEST(every_golden_case_holds)
{
    json_t *golden = golden_load("cnc.json"), *cases = json_object_get(golden, "cases"), *item;
    size_t index;

    assert_int_equal(json_array_size(cases), 62);
    json_array_foreach(cases, index, item)
    {
        json_object_set_new(json_object_get(item, "problem"), "model", json_string("cnc_matmul"));
        golden_problem(golden, item, json_string_value(json_object_get(item, "id")));
    }
    json_decref(golden);
}
