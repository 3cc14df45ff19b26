/* GET /api/v1/models and /models/{model}: parameters, outputs, assumptions and limitations. */
#include "server/http/handlers.h"
#include "server/questions/schema.h"

#include <stdio.h>
#include <string.h>

static size_t list_groups(unsigned groups, const char **out)
{
    size_t count = 0;

    for (unsigned bit = 1; bit <= FR_CAL_CNC; bit *= 2)
        if (groups & bit)
            out[count++] = fr_group_name(bit);
    return count;
}

/* Returns the model after the one that the cursor names, the first model without a cursor, and NULL
 * for an invalid cursor. */
static const struct fr_model *const *first_of(const struct fr_page *page)
{
    const struct fr_model *const *model = fr_models;

    if (!page->cursor)
        return model;
    while (*model && strcmp((*model)->name, page->cursor))
        model++;
    return *model ? model + 1 : NULL;
}

int fr_get_models(struct fr_request *rq, struct fr_reply *reply)
{
    const struct fr_model *const *model;
    const char *groups[8];
    struct fr_faults faults;
    struct fr_page page;
    struct fr_rows rows;

    faults.count = 0;
    fr_options_read(rq, rq->route->options, &page, &faults);
    model = first_of(&page);
    if (!model)
        fr_fault(&faults, FR_SYNTAX, "cursor", "not a cursor from an earlier page");
    if (faults.count)
        return fr_reply_faults(reply, &faults);
    fr_list_begin(rq, reply, &rows);
    for (; *model && rows.count < (size_t)page.limit; model++) {
        char url[80];

        snprintf(url, sizeof url, "/api/v1/models/%s", (*model)->name);
        fr_row_begin(&rows);
        fr_row_text(&rows, "name", (*model)->name);
        fr_row_text(&rows, "family", (*model)->family);
        fr_row_text(&rows, "summary", (*model)->summary);
        fr_row_texts(&rows, "groups", groups, list_groups((*model)->groups, groups));
        fr_row_text(&rows, "url", url);
        fr_row_end(&rows);
    }
    fr_list_end(rq, reply, &rows, "/api/v1/models", &page, *model ? model[-1]->name : NULL);
    return 200;
}

static void write_outputs(struct fr_writer *w, const struct fr_output *output)
{
    static const char *const types[] = {
        [FR_OUTPUT_NUMBER] = "number",
        [FR_OUTPUT_VECTOR] = "vector",
        [FR_OUTPUT_TEXT] = "text",
    };

    fr_json_pair_array(w, "outputs");
    for (; output->name; output++) {
        fr_json_object(w);
        fr_json_pair(w, "name", output->name);
        fr_json_pair(w, "type", types[output->kind]);
        fr_json_pair(w, "unit", output->unit);
        fr_json_pair(w, "description", output->doc);
        fr_json_object_end(w);
    }
    fr_json_array_end(w);
}

int fr_get_model(struct fr_request *rq, struct fr_reply *reply)
{
    const struct fr_model *model = fr_model_of_path(rq, reply);
    struct fr_writer *w = &reply->body;
    const char *groups[9] = { 0 };

    if (!model)
        return 404;
    list_groups(model->groups, groups);
    fr_json_object(w);
    fr_json_pair(w, "name", model->name);
    fr_json_pair(w, "family", model->family);
    fr_json_pair(w, "summary", model->summary);
    fr_json_pair(w, "source", model->source);
    fr_json_pair_texts(w, "groups", groups);
    fr_json_pair_texts(w, "assumes", model->assumes);
    fr_json_pair_texts(w, "blind_spots", model->blind_spots);
    fr_schema_write_params(w, model->params);
    fr_json_key(w, "schema");
    fr_schema_write(w, model);
    write_outputs(w, model->outputs);
    fr_json_object_end(w);
    return 200;
}
