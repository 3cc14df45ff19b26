/* Writes the schemas of parameters, of calibration documents and of saved runs. */
#include "server/questions/schema.h"
#include "server/http/http.h"

#include <string.h>

#define DIALECT "https://json-schema.org/draft/2020-12/schema"

static void write_aliases(struct fr_writer *w, const struct fr_param *param)
{
    fr_json_pair_array(w, "other_names");
    for (const char *const *alias = param->aliases; *alias; alias++)
        if (strcmp(*alias, param->name) != 0)
            fr_json_text(w, *alias);
    fr_json_array_end(w);
}

static void write_choice_aliases(struct fr_writer *w, const struct fr_param *param)
{
    fr_json_pair_object(w, "aliases");
    for (const struct fr_choice_alias *alias = param->choice_aliases; alias->name; alias++)
        fr_json_pair(w, alias->name, param->choices[alias->choice]);
    fr_json_object_end(w);
}

static void write_default(struct fr_writer *w, const struct fr_param *param)
{
    if (!(param->flags & FR_DEFAULT))
        return;
    fr_json_key(w, "default");
    if (param->kind == FR_KIND_BOOL)
        fr_json_bool(w, param->fallback != 0);
    else if (param->kind == FR_KIND_CHOICE)
        fr_json_text(w, param->choices[(int)param->fallback]);
    else if (param->kind == FR_KIND_SET)
        fr_set_write(w, param, (unsigned)param->fallback);
    else
        fr_json_number(w, param->fallback);
}

static void write_range(struct fr_writer *w, const struct fr_param *param)
{
    if (!fr_param_has_range(param))
        return;
    fr_json_pair_number(w, "minimum", param->min);
    fr_json_pair_number(w, "maximum", param->max);
}

void fr_schema_write_params(struct fr_writer *w, const struct fr_param *params)
{
    static const char *const types[] = {
        [FR_KIND_INT] = "integer",   [FR_KIND_REAL] = "number",   [FR_KIND_BOOL] = "boolean",
        [FR_KIND_CHOICE] = "choice", [FR_KIND_SET] = "set",       [FR_KIND_VECTOR] = "vector",
        [FR_KIND_TEXT] = "text",     [FR_KIND_BORROWED] = "text",
    };

    fr_json_pair_array(w, "parameters");
    for (; params->name; params++) {
        const unsigned optional = FR_DEFAULT | FR_AUTOMATIC;

        fr_json_object(w);
        fr_json_pair(w, "name", params->name);
        if (params->aliases)
            write_aliases(w, params);
        fr_json_pair(w, "type", types[params->kind]);
        fr_json_pair(w, "unit", params->unit);
        fr_json_pair(w, "description", params->doc);
        write_range(w, params);
        write_default(w, params);
        if (params->choices)
            fr_json_pair_texts(w, "choices", params->choices);
        if (params->choice_aliases)
            write_choice_aliases(w, params);
        fr_json_pair_bool(w, "required", !(params->flags & optional) && !params->one_of);
        fr_json_pair_bool(w, "tunable", params->flags & FR_TUNABLE);
        fr_json_pair_bool(w, "automatic", params->flags & FR_AUTOMATIC);
        fr_json_pair_bool(w, "input_only", params->flags & FR_INPUT_ONLY);
        fr_json_pair(w, "one_of", params->one_of);
        fr_json_pair(w, "unless", params->unless);
        fr_json_object_end(w);
    }
    fr_json_array_end(w);
}

/* Writes the names of a choice or the range of a number. */
static void write_values(struct fr_writer *w, const struct fr_param *param)
{
    static const char *const types[] = {
        [FR_KIND_INT] = "integer",   [FR_KIND_REAL] = "number",     [FR_KIND_BOOL] = "boolean",
        [FR_KIND_CHOICE] = "string", [FR_KIND_SET] = "string",      [FR_KIND_VECTOR] = "integer",
        [FR_KIND_TEXT] = "string",   [FR_KIND_BORROWED] = "string",
    };

    fr_json_pair(w, "type", types[param->kind]);
    write_range(w, param);
    if (param->choices)
        fr_json_pair_texts(w, "enum", param->choices);
    if (param->kind == FR_KIND_TEXT)
        fr_json_pair_number(w, "maxLength", FR_WORDS_BYTES - 1);
}

void fr_schema_write_param(struct fr_writer *w, const struct fr_param *param)
{
    fr_json_pair_object(w, param->name);
    fr_json_pair(w, "description", param->doc);
    write_default(w, param);
    if (param->kind == FR_KIND_SET || param->kind == FR_KIND_VECTOR) {
        fr_json_pair(w, "type", "array");
        if (param->kind == FR_KIND_VECTOR) {
            fr_json_pair_number(w, "minItems", 1);
            fr_json_pair_number(w, "maxItems", FR_MAX_EXTENTS);
        }
        fr_json_pair_object(w, "items");
        write_values(w, param);
        fr_json_object_end(w);
    } else {
        write_values(w, param);
    }
    fr_json_object_end(w);
}

static void write_alternative(struct fr_writer *w, const char *name)
{
    const char *const names[] = { name, NULL };

    fr_json_object(w);
    fr_json_pair_texts(w, "required", names);
    fr_json_object_end(w);
}

/* "oneOf": [{"required": ["processes"]}, …] */
static void write_one_of(struct fr_writer *w, const struct fr_param *params)
{
    fr_json_pair_array(w, "oneOf");
    for (; params->name; params++)
        if (params->one_of)
            write_alternative(w, params->name);
    fr_json_array_end(w);
}

static bool has_one_of(const struct fr_param *params)
{
    for (; params->name; params++)
        if (params->one_of)
            return true;
    return false;
}

/* "allOf": [{"oneOf": [{"required": ["n"]}, {"required": ["memory_fraction"]}]}], if there are
 * such parameters. */
static void write_unless(struct fr_writer *w, const struct fr_param *params)
{
    bool is_open = false;

    for (; params->name; params++) {
        if (!params->unless)
            continue;
        if (!is_open) {
            fr_json_pair_array(w, "allOf");
            is_open = true;
        }
        fr_json_object(w);
        fr_json_pair_array(w, "oneOf");
        write_alternative(w, params->name);
        write_alternative(w, params->unless);
        fr_json_array_end(w);
        fr_json_object_end(w);
    }
    if (is_open)
        fr_json_array_end(w);
}

void fr_schema_write(struct fr_writer *w, const struct fr_model *model)
{
    const unsigned optional = FR_DEFAULT | FR_AUTOMATIC;

    fr_json_object(w);
    fr_json_pair(w, "$schema", DIALECT);
    fr_json_pair(w, "title", model->name);
    fr_json_pair(w, "description", model->summary);
    fr_json_pair(w, "type", "object");
    fr_json_pair_object(w, "properties");
    for (const struct fr_param *param = model->params; param->name; param++)
        fr_schema_write_param(w, param);
    fr_json_object_end(w);
    fr_json_pair_array(w, "required");
    for (const struct fr_param *param = model->params; param->name; param++)
        if (!(param->flags & optional) && !param->one_of && !param->unless)
            fr_json_text(w, param->name);
    fr_json_array_end(w);
    if (has_one_of(model->params))
        write_one_of(w, model->params);
    write_unless(w, model->params);
    fr_json_pair_bool(w, "additionalProperties", false);
    fr_json_object_end(w);
}

static void write_object(struct fr_writer *w, const struct fr_field *fields);

static void write_number(struct fr_writer *w, const struct fr_field *field)
{
    fr_json_pair(w, "type", field->kind == FR_FIELD_COUNT ? "integer" : "number");
    if (!(field->flags & FR_FIELD_SIGNED))
        fr_json_pair_number(w, "minimum", field->flags & FR_FIELD_ZERO ? 0 : FR_LEAST);
    fr_json_pair_number(w, "maximum", field->flags & FR_FIELD_SHARE ? 1 : FR_GREATEST);
}

static void write_list_of_numbers(struct fr_writer *w, const struct fr_field *field)
{
    fr_json_pair(w, "type", "array");
    fr_json_pair_object(w, "items");
    write_number(w, field);
    fr_json_object_end(w);
}

/* Writes the keywords that follow from the kind of a field. */
static void write_kind(struct fr_writer *w, const struct fr_field *field)
{
    switch (field->kind) {
    case FR_FIELD_NUMBER:
    case FR_FIELD_COUNT:
        write_number(w, field);
        break;
    case FR_FIELD_TEXT:
    case FR_FIELD_CHOICE:
        fr_json_pair(w, "type", "string");
        if (field->choices)
            fr_json_pair_texts(w, "enum", field->choices);
        break;
    case FR_FIELD_BOOL:
        fr_json_pair(w, "type", "boolean");
        break;
    case FR_FIELD_OBJECT:
        write_object(w, field->fields);
        break;
    case FR_FIELD_TABLE:
        fr_json_pair(w, "type", "array");
        fr_json_pair_object(w, "items");
        write_object(w, field->fields);
        fr_json_object_end(w);
        break;
    case FR_FIELD_NUMBERS:
        write_list_of_numbers(w, field);
        break;
    case FR_FIELD_TEXTS:
        fr_json_pair(w, "type", "array");
        break;
    case FR_FIELD_LISTS:
        fr_json_pair(w, "type", "array");
        fr_json_pair_object(w, "items");
        write_list_of_numbers(w, field);
        fr_json_object_end(w);
        break;
    case FR_FIELD_ANY:
        break;
    }
}

/* Writes the schema of an object whose members, of any name, are records or texts. */
static void write_records(struct fr_writer *w, const struct fr_field *fields)
{
    static const char *const types[] = { "object", "null", NULL };

    fr_json_pair_texts(w, "type", types);
    fr_json_pair_object(w, "additionalProperties");
    fr_json_pair_array(w, "anyOf");
    fr_json_object(w);
    write_object(w, fields);
    fr_json_object_end(w);
    fr_json_object(w);
    fr_json_pair(w, "type", "string");
    fr_json_object_end(w);
    fr_json_array_end(w);
    fr_json_object_end(w);
}

/* Writes one alternative of a field.  An optional field may also be null. */
static void write_way(struct fr_writer *w, const struct fr_field *field)
{
    fr_json_object(w);
    write_kind(w, field);
    fr_json_object_end(w);
    if (field->flags & FR_FIELD_LONE) {
        fr_json_object(w);
        write_number(w, field);
        fr_json_object_end(w);
    }
}

/* Writes the schema of a field.  Fields of the same name, which a sibling field selects, become
 * alternatives. */
static void write_field(struct fr_writer *w, const struct fr_field *first)
{
    fr_json_pair_object(w, first->name);
    if (first->doc)
        fr_json_pair(w, "description", first->doc);
    if (first->unit && *first->unit)
        fr_json_pair(w, "x-unit", first->unit);
    if (first->kind == FR_FIELD_ANY && first->fields)
        write_records(w, first->fields);
    if (first->kind != FR_FIELD_ANY) {
        fr_json_pair_array(w, "anyOf");
        for (const struct fr_field *field = first; field->name; field++)
            if (strcmp(field->name, first->name) == 0)
                write_way(w, field);
        if (!(first->flags & FR_FIELD_NEEDED) || first->when || first->flags & FR_FIELD_NULL) {
            fr_json_object(w);
            fr_json_pair(w, "type", "null");
            fr_json_object_end(w);
        }
        fr_json_array_end(w);
    }
    fr_json_object_end(w);
}

static bool is_first(const struct fr_field *fields, const struct fr_field *field)
{
    for (; fields != field; fields++)
        if (strcmp(fields->name, field->name) == 0)
            return false;
    return true;
}

static void write_object(struct fr_writer *w, const struct fr_field *fields)
{
    fr_json_pair(w, "type", "object");
    fr_json_pair_object(w, "properties");
    for (const struct fr_field *field = fields; field->name; field++)
        if (is_first(fields, field))
            write_field(w, field);
    fr_json_object_end(w);
    fr_json_pair_array(w, "required");
    for (const struct fr_field *field = fields; field->name; field++)
        if (field->flags & FR_FIELD_NEEDED && !field->when)
            fr_json_text(w, field->name);
    fr_json_array_end(w);
    fr_json_pair_bool(w, "additionalProperties", false);
}

static void write_document(struct fr_writer *w, const char *title, const struct fr_field *fields)
{
    fr_json_object(w);
    fr_json_pair(w, "$schema", DIALECT);
    fr_json_pair(w, "title", title);
    write_object(w, fields);
    fr_json_object_end(w);
}

void fr_schema_write_calibration(struct fr_writer *w)
{
    write_document(w, "forerun calibration document", fr_calibration_fields);
}

void fr_schema_write_run(struct fr_writer *w)
{
    write_document(w, "forerun saved run", fr_run_fields);
}
