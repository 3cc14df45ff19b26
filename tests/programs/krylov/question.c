/* Parameters of a run: command line, reference calibration, resolution, and output. */
#include "tests/programs/krylov/question.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "calibrations/calibrate/core/document.h"
#include "tests/programs/krylov/layout.h"

enum { ARENA_BYTES = 16 << 20 };

static const char *const models[] = { "allreduce", "halo_exchange", "cg", NULL };
/* Parameters that the job determines. */
static const char *const found[] = { "nodes", "processes_per_node", "allocation", NULL };

static bool is_among(const char *name, const char *const *names)
{
    for (; *names; names++)
        if (strcmp(name, *names) == 0)
            return true;
    return false;
}

void question_init(struct question *question)
{
    memset(question, 0, sizeof *question);
    fr_calibration_clear(&question->reference);
    question->arena = fr_arena_new(ARENA_BYTES);
}

void question_free(struct question *question)
{
    fr_arena_free(question->arena);
    fr_record_free(question->values);
}

static void take_model(struct question *question, const char *text, struct argp_state *state)
{
    question->model = is_among(text, models) ? fr_model_find(text) : NULL;
    if (!question->model)
        argp_error(state, "%s: must be allreduce, halo_exchange or cg", text);
    else
        question->values = job_room(1, question->model->values_size);
}

static const struct fr_param *find_param(const struct question *question, const char *name,
                                         struct argp_state *state)
{
    const struct fr_param *param = fr_param_find(question->model->params, name);
    const char *near = fr_param_near(question->model->params, name);

    if (!param)
        argp_error(state, "%s: %s has no such parameter%s%s", name, question->model->name,
                   near ? "; did you mean " : "", near ? near : "");
    else if (param->flags & FR_METHOD)
        argp_error(state, "%s: selects how to predict, not what is run", name);
    else if (is_among(name, found))
        argp_error(state, "%s: the job determines it", name);
    return param;
}

/* Splits the list in place; it belongs to the arena. */
static void take_values(struct given *given, char *list, struct argp_state *state)
{
    for (char *rest = list; rest;) {
        char *comma = strchr(rest, ',');

        if (given->count == GIVEN_VALUES_MAX) {
            argp_error(state, "%s: at most %d values", given->param->name, GIVEN_VALUES_MAX);
            return;
        }
        if (comma)
            *comma = '\0';
        given->value[given->count++] = rest;
        rest = comma ? comma + 1 : NULL;
    }
}

void question_take(struct question *question, const char *text, struct argp_state *state)
{
    struct given *given = &question->given[question->givens];
    char *name, *equals;

    if (!question->model) {
        take_model(question, text, state);
        return;
    }
    name = fr_arena_text(question->arena, text, strlen(text));
    equals = name ? strchr(name, '=') : NULL;
    if (!equals || question->givens == GIVEN_MAX) {
        argp_error(state, "%s: parameters of %s are given as NAME=VALUE[,VALUE...], at most %d",
                   text, question->model->name, GIVEN_MAX);
        return;
    }
    *equals = '\0';
    given->param = find_param(question, name, state);
    take_values(given, equals + 1, state);
    question->givens++;
}

int question_take_topology(struct question *question, const char *text)
{
    struct fr_topology *topology = &question->reference.network.topology;
    int a, b = 1, c = 1, d = 1, length = 0;

    if (strcmp(text, "uniform") == 0) {
        topology->type = FR_UNIFORM;
        topology->hops.best = topology->hops.average = topology->hops.max = 1;
        return 0;
    }
    if (sscanf(text, "dragonfly:%dx%d:%d%n", &a, &b, &c, &length) == 3 && !text[length] && a > 0 &&
        b > 0 && c > 0) {
        topology->type = FR_DRAGONFLY;
        topology->chassis_per_group = a;
        topology->routers_per_chassis = b;
        topology->nodes_per_router = c;
        return 0;
    }
    if (sscanf(text, "torus:%dx%dx%d%n:%d%n", &a, &b, &c, &length, &d, &length) < 3 ||
        text[length] || a < 1 || b < 1 || c < 1 || d < 1)
        return -1;
    topology->type = FR_TORUS;
    topology->nodes_per_router = d;
    question->torus[0] = a;
    question->torus[1] = b;
    question->torus[2] = c;
    return 0;
}

static void make_reference(struct question *question, const struct job *job, double memory_rate)
{
    static const struct fr_link link = { 1e-6, 1e-9 };
    struct fr_calibration *reference = &question->reference;
    struct fr_faults faults = { .count = 0 };

    for (int i = 0; i < 2; i++)
        question->protocol[i] = (struct fr_protocol){
            .name = i ? "rendezvous" : "eager",
            .max_message_bytes = i ? INFINITY : 1,
            .pipelined = !i,
            .off_node = link,
            .on_node = link,
        };
    reference->network.protocols.row = question->protocol;
    reference->network.protocols.count = 2;
    reference->network.node_bandwidth_bytes_per_s = 1e9;
    reference->network.topology.dimensions.row = question->torus;
    reference->network.topology.dimensions.count =
        reference->network.topology.type == FR_TORUS ? TORUS_MAX : 0;
    reference->node.cores_per_node = job->per_node;
    reference->node.peak_flops_per_s = 1e9;
    reference->memory.node_bandwidth_bytes_per_s = memory_rate * job->per_node;
    reference->memory.index_bytes = 4;
    reference->groups = FR_CAL_NODE | FR_CAL_NETWORK | FR_CAL_MEMORY;
    if (fr_calibration_prepare(reference, question->arena, &faults))
        job_refuse("%s: %s", faults.fault[0].where, faults.fault[0].message);
}

int question_cases(const struct question *question)
{
    int cases = 1;

    for (int i = 0; i < question->givens; i++)
        cases *= question->given[i].count;
    return cases;
}

static void refuse(const struct fr_faults *faults)
{
    if (faults->count)
        job_refuse("%s: %s", faults->fault[0].where, faults->fault[0].message);
}

static void set(struct question *question, const char *name, const char *text,
                struct fr_faults *faults)
{
    fr_param_read(fr_param_find(question->model->params, name), text, question->values, faults);
}

static void set_number(struct question *question, const char *name, int64_t value,
                       struct fr_faults *faults)
{
    char text[24];

    snprintf(text, sizeof text, "%lld", (long long)value);
    set(question, name, text, faults);
}

/* The reference has no penalties: it does not know the distance of a message. */
static void set_values(struct question *question, const struct job *job, int which,
                       struct fr_faults *faults)
{
    const struct fr_vector allocation =
        layout_allocation(job, &question->reference.network.topology);

    fr_params_clear(question->model->params, question->values);
    for (int i = question->givens - 1; i >= 0; i--) {
        const struct given *given = &question->given[i];

        fr_param_read(given->param, given->value[which % given->count], question->values, faults);
        which /= given->count;
    }
    set_number(question, "nodes", job->nodes, faults);
    set_number(question, "processes_per_node", job->per_node, faults);
    set(question, "penalties", "none", faults);
    if (fr_param_find(question->model->params, "process"))
        set(question, "process", "average", faults);
    if (allocation.count)
        fr_param_set_vector(fr_param_find(question->model->params, "allocation"), question->values,
                            &allocation);
}

void question_resolve(struct question *question, const struct job *job, int which,
                      double memory_rate)
{
    struct fr_faults faults = { .count = 0 };

    make_reference(question, job, memory_rate);
    set_values(question, job, which, &faults);
    refuse(&faults);
    fr_model_resolve(question->model, question->values, &question->reference, &faults);
    refuse(&faults);
    fr_model_predict(question->model, question->values, &question->reference, question->arena,
                     &question->counts, &faults);
    refuse(&faults);
}

double question_value(const struct question *question, const char *name)
{
    const struct fr_param *param = fr_param_find(question->model->params, name);

    if (fr_param_is_open(param, question->values))
        return NAN;
    return fr_param_get(param, question->values);
}

double question_output(const struct question *question, const char *name)
{
    return fr_output_get(fr_output_find(question->model->outputs, name), &question->counts);
}

static void write_vector(struct fr_writer *run, const char *name, const struct fr_vector *vector)
{
    if (!vector->count)
        return;
    fr_json_key(run, name);
    fr_json_array(run);
    for (size_t d = 0; d < vector->count; d++)
        fr_json_integer(run, vector->at[d]);
    fr_json_array_end(run);
}

/* Grids are members beside the parameters; topology_aware must not state any. */
static bool is_written(const struct fr_param *param, const void *values)
{
    static const char *const grids[] = { "process_grid", "on_node_grid", "allocation", NULL };

    return !(param->flags & (FR_METHOD | FR_INPUT_ONLY)) && !is_among(param->name, grids) &&
           !fr_param_is_open(param, values);
}

void question_write_parameters(const struct question *question, struct fr_writer *run)
{
    for (const struct fr_param *param = question->model->params; param->name; param++) {
        if (!is_written(param, question->values))
            continue;
        if (param->kind == FR_KIND_VECTOR) {
            write_vector(run, param->name, fr_param_vector(param, question->values));
            continue;
        }
        fr_json_key(run, param->name);
        if (param->kind == FR_KIND_CHOICE)
            fr_json_text(run, param->choices[(int)fr_param_get(param, question->values)]);
        else if (param->kind == FR_KIND_BOOL)
            fr_json_bool(run, fr_param_get(param, question->values) != 0);
        else
            fr_json_number(run, fr_param_get(param, question->values));
    }
}

void question_write_grids(const struct question *question, const struct job *job,
                          struct fr_writer *run)
{
    const struct fr_vector allocation =
        layout_allocation(job, &question->reference.network.topology);

    write_vector(run, "allocation", &allocation);
    if (!fr_param_find(question->model->params, "mapping") ||
        question_value(question, "mapping") == MAPPING_TOPOLOGY_AWARE)
        return;
    write_vector(run, "process_grid", &question->counts.vector[0]);
    write_vector(run, "on_node_grid", &question->counts.vector[1]);
}
