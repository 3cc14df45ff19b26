/* Reads the query of a comparison and finds its two calibrations. */
#include "server/comparison/comparison.h"
#include "server/questions/ask.h"
#include "server/store/store.h"

#include "server/http/http.h"

#include <string.h>

const char *const fr_side_names[FR_SIDES] = { [FR_FROM] = "from", [FR_TO] = "to" };
const char *const fr_comparison_tables[] = { [FR_TABLE_CHANGES] = "changes",
                                             [FR_TABLE_FIELDS] = "fields",
                                             [FR_TABLE_EFFECTS] = "predictions",
                                             [FR_TABLE_CONDITIONS] = "conditions",
                                             NULL };

const struct fr_param fr_comparison_params[] = {
    FR_BORROWED(struct fr_comparison_options, from, .doc = "Id of the older calibration."),
    FR_BORROWED(struct fr_comparison_options, to, .doc = "Id of the newer calibration."),
    FR_INT(struct fr_comparison_options, limit, .unit = "1", .min = 1, .max = 1000, .fallback = 100,
           .flags = FR_DEFAULT, .doc = "Maximum number of changes."),
    FR_CHOICE_OF(struct fr_comparison_options, table, .choices = fr_comparison_tables,
                 .fallback = FR_TABLE_CHANGES, .flags = FR_DEFAULT,
                 .doc = "In CSV and txt: the table."),
    FR_BORROWED(struct fr_comparison_options, model, .doc = "Model of an additional question."),
    FR_PARAMS_END,
};

static void refuse_name(const struct fr_model *model, const char *name, struct fr_faults *faults)
{
    struct fr_nearest nearest = { .name = name };

    fr_params_consider(fr_comparison_params, &nearest);
    fr_params_consider(model ? model->params : NULL, &nearest);
    fr_param_refuse(&nearest, model, model ? NULL : "parameters of a model need model=NAME",
                    faults);
}

static void find_model(struct fr_request *rq, struct fr_comparison_question *question,
                       struct fr_faults *faults)
{
    const char *name = fr_query_get(rq, "model");

    question->asked.model = name ? fr_model_named(name, "model", faults) : NULL;
    if (question->asked.model)
        fr_question_clear(rq, &question->asked);
}

static void read_query(struct fr_request *rq, struct fr_comparison_question *question,
                       struct fr_faults *faults)
{
    const struct fr_model *model = question->asked.model;
    struct fr_comparison_options *options = &question->options;
    struct fr_question *asked = &question->asked;
    const struct fr_pair *pair;

    fr_params_clear(fr_comparison_params, options);
    for (size_t i = 0; (pair = fr_query_next(rq, &i, fr_comparison_params, options, faults));) {
        const struct fr_param *param = model ? fr_param_find(model->params, pair->name) : NULL;

        if (param &&
            fr_param_give(model->params, param, pair->name, &asked->given, faults) != FR_OK)
            continue;
        if (param && param->kind == FR_KIND_TEXT)
            fr_param_read(param, pair->value, asked->values, faults);
        else if (param)
            fr_question_read_list(rq, asked, param, pair->value, faults);
        else if (!options->model || model)
            refuse_name(model, pair->name, faults);
    }
    if (model)
        fr_model_check_given(model, question->asked.values, 0, faults);
}

static const char *id_of(const struct fr_comparison_question *question, enum fr_side side)
{
    return side == FR_FROM ? question->options.from : question->options.to;
}

/* Finds a calibration by id.  Returns FR_STORE_OK also if it is refused with a fault. */
static int find_named(struct fr_request *rq, struct fr_comparison_question *question,
                      enum fr_side side, struct fr_faults *faults)
{
    const char *id = id_of(question, side);
    struct fr_stored_calibration *stored = &question->stored[side];
    const int result = fr_store_get_calibration(rq->store, id, rq->arena, stored);

    if (result == FR_STORE_NONE)
        fr_fault(faults, FR_NOT_FOUND, fr_side_names[side],
                 "'%.40s' is not a calibration; see /api/v1/machines/%s/calibrations", id,
                 rq->segment[0]);
    else if (result == FR_STORE_OK && strcmp(stored->machine, rq->segment[0]))
        fr_fault(faults, FR_RELATION, fr_side_names[side],
                 "calibration %s belongs to machine %s, not to %s; give two of one machine", id,
                 stored->machine, rq->segment[0]);
    else if (result == FR_STORE_OK)
        return FR_STORE_OK;
    stored->id = NULL;
    return result == FR_STORE_NONE ? FR_STORE_OK : result;
}

/* Takes the newest calibration for `to` and its predecessor for `from`. */
static int find_unnamed(struct fr_request *rq, struct fr_comparison_question *question,
                        enum fr_side side, const struct fr_machine *machine,
                        struct fr_faults *faults)
{
    const struct fr_stored_calibration *to = &question->stored[FR_TO];
    struct fr_stored_calibration *items;
    size_t count = 0;
    int result;

    if (side == FR_FROM && !to->id)
        return FR_STORE_OK; /* already reported */
    result =
        fr_store_list_calibrations(rq->store, rq->segment[0], side == FR_FROM ? to->sequence : 0, 1,
                                   rq->arena, &items, &count);
    if (result != FR_STORE_OK)
        return result;
    if (count)
        question->stored[side] = items[0];
    else if (machine->calibrations < 2)
        fr_fault(faults, FR_NOT_FOUND, fr_side_names[side],
                 "%s has %s calibration, and a comparison needs two; upload another", machine->name,
                 machine->calibrations ? "only one" : "no");
    else
        fr_fault(faults, FR_NOT_FOUND, fr_side_names[side],
                 "%s is the oldest calibration of %s; name the other one", to->id, machine->name);
    return FR_STORE_OK;
}

static int find_sides(struct fr_request *rq, struct fr_comparison_question *question,
                      const struct fr_machine *machine, struct fr_faults *faults)
{
    static const enum fr_side order[] = { FR_TO, FR_FROM };
    const struct fr_stored_calibration *stored = question->stored;
    int result = FR_STORE_OK;

    for (size_t i = 0; i < FR_SIDES && result == FR_STORE_OK; i++)
        result = id_of(question, order[i]) ? find_named(rq, question, order[i], faults)
                                           : find_unnamed(rq, question, order[i], machine, faults);
    if (result != FR_STORE_OK || !stored[FR_FROM].id || !stored[FR_TO].id)
        return result;
    if (strcmp(stored[FR_FROM].id, stored[FR_TO].id) == 0)
        fr_fault(faults, FR_RELATION, "from", "both sides are calibration %s%s; name another",
                 stored[FR_FROM].id, question->options.to ? "" : ", the newest");
    return result;
}

static void load(struct fr_request *rq, struct fr_comparison_question *question,
                 struct fr_faults *faults)
{
    for (int side = 0; side < FR_SIDES && !faults->count; side++)
        fr_find_calibration(rq, NULL, question->stored[side].id, &question->loaded[side], faults);
}

int fr_comparison_ask(struct fr_request *rq, const struct fr_machine *machine,
                      struct fr_comparison_question *out, struct fr_faults *faults)
{
    int result;

    memset(out, 0, offsetof(struct fr_comparison_question, asked));
    fr_question_begin(&out->asked, rq->arena);
    find_model(rq, out, faults);
    read_query(rq, out, faults);
    result = find_sides(rq, out, machine, faults);
    if (result == FR_STORE_OK)
        load(rq, out, faults);
    return result;
}

void fr_comparison_question_end(struct fr_comparison_question *question)
{
    for (int side = 0; side < FR_SIDES; side++)
        fr_cached_drop(question->loaded[side]);
    fr_question_end(&question->asked);
}
