/* Saved runs: what a document must say, what is refused, and uploads of many. */
#include "tests/unit/support/documents.h"

#include "server/runs/run_document.h"
#include "server/store/store.h"

#include <stdio.h>
#include <stdlib.h>

struct runs {
    struct fr_arena *arena;
    struct fr_saved_run run;
    struct fr_faults faults;
};

static int set_up(void **state)
{
    static struct runs runs;

    runs.arena = fr_arena_new(256 << 20);
    runs.faults.count = 0;
    *state = &runs;
    return 0;
}

static const char least[] =
    "{'model': 'cholesky', 'time_s': 12.5, 'parameters': {'variant': '2d', 'n': 4000,"
    " 'processes': 16, 'threads': 2, 'blocks_per_process': 3}}";

/* The least run with `value` at a pointer. */
static json_t *changed(const char *pointer, const char *value)
{
    json_t *run = json_of(least);

    put(run, pointer, value);
    return run;
}

static int decoded(struct runs *runs, json_t *root, const char *model, bool is_upload)
{
    int code;

    runs->faults.count = 0;
    code = fr_run_decode(root, model ? fr_model_find(model) : NULL, is_upload, runs->arena,
                         &runs->run, &runs->faults);
    assert_true((code == FR_OK) == (runs->faults.count == 0));
    json_decref(root);
    return code;
}

static const struct fr_saved_run *taken(struct runs *runs, json_t *root)
{
    if (decoded(runs, root, NULL, true) != FR_OK)
        fail_msg("%s: %s", runs->faults.fault[0].where, runs->faults.fault[0].message);
    return &runs->run;
}

/* Fails unless the least run with this change has this one fault. */
static void refuses(struct runs *runs, const char *pointer, const char *value, enum fr_code code,
                    const char *where, const char *words)
{
    decoded(runs, changed(pointer, value), NULL, true);
    check_fault(&runs->faults, code, where, words, __FILE__, __LINE__);
    if (runs->faults.count != 1)
        fail_msg("%s = %s: %zu faults, the second at %s: %s", pointer, value, runs->faults.count,
                 runs->faults.fault[1].where, runs->faults.fault[1].message);
}

static double value_of(const struct fr_saved_run *run, const char *name)
{
    return fr_param_get(fr_param_find(run->model->params, name), run->values);
}

static bool is_given(const struct fr_saved_run *run, const char *name)
{
    return run->given & fr_param_bit(run->model->params, fr_param_find(run->model->params, name));
}

static double measured(const struct fr_saved_run *run, const char *name)
{
    return run->outputs[fr_output_find(run->model->outputs, name) - run->model->outputs];
}

#define CASE(name) TEST_OF(name, struct runs *runs, set_up, place_end)

CASE(the_least_upload_is_model_parameters_and_time)
{
    const struct fr_saved_run *run = taken(*state, json_of(least));

    assert_ptr_equal(run->model, fr_model_find("cholesky"));
    assert_close(run->document->time_s, 12.5, 0);
    assert_close(value_of(run, "n"), 4000, 0);
    assert_true(is_given(run, "n"));
    assert_false(is_given(run, "replication"));
    assert_true(isnan(measured(run, "computation_s")));
    assert_true(isnan(run->stalls_per_byte));
    assert_string_equal(run->id, "");
}

CASE(everything_that_a_run_may_say_is_kept)
{
    json_t *root = json_of(least);
    const struct fr_saved_run *run;

    put(root, "/schema", "'forerun-run-1'");
    put(root, "/started_at", "'2026-11-20T12:00:00.25+01:00'");
    put(root, "/job", "'4711'");
    put(root, "/hosts", "4");
    put(root, "/repetitions", "[12.4, 12.5, 12.6]");
    put(root, "/breakdown", "[{'phase': 'dgemm', 'time_s': 8}, {'phase': 'wait_1', 'time_s': 0}]");
    put(root, "/outputs", "{'computation_s': 10, 'communication_s': 0, 'flops': null}");
    put(root, "/notes", "'warm'");
    put(root, "/network_state",
        "{'stalls': 6, 'traffic_units': 4, 'bytes_per_traffic_unit': 3,"
        " 'links': [{'class': 'x', 'stalls': 1}]}");
    run = taken(*state, root);
    assert_string_equal(run->document->started_at, "2026-11-20T11:00:00.250Z");
    assert_string_equal(run->document->job, "4711");
    assert_int_equal(run->document->hosts, 4);
    assert_int_equal(run->document->breakdown.count, 2);
    assert_close(run->document->breakdown.row[0].time_s, 8, 0);
    assert_close(measured(run, "computation_s"), 10, 0);
    assert_close(measured(run, "communication_s"), 0, 0);
    assert_true(isnan(measured(run, "flops")));
    assert_close(run->stalls_per_byte, 0.5, 0);
    assert_int_equal(run->document->network_state.links.row[0].class, FR_LINK_X);
}

CASE(repetitions_stand_for_the_time_and_contain_it)
{
    json_t *root = changed("/repetitions", "[9, 1, 3, 4]");

    put(root, "/time_s", NULL);
    assert_close(taken(*state, root)->document->time_s, 3.5, 0);
    refuses(*state, "/repetitions", "[9, 1]", FR_RELATION, "/time_s", "outside the repetitions");
    refuses(*state, "/repetitions", "[]", FR_RANGE, "/repetitions", "empty");
    refuses(*state, "/repetitions", "[12, 13, -1]", FR_RANGE, "/repetitions/2", "-1");
    taken(*state, changed("/repetitions", "[12.5]"));
    taken(*state, changed("/repetitions", "[12.5, 20]"));
}

CASE(what_an_upload_lacks_is_named)
{
    decoded(runs, json_of("{}"), NULL, true);
    assert_int_equal(runs->faults.count, 2);
    assert_fault(&runs->faults, FR_MISSING, "/model", "required");
    assert_fault(&runs->faults, FR_MISSING, "/time_s", "repetitions");
    decoded(runs, json_of("{'model': 'matmul', 'time_s': 1}"), NULL, true);
    assert_int_equal(runs->faults.count, 1);
    assert_fault(&runs->faults, FR_MISSING, "/parameters", "required");
    /* A tunable without a default has to be told: it was chosen. */
    decoded(runs, json_of("{'model': 'matmul', 'time_s': 1, 'parameters': {'n': 4}}"), NULL, true);
    assert_fault(&runs->faults, FR_MISSING, "/parameters/algorithm", "required");
    assert_fault(&runs->faults, FR_MISSING, "/parameters/variant", "required");
    assert_fault(&runs->faults, FR_MISSING, "/parameters/processes", "required");
    assert_null(fault_at(&runs->faults, "/parameters/n"));
    assert_null(fault_at(&runs->faults, "/parameters/replication"));
    refuses(runs, "/parameters/cores", "32", FR_RELATION, "/parameters/cores", "processes");
}

CASE(each_value_is_checked)
{
    refuses(runs, "/schema", "'forerun-run-2'", FR_CHOICE, "/schema", "forerun-run-1");
    refuses(runs, "/model", "'choleski'", FR_CHOICE, "/model", "did you mean cholesky");
    refuses(runs, "/model", "'hpcg'", FR_CHOICE, "/model", "/api/v1/models");
    refuses(runs, "/model", "7", FR_TYPE, "/model", "a string");
    refuses(runs, "/time_s", "-1", FR_RANGE, "/time_s", "greater than 0");
    refuses(runs, "/time_s", "0", FR_RANGE, "/time_s", "greater than 0");
    refuses(runs, "/time_s", "'12'", FR_TYPE, "/time_s", "a number");
    refuses(runs, "/times", "1", FR_UNKNOWN_KEY, "/times", "time_s");
    refuses(runs, "/hosts", "1.5", FR_TYPE, "/hosts", "whole");
    refuses(runs, "/started_at", "'yesterday'", FR_SYNTAX, "/started_at", "RFC 3339");
    refuses(runs, "/parameters", "[]", FR_TYPE, "/parameters", "an object");
    refuses(runs, "/parameters/n", "0", FR_RANGE, "/parameters/n", "0 is outside");
    refuses(runs, "/parameters/m", "1", FR_UNKNOWN_PARAMETER, "/parameters/m", "cholesky");
    refuses(runs, "/parameters/a~1b", "1", FR_UNKNOWN_PARAMETER, "/parameters/a~01b", "cholesky");
    refuses(runs, "/local_grid", "[4, 4, 4]", FR_UNKNOWN_KEY, "/local_grid", "has no");
    refuses(runs, "/breakdown", "[{'phase': 'a b', 'time_s': 1}]", FR_RANGE, "/breakdown/0/phase",
            "a-z");
    refuses(runs, "/breakdown", "[{'phase': '', 'time_s': 1}]", FR_RANGE, "/breakdown/0/phase",
            "a-z");
    refuses(runs, "/breakdown", "[{'phase': 'a', 'time_s': -1}]", FR_RANGE, "/breakdown/0/time_s",
            "-1");
    refuses(runs, "/breakdown", "[{'phase': 'a', 'time_s': 1}, {'phase': 'a', 'time_s': 1}]",
            FR_REPEATED, "/breakdown/1/phase", "twice");
    refuses(runs, "/computation", "{'total_s': [[1, 2], [1]]}", FR_RELATION, "/computation/total_s",
            "2 rows of 2");
    refuses(runs, "/network_state", "{'stalls': 1}", FR_MISSING, "/network_state", "belong");
    refuses(runs, "/network_state", "{'links': [{'class': 'w'}]}", FR_CHOICE,
            "/network_state/links/0/class", "chassis");
}

CASE(measured_outputs_are_those_of_the_model)
{
    refuses(runs, "/outputs", "[]", FR_TYPE, "/outputs", "an object");
    refuses(runs, "/outputs", "{'computation': 1}", FR_UNKNOWN_KEY, "/outputs/computation",
            "did you mean computation_s");
    refuses(runs, "/outputs", "{'zzz': 1}", FR_UNKNOWN_KEY, "/outputs/zzz", "/models/cholesky");
    refuses(runs, "/outputs", "{'a': {'b': {'c': 1}}}", FR_UNKNOWN_KEY, "/outputs/a/b/c", "a.b.c");
    refuses(runs, "/outputs", "{'computation_s': -1}", FR_RANGE, "/outputs/computation_s", "-1");
    refuses(runs, "/outputs", "{'computation_s': 1e31}", FR_RANGE, "/outputs/computation_s",
            "1e+31");
    refuses(runs, "/outputs", "{'computation_s': '1'}", FR_TYPE, "/outputs/computation_s",
            "a number");
    refuses(runs, "/outputs", "{'time_s': 12.5}", FR_RELATION, "/outputs/time_s", "time_s");
}

static const char cg[] =
    "{'model': 'cg', 'time_s': 0.5, 'local_grid': [16, 16, 16], 'parameters': {'solver': 'pcg',"
    " 'nodes': 4, 'processes_per_node': 8, 'iterations': 20, 'mapping': 'node_aware'}}";

static json_t *cg_with(const char *pointer, const char *value)
{
    json_t *run = json_of(cg);

    put(run, pointer, value);
    return run;
}

CASE(grids_beside_the_parameters_are_parameters)
{
    const struct fr_saved_run *run = taken(runs, json_of(cg));
    const struct fr_param *local_grid = fr_param_find(run->model->params, "local_grid");

    assert_close(fr_vector_product(fr_param_vector(local_grid, run->values)), 4096, 0);
    assert_true(is_given(run, "local_grid"));
    taken(runs, cg_with("/parameters/local_grid", "[16, 16, 16]"));
    decoded(runs, cg_with("/parameters/local_grid", "[8, 16, 16]"), NULL, true);
    assert_fault(&runs->faults, FR_RELATION, "/local_grid", "differs");
    decoded(runs, cg_with("/local_grid", "[16, 0, 16]"), NULL, true);
    assert_fault(&runs->faults, FR_RANGE, "/local_grid/1", "0 must be");
    decoded(runs, cg_with("/local_grid", "[16, 1.5, 16]"), NULL, true);
    assert_fault(&runs->faults, FR_TYPE, "/local_grid", "whole");
    decoded(runs, cg_with("/local_grid", "[16, 16, 1e12]"), NULL, true);
    assert_fault(&runs->faults, FR_RANGE, "/local_grid", "1000000000000");
    decoded(runs, cg_with("/local_grid", NULL), NULL, true);
    assert_fault(&runs->faults, FR_MISSING, "/parameters/local_grid", "required");
}

CASE(outputs_of_outputs_have_three_names)
{
    assert_close(
        measured(taken(runs, cg_with("/outputs", "{'step': {'time_s': 0.25}}")), "step.time_s"),
        0.25, 0);
    assert_close(measured(taken(runs, cg_with("/outputs", "{'step_time_s': 0.25}")), "step.time_s"),
                 0.25, 0);
    assert_close(measured(taken(runs, cg_with("/outputs", "{'step.time_s': 0.25}")), "step.time_s"),
                 0.25, 0);
    decoded(runs, cg_with("/outputs", "{'step_time_s': 0.25, 'step': {'time_s': 0.25}}"), NULL,
            true);
    assert_fault(&runs->faults, FR_REPEATED, "/outputs/step/time_s", "twice");
    decoded(runs, cg_with("/outputs", "{'step': 0.25}"), NULL, true);
    assert_fault(&runs->faults, FR_UNKNOWN_KEY, "/outputs/step", "did you mean");
    decoded(runs, cg_with("/outputs", "{'process_grid': [2, 2, 2]}"), NULL, true);
    assert_fault(&runs->faults, FR_TYPE, "/outputs/process_grid", "only numbers");
}

CASE(sizes_are_bounded)
{
    json_t *root = json_of(least), *list = json_array(), *phases = json_array();
    char job[300];

    for (int i = 0; i < 64; i++) {
        char phase[80];

        snprintf(phase, sizeof phase, "{'phase': 'p%d', 'time_s': 1}", i);
        json_array_append_new(phases, json_of(phase));
    }
    json_object_set(root, "breakdown", phases);
    taken(runs, json_deep_copy(root));
    json_array_append_new(phases, json_of("{'phase': 'p64', 'time_s': 1}"));
    decoded(runs, json_deep_copy(root), NULL, true);
    assert_fault(&runs->faults, FR_RANGE, "/breakdown", "65 phases; at most 64");
    json_object_del(root, "breakdown");
    json_decref(phases);

    for (int i = 0; i < FR_MAX_RUN_NUMBERS; i++)
        json_array_append_new(list, json_real(12.5));
    json_object_set(root, "repetitions", list);
    taken(runs, json_incref(root));
    json_array_append_new(list, json_real(12.5));
    decoded(runs, json_incref(root), NULL, true);
    assert_fault(&runs->faults, FR_RANGE, "/repetitions", "1000001 rows; at most 1000000");
    json_decref(list);
    json_decref(root);

    snprintf(job, sizeof job, "'%0257d'", 0);
    refuses(runs, "/job", job, FR_RANGE, "/job", "256");
    snprintf(job, sizeof job, "[{'phase': '%041d', 'time_s': 1}]", 0);
    refuses(runs, "/breakdown", job, FR_RANGE, "/breakdown/0/phase", "1 to 40");
}

CASE(a_run_in_a_request_needs_nothing_and_may_not_be_of_another_model)
{
    assert_int_equal(decoded(runs, json_of("{}"), "matmul", false), FR_OK);
    assert_ptr_equal(runs->run.model, fr_model_find("matmul"));
    assert_true(isnan(runs->run.document->time_s));
    assert_int_equal(runs->run.given, 0);
    assert_int_equal(decoded(runs, json_of(least), "cholesky", false), FR_OK);
    decoded(runs, json_of(least), "matmul", false);
    assert_fault(&runs->faults, FR_RELATION, "/model", "cholesky, but the request is about matmul");
    decoded(runs, json_of("{}"), NULL, false);
    assert_fault(&runs->faults, FR_MISSING, "/model", "required");
    decoded(runs, json_of("{'parameters': {'n': -1}}"), "matmul", false);
    assert_fault(&runs->faults, FR_RANGE, "/parameters/n", "-1");
    decoded(runs, json_of("[1]"), "matmul", false);
    assert_fault(&runs->faults, FR_TYPE, "", "an object");
    assert_int_equal(decoded(runs, json_of("{'time_s': null, 'parameters': null}"), "trsm", false),
                     FR_OK);
}

CASE(the_model_judges_the_parameters_on_the_machine)
{
    const struct fr_calibration *round = calibration_of(round_machine, runs->arena);
    const struct fr_calibration *bare =
        calibration_of("{'schema': 'forerun-calibration-1', 'machine': 'bare'}", runs->arena);
    const struct fr_saved_run *run = taken(runs, changed("/parameters/processes", "15"));
    void *resolved = fr_arena_zeroed(runs->arena, 1, run->model->values_size);

    assert_int_equal(fr_run_resolve(run, NULL, resolved, &runs->faults), FR_OK);
    assert_int_equal(fr_run_resolve(run, bare, resolved, &runs->faults), FR_OK);
    assert_int_equal(runs->faults.count, 0);
    assert_int_not_equal(fr_run_resolve(run, round, resolved, &runs->faults), FR_OK);
    assert_int_equal(runs->faults.count, 1);
    assert_fault(&runs->faults, FR_RELATION, "/parameters/processes", "15");
}

/* The parameters as they are stored. */
static char *written(struct runs *runs, const struct fr_saved_run *run,
                     const struct fr_calibration *cal)
{
    void *resolved = fr_arena_zeroed(runs->arena, 1, run->model->values_size);
    struct fr_writer w;
    char *copy;

    fr_writer_init(&w);
    assert_int_equal(fr_run_resolve(run, cal, resolved, &runs->faults), FR_OK);
    fr_run_write_parameters(&w, run, resolved);
    copy = fr_arena_text(runs->arena, w.text, w.length);
    fr_writer_free(&w);
    return copy;
}

CASE(stored_parameters_are_those_of_a_prediction_and_what_was_given)
{
    const struct fr_calibration *round = calibration_of(round_machine, runs->arena);
    json_t *root = changed("/parameters/processes", NULL);
    const struct fr_saved_run *run;
    void *values;
    char *text;

    put(root, "/parameters/cores", "32");
    run = taken(runs, root);
    text = written(runs, run, round);
    assert_non_null(strstr(text, "\"processes\":16"));
    assert_non_null(strstr(text, "\"cores\":32"));
    assert_non_null(strstr(text, "\"communication_threads\":0"));
    assert_non_null(strstr(text, "\"contention\":true"));
    assert_null(strstr(text, "nodes"));
    values = fr_arena_zeroed(runs->arena, 1, run->model->values_size);
    fr_run_read_parameters(run->model, text, values);
    assert_close(fr_param_get(fr_param_find(run->model->params, "processes"), values), 16, 0);
    /* Without a calibration nobody knows how many processes they are. */
    text = written(runs, run, NULL);
    assert_non_null(strstr(text, "\"processes\":null"));
    fr_run_read_parameters(run->model, text, values);
    assert_true(fr_param_is_open(fr_param_find(run->model->params, "processes"), values));
}

CASE(a_stored_document_is_read_back)
{
    const char *text = quoted(least, runs->arena);
    struct fr_stored_run stored = { .document = text, .document_length = strlen(text) };

    assert_int_equal(fr_run_read(&stored, runs->arena, &runs->run, &runs->faults), FR_OK);
    assert_close(runs->run.document->time_s, 12.5, 0);
    stored.document_length--;
    assert_int_equal(fr_run_read(&stored, runs->arena, &runs->run, &runs->faults), FR_SYNTAX);
}

/* The solver of the diagonal blocks of a stored run is the one that was the default then. */
CASE(what_a_stored_run_leaves_open_is_as_it_was_recorded)
{
#define SYLV(more)                                                                   \
    "{'model': 'sylv', 'time_s': 1, 'parameters': {'m': 96, 'n': 96, 'variant': 1, " \
    "'block_size': 32" more "}}"
    static const struct {
        const char *document, *parameters;
        int leaf;
    } rows[] = { { SYLV(""), "{'leaf': 'common', 'block_size': 8, 'gone': 1}", 0 },
                 { SYLV(", 'leaf': 'own'"), "{'leaf': 'common'}", 1 },
                 { SYLV(""), "{'leaf': null}", FR_OPEN_CHOICE } };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char *document = quoted(rows[i].document, runs->arena);
        const struct fr_stored_run stored = { .document = document,
                                              .document_length = strlen(document),
                                              .parameters =
                                                  quoted(rows[i].parameters, runs->arena) };

        assert_int_equal(fr_run_read(&stored, runs->arena, &runs->run, &runs->faults), FR_OK);
        assert_close(value_of(&runs->run, "leaf"), rows[i].leaf, 0);
        assert_close(value_of(&runs->run, "block_size"), 32, 0);
    }
}
