/* Saved runs beside their predictions: how many can be run is bounded for all of them together,
 * and what is left out is told. */
#include "server/calibrations/catalogue.h"
#include "tests/unit/support/handler_fixture.h"
#include "tests/unit/support/sparse.h"

#include "engine/sparse/counts/work.h"
#include "server/runs/residuals.h"

#include <stdio.h>

enum { RUNS = 6 };

static const struct sparse_grid grid = { 2, 2 };

static int begin(void **state)
{
    struct sparse_structure *s = sparse_valid(sparse_dissected(5, 6));
    struct handler_fixture *fixture;

    if (fixture_open(state) != 0)
        return -1;
    fixture = *state;
    fixture_store_matrix(fixture->store, s);
    sparse_structure_free(s);
    return 0;
}

/* `more` of the parameters begins with a comma. */
static void upload_with(struct handler_fixture *fixture, int hour, struct sparse_grid on,
                        const char *more)
{
    char run[300];

    snprintf(run, sizeof run,
             "{'model': 'sparse_lu', 'time_s': 1.5, 'started_at': '2026-11-20T%02d:00:00Z', "
             "'parameters': {'matrix': 'shop', 'kernel_model': 'paper', 'process_rows': %d, "
             "'process_columns': %d%s}}",
             hour, on.rows, on.columns, more);
    fixture_ask(fixture, "POST", "/api/v1/machines/{machine}/runs", "full", NULL, run, FR_JSON);
    if (fixture->status != 201)
        fail_msg("%d: %s", fixture->status, fixture->text);
}

static void upload(struct handler_fixture *fixture, int hour, struct sparse_grid on)
{
    upload_with(fixture, hour, on, "");
}

/* What one prediction takes on the grid. */
static double steps(void)
{
    struct sparse_structure *s = sparse_valid(sparse_dissected(5, 6));
    struct sparse_work work;
    double all;

    sparse_work_find(s, grid, &work);
    all = sparse_find_steps(s) + sparse_walk_steps(s, grid) + sparse_operation_steps(&work);
    sparse_structure_free(s);
    return all;
}

static struct fr_backtest_request request_of(struct handler_fixture *fixture,
                                             const struct fr_loaded *newest, struct fr_arena *arena)
{
    struct fr_backtest_request request = {
        .store = fixture->store,
        .catalog = fixture->server.catalog,
        .simulations = fixture->server.simulations,
        .arena = arena,
        .machine = "full",
        .model = fr_model_find("sparse_lu"),
        .newest = newest,
    };

    assert_true(fr_quantity_find(request.model, "time_s", &request.quantity));
    return request;
}

static size_t too_long(const struct fr_backtested *run, size_t count)
{
    size_t left_out[FR_LEFT_OUT_REASONS];

    fr_backtested_left_out(run, count, left_out);
    return left_out[FR_LEFT_OUT_TOO_LONG];
}

#define CASE(name) TEST_OF(name, struct handler_fixture *fixture, begin, fixture_close)

CASE(as_many_are_predicted_as_one_request_may_take_steps)
{
    struct fr_arena *arena = fr_arena_new(64 << 20);
    struct fr_loaded *newest = fr_catalog_newest(fixture->server.catalog, "full");
    const struct fr_backtest_request request = request_of(fixture, newest, arena);
    struct fr_backtested *run;
    size_t count;

    for (int i = 0; i < RUNS; i++)
        upload(fixture, i, grid);
    assert_int_equal(fr_backtest(&request, &run, &count), FR_OK);
    assert_int_equal(count, RUNS);
    assert_int_equal(too_long(run, count), 0);
    fr_arena_renew(arena);
    assert_true(fr_arena_afford(arena, FR_MAX_STEPS - 2.5 * steps()));
    assert_int_equal(fr_backtest(&request, &run, &count), FR_OK);
    assert_int_equal(count, RUNS);
    assert_int_equal(too_long(run, count), RUNS - 2);
    for (size_t i = 0; i < RUNS; i++) { /* the newest come last, and were predicted */
        assert_int_equal(run[i].left_out, i < RUNS - 2 ? FR_LEFT_OUT_TOO_LONG : FR_LEFT_OUT_NOT);
        assert_int_equal(isnan(run[i].newest), i < RUNS - 2);
    }
    fr_cached_drop(newest);
    fr_arena_free(arena);
}

#define HPL "'block_size': 64, 'process_rows': 2, 'process_columns': 2"
#define CHOLESKY(contention) \
    "'variant': '2d', 'processes': 4, 'threads': 1, 'contention_model': '" contention "'"

static void upload_dense(struct handler_fixture *fixture, const char *model, int hour,
                         const char *parameters)
{
    char run[300];

    snprintf(run, sizeof run,
             "{'model': '%s', 'time_s': 1.5, 'started_at': '2026-11-20T%02d:00:00Z', "
             "'parameters': {'n': 2000, %s}}",
             model, hour, parameters);
    fixture_ask(fixture, "POST", "/api/v1/machines/{machine}/runs", "full", NULL, run, FR_JSON);
    if (fixture->status != 201)
        fail_msg("%d: %s", fixture->status, fixture->text);
}

/* Of the arena. */
static double steps_of(const struct fr_backtest_request *request, struct fr_backtested **run,
                       size_t count)
{
    size_t found;

    fr_arena_renew(request->arena);
    assert_int_equal(fr_backtest(request, run, &found), FR_OK);
    assert_int_equal(found, count);
    return fr_arena_spent(request->arena);
}

CASE(repetitions_are_predicted_once)
{
    struct fr_arena *arena = fr_arena_new(64 << 20);
    struct fr_loaded *newest = fr_catalog_newest(fixture->server.catalog, "full");
    struct fr_backtest_request request = request_of(fixture, newest, arena);
    struct fr_backtested *run;
    double one, two;

    request.model = fr_model_find("hpl");
    upload_dense(fixture, "hpl", 0, HPL);
    one = steps_of(&request, &run, 1);
    for (int i = 1; i < RUNS; i++)
        upload_dense(fixture, "hpl", i, HPL);
    assert_true(steps_of(&request, &run, RUNS) < 1.5 * one);
    for (size_t i = 0; i < RUNS; i++) {
        assert_close(run[i].newest, run[0].newest, 0);
        assert_close(run[i].unaided, run[0].newest, 0);
        assert_close(run[i].then, run[0].newest, 0);
        assert_memory_equal(&run[i].footprint, &run[0].footprint, sizeof run[i].footprint);
    }
    for (int i = 0; i < 3; i++) { /* two configurations in turn */
        upload_dense(fixture, "hpl", RUNS + 2 * i, HPL ", 'broadcast': 'long'");
        upload_dense(fixture, "hpl", RUNS + 2 * i + 1, HPL);
    }
    two = steps_of(&request, &run, RUNS + 6);
    assert_true(two > 1.5 * one && two < 2.5 * one);
    for (size_t i = 0; i < 3; i++) {
        assert_true(run[RUNS + 2 * i].newest != run[0].newest);
        assert_close(run[RUNS + 2 * i].newest, run[RUNS].newest, 0);
        assert_close(run[RUNS + 2 * i + 1].newest, run[0].newest, 0);
    }
    fr_cached_drop(newest);
    fr_arena_free(arena);
}

CASE(repetitions_of_a_predicted_run_are_predicted_after_one_that_takes_too_long)
{
    struct fr_arena *arena = fr_arena_new(64 << 20);
    struct fr_loaded *newest = fr_catalog_newest(fixture->server.catalog, "full");
    struct fr_backtest_request request = request_of(fixture, newest, arena);
    struct fr_backtested *run;
    size_t count;
    double one;

    request.model = fr_model_find("hpl");
    upload_dense(fixture, "hpl", 0, HPL);
    one = steps_of(&request, &run, 1);
    upload_dense(fixture, "hpl", 1,
                 "'block_size': 1, 'process_rows': 2, 'process_columns': 2, 'walk': 'exact'");
    upload_dense(fixture, "hpl", 2, HPL);
    fr_arena_renew(arena);
    assert_true(fr_arena_afford(arena, FR_MAX_STEPS - 1.5 * one));
    assert_int_equal(fr_backtest(&request, &run, &count), FR_OK);
    assert_int_equal(count, 3);
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(run[i].left_out, i == 1 ? FR_LEFT_OUT_TOO_LONG : FR_LEFT_OUT_NOT);
        assert_int_equal(isnan(run[i].newest), i == 1);
    }
    fr_cached_drop(newest);
    fr_arena_free(arena);
}

CASE(repetitions_that_are_foreseen_otherwise_are_not_mixed)
{
    struct fr_arena *arena = fr_arena_new(64 << 20);
    struct fr_loaded *newest = fr_catalog_newest(fixture->server.catalog, "full");
    struct fr_backtest_request request = request_of(fixture, newest, arena);
    struct fr_backtested *run;

    request.model = fr_model_find("cholesky");
    upload_dense(fixture, "cholesky", 0, CHOLESKY("paper"));
    upload_dense(fixture, "cholesky", 1, CHOLESKY("refined"));
    steps_of(&request, &run, 2);
    assert_true(run[0].configuration == run[1].configuration);
    assert_true(run[0].newest != run[1].newest);
    fr_cached_drop(newest);
    fr_arena_free(arena);
}

/* It serves requests that have all their steps left. */
CASE(residuals_are_not_computed_from_what_is_left_of_a_request)
{
    struct fr_arena *arena = fr_arena_new(64 << 20);
    struct fr_loaded *newest = fr_catalog_newest(fixture->server.catalog, "full");
    const struct fr_backtest_request request = request_of(fixture, newest, arena);
    struct fr_residual_cache *cache = fixture->server.residuals;
    struct fr_residuals *residuals;
    struct fr_backtested *run;
    size_t count;

    for (int i = 0; i < RUNS; i++)
        upload(fixture, i, grid);
    assert_true(fr_arena_afford(arena, FR_MAX_STEPS - 2.5 * steps()));
    assert_int_equal(fr_residual_cache_backtest(cache, &request, &run, &count, &residuals), FR_OK);
    assert_int_equal(count, RUNS);
    assert_null(residuals);
    assert_null(fr_residual_cache_find(cache, request.model, request.newest));
    fr_arena_renew(arena);
    assert_int_equal(fr_residual_cache_backtest(cache, &request, &run, &count, &residuals), FR_OK);
    assert_non_null(residuals);
    fr_cached_drop(residuals);
    fr_cached_drop(newest);
    fr_arena_free(arena);
}

/* What one request may do: it counts one grid, but not two, and predicts on both. */
static double updates(void)
{
    struct sparse_structure *s = sparse_valid(sparse_dissected(5, 6));
    const double one = sparse_paper_updates(s, grid);

    sparse_structure_free(s);
    return 2.5 * one;
}

/* They serve until then, so that not every question computes them; their version, which tags
 * answers, tells them from the later ones. */
CASE(residuals_that_were_cut_short_are_computed_again)
{
    struct fr_loaded *newest = fr_catalog_newest(fixture->server.catalog, "full");
    const struct fr_model *model = fr_model_find("sparse_lu");
    struct fr_simulations *simulations = fr_simulations_new(&(struct fr_simulation_limits){
        .structures_bytes = 1 << 24, .counts_bytes = 1 << 24, .updates = updates() });
    struct fr_residual_cache *cache = fr_residual_cache_new(simulations);
    struct fr_residuals *cut, *whole, *found;

    upload(fixture, 0, grid);
    upload(fixture, 1, (struct sparse_grid){ 2, 1 });
    cut = fr_residual_cache_make(cache, fixture->store, fixture->server.catalog, model, newest);
    assert_int_equal(cut->left_out[FR_LEFT_OUT_TOO_LONG], 1);
    found = fr_residual_cache_find(cache, model, newest);
    assert_ptr_equal(found, cut);
    fr_cached_drop(found);
    fr_residual_cache_retry(cache, FR_LEFT_OUT_MATRIX_MISSING); /* at each write */
    found = fr_residual_cache_find(cache, model, newest);
    assert_ptr_equal(found, cut);
    fr_cached_drop(found);
    fr_residual_cache_retry(cache, FR_LEFT_OUT_TOO_LONG);
    assert_null(fr_residual_cache_find(cache, model, newest));
    whole = fr_residual_cache_make(cache, fixture->store, fixture->server.catalog, model, newest);
    /* the first grid was counted already */
    assert_int_equal(whole->left_out[FR_LEFT_OUT_TOO_LONG], 0);
    assert_string_not_equal(whole->version, cut->version);
    fr_residual_cache_retry(cache, FR_LEFT_OUT_TOO_LONG);
    found = fr_residual_cache_find(cache, model, newest);
    assert_ptr_equal(found, whole);
    fr_cached_drop(found);
    fr_cached_drop(whole);
    fr_cached_drop(cut);
    fr_residual_cache_free(cache);
    fr_simulations_free(simulations);
    fr_cached_drop(newest);
}

CASE(what_is_left_out_is_told)
{
    upload(fixture, 0, grid);
    fixture_get(fixture, 200, "/api/v1/machines/{machine}/accuracy", "full", "model=sparse_lu");
    assert_close(fixture_number(fixture, "/models/0/left_out/too_long"), 0, 0);
    assert_false(fixture->rq.is_partial);
    upload(fixture, 1, (struct sparse_grid){ 256, 256 });
    fixture_get(fixture, 200, "/api/v1/machines/{machine}/accuracy", "full", "model=sparse_lu");
    assert_close(fixture_number(fixture, "/models/0/runs"), 2, 0);
    assert_close(fixture_number(fixture, "/models/0/predicted"), 1, 0);
    assert_close(fixture_number(fixture, "/models/0/left_out/too_long"), 1, 0);
    assert_true(fixture->rq.is_partial); /* the next time there may be time for it */
    fixture_ask(fixture, "GET", "/api/v1/machines/{machine}/accuracy", "full", "model=sparse_lu",
                NULL, FR_CSV);
    assert_non_null(strstr(fixture->text, "model,runs,too_long,predicted"));
    assert_non_null(strstr(fixture->text, "sparse_lu,2,1,1,"));
}

static const char facts[] = "{\"processes\":2,\"rows\":[3,3],\"diagonal\":[9,9],"
                            "\"offdiagonal\":[1,1],\"messages\":[[0,1,1],[1,0,1]]}";

static void upload_solve(struct handler_fixture *fixture, const char *matrix, int processes)
{
    char run[400];

    snprintf(run, sizeof run,
             "{'model': 'solve', 'time_s': 0.25, 'parameters': {'matrix': '%s', 'nodes': 1, "
             "'processes_per_node': %d, 'iterations': 20, 'solver': 'gmres', 'preconditioner': "
             "'jacobi'}}",
             matrix, processes);
    fixture_ask(fixture, "POST", "/api/v1/machines/{machine}/runs", "full", NULL, run, FR_JSON);
    if (fixture->status != 201)
        fail_msg("%d: %s", fixture->status, fixture->text);
}

static void assert_left_out(struct handler_fixture *fixture, const char *model, double runs,
                            double predicted, double missing, double refused)
{
    char query[40];

    snprintf(query, sizeof query, "model=%s", model);
    fixture_get(fixture, 200, "/api/v1/machines/{machine}/accuracy", "full", query);
    assert_close(fixture_number(fixture, "/models/0/runs"), runs, 0);
    assert_close(fixture_number(fixture, "/models/0/predicted"), predicted, 0);
    assert_close(fixture_number(fixture, "/models/0/left_out/matrix_missing"), missing, 0);
    assert_close(fixture_number(fixture, "/models/0/left_out/refused"), refused, 0);
    assert_close(fixture_number(fixture, "/models/0/left_out/too_long"), 0, 0);
    assert_close(fixture_number(fixture, "/models/0/left_out/calibration_group_missing"), 0, 0);
    assert_int_equal(fixture->rq.is_partial, missing > 0); /* it may be stored later */
}

CASE(runs_on_a_matrix_are_predicted_from_facts_that_are_stored)
{
    struct fr_matrix_task task;
    struct fr_residuals *residuals;
    struct fr_loaded *newest = fr_catalog_newest(fixture->server.catalog, "full");
    const struct fr_model *model = fr_model_find("solve");

    upload_solve(fixture, "shop", 2);
    assert_left_out(fixture, "solve", 1, 0, 1, 0);
    assert_string_equal(fixture_string(fixture, "/runs/0/left_out"), "matrix_missing");
    assert_string_equal(fixture_string(fixture, "/runs/0/reason"),
                        "matrix shop is not divided (contiguous) among 2 processes yet; ask for "
                        "/api/v1/matrices/" DESK_MATRIX
                        "/partitions?partition=contiguous&processes=2");
    /* A report starts no analysis, */
    assert_int_equal(fr_store_task_take(fixture->store, FR_TASKS_PARTITIONS, &task), FR_STORE_NONE);
    fixture_store_facts(fixture->store, 2, facts);
    /* and what it left out is not remembered for longer than the store stays the same. */
    residuals = fr_residual_cache_find(fixture->server.residuals, model, newest);
    assert_int_equal(residuals->left_out[FR_LEFT_OUT_MATRIX_MISSING], 1);
    fr_cached_drop(residuals);
    fr_residual_cache_retry(fixture->server.residuals, FR_LEFT_OUT_MATRIX_MISSING);
    assert_null(fr_residual_cache_find(fixture->server.residuals, model, newest));
    assert_left_out(fixture, "solve", 1, 1, 0, 0);
    assert_ptr_equal(fixture_at(fixture, "/runs/0/left_out"), json_null());
    assert_ptr_equal(fixture_at(fixture, "/runs/0/reason"), json_null());
    fr_cached_drop(newest);
}

CASE(each_run_says_why_it_is_left_out)
{
    fixture_store_facts(fixture->store, 2, facts);
    upload_solve(fixture, "shop", 2);
    upload_solve(fixture, "nowhere", 2);
    upload_solve(fixture, "shop", 4000); /* more processes than rows */
    assert_left_out(fixture, "solve", 3, 1, 1, 1);
    fixture_ask(fixture, "GET", "/api/v1/machines/{machine}/accuracy", "full",
                "model=solve&rows=runs", NULL, FR_CSV);
    assert_non_null(strstr(fixture->text, ",matrix_missing,there is no matrix 'nowhere'; see "
                                          "/api/v1/matrices"));
    assert_non_null(strstr(fixture->text, ",refused,\"4000 processes for the"));
    fixture_ask(fixture, "GET", "/api/v1/machines/{machine}/accuracy", "full", "model=solve", NULL,
                FR_CSV);
    assert_non_null(strstr(fixture->text, ",calibration_group_missing,matrix_missing,refused\r\n"));
    assert_non_null(strstr(fixture->text, ",0,1,1\r\n"));
}

CASE(runs_without_their_block_structure_are_counted)
{
    upload(fixture, 0, grid);
    assert_left_out(fixture, "sparse_lu", 1, 1, 0, 0);
    upload_with(fixture, 1, grid,
                ", 'supernode_max': 16"); /* nobody has asked for this structure */
    assert_left_out(fixture, "sparse_lu", 2, 1, 1, 0);
    assert_int_equal(fr_store_matrix_delete(fixture->store, DESK_MATRIX), FR_STORE_OK);
    fr_residual_cache_forget(fixture->server.residuals, NULL);
    assert_left_out(fixture, "sparse_lu", 2, 0, 2, 0);
}

CASE(a_run_that_cannot_be_read_is_counted)
{
    static const char document[] = "{\"model\":\"sparse_lu\",\"parameters\":{\"matrix\":7}}";
    const struct fr_stored_run run = {
        .id = "00112233445566bb",
        .machine = "full",
        .model = "sparse_lu",
        .parameters = "{}",
        .time_s = 1,
        .document = document,
        .document_length = sizeof document - 1,
    };
    bool is_new = false;

    upload(fixture, 0, grid);
    assert_int_equal(fr_store_add_runs(fixture->store, &run, 1, &is_new), FR_STORE_OK);
    assert_true(is_new);
    assert_left_out(fixture, "sparse_lu", 2, 1, 0, 1);
}

/* Copies of one run, under numbers as ids. */
static void add_copies(struct handler_fixture *fixture, const struct fr_stored_run *run, int count)
{
    enum { BATCH = 1000 };
    static struct fr_stored_run batch[BATCH];
    static char id[BATCH][17];
    static bool is_new[BATCH];

    for (int added = 0; added < count; added += BATCH) {
        const int more = count - added < BATCH ? count - added : BATCH;

        for (int i = 0; i < more; i++) {
            snprintf(id[i], sizeof id[i], "%016d", added + i);
            batch[i] = *run;
            batch[i].id = id[i];
        }
        assert_int_equal(fr_store_add_runs(fixture->store, batch, (size_t)more, is_new),
                         FR_STORE_OK);
    }
}

CASE(a_quantity_that_newer_runs_did_not_measure_is_not_sought_in_all_runs)
{
    struct fr_arena *arena = fr_arena_new(256 << 20);
    struct fr_loaded *newest = fr_catalog_newest(fixture->server.catalog, "full");
    struct fr_backtest_request request = request_of(fixture, newest, arena);
    struct fr_backtested *run;
    struct fr_stored_run *page, timed;
    size_t count;

    upload(fixture, 0, grid);
    assert_int_equal(
        fr_store_model_runs(fixture->store, "full", "sparse_lu", 0, 1, arena, &page, &count),
        FR_STORE_OK);
    timed = page[0];
    fixture_ask(fixture, "POST", "/api/v1/machines/{machine}/runs", "full", NULL,
                "{'model': 'sparse_lu', 'time_s': 2, 'outputs': {'gflops': 3}, 'parameters': "
                "{'matrix': 'shop', 'kernel_model': 'paper', 'process_rows': 2, "
                "'process_columns': 2}}",
                FR_JSON);
    assert_int_equal(fixture->status, 201);
    assert_true(fr_quantity_find(request.model, "gflops", &request.quantity));
    add_copies(fixture, &timed, FR_MOST_LOOKED_AT - 1);
    assert_int_equal(fr_backtest(&request, &run, &count), FR_OK);
    assert_int_equal(count, 1);
    timed.id = "one more";
    assert_int_equal(fr_store_add_runs(fixture->store, &timed, 1, &(bool){ false }), FR_STORE_OK);
    assert_int_equal(fr_backtest(&request, &run, &count), FR_OK);
    assert_int_equal(count, 0);
    fr_cached_drop(newest);
    fr_arena_free(arena);
}

CASE(residuals_of_models_without_runs_push_out_no_others)
{
    enum { CALIBRATIONS = 16 }; /* by all models: more than are kept */
    const struct fr_server *server = &fixture->server;
    struct fr_loaded *newest = fr_catalog_newest(server->catalog, "full"), other;
    const struct fr_model *of_runs = fr_model_find("sparse_lu");
    struct fr_residuals *residuals;

    upload(fixture, 0, grid);
    residuals =
        fr_residual_cache_make(server->residuals, fixture->store, server->catalog, of_runs, newest);
    assert_int_equal(residuals->runs, 1);
    fr_cached_drop(residuals);
    memcpy(&other, newest, sizeof other);
    for (int i = 0; i < CALIBRATIONS; i++)
        for (const struct fr_model *const *model = fr_models; *model; model++) {
            snprintf(other.id, sizeof other.id, "%d", i);
            if (*model != of_runs)
                fr_cached_drop(fr_residual_cache_make(server->residuals, fixture->store,
                                                      server->catalog, *model, &other));
        }
    residuals = fr_residual_cache_find(server->residuals, of_runs, newest);
    assert_non_null(residuals);
    fr_cached_drop(residuals);
    fr_cached_drop(newest);
}

/* The catalogue keeps the calibration of a run for questions about it, with what the machine is. */
CASE(the_calibration_of_a_run_is_read_with_the_facts_of_its_machine)
{
    struct fr_arena *arena = fr_arena_new(64 << 20);
    struct fr_loaded *newest = fr_catalog_newest(fixture->server.catalog, "full"), later, *then;
    struct fr_backtest_request request = request_of(fixture, &later, arena);
    struct fr_backtested *run;
    size_t count;
    bool created;

    upload(fixture, 0, grid);
    assert_int_equal(fr_store_put_machine(fixture->store, "full", NULL, "{\"nodes\":9}", &created),
                     FR_STORE_OK);
    memcpy(&later, newest, sizeof later);
    snprintf(later.id, sizeof later.id, "later");
    request.catalog = fr_catalog_new();
    assert_int_equal(fr_backtest(&request, &run, &count), FR_OK);
    then = fr_catalog_find(request.catalog, newest->id);
    assert_non_null(then);
    assert_true(then->cal->facts.nodes == 9);
    assert_string_equal(then->facts_json, "{\"nodes\":9}");
    fr_cached_drop(then);
    fr_cached_drop(newest);
    fr_catalog_free(request.catalog);
    fr_arena_free(arena);
}

CASE(a_ranking_that_leaves_out_is_tagged_by_its_body)
{
    static const char question[] = "machine=full&matrix=shop&kernel_model=paper&ordering=metis";
    char large[200];

    snprintf(large, sizeof large, "%s&process_columns=2&process_rows=2", question);
    fixture_get(fixture, 200, "/api/v1/rank/{model}", "sparse_lu", large);
    assert_false(fixture->rq.is_partial);
    snprintf(large, sizeof large, "%s&processes=16384", question);
    fixture_get(fixture, 200, "/api/v1/rank/{model}", "sparse_lu", large);
    assert_true(fixture_number(fixture, "/left_out/too_long") > 0);
    assert_true(fixture->rq.is_partial);
}
