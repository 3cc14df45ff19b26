/* Requests for cg: a machine, saved runs as JSON text, and the prediction. */
#include "tests/unit/support/cg_fixture.h"

#include "server/runs/run_document.h"

/* Nodes of four cores that share 8 GB/s of memory, in a uniform network. */
static const char plain[] =
    "{'schema': 'forerun-calibration-1', 'machine': 'plain',"
    " 'node': {'cores_per_node': 4, 'peak_flops_per_s': 4e9},"
    " 'network': {'protocols': [{'name': 'all', 'max_message_bytes': null, 'pipelined': true,"
    "   'off_node': {'latency_s': 2e-6, 'inverse_bandwidth_s_per_byte': 1e-10},"
    "   'on_node': {'latency_s': 1e-6, 'inverse_bandwidth_s_per_byte': 2e-10}}],"
    "   'node_bandwidth_bytes_per_s': 1e10, 'stall_time_s': 1e-10,"
    "   'topology': {'type': 'uniform', 'hops': {'best': 1, 'average': 2, 'max': 3},"
    "     'hop_latency_s': 1e-7}},"
    " 'memory': {'node_bandwidth_bytes_per_s': 8e9, 'index_bytes': 4},"
    " 'sources': {'': 'published: invented for tests'}}";

int cg_fixture_begin(void **state)
{
    static struct cg_fixture cg;

    cg.arena = fr_arena_new(1 << 24);
    cg.cal = calibration_of(plain, cg.arena);
    cg.runs = 0;
    *state = &cg;
    return 0;
}

int cg_fixture_end(void **state)
{
    fr_arena_free(((struct cg_fixture *)*state)->arena);
    return 0;
}

void with_runs(struct cg_fixture *cg, const char *first, const char *second)
{
    const char *const texts[] = { first, second };

    cg->runs = 0;
    for (size_t i = 0; i < 2 && texts[i]; i++) {
        struct fr_saved_run *run = fr_arena_zeroed(cg->arena, 1, sizeof *run);
        json_t *root = json_of(texts[i]);

        cg->faults.count = 0;
        if (fr_run_decode(root, fr_model_find("cg"), false, cg->arena, run, &cg->faults))
            fail_msg("%s: %s", cg->faults.fault[0].where, cg->faults.fault[0].message);
        json_decref(root);
        cg->run[cg->runs++] = run;
    }
}

static size_t find(void *context, const void *values, const struct fr_saved_run *const **runs)
{
    struct cg_fixture *cg = context;

    assert_non_null(values);
    *runs = cg->run;
    return cg->runs;
}

int answer(struct cg_fixture *cg, const char *query)
{
    struct fr_run_source source = { .find = find, .context = cg };
    const struct fr_model *model;
    void *values;

    cg->faults.count = 0;
    model = ask("cg", query, cg->arena, &values, &cg->faults);
    for (const struct fr_param *param = model->params; param->name; param++)
        if (!(param->flags & FR_DEFAULT) && !fr_param_is_open(param, values))
            source.given |= fr_param_bit(model->params, param);
    return fr_model_answer(model, values, cg->runs ? &source : NULL, cg->cal, cg->arena, &cg->out,
                           &cg->spread, &cg->faults);
}

void answered(struct cg_fixture *cg, const char *query)
{
    if (answer(cg, query) != FR_OK)
        fail_msg("%s: %s: %s", query, cg->faults.fault[0].where, cg->faults.fault[0].message);
}

double output(const struct cg_fixture *cg, const char *name)
{
    return output_of("cg", name, &cg->out);
}
