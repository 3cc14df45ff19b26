#include "server/calibrations/document.h"

#include "server/core/utf8.h"
#include "server/json/decode.h"
#include "server/store/store.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define AT(f) .name = #f, .offset = offsetof(struct fr_facts, f)
#define OF_MACHINE(f) .name = #f, .offset = offsetof(struct fr_facts, machine.f)
static const struct fr_field fields[] = {
    { AT(description), .kind = FR_FIELD_TEXT },
    { OF_MACHINE(nodes), .kind = FR_FIELD_COUNT },
    { OF_MACHINE(cores_per_node), .kind = FR_FIELD_COUNT },
    { OF_MACHINE(memory_bytes_per_node), .kind = FR_FIELD_NUMBER, .unit = "bytes" },
    { OF_MACHINE(clock_hz), .kind = FR_FIELD_NUMBER, .unit = "Hz" },
    { OF_MACHINE(cpu), .kind = FR_FIELD_TEXT },
    { OF_MACHINE(topology), .kind = FR_FIELD_TEXT },
    { OF_MACHINE(mpi), .kind = FR_FIELD_TEXT },
    { OF_MACHINE(blas), .kind = FR_FIELD_TEXT },
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

struct fr_machine_facts fr_facts_of(struct fr_store *store, const char *machine,
                                    struct fr_arena *arena, const char **text)
{
    struct fr_machine stored;
    struct fr_faults faults;
    struct fr_facts facts;

    faults.count = 0;
    *text = "{}";
    if (fr_store_glance_machine(store, machine, arena, &stored) != FR_STORE_OK)
        return fr_no_facts;
    *text = stored.facts_json;
    if (fr_facts_read(stored.facts_json, strlen(stored.facts_json), arena, &facts, &faults) !=
        FR_OK)
        return fr_no_facts;
    return facts.machine;
}

void fr_mismatch_print(const struct fr_mismatch *mismatch, const char *known, const char *found,
                       char *out, size_t size)
{
    snprintf(out, size, "%s: %s %s, %s %s", mismatch->fact, known, mismatch->known, found,
             mismatch->found);
}

static void write_warning(struct fr_writer *w, const char *code, const char *what,
                          const char *message)
{
    fr_json_object(w);
    fr_json_pair(w, "code", code);
    fr_json_pair(w, "what", what);
    fr_json_pair(w, "message", message);
    fr_json_object_end(w);
}

static void write_mismatches(struct fr_writer *w, const struct fr_mismatches *mismatches,
                             const char *known, const char *found)
{
    for (size_t i = 0; i < mismatches->count; i++) {
        char message[FR_MESSAGE_BYTES];

        fr_mismatch_print(&mismatches->row[i], known, found, message, sizeof message);
        fr_utf8_sanitize(message);
        write_warning(w, fr_code_name(FR_MISMATCH), mismatches->row[i].fact, message);
    }
}

void fr_mismatches_write(struct fr_writer *w, const struct fr_mismatches *mismatches,
                         const char *known, const char *found)
{
    fr_json_array(w);
    write_mismatches(w, mismatches, known, found);
    fr_json_array_end(w);
}

void fr_document_warnings_write(struct fr_writer *w, const struct fr_mismatches *mismatches,
                                const char *found, fr_uses loaded)
{
    char message[FR_MESSAGE_BYTES];

    fr_json_array(w);
    write_mismatches(w, mismatches, FR_MACHINE_HAS, found);
    for (size_t use = 0; use < FR_USE_COUNT; use++) {
        if (!(loaded & FR_USE_OF(use)))
            continue;
        snprintf(message, sizeof message, FR_LOADED_MESSAGE, fr_use_pointers[use]);
        write_warning(w, "measured_under_load", fr_use_pointers[use], message);
    }
    fr_json_array_end(w);
}
