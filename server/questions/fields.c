/* GET /api/v1/fields: the values of a calibration document, and the paths that what_if takes. */
#include "server/http/handlers.h"
#include "server/questions/schema.h"

#include <stdio.h>
#include <string.h>

static const char *const kinds[] = {
    [FR_FIELD_NUMBER] = "number", [FR_FIELD_COUNT] = "integer", [FR_FIELD_TEXT] = "text",
    [FR_FIELD_BOOL] = "boolean",  [FR_FIELD_CHOICE] = "choice", [FR_FIELD_OBJECT] = "object",
    [FR_FIELD_TABLE] = "table",   [FR_FIELD_NUMBERS] = "list",  [FR_FIELD_TEXTS] = "list",
    [FR_FIELD_LISTS] = "list",    [FR_FIELD_ANY] = "any",
};

/* Writes a field and its subfields.  `*` in a path replaces the name or index of a row. */
static void write_fields(struct fr_writer *w, const struct fr_field *fields, const char *above,
                         unsigned group)
{
    for (; fields->name; fields++) {
        const unsigned inside = group ? group : fields->group;
        char path[200];

        if (!inside)
            continue; /* metadata of the document */
        snprintf(path, sizeof path, "%s%s%s", above, *above ? "." : "", fields->name);
        fr_json_object(w);
        fr_json_pair(w, "path", path);
        fr_json_pair(w, "kind", kinds[fields->kind]);
        fr_json_pair(w, "unit", fields->unit);
        fr_json_pair(w, "description", fields->doc);
        fr_json_pair(w, "group", fr_group_name(inside));
        fr_json_pair(w, "what_if", fr_what_if_form(fields));
        fr_json_object_end(w);
        if (!fields->fields)
            continue;
        if (fields->kind == FR_FIELD_TABLE)
            strncat(path, ".*", sizeof path - strlen(path) - 1);
        write_fields(w, fields->fields, path, inside);
    }
}

int fr_get_fields(struct fr_request *rq, struct fr_reply *reply)
{
    struct fr_writer *w = &reply->body;

    (void)rq;
    fr_json_object(w);
    fr_json_pair_array(w, "aliases");
    for (const struct fr_alias *alias = fr_aliases; alias->path; alias++) {
        fr_json_object(w);
        fr_json_pair(w, "path", alias->path);
        fr_json_pair(w, "description", alias->doc);
        fr_json_object_end(w);
    }
    fr_json_array_end(w);
    fr_json_pair_array(w, "fields");
    write_fields(w, fr_calibration_fields, "", 0);
    fr_json_array_end(w);
    fr_json_key(w, "schema");
    fr_schema_write_calibration(w);
    fr_json_key(w, "run_schema");
    fr_schema_write_run(w);
    fr_json_object_end(w);
    return 200;
}
