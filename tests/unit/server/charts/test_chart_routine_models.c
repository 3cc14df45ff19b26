/* Charts of a calibration's routine models: selection of models and sizes, and the drawing. */
#include "server/calibrations/document.h"
#include "tests/unit/support/blocked.h"
#include "tests/unit/support/check.h"
#include "tests/unit/support/plots.h"

#include <stdlib.h>

/* Properties that distinguish the models of two documents. */
struct made {
    const char *library, *strategy;
    double slower;
    bool has_no_history, has_no_dtrsm;
};
static const struct made usual = { "OpenBLAS", "adaptive_refinement", 1, false, false };

static void scale(json_t *model, double factor)
{
    json_t *region = json_array_get(json_object_get(model, "regions"), 0), *list, *value;
    const char *name;
    size_t i;

    json_object_foreach(json_object_get(region, "coef"), name, list)
        json_array_foreach(list, i, value) json_real_set(value, factor * json_real_value(value));
}

static void add_model(json_t *rows, const char *routine, bool is_cold, double error,
                      const struct made *made)
{
    json_t *model = blocked_any_model(blocked_routine_find(routine), 1, is_cold);
    json_t *region = json_array_get(json_object_get(model, "regions"), 0);
    json_t *history = json_array();

    scale(model, made->slower);
    json_object_set_new(region, "error", json_real(error));
    for (int step = 1; step <= 3 && !made->has_no_history; step++)
        json_array_append_new(history, json_pack("{s:i,s:i,s:f}", "samples", 10 * step, "regions",
                                                 1, "error", 0.64 / step));
    json_object_set_new(model, "build",
                        json_pack("{s:s,s:f,s:s,s:o}", "strategy", made->strategy, "eps", 0.1,
                                  "measure", "p90", "history", history));
    json_object_set_new(model, "library",
                        json_pack("{s:s,s:s}", "name", made->library, "version", "1.5"));
    json_array_append_new(rows, model);
}

/* dtrsm in and out of cache, dgemm and an unblocked routine in cache. */
static const struct fr_calibration *calibration(struct fr_arena *arena, const struct made *made)
{
    struct fr_calibration *cal = fr_arena_zeroed(arena, 1, sizeof *cal);
    struct fr_faults faults = { .count = 0 };
    json_t *rows = json_array(), *document;
    char id[17];

    if (!made->has_no_dtrsm) {
        add_model(rows, "dtrsm", false, 0.05, made);
        add_model(rows, "dtrsm", true, 0.02, made);
    }
    add_model(rows, "dgemm", false, 0.3, made);
    add_model(rows, "trinv1_unb", false, 0.01, made);
    document = json_pack("{s:s,s:s,s:{s:o}}", "schema", "forerun-calibration-1", "machine", "here",
                         "kernels", "routine_models", rows);
    if (fr_calibration_decode(document, arena, cal, id, &faults) != FR_OK)
        fail_msg("%s: %s", faults.fault[0].where, faults.fault[0].message);
    json_decref(document);
    return cal;
}

/* Draws a chart with options such as "routine=dgemm m=96". */
struct question {
    const char *chart, *options;
    struct made made;
    const struct made *with;
};

static char *asked(const struct question *question, struct fr_faults *faults)
{
    const struct fr_chart *chart = calibration_chart(question->chart);
    struct fr_arena *arena = fr_arena_new(4 << 20);
    struct fr_chart_options options;
    struct fr_plot plot = plot_of(FR_SVG);
    const struct fr_chart_source source = {
        .cal = calibration(arena, &question->made),
        .other = question->with ? calibration(arena, question->with) : NULL,
        .options = &options,
        .arena = arena,
        .plot = &plot,
        .faults = faults,
    };
    char text[200], *rest = text, *pair;
    bool is_drawn;

    faults->count = 0;
    fr_params_clear(chart->params, &options);
    snprintf(text, sizeof text, "%s", question->options);
    while ((pair = strsep(&rest, " ")))
        if (*pair) {
            const char *name = strsep(&pair, "=");

            assert_non_null(fr_param_find(chart->params, name));
            fr_param_read(fr_param_find(chart->params, name), pair, &options, faults);
        }
    assert_int_equal(faults->count, 0);
    is_drawn = chart->draw.calibration(&source);
    fr_arena_free(arena);
    assert_int_equal(is_drawn, faults->count == 0);
    if (is_drawn)
        return script_of(plot);
    fr_writer_free(&plot.script);
    return NULL;
}

/* The script, which gnuplot must accept. */
static char *drawn_of(const struct question *question)
{
    struct fr_faults faults;
    char *script = asked(question, &faults);

    if (!script)
        fail_msg("%s: %s", faults.fault[0].where, faults.fault[0].message);
    check_renders(scripted(script));
    return script;
}

static char *script_by(const char *chart, const char *options)
{
    return drawn_of(&(struct question){ chart, options, usual, NULL });
}

/* ---- regions -------------------------------------------------------------------------------- */

TEST(regions_are_coloured_by_their_error_in_percent)
{
    char *script = script_by("regions", "");

    assert_contains(script, "Regions of dtrsm ****, in cache, 1 thread with OpenBLAS 1.5 on here");
    assert_contains(script, "$tiles << EOD\nNaN NaN NaN NaN NaN NaN NaN\n8 8 8 1024 8 1024 5\n");
    assert_contains(script, "set cblabel 'Error of the region (p90, %)'");
    assert_contains(script, "set cbrange [0:20]");
    assert_contains(script, "set label '5.0' at first 516, first 516 center");
    assert_lacks(script, "≥");
    script = script_by("regions", "locality=out_of_cache");
    assert_contains(script, "8 8 8 1024 8 1024 2\n");
}

TEST(an_error_beyond_the_colours_is_said_to_be_there)
{
    char *script = script_by("regions", "routine=dgemm");

    assert_contains(script, "set cbtics add ('≥ 20' 20)");
    assert_contains(script, "set label '30' at");
    assert_contains(script, "textcolor rgb '#ffffff'");
    assert_contains(script, "m (at k = 88)");
    script = script_by("regions", "routine=dgemm x=k n=512");
    assert_contains(script, "k (at n = 512)");
    assert_contains(script, "set ylabel 'm'");
}

TEST(one_size_has_its_error_as_height)
{
    char *script = script_by("regions", "routine=trinv1_unb");

    assert_contains(script, "8 0 8 1024 0 1 1\n");
    assert_contains(script, "set ylabel 'Error of the region (%)'");
}

/* ---- routine -------------------------------------------------------------------------------- */

TEST(a_kernel_has_a_line_for_each_locality_with_its_band)
{
    char *script = script_by("routine", "n=512");

    assert_contains(script, "title 'in cache, 1 thread'");
    assert_contains(script, "title 'out of cache, 1 thread'");
    assert_contains(script, "title 'minimum to maximum'");
    assert_contains(script, "m (n = 512)");
    assert_contains(script, "Gflop/s");
    assert_contains(script, "$data1 << EOD\n8 ");
    script = script_by("routine", "x=n");
    assert_contains(script, "n (m = 88)");
    script = script_by("routine", "");
    assert_contains(script, "m = n'");
}

static double last_value(const char *script, const char *block)
{
    const char *at = strstr(script, block), *end;
    double value = 0;

    assert_non_null(at);
    end = strstr(at, "\nEOD\n");
    assert_non_null(end);
    while (end[-1] != ' ')
        end--;
    assert_int_equal(sscanf(end, "%lf", &value), 1);
    return value;
}

TEST(rates_are_the_operations_over_the_models_median)
{
    /* At the end of the range every local coordinate is 1: 1e-6 s and three terms of 5e-4 s. */
    const double expected = 1024.0 * 1024 * 1024 / (1e-6 + 3 * 5e-4) / 1e9;
    char *script = script_by("routine", "");

    assert_close(last_value(script, "$data0 << EOD"), expected, 1e-6);
    assert_close(last_value(script, "$data1 << EOD"), expected / 2, 1e-6);
}

TEST(two_libraries_stand_side_by_side)
{
    const struct made blis = { "BLIS", "adaptive_refinement", 2, false, false };
    char *script = drawn_of(&(struct question){ "routine", "locality=in_cache", usual, &blis });

    assert_contains(script, "'in cache, 1 thread, OpenBLAS 1.5'");
    assert_contains(script, "'in cache, 1 thread, BLIS 1.5'");
    assert_contains(script, "by two calibrations");
    assert_close(last_value(script, "$data0 << EOD"), 2 * last_value(script, "$data1 << EOD"),
                 1e-6);
}

/* ---- convergence ---------------------------------------------------------------------------- */

TEST(the_error_goes_down_with_the_samples)
{
    char *script = script_by("convergence", "routine=dtrsm locality=in_cache");

    assert_contains(script, "$data0 << EOD\n10 64\n20 32\n30 21.333");
    assert_contains(script, "Error of models while they are built, in cache, 1 thread on here");
    assert_contains(script, "title 'dtrsm ****'");
    script = script_by("convergence", "");
    assert_contains(script, "title 'dtrsm ****, out of cache, 1 thread'");
}

TEST(both_strategies_are_laid_over_each_other)
{
    const struct made expanded = { "OpenBLAS", "model_expansion", 1, false, false };
    char *script = drawn_of(
        &(struct question){ "convergence", "routine=dtrsm locality=in_cache", usual, &expanded });

    assert_contains(script, "'dtrsm ****, refinement'");
    assert_contains(script, "'dtrsm ****, expansion'");
}

ARENA_TEST(without_a_history_there_is_nothing_to_draw)
{
    const struct made old = { "OpenBLAS", "adaptive_refinement", 1, true, false };
    const struct fr_chart *chart = calibration_chart("convergence");
    struct fr_plot plot = plot_of(FR_SVG);

    assert_false(drawn(chart, calibration(arena, &old), arena, &plot));
    fr_writer_free(&plot.script);
}

/* ---- faults ---------------------------------------------------------------------------------- */

TEST(an_option_that_does_not_fit_is_refused_by_its_name)
{
    static const struct made old = { "OpenBLAS", "adaptive_refinement", 1, true, false };
    static const struct made bare = { "OpenBLAS", "adaptive_refinement", 1, false, true };
    static const struct {
        const char *chart, *options;
        const struct made *with;
        enum fr_code code;
        const char *option, *message;
    } wrong[] = {
        { "regions", "routine=dtrsn", NULL, FR_NOT_FOUND, "routine",
          "no model of 'dtrsn'; there are dtrsm, dgemm, trinv1_unb" },
        { "routine", "routine=dgemm flags=N", NULL, FR_NOT_FOUND, "flags", "there is **" },
        { "routine", "threads=7", NULL, FR_NOT_FOUND, "threads", "there is 1" },
        { "regions", "routine=dgemm locality=out_of_cache", NULL, FR_NOT_FOUND, "locality",
          "there is in_cache" },
        { "regions", "k=8", NULL, FR_RELATION, "k", "no size k; it has m, n" },
        { "routine", "x=k", NULL, FR_RELATION, "x", "no size k" },
        { "routine", "x=m m=8", NULL, FR_RELATION, "x", "m is fixed at 8" },
        { "regions", "m=8", NULL, FR_RELATION, "m", "2 are the chart's axes" },
        { "routine", "m=8 n=8", NULL, FR_RELATION, "m", "leave one open" },
        { "regions", "routine=dgemm m=1025", NULL, FR_RANGE, "m", "8 to 1024" },
        { "routine", "m=1025", NULL, FR_RANGE, "m", "no region of dtrsm" },
        { "convergence", "", &old, FR_NOT_FOUND, "with", "no build.history" },
        { "routine", "", &bare, FR_NOT_FOUND, "with", "no such model of dtrsm" },
    };

    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct fr_faults faults;
        char *script = asked(
            &(struct question){ wrong[i].chart, wrong[i].options, usual, wrong[i].with }, &faults);

        if (script)
            fail_msg("%s %s is drawn", wrong[i].chart, wrong[i].options);
        assert_int_equal(faults.count, 1);
        assert_int_equal(faults.fault[0].code, wrong[i].code);
        assert_string_equal(faults.fault[0].where, wrong[i].option);
        if (!strstr(faults.fault[0].message, wrong[i].message))
            fail_msg("%s: %s", wrong[i].options, faults.fault[0].message);
    }
}
