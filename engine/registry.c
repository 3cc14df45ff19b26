/* The table of models, and the steps common to all predictions: checks, resolve, predict. */
#include "engine/calibration/calibration.h"
#include "engine/core/param.h"
#include "engine/prediction/model.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define FR_MODEL(name) extern const struct fr_model fr_model_##name;
#include "engine/models/list.h"
#undef FR_MODEL

const struct fr_model *const fr_models[] = {
#define FR_MODEL(name) &fr_model_##name,
#include "engine/models/list.h"
#undef FR_MODEL
    NULL,
};

const struct fr_model *fr_model_find(const char *name)
{
    for (const struct fr_model *const *model = fr_models; *model; model++)
        if (strcmp((*model)->name, name) == 0)
            return *model;
    return NULL;
}

/* How the number of processes is given, if the name means it and the model has no such parameter.
 */
static const char *remedy_of_processes(const struct fr_param *params, const char *name)
{
    static const char *const names[] = { "processes", "ranks", "tasks", "nprocs", "mpi_processes" };

    if (!fr_param_find(params, "nodes") || !fr_param_find(params, "processes_per_node") ||
        fr_param_find(params, "processes"))
        return NULL;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(names[i], name) == 0)
            return "give nodes and processes_per_node, whose product is the number of processes";
    return NULL;
}

void fr_param_refuse(const struct fr_nearest *nearest, const struct fr_model *model,
                     const char *remedy, struct fr_faults *faults)
{
    const char *processes = model ? remedy_of_processes(model->params, nearest->name) : NULL;
    char text[120];

    if (processes) {
        remedy = processes;
    } else if (nearest->found) {
        snprintf(text, sizeof text, "did you mean %s", nearest->found);
        remedy = text;
    } else if (model && !remedy) {
        snprintf(text, sizeof text, "see /api/v1/models/%s", model->name);
        remedy = text;
    }
    fr_fault(faults, FR_UNKNOWN_PARAMETER, nearest->name, "not a parameter %s%s%s%s",
             model ? "of " : "here", model ? model->name : "", remedy ? "; " : "",
             remedy ? remedy : "");
}

static bool is_faulty(const struct fr_faults *faults, const char *name)
{
    for (size_t i = 0; i < fr_faults_kept(faults); i++)
        if (strcmp(faults->fault[i].where, name) == 0)
            return true;
    return false;
}

/* Whether this parameter is the first with its `one_of`. */
static bool is_head(const struct fr_param *params, const struct fr_param *param)
{
    for (; params != param; params++)
        if (params->one_of && strcmp(params->one_of, param->one_of) == 0)
            return false;
    return true;
}

/* Asks for a parameter, or for one that may be given in its place.  A description ends with a full
 * stop, a message does not. */
static void ask_for(const struct fr_param *params, const struct fr_param *asked,
                    struct fr_faults *faults)
{
    char instead[FR_MESSAGE_BYTES] = "";
    size_t used = 0;

    for (const struct fr_param *param = params; param->name && used < sizeof instead; param++)
        if (param != asked &&
            ((asked->unless && strcmp(param->name, asked->unless) == 0) ||
             (asked->one_of && param->one_of && strcmp(param->one_of, asked->one_of) == 0)))
            used += (size_t)snprintf(instead + used, sizeof instead - used, ", or %s", param->name);
    fr_fault(faults, FR_MISSING, asked->name, "required%s; %.*s", instead,
             (int)strlen(asked->doc) - 1, asked->doc);
}

static void check_one_of(const struct fr_param *params, const struct fr_param *head,
                         const void *values, bool may_be_open, struct fr_faults *faults)
{
    const struct fr_param *given = NULL, *second = NULL;

    for (const struct fr_param *param = params; param->name; param++) {
        if (!param->one_of || strcmp(param->one_of, head->one_of))
            continue;
        if (is_faulty(faults, param->name))
            return; /* given, but faulty: that fault is already reported */
        if (fr_param_is_open(param, values))
            continue;
        if (given)
            second = param;
        else
            given = param;
    }
    if (!given && !may_be_open)
        ask_for(params, head, faults);
    else if (second)
        fr_fault(faults, FR_RELATION, second->name, "%s is given too; leave one of them out",
                 given->name);
}

bool fr_model_is_sized(const struct fr_model *model, const void *values)
{
    for (const struct fr_param *param = model->params; param->name; param++)
        if (param->one_of && !fr_param_is_open(param, values))
            return true;
    return false;
}

/* The parameter that determines a required one, if it is given. */
static const struct fr_param *given_instead(const struct fr_model *model,
                                            const struct fr_param *param, const void *values)
{
    const struct fr_param *other =
        param->unless ? fr_param_find(model->params, param->unless) : NULL;

    return other && !fr_param_is_open(other, values) ? other : NULL;
}

bool fr_model_is_filled(const struct fr_model *model, const void *values)
{
    for (const struct fr_param *param = model->params; param->name; param++)
        if (given_instead(model, param, values))
            return true;
    return false;
}

bool fr_model_grows(const struct fr_model *model, const void *values)
{
    bool is_given = fr_model_is_filled(model, values);

    for (const struct fr_param *param = model->params; param->name; param++)
        is_given |= param->flags & FR_OF_PROCESS && !fr_param_is_open(param, values);
    return is_given;
}

static void check_required(const struct fr_model *model, const struct fr_param *param,
                           const void *values, struct fr_faults *faults)
{
    const struct fr_param *instead = given_instead(model, param, values);

    if (is_faulty(faults, param->name) || (param->unless && is_faulty(faults, param->unless)))
        return;
    if (instead && !fr_param_is_open(param, values))
        fr_fault(faults, FR_RELATION, instead->name, "%s is given too; leave one of them out",
                 param->name);
    else if (!instead && fr_param_is_open(param, values))
        ask_for(model->params, param, faults);
}

void fr_model_check_given(const struct fr_model *model, const void *values, unsigned may_be_open,
                          struct fr_faults *faults)
{
    const unsigned optional =
        FR_DEFAULT | FR_AUTOMATIC | (may_be_open & FR_OPEN_TUNABLES ? FR_TUNABLE : 0);

    for (const struct fr_param *param = model->params; param->name; param++) {
        if (param->one_of) {
            if (is_head(model->params, param))
                check_one_of(model->params, param, values, may_be_open & FR_OPEN_SIZE, faults);
        } else if (!(param->flags & optional)) {
            check_required(model, param, values, faults);
        }
    }
}

static void check_groups(const struct fr_model *model, const void *values,
                         const struct fr_calibration *cal, struct fr_faults *faults)
{
    const unsigned needs = model->needs ? model->needs(values) : model->groups;
    const unsigned missing = needs & ~cal->groups;
    char names[100];

    if (!missing)
        return;
    fr_groups_print(missing, names, sizeof names);
    fr_fault(faults, FR_GROUP_MISSING, "calibration",
             "this calibration has no values of %s, which %s needs", names, model->name);
}

void fr_model_check_complete(const struct fr_model *model, const void *values,
                             struct fr_faults *faults)
{
    fr_model_check_given(model, values, 0, faults);
    if (faults->count && model->check_given)
        model->check_given(values, faults);
}

int fr_model_resolve(const struct fr_model *model, void *values, const struct fr_calibration *cal,
                     struct fr_faults *faults)
{
    fr_model_check_complete(model, values, faults);
    check_groups(model, values, cal, faults);
    if (faults->count)
        return faults->fault[0].code;
    return model->resolve(values, cal, faults);
}

/* Calibrated values are positive and finite, but their products may overflow.  Refuses results so
 * extreme that ratios of times could overflow as well. */
static bool is_sane(const struct fr_model *model, const struct fr_prediction *out)
{
    if (out->time_s != 0 && !(out->time_s > 1e-100 && out->time_s < 1e100))
        return false;
    for (size_t i = 0; i < out->phase_count; i++)
        if (!(out->phase[i].time_s >= 0 && out->phase[i].time_s < 1e100 &&
              out->phase[i].hidden_s >= 0))
            return false;
    for (const struct fr_output *output = model->outputs; output->name; output++)
        if (isinf(fr_output_get(output, out)))
            return false;
    return true;
}

/* What the prediction needs beyond the machine as its owner describes it
 * (docs/calibration.md#facts-that-are-compared). */
static void warn_machine(const struct fr_calibration *cal, struct fr_prediction *out)
{
    const int64_t nodes = cal->facts.nodes;
    const int64_t cores =
        cal->facts.cores_per_node ? cal->facts.cores_per_node : cal->node.cores_per_node;
    const struct {
        const char *what;
        double needed, available; /* 0 or NaN: unknown */
    } limits[] = {
        { "nodes", out->nodes, (double)nodes },
        { "processes", out->processes, (double)nodes * (double)cores },
        { "memory_bytes_per_node",
          out->memory_bytes_per_process * ceil(out->processes / out->nodes),
          cal->facts.memory_bytes_per_node },
    };

    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++)
        if (limits[i].available > 0 && limits[i].needed > limits[i].available)
            fr_warn(out, FR_WARN_MACHINE, limits[i].what, limits[i].needed, 0, limits[i].available);
}

int fr_model_predict_within(const struct fr_model *model, const void *values,
                            struct fr_evaluation *run)
{
    const struct fr_calibration *cal = run->cal;
    struct fr_prediction *out = run->out;
    struct fr_faults *faults = run->faults;
    const size_t before = faults->count;

    fr_prediction_clear(out);
    out->error_fraction = model->error_fraction;
    model->predict(values, run);
    if (faults->count > before)
        return faults->fault[before < FR_MAX_FAULTS ? before : FR_MAX_FAULTS - 1].code;
    if (run->limit_s < INFINITY && isinf(out->time_s))
        return FR_OK;
    if (!is_sane(model, out))
        return fr_fault(faults, FR_RANGE, "calibration",
                        "its values (with the what-ifs) are so extreme that the prediction is "
                        "beyond what a number can hold");
    fr_check_bound(out);
    if (out->memory_bytes_per_process > out->memory_limit_bytes_per_process)
        fr_warn(out, FR_WARN_MEMORY, NULL, out->memory_bytes_per_process, 0,
                out->memory_limit_bytes_per_process);
    warn_machine(cal, out);
    if (cal->assumed & out->used)
        fr_warn(out, FR_WARN_ASSUMED, NULL, 1, 1, 1);
    if (cal->unstated & out->used)
        fr_warn(out, FR_WARN_UNSTATED, NULL, 1, 1, 1);
    return FR_OK;
}

int fr_model_predict(const struct fr_model *model, const void *values,
                     const struct fr_calibration *cal, struct fr_arena *arena,
                     struct fr_prediction *out, struct fr_faults *faults)
{
    struct fr_evaluation run = {
        .cal = cal, .arena = arena, .out = out, .faults = faults, .limit_s = INFINITY
    };

    return fr_model_predict_within(model, values, &run);
}

size_t fr_insert_count(int64_t *out, size_t count, size_t capacity, int64_t value)
{
    size_t at = count;

    while (at > 0 && out[at - 1] > value)
        at--;
    if (count == capacity || (at > 0 && out[at - 1] == value))
        return count;
    for (size_t i = count; i > at; i--)
        out[i] = out[i - 1];
    out[at] = value;
    return count + 1;
}

size_t fr_copy_counts(int64_t *out, size_t capacity, const int64_t *values, size_t count)
{
    const size_t copied = count < capacity ? count : capacity;

    for (size_t i = 0; i < copied; i++)
        out[i] = values[i];
    return copied;
}
