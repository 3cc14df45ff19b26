#include "tests/unit/support/documents.h"

#include "server/calibrations/document.h"

#include <stdlib.h>
#include <string.h>

const char dragonfly_topology[] =
    "{'type': 'dragonfly', 'nodes_per_router': 4, 'routers_per_chassis': 16,"
    " 'chassis_per_group': 6,"
    " 'hop_latency_s': {'chassis': 1e-7, 'group': 2e-7, 'global': 4e-7},"
    " 'static_hop_latency_s': {'chassis': 3e-7, 'group': 5e-7, 'global': 6e-7},"
    " 'hop_classes': {"
    "   'chassis': {'best': {'chassis': 1}, 'average': {'chassis': 1}, 'max': {'chassis': 1}},"
    "   'group': {'best': {'group': 1}, 'average': {'group': 1, 'chassis': 0.9375},"
    "     'max': {'group': 1, 'chassis': 1}},"
    "   'global': {'best': {'global': 1}, 'average': {'global': 1, 'group': 1.5},"
    "     'max': {'global': 1, 'group': 2, 'chassis': 1}}}}";

const char uniform_topology[] =
    "{'type': 'uniform', 'hops': {'best': 0, 'average': 1, 'max': 2}, 'hop_latency_s': 0}";

json_t *json_of(const char *text)
{
    const size_t length = strlen(text);
    char *copy = malloc(length + 1);
    json_error_t error;
    json_t *value;

    assert_non_null(copy);
    for (size_t i = 0; i <= length; i++)
        copy[i] = text[i] == '\'' ? '"' : text[i];
    value = json_loads(copy, JSON_DECODE_ANY | JSON_DECODE_INT_AS_REAL, &error);
    if (!value)
        fail_msg("%d:%d: %s", error.line, error.column, error.text);
    free(copy);
    return value;
}

json_t *full_json(void)
{
    json_error_t error;
    json_t *document =
        json_load_file("tests/samples/full-calibration.json", JSON_DECODE_INT_AS_REAL, &error);

    if (!document)
        fail_msg("%d:%d: %s", error.line, error.column, error.text);
    return document;
}

/* One step of a path: the member or element with this name. */
static json_t *step(json_t *value, const char *key)
{
    return json_is_array(value) ? json_array_get(value, strtoul(key, NULL, 10))
                                : json_object_get(value, key);
}

void put(json_t *root, const char *pointer, const char *value)
{
    char copy[200], *key = copy + 1, *slash;
    size_t index;

    assert_true(strlen(pointer) < sizeof copy && pointer[0] == '/');
    strcpy(copy, pointer);
    while ((slash = strchr(key, '/'))) {
        *slash = '\0';
        root = step(root, key);
        if (!root)
            fail_msg("%s: nothing at %s", pointer, key);
        key = slash + 1;
    }
    index = strtoul(key, NULL, 10);
    if (!json_is_array(root) && value)
        json_object_set_new(root, key, json_of(value));
    else if (!json_is_array(root))
        assert_int_equal(json_object_del(root, key), 0);
    else if (!value)
        assert_int_equal(json_array_remove(root, index), 0);
    else if (index == json_array_size(root))
        json_array_append_new(root, json_of(value));
    else
        assert_int_equal(json_array_set_new(root, index, json_of(value)), 0);
}

int documents_begin(void **state)
{
    static struct loaded loaded;

    loaded.arena = fr_arena_new(1 << 24);
    *state = &loaded;
    return 0;
}

int documents_end(void **state)
{
    fr_arena_free(((struct loaded *)*state)->arena);
    return 0;
}

struct fr_faults decode(struct loaded *loaded, json_t *document)
{
    struct fr_faults faults = { 0 };
    const int code =
        fr_calibration_decode(document, loaded->arena, &loaded->cal, loaded->id, &faults);

    assert_true((code == FR_OK) == (faults.count == 0));
    json_decref(document);
    return faults;
}

const struct fr_calibration *accepted(struct loaded *loaded, json_t *document)
{
    const struct fr_faults faults = decode(loaded, document);

    if (faults.count)
        fail_msg("%s: %s", faults.fault[0].where, faults.fault[0].message);
    return &loaded->cal;
}
