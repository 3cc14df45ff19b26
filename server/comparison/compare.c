/* GET /api/v1/machines/{machine}/calibrations/compare: the differences between two
 * calibrations and their effect on predictions.
 */
#include "server/comparison/comparison.h"
#include "server/store/store.h"

#include "server/http/handlers.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

static void row_value(struct fr_rows *rows, const char *name, const struct fr_compared *value)
{
    if (value->text)
        fr_row_text(rows, name, value->text);
    else
        fr_row_number(rows, name, value->number);
}

/* A source in words, as fr_source_read takes it. */
static void row_source(struct fr_rows *rows, const char *name, const struct fr_source *source)
{
    const char *before = " (";
    struct fr_writer words;

    if (!source || source->words) {
        fr_row_text(rows, name, source ? source->words : NULL);
        return;
    }
    fr_writer_init(&words);
    if (source->kind != FR_FROM_STATED)
        fr_writer_printf(&words, "%s: ", fr_provenances[source->kind]);
    fr_writer_text(&words, source->text);
    if (source->samples) {
        fr_writer_printf(&words, "%s%" PRId64 " sample%s", before, source->samples,
                         source->samples > 1 ? "s" : "");
        before = ", ";
    }
    if (!isnan(source->spread_fraction)) {
        fr_writer_printf(&words, "%sspread %.1f %%", before, 100 * source->spread_fraction);
        before = ", ";
    }
    if (source->statistic) {
        fr_writer_printf(&words, "%s%s", before, source->statistic);
        before = ", ";
    }
    if (*before == ',')
        fr_writer_text(&words, ")");
    if (source->measured_on)
        fr_writer_printf(&words, "; on %s", source->measured_on);
    if (source->load)
        fr_writer_printf(&words, "; loaded: %s", source->load);
    fr_writer_append(&words, "", 1);
    fr_row_text(rows, name, words.failed ? NULL : words.text);
    fr_writer_free(&words);
}

static void row_change(struct fr_rows *rows, const struct fr_difference *difference)
{
    static const char *const kinds[] = {
        [FR_CHANGED] = "changed", [FR_ADDED] = "added", [FR_REMOVED] = "removed"
    };
    const struct fr_compared *from = &difference->side[FR_FROM], *to = &difference->side[FR_TO];

    fr_row_begin(rows);
    fr_row_text(rows, "path", difference->path);
    fr_row_text(rows, "change", kinds[difference->kind]);
    fr_row_text(rows, "unit", difference->unit);
    row_value(rows, "from", from);
    row_value(rows, "to", to);
    fr_row_number(rows, "relative_change", difference->ratio - 1);
    if (difference->is_spread_known)
        fr_row_bool(rows, "is_within_spread", difference->is_within_spread);
    else
        fr_row_text(rows, "is_within_spread", NULL);
    fr_row_text(rows, "from_pointer", *from->pointer ? from->pointer : NULL);
    fr_row_text(rows, "to_pointer", *to->pointer ? to->pointer : NULL);
    row_source(rows, "from_source", from->source);
    row_source(rows, "to_source", to->source);
    fr_row_end(rows);
}

static void row_condition(struct fr_rows *rows, const struct fr_difference *difference)
{
    fr_row_begin(rows);
    fr_row_text(rows, "path", difference->path);
    row_value(rows, "from", &difference->side[FR_FROM]);
    row_value(rows, "to", &difference->side[FR_TO]);
    fr_row_end(rows);
}

static void row_counts(struct fr_rows *rows, const struct fr_change_counts *counts)
{
    fr_row_integer(rows, "compared", (int64_t)counts->compared);
    fr_row_integer(rows, "changed", (int64_t)counts->changed);
    fr_row_integer(rows, "within_spread", (int64_t)counts->within_spread);
    fr_row_integer(rows, "added", (int64_t)counts->added);
    fr_row_integer(rows, "removed", (int64_t)counts->removed);
}

static void row_field(struct fr_rows *rows, const struct fr_field_changes *field)
{
    const struct fr_change_counts *counts = &field->counts;

    if (!counts->changed && !counts->added && !counts->removed)
        return;
    fr_row_begin(rows);
    fr_row_text(rows, "path", field->path);
    fr_row_text(rows, "unit", field->unit);
    row_counts(rows, counts);
    fr_row_number(rows, "mean_relative_change", fr_change_counts_mean(counts) - 1);
    fr_row_number(rows, "least_relative_change", counts->rated ? counts->least - 1 : NAN);
    fr_row_number(rows, "greatest_relative_change", counts->rated ? counts->greatest - 1 : NAN);
    fr_row_end(rows);
}

/* Writes an object in JSON, and in other formats a query string that can be sent again. */
static void row_parameters(struct fr_rows *rows, const struct fr_effect *effect)
{
    const struct fr_param *params = effect->model->params;
    struct fr_writer text;
    struct fr_rows inside;

    fr_writer_init(&text);
    fr_rows_begin(&inside, rows->w, FR_JSON);
    if (rows->format == FR_JSON) {
        fr_json_key(rows->w, "parameters");
        fr_row_begin(&inside);
    }
    for (const struct fr_param *param = params; param->name; param++) {
        char value[FR_WORDS_BYTES];

        if (!(effect->given & fr_param_bit(params, param)))
            continue;
        fr_param_print(param, effect->values, value, sizeof value);
        if (rows->format == FR_JSON)
            fr_row_param(&inside, param, effect->values);
        else
            fr_writer_printf(&text, "%s%s=%s", text.length ? "&" : "", param->name, value);
    }
    if (rows->format == FR_JSON) {
        fr_row_end(&inside);
    } else {
        fr_writer_append(&text, "", 1);
        fr_row_text(rows, "parameters", text.failed ? NULL : text.text);
    }
    fr_rows_end(&inside);
    fr_writer_free(&text);
}

static void row_effect(struct fr_rows *rows, const struct fr_effect *effect)
{
    fr_row_begin(rows);
    fr_row_text(rows, "name", effect->name);
    fr_row_text(rows, "model", effect->model->name);
    row_parameters(rows, effect);
    fr_row_number(rows, "from_time_s", effect->time_s[FR_FROM]);
    fr_row_number(rows, "to_time_s", effect->time_s[FR_TO]);
    fr_row_number(rows, "ratio", effect->time_s[FR_TO] / effect->time_s[FR_FROM]);
    fr_row_bool(rows, "is_asked", effect->is_asked);
    fr_row_bool(rows, "is_extrapolated", effect->is_extrapolated);
    fr_row_text(rows, "reason", effect->reason);
    fr_row_end(rows);
}

static void write_rows(struct fr_rows *rows, int table, const struct fr_comparison *comparison,
                       const struct fr_effects *effects)
{
    if (table == FR_TABLE_CHANGES)
        for (size_t i = 0; i < comparison->count; i++)
            row_change(rows, &comparison->row[i]);
    else if (table == FR_TABLE_FIELDS)
        for (size_t i = 0; i < comparison->fields; i++)
            row_field(rows, &comparison->field[i]);
    else if (table == FR_TABLE_CONDITIONS)
        for (size_t i = 0; i < comparison->conditions; i++)
            row_condition(rows, &comparison->condition[i]);
    else
        for (size_t i = 0; i < effects->count; i++)
            row_effect(rows, &effects->row[i]);
}

static void write_side(struct fr_writer *w, enum fr_side side,
                       const struct fr_stored_calibration *stored)
{
    char url[80];

    snprintf(url, sizeof url, "/api/v1/calibrations/%s", stored->id);
    fr_json_pair_object(w, fr_side_names[side]);
    fr_json_pair(w, "id", stored->id);
    fr_json_pair(w, "created_at", stored->created_at);
    fr_json_pair(w, "uploaded_at", stored->uploaded_at);
    fr_json_pair(w, "url", url);
    fr_json_object_end(w);
}

static void write_json(struct fr_writer *w, const char *machine,
                       const struct fr_comparison_question *question,
                       const struct fr_comparison *comparison, const struct fr_effects *effects)
{
    static const int order[] = { FR_TABLE_CONDITIONS, FR_TABLE_FIELDS, FR_TABLE_CHANGES,
                                 FR_TABLE_EFFECTS };
    struct fr_rows rows;

    fr_json_object(w);
    fr_json_pair(w, "machine", machine);
    for (int side = 0; side < FR_SIDES; side++)
        write_side(w, (enum fr_side)side, &question->stored[side]);
    fr_rows_begin(&rows, w, FR_JSON);
    fr_json_key(w, "values");
    fr_row_begin(&rows);
    row_counts(&rows, &comparison->total);
    fr_row_end(&rows);
    for (size_t i = 0; i < sizeof order / sizeof *order; i++) {
        fr_json_pair_array(w, fr_comparison_tables[order[i]]);
        write_rows(&rows, order[i], comparison, effects);
        fr_json_array_end(w);
        if (order[i] == FR_TABLE_CHANGES)
            fr_json_pair_integer(w, "left_out", (int64_t)comparison->left_out);
    }
    fr_rows_end(&rows);
    fr_json_object_end(w);
}

static int answer(struct fr_request *rq, struct fr_reply *reply,
                  struct fr_comparison_question *question, struct fr_faults *faults)
{
    struct fr_comparison comparison;
    struct fr_effects effects;
    struct fr_rows rows;

    if (fr_compare(question->loaded[FR_FROM]->cal, question->loaded[FR_TO]->cal,
                   (size_t)question->options.limit, rq->arena, &comparison, faults) != FR_OK ||
        fr_effects_predict(rq, question->loaded, &question->asked, &effects, faults) != FR_OK)
        return fr_reply_faults(reply, faults);
    if (rq->format == FR_JSON) {
        write_json(&reply->body, rq->segment[0], question, &comparison, &effects);
        return 200;
    }
    fr_rows_begin(&rows, &reply->body, rq->format);
    write_rows(&rows, question->options.table, &comparison, &effects);
    fr_rows_end(&rows);
    return 200;
}

int fr_get_comparison(struct fr_request *rq, struct fr_reply *reply)
{
    struct fr_comparison_question question;
    struct fr_machine machine;
    struct fr_faults faults;
    int status = fr_machine_find(rq, reply, &machine);

    if (status)
        return status;
    faults.count = 0;
    if (fr_comparison_ask(rq, &machine, &question, &faults) != FR_STORE_OK)
        status = fr_reply_store_failed(rq, reply);
    else if (faults.count)
        status = fr_reply_faults(reply, &faults);
    else
        status = answer(rq, reply, &question, &faults);
    fr_comparison_question_end(&question);
    return status;
}
