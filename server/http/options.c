/* Options of routes; names of models. */
#include "server/http/options.h"

#include <stdio.h>
#include <string.h>

bool fr_option_is_repeated(const struct fr_request *rq, size_t place, struct fr_faults *faults)
{
    for (size_t i = 0; i < place; i++) {
        if (strcmp(rq->query[i].name, rq->query[place].name) == 0) {
            fr_fault(faults, FR_REPEATED, rq->query[place].name, "given twice; give it once");
            return true;
        }
    }
    return false;
}

static void refuse(const struct fr_param *options, const char *name, struct fr_faults *faults)
{
    struct fr_nearest nearest = { .name = name };

    fr_params_consider(options, &nearest);
    fr_fault(faults, FR_UNKNOWN_PARAMETER, name, "not a parameter here%s%s",
             nearest.found ? "; did you mean " : "", nearest.found ? nearest.found : "");
}

void fr_options_read(const struct fr_request *rq, const struct fr_param *options, void *values,
                     struct fr_faults *faults)
{
    fr_params_clear(options, values);
    for (size_t i = 0; i < rq->query_count; i++) {
        const struct fr_pair *pair = &rq->query[i];
        const struct fr_param *option = fr_param_find(options, pair->name);

        if (fr_option_is_repeated(rq, i, faults))
            continue;
        if (!option)
            refuse(options, pair->name, faults);
        else
            fr_param_read(option, pair->value, values, faults);
    }
    for (; options->name; options++)
        if (options->flags & FR_REQUIRED && !fr_query_get(rq, options->name))
            fr_fault(faults, FR_MISSING, options->name, "required; %.*s",
                     (int)strlen(options->doc) - 1, options->doc);
}

/* The end of a sentence about a name that is no model's. */
static void print_remedy(const char *name, char *out, size_t size)
{
    struct fr_nearest nearest = { .name = name };

    for (size_t i = 0; fr_models[i]; i++)
        fr_nearest_consider(&nearest, fr_models[i]->name);
    snprintf(out, size, "%s%s", nearest.found ? "did you mean " : "see /api/v1/models",
             nearest.found ? nearest.found : "");
}

const struct fr_model *fr_model_named(const char *name, const char *where, struct fr_faults *faults)
{
    const struct fr_model *model = fr_model_find(name);
    char remedy[60];

    if (model)
        return model;
    print_remedy(name, remedy, sizeof remedy);
    fr_fault(faults, FR_CHOICE, where, "'%.40s' is not a model; %s", name, remedy);
    return NULL;
}

const struct fr_model *fr_model_of_path(const struct fr_request *rq, struct fr_reply *reply)
{
    const struct fr_model *model = fr_model_find(rq->segment[0]);
    char remedy[60], detail[FR_MESSAGE_BYTES];

    if (model)
        return model;
    print_remedy(rq->segment[0], remedy, sizeof remedy);
    snprintf(detail, sizeof detail, "There is no model `%.100s`; %s.", rq->segment[0], remedy);
    fr_reply_problem(reply, 404, detail);
    return NULL;
}
