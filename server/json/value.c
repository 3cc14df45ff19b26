/* Reading parsed JSON: Jansson's functions under names that do not depend on it. */
#include "server/json/value.h"

#include <jansson.h>

bool fr_json_is_object(const json_t *value)
{
    return json_is_object(value);
}

bool fr_json_is_array(const json_t *value)
{
    return json_is_array(value);
}

bool fr_json_is_number(const json_t *value)
{
    return json_is_number(value);
}

bool fr_json_is_text(const json_t *value)
{
    return json_is_string(value);
}

bool fr_json_is_bool(const json_t *value)
{
    return json_is_boolean(value);
}

bool fr_json_is_true(const json_t *value)
{
    return json_is_true(value);
}

bool fr_json_is_null(const json_t *value)
{
    return json_is_null(value);
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

double fr_json_get_number(const json_t *value)
{
    return json_number_value(value);
}

const char *fr_json_get_text(const json_t *value)
{
    return json_string_value(value);
}

size_t fr_json_text_length(const json_t *value)
{
    return json_string_length(value);
}

void fr_json_free(json_t *value)
{
    json_decref(value);
}

void *fr_json_first(json_t *object)
{
    return json_object_iter(object);
}

void *fr_json_next(json_t *object, void *place)
{
    return json_object_iter_next(object, place);
}

const char *fr_json_key_at(void *place)
{
    return json_object_iter_key(place);
}

json_t *fr_json_value_at(void *place)
{
    return json_object_iter_value(place);
}
