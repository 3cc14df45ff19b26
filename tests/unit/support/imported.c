#include "tests/unit/support/imported.h"

#include <stdio.h>
#include <stdlib.h>

#include "tests/unit/support/text_file.h"

enum { MAX_GIVEN = 16, KEPT = 8 };

/* Keeps a document until so many others were made. */
static json_t *keep(json_t *document)
{
    static json_t *kept[KEPT];
    static size_t next;

    json_decref(kept[next % KEPT]);
    return kept[next++ % KEPT] = document;
}

char *sample(const char *name, size_t *length)
{
    return text_file("imports", name, length);
}

/* Splits a query in place; the model is not one of the pairs. */
static struct fr_import_given split(char *query, struct fr_pair pair[MAX_GIVEN])
{
    struct fr_import_given given = { .pair = pair };

    for (char *at = query, *next; at && *at; at = next) {
        char *value = strchr(at, '=');

        next = strchr(at, '&');
        if (next)
            *next++ = '\0';
        assert_non_null(value);
        *value++ = '\0';
        if (strcmp(at, "model") == 0) {
            given.model = value;
        } else {
            assert_true(given.count < MAX_GIVEN);
            pair[given.count++] = (struct fr_pair){ at, value };
        }
    }
    return given;
}

struct import import_text(const char *filter, const char *given, const char *text, size_t length)
{
    struct fr_arena *arena = fr_arena_new(1 << 26);
    const struct fr_import *import = fr_import_find(filter);
    struct fr_pair pair[MAX_GIVEN];
    struct import result = { 0 };
    struct fr_import_given split_given;
    char *query = strdup(given);
    struct fr_writer out;

    assert_non_null(import);
    assert_non_null(arena);
    assert_non_null(query);
    fr_writer_init(&out);
    split_given = split(query, pair);
    result.code = fr_import_read(import, text, length, &split_given, arena, &out, &result.imported,
                                 &result.faults);
    assert_true((result.code == FR_OK) == (result.faults.count == 0));
    if (result.code == FR_OK) {
        json_error_t error;

        /* Duplicate keys and invalid UTF-8 are refused here. */
        result.runs = keep(json_loadb(out.text, out.length,
                                      JSON_REJECT_DUPLICATES | JSON_DECODE_INT_AS_REAL, &error));
        if (!result.runs)
            fail_msg("%s: %d: %s in %.*s", filter, error.position, error.text, (int)out.length,
                     out.text);
        assert_int_equal(json_array_size(result.runs), result.imported.runs);
        result.read = keep(json_loads(result.imported.read, JSON_REJECT_DUPLICATES, &error));
        assert_non_null(result.read);
    } else {
        assert_int_equal(out.length, 0);
    }
    fr_writer_free(&out);
    free(query);
    fr_arena_free(arena);
    return result;
}

struct import import_sample(const char *filter, const char *given, const char *name)
{
    size_t length;
    char *text = sample(name, &length);
    struct import result = import_text(filter, given, text, length);

    free(text);
    return result;
}

static json_t *accepted_runs(const struct import *import, size_t runs)
{
    if (!import->runs)
        fail_msg("%s: %s", import->faults.fault[0].where, import->faults.fault[0].message);
    assert_int_equal(json_array_size(import->runs), runs);
    return import->runs;
}

json_t *imported_sample(const char *filter, const char *given, const char *name, size_t runs)
{
    const struct import import = import_sample(filter, given, name);

    return accepted_runs(&import, runs);
}

json_t *imported_text(const char *filter, const char *given, const char *text, size_t runs)
{
    const struct import import = import_text(filter, given, text, strlen(text));

    return accepted_runs(&import, runs);
}

struct fr_faults import_refused(const char *filter, const char *given, const char *text)
{
    struct import import = import_text(filter, given, text, strlen(text));

    if (import.runs)
        fail_msg("%s: taken", filter);
    return import.faults;
}

static json_t *find(json_t *value, const char *pointer)
{
    char copy[120], *rest = copy, *key;

    assert_true(strlen(pointer) < sizeof copy);
    strcpy(copy, pointer);
    while (value && (key = strsep(&rest, "/")))
        if (*key)
            value = json_is_array(value) ? json_array_get(value, strtoul(key, NULL, 10))
                                         : json_object_get(value, key);
    return value;
}

json_t *part(json_t *root, const char *pointer)
{
    json_t *value = find(root, pointer);

    if (!value)
        fail_msg("nothing at %s", pointer);
    return value;
}

bool has_part(json_t *root, const char *pointer)
{
    return find(root, pointer) != NULL;
}

double number_at(json_t *root, const char *pointer)
{
    json_t *value = part(root, pointer);

    if (!json_is_number(value))
        fail_msg("no number at %s", pointer);
    return json_number_value(value);
}

const char *text_at(json_t *root, const char *pointer)
{
    json_t *value = part(root, pointer);

    if (!json_is_string(value))
        fail_msg("no text at %s", pointer);
    return json_string_value(value);
}

static bool holds(json_t *found, json_t *wanted)
{
    const char *key;
    json_t *value;
    size_t i;

    if (json_is_null(wanted) || !found)
        return json_is_null(wanted) && !found;
    if (json_typeof(found) != json_typeof(wanted))
        return false;
    json_object_foreach(wanted, key,
                        value) if (!holds(json_object_get(found, key), value)) return false;
    json_array_foreach(wanted, i, value) if (!holds(json_array_get(found, i), value)) return false;
    return json_is_object(wanted) || json_is_array(wanted) || json_equal(found, wanted);
}

void assert_holds(json_t *root, const char *pointer, const char *wanted)
{
    json_t *found = part(root, pointer), *expected = json_of(wanted);

    if (!holds(found, expected)) {
        char *text = json_dumps(found, JSON_ENCODE_ANY);

        fail_msg("at '%s' is not %s: %s", pointer, wanted, text);
        free(text);
    }
    json_decref(expected);
}
