#include "tests/unit/support/asking.h"

#include "server/runs/run_document.h"

/* Nodes of four cores that share 8 GB/s of memory; no place in the network is far. */
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

int asking_begin(void **state)
{
    static struct asking asking;

    asking.arena = fr_arena_new(1 << 24);
    asking.cal = calibration_of(plain, asking.arena);
    asking.runs = 0;
    *state = &asking;
    return 0;
}

int asking_end(void **state)
{
    fr_arena_free(((struct asking *)*state)->arena);
    return 0;
}

void with_runs(struct asking *asking, const char *first, const char *second)
{
    const char *const texts[] = { first, second };

    asking->runs = 0;
    for (size_t i = 0; i < 2 && texts[i]; i++) {
        struct fr_saved_run *run = fr_arena_zeroed(asking->arena, 1, sizeof *run);
        json_t *root = json_of(texts[i]);

        asking->faults.count = 0;
        if (fr_run_decode(root, fr_model_find("cg"), false, asking->arena, run, &asking->faults))
            fail_msg("%s: %s", asking->faults.fault[0].where, asking->faults.fault[0].message);
        json_decref(root);
        asking->run[asking->runs++] = run;
    }
}

static size_t find(void *context, const char *key, const struct fr_saved_run *const **runs)
{
    struct asking *asking = context;

    assert_non_null(strstr(key, "solver="));
    *runs = asking->run;
    return asking->runs;
}

int answer(struct asking *asking, const char *query)
{
    struct fr_run_source source = { .find = find, .context = asking };
    const struct fr_model *model;
    void *values;

    asking->faults.count = 0;
    model = ask("cg", query, asking->arena, &values, &asking->faults);
    for (const struct fr_param *param = model->params; param->name; param++)
        if (!(param->flags & FR_DEFAULT) && !fr_param_is_open(param, values))
            source.given |= fr_param_bit(model->params, param);
    return fr_model_answer(model, values, asking->runs ? &source : NULL, asking->cal, asking->arena,
                           &asking->out, &asking->spread, &asking->faults);
}

void answered(struct asking *asking, const char *query)
{
    if (answer(asking, query) != FR_OK)
        fail_msg("%s: %s: %s", query, asking->faults.fault[0].where,
                 asking->faults.fault[0].message);
}

double output(const struct asking *asking, const char *name)
{
    return output_of("cg", name, &asking->out);
}
