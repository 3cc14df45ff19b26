#include "server/machines/facts.h"

#include "server/json/decode.h"

#include <math.h>
#include <string.h>

#define AT(f) .name = #f, .offset = offsetof(struct fr_facts, f)
static const struct fr_field fields[] = {
    { AT(description), .kind = FR_FIELD_TEXT },
    { AT(nodes), .kind = FR_FIELD_COUNT },
    { AT(cores_per_node), .kind = FR_FIELD_COUNT },
    { AT(memory_bytes_per_node), .kind = FR_FIELD_NUMBER, .unit = "bytes" },
    { AT(cpu), .kind = FR_FIELD_TEXT },
    { AT(interconnect), .kind = FR_FIELD_TEXT },
    { AT(site), .kind = FR_FIELD_TEXT },
    { AT(url), .kind = FR_FIELD_TEXT },
    { .name = NULL },
};

int fr_facts_read(const char *text, size_t length, struct fr_arena *arena, struct fr_facts *facts,
                  struct fr_faults *faults)
{
    struct fr_decoder decoder = { .arena = arena, .faults = faults };
    json_t *root = fr_json_parse(text, length, faults);
    struct fr_facts read = { 0 };

    if (!root)
        return FR_SYNTAX;
    fr_fields_clear(fields, &read);
    fr_decode_object(&decoder, root, fields, &read);
    fr_json_free(root);
    if (faults->count)
        return FR_RANGE;
    *facts = read;
    return FR_OK;
}

void fr_facts_write(struct fr_writer *w, const struct fr_facts *facts)
{
    fr_json_object(w);
    for (const struct fr_field *field = fields + 1; field->name; field++) {
        const void *at = (const char *)facts + field->offset;

        if (field->kind == FR_FIELD_TEXT && *(const char *const *)at)
            fr_json_pair(w, field->name, *(const char *const *)at);
        else if (field->kind == FR_FIELD_COUNT && *(const int64_t *)at)
            fr_json_pair_integer(w, field->name, *(const int64_t *)at);
        else if (field->kind == FR_FIELD_NUMBER && !isnan(*(const double *)at))
            fr_json_pair_number(w, field->name, *(const double *)at);
    }
    fr_json_object_end(w);
}
