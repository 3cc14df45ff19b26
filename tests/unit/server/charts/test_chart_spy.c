/* The spy plot of a matrix, and the table of charts. */
#include "server/charts/chart.h"
#include "server/matrices/files/matrix.h"
#include "tests/unit/support/check.h"

#include <stdlib.h>
#include <string.h>

TEST(every_chart_is_found_by_what_it_is_of_and_its_name)
{
    for (size_t i = 0; fr_charts[i]; i++) {
        assert_ptr_equal(fr_chart_find(fr_charts[i]->of, fr_charts[i]->name), fr_charts[i]);
        if (fr_charts[i]->of == FR_OF_CALIBRATION)
            assert_non_null(fr_param_find(fr_charts[i]->params, "width"));
    }
    assert_null(fr_chart_find(FR_OF_SWEEP, "kernels"));
}

TEST(a_spy_plot_runs_from_the_first_row_down)
{
    struct fr_spy *spy = calloc(1, sizeof *spy);
    struct fr_plot plot = { .format = FR_GP };

    spy->n = 4;
    spy->side = 2;
    spy->most = 4;
    spy->count[0][0] = 4;
    spy->count[1][0] = 1;
    fr_writer_init(&plot.script);
    fr_spy_draw(&plot, "it's `x`", spy);
    fr_writer_append(&plot.script, "", 1);
    assert_non_null(strstr(plot.script.text, "set label 'it''s `x`'"));
    assert_non_null(strstr(plot.script.text, "set yrange [4.5:0.5]"));
    assert_non_null(strstr(plot.script.text, "$cells << EOD\n1.00 NaN\n0.33 NaN\nEOD\n"));
    assert_non_null(strstr(plot.script.text, "($1+0.5)*2+0.5"));
    fr_writer_free(&plot.script);
    free(spy);
}
