/* Visits the members of a JSON object, two levels deep. */
#include "server/json/value.h"

#include <jansson.h>
#include <stdio.h>

struct walk {
    void (*see)(void *context, const struct fr_json_leaf *leaf);
    void *context;
};

static void see(const struct walk *walk, const char *key, const char *member, json_t *value)
{
    const struct fr_json_leaf leaf = {
        .key = key,
        .member = member,
        .is_number = json_is_number(value),
        .number = json_number_value(value),
        .text = json_string_value(value),
    };

    walk->see(walk->context, &leaf);
}

static void see_member(const struct walk *walk, const char *key, json_t *value)
{
    const char *member;
    json_t *inner;
    size_t index;

    if (json_is_object(value))
        json_object_foreach(value, member, inner) see(walk, key, member, inner);
    else if (json_is_array(value))
        json_array_foreach(value, index, inner) see(walk, key, NULL, inner);
    else
        see(walk, key, NULL, value);
}

bool fr_json_walk(const char *text, size_t length,
                  void (*see_leaf)(void *context, const struct fr_json_leaf *leaf), void *context,
                  char error[FR_JSON_ERROR_BYTES])
{
    const struct walk walk = { see_leaf, context };
    const char *key;
    json_error_t fault;
    json_t *root, *value;
    const bool is_object =
        (root = json_loadb(text, length,
                           JSON_REJECT_DUPLICATES | JSON_DECODE_ANY | JSON_DECODE_INT_AS_REAL,
                           &fault)) &&
        json_is_object(root);

    if (!root && fr_json_memory_is_exhausted())
        snprintf(error, FR_JSON_ERROR_BYTES, "it takes more memory than a request may use");
    else if (!root)
        snprintf(error, FR_JSON_ERROR_BYTES, "column %d: %s", fault.column, fault.text);
    else if (!is_object)
        snprintf(error, FR_JSON_ERROR_BYTES, "not an object");
    else
        json_object_foreach(root, key, value) see_member(&walk, key, value);
    json_decref(root);
    return is_object;
}
