/* Refused configurations of a ranking: what represents them if there are no others, and what is
 * said of them beside others; and the refusal of a ranking that is too much work. */
#include "engine/core/param.h"
#include "engine/prediction/model.h"
#include "engine/questions/rank.h"

#include <stdio.h>
#include <string.h>

static bool is_lack_alone(const struct fr_faults *faults)
{
    for (size_t i = 0; i < fr_faults_kept(faults); i++)
        if (faults->fault[i].code != FR_GROUP_MISSING)
            return false;
    return true;
}

/* One that lacks calibrated values alone represents all refused ones, before those whose values do
 * not go together; of equals, that with the fewest faults. */
static void note_reasons(const struct fr_faults *faults, struct fr_faults *why)
{
    const bool is_lack = is_lack_alone(faults), was_lack = is_lack_alone(why);

    if (why->count && (is_lack == was_lack ? why->count <= faults->count : was_lack))
        return;
    *why = *faults;
}

/* A configuration without calibrated values is counted, so that the client sees it was not ranked.
 */
static void note_unjudged(struct fr_ranking *out, const struct fr_fault *fault)
{
    const bool is_long = fault->code == FR_TOO_LONG || fault->code == FR_LIMITED;

    if (fault->code != FR_GROUP_MISSING && !is_long)
        return;
    if (!out->left_out_missing && !out->left_out_long)
        memcpy(out->reason, fault->message, sizeof out->reason);
    out->left_out_missing += fault->code == FR_GROUP_MISSING;
    out->left_out_long += is_long;
}

/* The same of one that a given tunable excludes. */
static void note_excluded(const struct fr_model *model, uint64_t given,
                          const struct fr_fault *fault, struct fr_ranking *out)
{
    const struct fr_param *param = given ? fr_param_find(model->params, fault->where) : NULL;

    if (!param || !(given & fr_param_bit(model->params, param)))
        return;
    if (!out->left_out_refused++)
        snprintf(out->refusal, sizeof out->refusal, "%.40s: %s", fault->where, fault->message);
}

void fr_refusal_note(const struct fr_model *model, uint64_t given, const struct fr_faults *faults,
                     struct fr_faults *why, struct fr_ranking *out)
{
    note_unjudged(out, &faults->fault[0]);
    note_excluded(model, given, &faults->fault[0], out);
    note_reasons(faults, why);
}

/* Whether a question compares the variant of this name, as one of a list or of all. */
static bool compares(const struct fr_model *model, uint64_t given,
                     const struct fr_restriction *only, const char *name)
{
    const struct fr_param *variant = fr_param_find(model->params, "variant");

    for (size_t i = 0; only && i < only->count; i++)
        for (size_t j = 0; only->list[i].param == variant && j < only->list[i].count; j++)
            if (strcmp(variant->choices[(size_t)only->list[i].value[j]], name) == 0)
                return true;
    return !(given & fr_param_bit(model->params, variant));
}

bool fr_refusal_is_same(const struct fr_model *model, uint64_t given,
                        const struct fr_restriction *only, const struct fr_calibration *cal,
                        const struct fr_prediction *prediction, struct fr_ranking *out)
{
    const struct fr_warning *same = prediction->warning, *end = same + prediction->warning_count;

    while (same < end && same->code != FR_WARN_SAME_AS)
        same++;
    if (same == end || !compares(model, given, only, same->what))
        return false;
    if (!out->left_out_refused++)
        fr_warning_print(same, prediction, cal, out->refusal, sizeof out->refusal);
    return true;
}

uint64_t fr_refusal_tunables(const struct fr_model *model, const void *values,
                             const struct fr_restriction *only)
{
    uint64_t set = 0;

    for (const struct fr_param *param = model->params; param->name; param++)
        if (param->flags & FR_TUNABLE && !fr_param_is_open(param, values))
            set |= fr_param_bit(model->params, param);
    for (size_t i = 0; only && i < only->count; i++)
        set |= fr_param_bit(model->params, only->list[i].param);
    return set;
}

bool fr_refusal_says_what(const struct fr_faults *why)
{
    return why->count && why->fault[0].code == FR_NOMEM && *why->fault[0].where;
}

int fr_refusal_too_many(const struct fr_model *model, const void *values, struct fr_faults *faults)
{
    char said[FR_MESSAGE_BYTES] = "the request has too many configurations", open[200] = "";

    if (fr_refusal_says_what(faults))
        return FR_NOMEM;
    if (faults->count && faults->fault[0].code == FR_NOMEM)
        memcpy(said, faults->fault[0].message, sizeof said);
    for (const struct fr_param *param = model->params; param->name; param++) {
        const size_t used = strlen(open);

        if (param->flags & FR_TUNABLE && fr_param_is_open(param, values))
            snprintf(open + used, sizeof open - used, "%s%s", used ? ", " : "", param->name);
    }
    faults->count = 0;
    if (!*open)
        return fr_fault(faults, FR_NOMEM, "", "%s", said);
    return fr_fault(faults, FR_NOMEM, "", "%s; give values, or fewer values, of some of these: %s",
                    said, open);
}
