#include "tests/unit/support/sparse_asked.h"

#include "tests/unit/support/golden.h"

#include <stdio.h>
#include <stdlib.h>

json_t *sparse_golden_cases;
struct fr_faults sparse_faults;

/* ---- structures ----------------------------------------------------------------------------- */

int sparse_asked_load(void **state)
{
    (void)state;
    sparse_golden_cases = golden_load("sparse-lu.json");
    return 0;
}

int sparse_asked_unload(void **state)
{
    (void)state;
    json_decref(sparse_golden_cases);
    return 0;
}

static const char *const names[] = { "hand", "r11", "r12", "r13" };

int sparse_asked_begin(void **state)
{
    struct sparse_asked *asked = calloc(1, sizeof *asked);

    asked->arena = fr_arena_new(256 << 20);
    sparse_shelf_begin(&asked->shelf);
    for (size_t i = 0; i < 4; i++) {
        asked->s[i] = sparse_valid(sparse_structure_of(
            json_object_get(json_object_get(sparse_golden_cases, "structures"), names[i])));
        sparse_shelf_add(&asked->shelf, names[i], NULL, asked->s[i]);
    }
    *state = asked;
    return 0;
}

int sparse_asked_end(void **state)
{
    struct sparse_asked *asked = *state;

    assert_int_equal(asked->shelf.lent, 0);
    for (size_t i = 0; i < 4; i++)
        sparse_structure_free(asked->s[i]);
    fr_arena_free(asked->arena);
    free(asked);
    return 0;
}

/* ---- documents ------------------------------------------------------------------------------ */

static json_t *caches_of(json_t *params, double clock_hz)
{
    json_t *out = json_array(), *level;
    size_t q;

    json_array_foreach(json_object_get(params, "caches"), q, level)
    {
        char name[24];

        snprintf(name, sizeof name, "L%zu", q + 1);
        json_array_append_new(
            out,
            json_pack("{s:s, s:f, s:f, s:O, s:f}", "name", name, "capacity_bytes",
                      8 * json_number_value(json_object_get(level, "capacity_doubles")),
                      "line_bytes", 8 * json_number_value(json_object_get(level, "line_doubles")),
                      "policy", json_object_get(level, "policy"), "latency_s",
                      json_number_value(json_object_get(level, "latency_cycles")) / clock_hz));
    }
    return out;
}

static json_t *points_of(json_t *table)
{
    json_t *out = json_array(), *point;
    size_t i;

    json_array_foreach(table, i, point) json_array_append_new(
        out, json_pack("{s:O, s:O}", "message_bytes", json_array_get(point, 0),
                       "bandwidth_bytes_per_s", json_array_get(point, 1)));
    return out;
}

json_t *sparse_document(const char *name)
{
    json_t *params = json_object_get(json_object_get(sparse_golden_cases, "params"), name);
    json_t *net = json_object_get(params, "net"), *dgemm = json_object_get(params, "dgemm");
    const double clock_hz = json_number_value(json_object_get(params, "clock_hz"));
    json_t *document =
        json_pack("{s:s, s:s, s:{s:{s:O, s:s, s:o}}, s:{s:O, s:f, s:o}, s:{s:f, s:{s:O, s:O, s:O}, "
                  "s:{s:O, s:O}, s:O, s:O}}",
                  "schema", "forerun-calibration-1", "machine", "golden", "network",
                  "message_bandwidth", "latency_s", json_object_get(net, "alpha_s"), "kind",
                  json_is_true(json_object_get(net, "add_latency")) ? "asymptotic" : "effective",
                  "points", points_of(json_object_get(net, "bandwidth")), "memory", "index_bytes",
                  json_object_get(params, "index_bytes"), "memory_latency_s",
                  json_number_value(json_object_get(params, "mem_latency_cycles")) / clock_hz,
                  "caches", caches_of(params, clock_hz), "sparse", "flop_time_s",
                  json_number_value(json_object_get(params, "gamma_cycles")) / clock_hz,
                  "dgemm_block", "m", json_object_get(dgemm, "MB"), "n",
                  json_object_get(dgemm, "NB"), "k", json_object_get(dgemm, "KB"), "dgemm_unroll",
                  "m", json_object_get(dgemm, "Ea"), "n", json_object_get(dgemm, "Eb"),
                  "dger_unroll", json_object_get(json_object_get(params, "dger"), "Ey"),
                  "dtrsv_unroll", json_object_get(json_object_get(params, "dtrsv"), "EL"));

    assert_non_null(document);
    return document;
}

const struct fr_calibration *sparse_decoded(json_t *document, struct fr_arena *arena)
{
    char *text = json_dumps(document, 0);
    const struct fr_calibration *cal = calibration_of(text, arena);

    free(text);
    json_decref(document);
    return cal;
}

const struct fr_calibration *sparse_calibration(const char *more, struct fr_arena *arena)
{
    json_t *document = sparse_document("power3/base");
    json_t *extra = json_loads(quoted(more, arena), 0, NULL);

    assert_non_null(extra);
    json_object_update_recursive(document, extra);
    json_decref(extra);
    return sparse_decoded(document, arena);
}

const char sparse_node[] = "{'node': {'cores_per_node': 4, 'peak_flops_per_s': 6e9, "
                           "'memory_bytes': 1e9}}";
const char sparse_rates_document[] =
    "{'node': {'cores_per_node': 4, 'peak_flops_per_s': 6e9, 'memory_bytes': 1e9},"
    " 'kernels': {"
    "  'dgemm': {'rates': [{'m': 4, 'n': 4, 'k': 4, 'rate_flops_per_s': 1e9}]},"
    "  'dtrsm': {'rates': [{'m': 4, 'n': 4, 'rate_flops_per_s': 5e8}]},"
    "  'dger': {'rates': [{'m': 4, 'n': 4, 'rate_flops_per_s': 4e8}]},"
    "  'dtrsv': {'rates': [{'n': 4, 'rate_flops_per_s': 2e8}]}},"
    " 'sparse': {'fit': {'gemm': 2, 'panel': 2, 'scatter_s': 1e-9, 'block_s': 1e-7,"
    "  'column_s': 1e-8, 'supernode_s': 2e-6}}}";

const struct fr_calibration *sparse_windowed_with(const char *quality, struct fr_arena *arena)
{
    char text[1200];

    snprintf(text, sizeof text,
             "{'node': {'cores_per_node': 4, 'peak_flops_per_s': 6e9, 'memory_bytes': 1e9},"
             " 'kernels': {"
             "  'dgemm': {'rates': [{'m': 4, 'n': 4, 'k': 4, 'rate_flops_per_s': 1e9}]},"
             "  'dtrsm': {'rates': [{'m': 4, 'n': 4, 'rate_flops_per_s': 5e8}]},"
             "  'dger': {'rates': [{'m': 4, 'n': 4, 'rate_flops_per_s': 4e8}]},"
             "  'dtrsv': {'rates': [{'n': 4, 'rate_flops_per_s': 2e8}]}},"
             " 'sparse': {'window_fit': {'gemm': 1, 'panel': 1.6, 'scatter_s': 5e-10,"
             "  'block_s': 4e-8, 'column_s': 6e-9, 'supernode_s': 3e-6}%s}}",
             quality);
    return sparse_calibration(text, arena);
}

const struct fr_calibration *sparse_windowed(struct fr_arena *arena)
{
    return sparse_windowed_with("", arena);
}

/* ---- questions ------------------------------------------------------------------------------ */

int sparse_answer(struct sparse_asked *asked, const char *query, const struct fr_calibration *cal,
                  struct fr_prediction *out)
{
    const struct fr_model *model;
    struct fr_spread spread;
    void *values;

    sparse_faults.count = 0;
    model = ask("sparse_lu", query, asked->arena, &values, &sparse_faults);
    model->set_structures(values, &asked->shelf.source);
    if (sparse_faults.count)
        return sparse_faults.fault[0].code;
    return fr_model_answer(model, values, NULL, cal, asked->arena, out, &spread, &sparse_faults);
}

struct fr_prediction sparse_answered(struct sparse_asked *asked, const char *query,
                                     const struct fr_calibration *cal)
{
    struct fr_prediction out;

    if (sparse_answer(asked, query, cal, &out) != FR_OK)
        fail_msg("%s: %s: %s", query, sparse_faults.fault[0].where, sparse_faults.fault[0].message);
    return out;
}

double sparse_output(const struct fr_prediction *prediction, const char *name)
{
    return output_of("sparse_lu", name, prediction);
}

void sparse_refused_for(struct sparse_asked *asked, const char *query,
                        const struct fr_calibration *cal, const char *where, const char *words)
{
    struct fr_prediction out;

    assert_int_not_equal(sparse_answer(asked, query, cal, &out), FR_OK);
    for (size_t i = 0; i < sparse_faults.count; i++)
        if (strcmp(sparse_faults.fault[i].where, where) == 0 &&
            strstr(sparse_faults.fault[i].message, words))
            return;
    fail_msg("%s: no fault of %s with '%s', but %s: %s", query, where, words,
             sparse_faults.fault[0].where, sparse_faults.fault[0].message);
}

int sparse_rank(struct sparse_asked *asked, const char *query, const struct fr_calibration *cal,
                struct fr_ranking *out)
{
    void *values;
    const struct fr_model *model;

    sparse_faults.count = 0;
    model = ask_open("sparse_lu", query, asked->arena, &values, &sparse_faults);
    model->set_structures(values, &asked->shelf.source);
    return fr_rank(model, values, NULL, NULL, cal, FR_MEMORY_LIMIT, 100, asked->arena, out,
                   &sparse_faults);
}
