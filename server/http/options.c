/* Options of routes; names of models. */
#include "server/http/http.h"

#include <stdio.h>
#include <string.h>

static bool is_repeated(const struct fr_request *rq, size_t place, struct fr_faults *faults)
{
    for (size_t i = 0; i < place; i++) {
        if (strcmp(rq->query[i].name, rq->query[place].name) == 0) {
            fr_fault(faults, FR_REPEATED, rq->query[place].name, "given twice; give it once");
            return true;
        }
    }
    return false;
}

const struct fr_pair *fr_query_next(const struct fr_request *rq, size_t *place,
                                    const struct fr_param *options, void *values,
                                    struct fr_faults *faults)
{
    while (*place < rq->query_count) {
        const struct fr_pair *pair = &rq->query[*place];
        const struct fr_param *option = fr_param_find(options, pair->name);

        if (is_repeated(rq, (*place)++, faults))
            continue;
        if (!option)
            return pair;
        fr_param_read(option, pair->value, values, faults);
    }
    return NULL;
}

void fr_options_read(const struct fr_request *rq, const struct fr_param *options, void *values,
                     struct fr_faults *faults)
{
    const struct fr_pair *other;

    fr_params_clear(options, values);
    for (size_t i = 0; (other = fr_query_next(rq, &i, options, values, faults));) {
        struct fr_nearest nearest = { .name = other->name };

        fr_params_consider(options, &nearest);
        fr_param_refuse(&nearest, NULL, NULL, faults);
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
