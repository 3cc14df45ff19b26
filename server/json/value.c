/* Accessors for parsed JSON that hide Jansson from their callers. */
#include "server/json/value.h"

#include <jansson.h>

enum fr_json_kind fr_json_kind(const json_t *value)
{
    static const enum fr_json_kind kinds[] = {
        [JSON_OBJECT] = FR_JSON_OBJECT,  [JSON_ARRAY] = FR_JSON_ARRAY, [JSON_STRING] = FR_JSON_TEXT,
        [JSON_INTEGER] = FR_JSON_NUMBER, [JSON_REAL] = FR_JSON_NUMBER, [JSON_TRUE] = FR_JSON_BOOL,
        [JSON_FALSE] = FR_JSON_BOOL,     [JSON_NULL] = FR_JSON_NULL,
    };

    return value ? kinds[json_typeof(value)] : FR_JSON_MISSING;
}

json_t *fr_json_member(const json_t *object, const char *key)
{
    return json_object_get(object, key);
}

json_t *fr_json_item(const json_t *array, size_t index)
{
    return json_array_get(array, index);
}

size_t fr_json_count(const json_t *value)
{
    return json_is_object(value) ? json_object_size(value) : json_array_size(value);
}

bool fr_json_is_true(const json_t *value)
{
    return json_is_true(value);
}

double fr_json_get_number(const json_t *value)
{
    return json_number_value(value);
}

const char *fr_json_get_text(const json_t *value)
{
    return json_string_value(value);
}

void fr_json_free(json_t *value)
{
    json_decref(value);
}

void *fr_json_next(json_t *object, void *place, const char **key, json_t **value)
{
    place = place ? json_object_iter_next(object, place) : json_object_iter(object);
    *key = place ? json_object_iter_key(place) : NULL;
    *value = json_object_iter_value(place);
    return place;
}
