#include "tests/unit/support/handler_fixture.h"
#include "server/calibrations/catalogue.h"

#include "server/charts/plot/plot.h"
#include "server/core/process.h"
#include "server/http/handlers.h"
#include "server/matrices/files/blocks.h"
#include "server/matrices/simulation.h"
#include "server/runs/residuals.h"
#include "tests/unit/support/database.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int fixture_open_empty(void **state)
{
    struct handler_fixture *fixture = calloc(1, sizeof *fixture);

    moved_clock_init(&fixture->clock);
    fr_metrics_init(&fixture->server.metrics);
    fixture->server.log.level = FR_LOG_ERROR;
    fixture->server.catalog = fr_catalog_new();
    fixture->server.charts = fr_cache_new(fr_shared_bytes_are, 1 << 20, 512);
    fixture->server.simulations = fr_simulations_new(&(struct fr_simulation_limits){
        .structures_bytes = 1 << 24, .counts_bytes = 1 << 24, .updates = 1e6 });
    fixture->server.residuals = fr_residual_cache_new(fixture->server.simulations);
    fixture->server.renderer = fr_renderer_new(1, NULL, &fixture->clock.clock);
    fixture->store = fr_store_open(fr_test_database(), &fixture->server.log);
    fixture->arena = fr_arena_new(64 << 20);
    fr_reply_init(&fixture->reply);
    *state = fixture;
    return fixture->store && fixture->arena ? 0 : -1;
}

static void upload(struct handler_fixture *fixture, const char *text)
{
    struct fr_faults faults = { 0 };
    struct fr_mismatches mismatches;
    fr_uses loaded_parts;
    bool created;
    char id[17];

    if (fr_calibration_add(fixture->store, fixture->server.catalog, NULL, text, strlen(text), id,
                           &created, &mismatches, &loaded_parts, &faults) != FR_OK)
        fail_msg("%s: %s", faults.fault[0].where, faults.fault[0].message);
    assert_true(created);
}

int fixture_open(void **state)
{
    struct handler_fixture *fixture;
    json_t *document = full_json();
    char *text = json_dumps(document, JSON_COMPACT);

    if (fixture_open_empty(state) != 0)
        return -1;
    fixture = *state;
    json_object_set_new(document, "machine", json_string("full"));
    free(text);
    text = json_dumps(document, JSON_COMPACT);
    upload(fixture, text);
    upload(fixture, quoted(round_machine, fixture->arena));
    free(text);
    json_decref(document);
    return 0;
}

static void forget_reply(struct handler_fixture *fixture)
{
    json_decref(fixture->json);
    free(fixture->text);
    fixture->json = NULL;
    fixture->text = NULL;
    fr_reply_free(&fixture->reply);
    fr_reply_init(&fixture->reply);
}

int fixture_close(void **state)
{
    struct handler_fixture *fixture = *state;

    forget_reply(fixture);
    fr_catalog_free(fixture->server.catalog);
    fr_cache_free(fixture->server.charts);
    fr_residual_cache_free(fixture->server.residuals);
    fr_simulations_free(fixture->server.simulations);
    fr_renderer_free(fixture->server.renderer);
    fr_store_close(fixture->store);
    fr_arena_free(fixture->arena);
    free(fixture);
    return 0;
}

static const struct fr_route *route_of(const char *method, const char *template)
{
    static const char *const methods[] = { "GET", "PUT", "POST", "DELETE" };

    for (const struct fr_route *route = fr_routes; route->path; route++)
        if (strcmp(route->path, template) == 0 && strcmp(methods[route->method], method) == 0)
            return route;
    fail_msg("no route %s %s", method, template);
    return NULL;
}

static void read_query(struct handler_fixture *fixture, const char *query)
{
    char *rest = NULL, *copy = fr_arena_text(fixture->arena, query, strlen(query));

    for (char *pair = strtok_r(copy, "&", &rest); pair; pair = strtok_r(NULL, "&", &rest)) {
        char *value = strchr(pair, '=');

        assert_non_null(value);
        assert_true(fixture->rq.query_count < FR_MAX_QUERY);
        *value = '\0';
        fixture->rq.query[fixture->rq.query_count++] = (struct fr_pair){ pair, value + 1 };
    }
}

static void read_segments(struct handler_fixture *fixture, const char *segments)
{
    for (size_t i = 0; i < FR_MAX_SEGMENTS && *segments; i++) {
        const size_t length = strcspn(segments, "|");

        assert_true(length < FR_SEGMENT_BYTES);
        memcpy(fixture->rq.segment[i], segments, length);
        fixture->rq.segment[i][length] = '\0';
        segments += length + (segments[length] == '|');
    }
}

void fixture_ask(struct handler_fixture *fixture, const char *method, const char *template,
                 const char *segments, const char *query, const char *body, enum fr_format format)
{
    const char *if_none_match = fixture->rq.if_none_match;

    forget_reply(fixture);
    fr_arena_free(fixture->arena);
    fixture->arena = fr_arena_new(64 << 20);
    fixture->rq = (struct fr_request){ .server = &fixture->server,
                                       .route = route_of(method, template),
                                       .arena = fixture->arena,
                                       .store = fixture->store,
                                       .format = format,
                                       .path = template,
                                       .if_none_match = if_none_match };
    read_segments(fixture, segments ? segments : "");
    read_query(fixture, query ? query : "");
    if (body) {
        fixture->rq.body = quoted(body, fixture->arena);
        fixture->rq.body_length = strlen(body);
    }
    fixture->status = fixture->rq.route->handle(&fixture->rq, &fixture->reply);
    fixture->text = fixture->reply.shared
                        ? strndup(fixture->reply.shared->bytes, fixture->reply.shared->length)
                        : strndup(fixture->reply.body.text ? fixture->reply.body.text : "",
                                  fixture->reply.body.length);
    fixture->json =
        json_loads(fixture->text, JSON_REJECT_DUPLICATES | JSON_DECODE_INT_AS_REAL, NULL);
}

json_t *fixture_get(struct handler_fixture *fixture, int status, const char *template,
                    const char *segment, const char *query)
{
    fixture_ask(fixture, "GET", template, segment, query, NULL, FR_JSON);
    if (fixture->status != status)
        fail_msg("%s %s?%s: %d instead of %d: %s", template, segment ? segment : "",
                 query ? query : "", fixture->status, status, fixture->text);
    if (!fixture->json)
        fail_msg("%s: no JSON: %.200s", template, fixture->text);
    return fixture->json;
}

json_t *fixture_at(struct handler_fixture *fixture, const char *pointer)
{
    char copy[200], *key, *rest = NULL;
    json_t *value = fixture->json;

    assert_true(strlen(pointer) < sizeof copy);
    strcpy(copy, pointer);
    for (key = strtok_r(copy, "/", &rest); value && key; key = strtok_r(NULL, "/", &rest))
        value = json_is_array(value) ? json_array_get(value, strtoul(key, NULL, 10))
                                     : json_object_get(value, key);
    if (!value)
        fail_msg("nothing at %s in %.600s", pointer, fixture->text);
    return value;
}

double fixture_number(struct handler_fixture *fixture, const char *pointer)
{
    json_t *value = fixture_at(fixture, pointer);

    if (!json_is_number(value))
        fail_msg("no number at %s in %.600s", pointer, fixture->text);
    return json_number_value(value);
}

const char *fixture_string(struct handler_fixture *fixture, const char *pointer)
{
    json_t *value = fixture_at(fixture, pointer);

    if (!json_is_string(value))
        fail_msg("no text at %s in %.600s", pointer, fixture->text);
    return json_string_value(value);
}

size_t fixture_error_count(struct handler_fixture *fixture)
{
    return json_array_size(json_object_get(fixture->json, "errors"));
}

void fixture_refuses(struct handler_fixture *fixture, const char *code, const char *where)
{
    json_t *error;
    size_t index;

    assert_true(fixture->status >= 400);
    json_array_foreach(json_object_get(fixture->json, "errors"), index, error)
    {
        const char *at = json_string_value(json_object_get(error, "parameter"));

        if (!at)
            at = json_string_value(json_object_get(error, "pointer"));
        if (at && strcmp(at, where) == 0 &&
            strcmp(json_string_value(json_object_get(error, "code")), code) == 0)
            return;
    }
    fail_msg("no %s at %s in %s", code, where, fixture->text);
}

void fixture_store_matrix(struct fr_store *store, const struct sparse_structure *s)
{
    static const unsigned char gzip[] = { 31, 139, 8, 0, 0, 0, 0, 0, 0, 3,
                                          3,  0,   0, 0, 0, 0, 0, 0, 0, 0 };
    const struct fr_matrix_record record = {
        .id = DESK_MATRIX,
        .name = "shop",
        .uploaded_at = "2026-11-20T12:00:00Z",
        .format = "matrix_market",
        .field = "real",
        .symmetry = "general",
        .title = "",
        .bytes = 100,
        .n = s->order,
        .entries = 200,
        .nnz = 200,
        .structural_rank = -1,
        .supernode_max = 256,
        .supernode_relax = 60,
        .ordering = { { .ordering = sparse_orderings[0] }, { .ordering = sparse_orderings[1] } },
        .ordering_count = 2,
    };
    const struct fr_matrix_ordering ready = { .ordering = sparse_orderings[0],
                                              .status = FR_MATRIX_READY };
    const int file = fr_spool_open("/tmp/x");
    struct fr_matrix_task task;
    unsigned char *bytes;
    size_t length;

    assert_int_equal(fr_spool_write(file, gzip, sizeof gzip), 0);
    assert_int_equal(fr_store_matrix_add(store, &record, "spy", 3, file, sizeof gzip), FR_STORE_OK);
    close(file);
    assert_int_equal(fr_store_task_take(store, FR_TASKS_ORDERINGS, &task), FR_STORE_OK);
    assert_string_equal(task.ordering, "metis");
    bytes = fr_blocks_write(s, &length);
    assert_non_null(bytes);
    assert_int_equal(
        fr_store_analysis_end(store, &task, &ready, s->order, "identity", bytes, length),
        FR_STORE_OK);
    free(bytes);
}

void fixture_store_facts(struct fr_store *store, int64_t processes, const char *facts)
{
    const struct fr_partition_record ready = { .processes = processes, .status = FR_MATRIX_READY };
    struct fr_matrix_task task;

    assert_int_equal(
        fr_store_partition_queue(store, DESK_MATRIX, "contiguous", &processes, 1, true),
        FR_STORE_OK);
    assert_int_equal(fr_store_task_take(store, FR_TASKS_PARTITIONS, &task), FR_STORE_OK);
    assert_int_equal(fr_store_partition_end(store, &task, 0, &ready, facts, strlen(facts), 1 << 20),
                     FR_STORE_OK);
}
