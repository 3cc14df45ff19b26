/* Values that the Krylov models take from a saved run, and values that the request overrides. */
#include "server/runs/run_document.h"
#include "tests/unit/support/golden.h"
#include "tests/unit/support/question.h"

#include <string.h>

static size_t find_run(void *context, const void *values, const struct fr_saved_run *const **runs)
{
    (void)values;
    *runs = context;
    return 1;
}

/* The answer to a request with a saved run, JSON with single quotes. */
static int answered(const char *query, const char *document, const char *machine,
                    struct fr_prediction *out, struct fr_faults *faults)
{
    struct fr_arena *arena = fr_arena_new(1 << 24);
    json_t *golden = golden_load("krylov.json"), *run_json;
    const struct fr_calibration *cal = golden_calibration(golden, machine, arena);
    struct fr_saved_run run;
    const struct fr_saved_run *const runs[] = { &run };
    struct fr_run_source source = { find_run, (void *)(uintptr_t)runs, 0 };
    struct fr_spread spread;
    json_error_t error;
    void *values;
    const struct fr_model *model = ask("halo_exchange", query, arena, &values, faults);
    int code;

    for (const struct fr_param *param = model->params; param->name; param++)
        if (strstr(query, param->name))
            source.given |= fr_param_bit(model->params, param);
    run_json = json_loads(quoted(document, arena), 0, &error);
    if (!run_json || fr_run_decode(run_json, model, false, arena, &run, faults) != FR_OK)
        fail_msg("%s: %s: %s", document, faults->fault[0].where, faults->fault[0].message);
    code = fr_model_answer(model, values, &source, cal, arena, out, &spread, faults);
    json_decref(run_json);
    json_decref(golden);
    fr_arena_free(arena);
    return code;
}

static void check_grid(const struct fr_vector *got, const char *want)
{
    char text[80];

    fr_vector_print(got, text, sizeof text);
    assert_string_equal(text, want);
}

ARENA_TEST(the_stall_rate_and_the_allocation_come_from_the_run)
{
    struct fr_faults faults = { 0 };
    struct fr_prediction out, direct;
    json_t *golden = golden_load("krylov.json");

    assert_int_equal(answered("nodes=64&processes_per_node=16&message_bytes=4096",
                              "{'allocation': [8,4,1], 'network_state': {'stalls': 30, "
                              "'traffic_units': 20, 'bytes_per_traffic_unit': 3}}",
                              "blue-waters", &out, &faults),
                     FR_OK);
    direct = predicted("halo_exchange",
                       "nodes=64&processes_per_node=16&message_bytes=4096&allocation=8x4x1&"
                       "stalls_per_byte=0.5",
                       golden_calibration(golden, "blue-waters", arena));
    assert_close(out.time_s, direct.time_s, 0);
    assert_int_equal(out.warning_count, 0);
    json_decref(golden);
}

/* The sizes of the request win over those of the run, in either form. */
TEST(the_request_overrides_the_sizes_of_the_run)
{
    static const char local[] = "{'local_grid': [10,10,10]}";
    struct fr_faults faults = { 0 };
    struct fr_prediction out;

    assert_int_equal(answered("nodes=8&processes_per_node=1", local, "testbed", &out, &faults),
                     FR_OK);
    assert_close(output_of("halo_exchange", "off_node_bytes", &out), 6 * 800, 0);
    assert_int_equal(
        answered("nodes=8&processes_per_node=1&message_bytes=100", local, "testbed", &out, &faults),
        FR_OK);
    assert_close(output_of("halo_exchange", "off_node_bytes", &out), 600, 0);
    assert_int_equal(answered("nodes=8&processes_per_node=1&local_grid=2x2x2",
                              "{'parameters': {'message_bytes': 100}}", "testbed", &out, &faults),
                     FR_OK);
    assert_close(output_of("halo_exchange", "off_node_bytes", &out), 6 * 32, 0);
    assert_int_equal(faults.count, 0);
}

TEST(the_grids_of_the_run_are_used_if_they_fit)
{
    static const char grids[] = "{'process_grid': [8,2,2], 'on_node_grid': [2,2,1]}";
    struct fr_faults faults = { 0 };
    struct fr_prediction out;

    assert_int_equal(
        answered("nodes=8&processes_per_node=4&message_bytes=8", grids, "testbed", &out, &faults),
        FR_OK);
    check_grid(&out.vector[0], "8x2x2");
    check_grid(&out.vector[1], "2x2x1");
    assert_int_equal(answered("nodes=8&processes_per_node=4&message_bytes=8&dimensions=2", grids,
                              "testbed", &out, &faults),
                     FR_OK);
    check_grid(&out.vector[0], "8x4");
    check_grid(&out.vector[1], "1x4");
}

/* A run with a topology-aware mapping states its grids; a request must not. */
TEST(grids_of_a_topology_aware_run_are_accepted)
{
    static const char grids[] = "{'allocation': [6,6,6], 'process_grid': [24,24,12]}";
    struct fr_faults faults = { 0 };
    struct fr_prediction out;

    assert_int_equal(answered("nodes=432&processes_per_node=16&message_bytes=8&"
                              "mapping=topology_aware",
                              grids, "blue-waters", &out, &faults),
                     FR_OK);
    check_grid(&out.vector[0], "24x24x12");
    assert_int_not_equal(answered("nodes=432&processes_per_node=16&message_bytes=8&"
                                  "mapping=topology_aware&on_node_grid=4x2x2",
                                  grids, "blue-waters", &out, &faults),
                         FR_OK);
    assert_fault(&faults, FR_RELATION, "mapping", "leave out");
}
