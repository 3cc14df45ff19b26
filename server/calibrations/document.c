#include "server/calibrations/document.h"

#include "server/json/decode.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool fr_machine_name_is_legal(const char *name)
{
    static const char first[] = "abcdefghijklmnopqrstuvwxyz0123456789";
    static const char rest[] = "abcdefghijklmnopqrstuvwxyz0123456789._-";
    const size_t length = strlen(name);

    return length >= 1 && length <= 64 && strchr(first, name[0]) && strspn(name, rest) == length;
}

/* The value that a JSON pointer (RFC 6901) leads to, or NULL. */
static json_t *resolve_pointer(json_t *value, const char *pointer)
{
    while (value && *pointer) {
        char key[FR_WHERE_BYTES];
        size_t length = 0;

        if (*pointer++ != '/')
            return NULL;
        for (; *pointer && *pointer != '/'; pointer++) {
            if (length + 1 >= sizeof key)
                return NULL;
            key[length] = *pointer;
            if (*pointer == '~' && (pointer[1] == '0' || pointer[1] == '1'))
                key[length] = *++pointer == '0' ? '~' : '/';
            length++;
        }
        key[length] = '\0';
        if (fr_json_kind(value) == FR_JSON_ARRAY) {
            /* RFC 6901: digits only, no leading zero. */
            const bool is_index =
                length && strspn(key, "0123456789") == length && (key[0] != '0' || length == 1);

            value = is_index ? fr_json_item(value, strtoul(key, NULL, 10)) : NULL;
        } else {
            value = fr_json_member(value, key);
        }
    }
    return value;
}

/* Returns FR_OK, or the code of a fault. */
static int read_source(struct fr_decoder *decoder, json_t *value, struct fr_source *out)
{
    const size_t before = decoder->faults->count;

    if (fr_json_kind(value) == FR_JSON_TEXT)
        return fr_source_read(fr_json_get_text(value), decoder->arena, out) == FR_OK
                   ? FR_OK
                   : fr_fault(decoder->faults, FR_NOMEM, decoder->pointer,
                              "the document is too large");
    if (fr_json_kind(value) != FR_JSON_OBJECT)
        return fr_fault(decoder->faults, FR_TYPE, decoder->pointer,
                        "must be a string or an object");
    fr_fields_clear(fr_source_fields, out);
    fr_decode_object(decoder, value, fr_source_fields, out);
    if (out->measured_on && !fr_day_is_valid(out->measured_on)) {
        const size_t length = fr_decoder_enter(decoder, "measured_on");

        fr_fault(decoder->faults, FR_RANGE, decoder->pointer,
                 "'%.40s' is no day, such as 2026-11-20", out->measured_on);
        fr_decoder_leave(decoder, length);
    }
    return decoder->faults->count > before ? FR_RELATION : FR_OK;
}

static void read_sources(struct fr_decoder *decoder, json_t *root, struct fr_calibration *cal)
{
    json_t *sources = fr_json_member(root, "sources"), *value;
    const size_t length = fr_decoder_enter(decoder, "sources");
    const char *pointer;

    if (sources && fr_json_kind(sources) != FR_JSON_NULL && fr_json_kind(sources) != FR_JSON_OBJECT)
        fr_fault(decoder->faults, FR_TYPE, decoder->pointer, "must be an object");
    if (fr_json_kind(sources) == FR_JSON_OBJECT)
        cal->sources.row =
            fr_arena_zeroed(decoder->arena, fr_json_count(sources), sizeof *cal->sources.row);
    FR_JSON_EACH_MEMBER(sources, pointer, value)
    {
        const size_t inside = fr_decoder_enter(decoder, pointer);
        struct fr_source source = { 0 };
        const int code = read_source(decoder, value, &source);

        if (!resolve_pointer(root, pointer)) {
            fr_fault(decoder->faults, FR_NOT_FOUND, decoder->pointer,
                     "the pointer leads nowhere in this document");
        } else if (code == FR_OK && cal->sources.row) {
            source.pointer = fr_arena_text(decoder->arena, pointer, strlen(pointer));
            source.load = source.load && *source.load ? source.load : NULL;
            cal->sources.row[cal->sources.count++] = source;
        }
        fr_decoder_leave(decoder, inside);
    }
    fr_decoder_leave(decoder, length);
}

static bool has_value(json_t *value)
{
    const char *key;
    json_t *member;
    size_t index;

    FR_JSON_EACH_MEMBER(value, key, member)
    {
        if (has_value(member))
            return true;
    }
    FR_JSON_EACH_ITEM(value, index, member)
    {
        if (has_value(member))
            return true;
    }
    return fr_json_kind(value) != FR_JSON_OBJECT && fr_json_kind(value) != FR_JSON_ARRAY &&
           fr_json_kind(value) != FR_JSON_NULL;
}

/* Passes the values of the document to the engine, which finds those without a source. */
static void note_values(struct fr_decoder *decoder, json_t *value, struct fr_calibration *cal)
{
    const char *key;
    json_t *member;
    size_t index;

    if (!fr_calibration_has_notes_below(cal, decoder->pointer)) {
        if (has_value(value))
            fr_calibration_note_value(cal, decoder->pointer);
        return;
    }
    FR_JSON_EACH_MEMBER(value, key, member)
    {
        const size_t length = fr_decoder_enter(decoder, key);

        note_values(decoder, member, cal);
        fr_decoder_leave(decoder, length);
    }
    FR_JSON_EACH_ITEM(value, index, member)
    {
        char place[24];
        size_t length;

        snprintf(place, sizeof place, "%zu", index);
        length = fr_decoder_enter(decoder, place);
        note_values(decoder, member, cal);
        fr_decoder_leave(decoder, length);
    }
}

void fr_machine_name_check(const char *name, const char *where, struct fr_faults *faults)
{
    if (!fr_machine_name_is_legal(name))
        fr_fault(faults, FR_RANGE, where,
                 "'%.70s' is no machine name: 1 to 64 of a-z 0-9 . _ -, starting with a-z or 0-9",
                 name);
}

int fr_calibration_decode(json_t *root, struct fr_arena *arena, struct fr_calibration *cal,
                          char id[17], struct fr_faults *faults)
{
    const size_t before = faults->count;
    struct fr_decoder decoder = { .arena = arena, .faults = faults };

    fr_calibration_clear(cal);
    fr_decode_object(&decoder, root, fr_calibration_fields, cal);
    cal->groups = decoder.groups;
    if (fr_json_kind(root) == FR_JSON_OBJECT)
        read_sources(&decoder, root, cal);
    if (cal->machine)
        fr_machine_name_check(cal->machine, "/machine", faults);
    if (faults->count > before || fr_calibration_check(cal, arena, faults) != FR_OK ||
        fr_calibration_prepare(cal, arena, faults) != FR_OK ||
        fr_held_outs_find(cal, arena, faults) != FR_OK)
        return FR_RELATION;
    note_values(&decoder, root, cal);
    return fr_json_id(root, id);
}

int fr_calibration_read(const char *text, size_t length, struct fr_arena *arena,
                        struct fr_calibration *cal, char id[17], struct fr_faults *faults)
{
    json_t *root = fr_json_parse(text, length, faults);
    int code;

    if (!root)
        return FR_SYNTAX;
    code = fr_calibration_decode(root, arena, cal, id, faults);
    fr_json_free(root);
    return code;
}
