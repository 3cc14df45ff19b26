/* The parameters of a saved run: checked on its machine, and as they are stored. */
#include "server/http/http.h"
#include "server/json/decode.h"
#include "server/runs/run_document.h"

#include <stdio.h>
#include <string.h>

/* Reports a refused parameter at its place in the run; grids may be beside the parameters. */
static void place_refusal(const struct fr_saved_run *run, const struct fr_fault *fault,
                          struct fr_faults *faults)
{
    static const char *const grids[] = { "local_grid", "process_grid", "on_node_grid",
                                         "allocation" };
    const struct fr_run_document *document = run->document;
    const fr_numbers *const given[] = { &document->local_grid, &document->process_grid,
                                        &document->on_node_grid, &document->allocation };
    char where[FR_WHERE_BYTES];
    bool is_beside = false;

    for (size_t i = 0; i < sizeof grids / sizeof *grids; i++)
        is_beside = is_beside || (given[i]->row && strcmp(grids[i], fault->where) == 0);
    snprintf(where, sizeof where, "%s/%.140s", is_beside ? "" : "/parameters", fault->where);
    fr_fault(faults, fault->code, where, "%s", fault->message);
}

int fr_run_resolve(const struct fr_saved_run *run, const struct fr_calibration *cal_or_null,
                   void *resolved, struct fr_faults *faults)
{
    const size_t before = faults->count;
    struct fr_faults own;

    own.count = 0;
    memcpy(resolved, run->values, run->model->values_size);
    if (cal_or_null)
        fr_model_resolve(run->model, resolved, cal_or_null, &own);
    for (size_t i = 0; i < fr_faults_kept(&own); i++)
        if (own.fault[i].code != FR_GROUP_MISSING)
            place_refusal(run, &own.fault[i], faults);
    if (own.count)
        memcpy(resolved, run->values, run->model->values_size);
    return faults->count > before ? FR_RELATION : FR_OK;
}

void fr_run_write_parameters(struct fr_writer *w, const struct fr_saved_run *run,
                             const void *resolved)
{
    const struct fr_model *model = run->model;
    struct fr_rows rows;

    fr_rows_begin(&rows, w, FR_JSON);
    fr_row_begin(&rows);
    for (const struct fr_param *param = model->params; param->name; param++) {
        const bool is_another_way = param->flags & FR_INPUT_ONLY;

        if (!is_another_way)
            fr_row_param(&rows, param, resolved);
        else if (run->given & fr_param_bit(model->params, param))
            fr_row_param(&rows, param, run->values);
    }
    fr_row_end(&rows);
    fr_rows_end(&rows);
}

void fr_run_read_parameters(const struct fr_model *model, const char *json, void *values)
{
    struct fr_faults ignored;
    json_t *parameters;
    uint64_t given;

    ignored.count = 0;
    parameters = fr_json_parse(json, strlen(json), &ignored);
    fr_params_clear(model->params, values);
    fr_params_bind(model, parameters, NULL, values, &given, &ignored);
    fr_json_free(parameters);
}
