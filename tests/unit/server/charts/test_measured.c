/* Saved runs on a chart, and the limit on the work spent on them. */
#include "server/calibrations/catalogue.h"
#include "tests/unit/support/handler_fixture.h"

#include "server/charts/sweep_drawing.h"

static int load(struct handler_fixture *fixture, const char *output, struct fr_measured_points *out,
                struct fr_faults *faults)
{
    struct fr_loaded *loaded = fr_catalog_newest(fixture->server.catalog, "full");
    const struct fr_target target = { .loaded = loaded, .cal = loaded->cal };
    const struct fr_model *calls = fr_model_find("calls");
    struct fr_quantity quantity;
    int code;

    faults->count = 0;
    assert_true(fr_quantity_find(calls, output, &quantity));
    code = fr_measured_load(&fixture->rq, calls, &target, &quantity, out, faults);
    fr_cached_drop(loaded);
    return code;
}

/* A rate that a run does not state is computed from the work of its configuration. */
TEST_WITH(rates_of_all_runs_share_the_steps_of_the_request, fixture_open, fixture_close)
{
    struct handler_fixture *fixture = *state;
    struct fr_measured_points measured;
    struct fr_faults faults;

    fixture_ask(fixture, "POST", "/api/v1/machines/{machine}/runs", "full", NULL,
                "{'model': 'calls', 'time_s': 2, "
                "'parameters': {'calls': 'dtrmm LLNN 100 100 1; dtrmm LLNN 50 50 1'}}",
                FR_JSON);
    assert_int_equal(fixture->status, 201);
    assert_int_equal(load(fixture, "gflops", &measured, &faults), FR_OK);
    assert_int_equal(measured.count, 1);
    assert_close(measured.run[0].value, (1e6 + 125e3) / 2 / 1e9, 1e-12);
    fr_arena_spend(fixture->arena, FR_MAX_STEPS);
    assert_int_equal(load(fixture, "gflops", &measured, &faults), FR_TOO_LONG);
    assert_fault(&faults, FR_TOO_LONG, "measured", "request time_s");
    assert_int_equal(load(fixture, "time_s", &measured, &faults), FR_OK);
    assert_close(measured.run[0].value, 2, 0);
}
