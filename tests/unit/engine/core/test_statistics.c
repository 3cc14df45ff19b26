/* Quantiles and boxes. */
#include "engine/forerun.h"
#include "tests/unit/support/check.h"

TEST(quantiles_are_linear_between_neighbours)
{
    const double values[] = { 1, 2, 4, 8 };

    assert_close(fr_quantile(values, 4, 0), 1, 0);
    assert_close(fr_quantile(values, 4, 0.5), 3, 1e-15);
    assert_close(fr_quantile(values, 4, 0.25), 1.75, 1e-15);
    assert_close(fr_quantile(values, 4, 1), 8, 0);
    assert_close(fr_quantile(values, 1, 0.3), 1, 0);
}

/* krylov.json, k-005. */
TEST(a_box_is_tukeys)
{
    double values[] = { 0.00145, 0.00192, 0.00151, 0.00118, 0.00163,
                        0.00109, 0.00109, 0.00469, 0.00198 };
    struct fr_box_statistics box;

    fr_sort(values, 9);
    fr_box_statistics(values, 9, &box);
    assert_close(box.minimum, 0.00109, 0);
    assert_close(box.lower_whisker, 0.00109, 0);
    assert_close(box.first_quartile, 0.00118, 1e-12);
    assert_close(box.median, 0.00151, 1e-12);
    assert_close(box.third_quartile, 0.00192, 1e-12);
    assert_close(box.upper_whisker, 0.00198, 0);
    assert_close(box.maximum, 0.00469, 0);
    assert_int_equal(box.outliers, 1);
    assert_int_equal(box.count, 9);
}

TEST(one_value_is_a_box_without_extent)
{
    const double value = 3;
    struct fr_box_statistics box;

    fr_box_statistics(&value, 1, &box);
    assert_close(box.lower_whisker, 3, 0);
    assert_close(box.upper_whisker, 3, 0);
    assert_int_equal(box.outliers, 0);
}
