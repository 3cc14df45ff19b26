/* Reads parsed JSON without depending on the library that parsed it.  Every function accepts NULL
 * as a missing value.  Returned pointers are borrowed. */
#ifndef FR_JSON_VALUE_H
#define FR_JSON_VALUE_H

#include <stdbool.h>
#include <stddef.h>

typedef struct json_t json_t; /* as in jansson.h */

enum fr_json_kind {
    FR_JSON_MISSING,
    FR_JSON_NULL,
    FR_JSON_BOOL,
    FR_JSON_NUMBER,
    FR_JSON_TEXT,
    FR_JSON_ARRAY,
    FR_JSON_OBJECT,
};
enum fr_json_kind fr_json_kind(const json_t *value);

/* Return a member of an object or an item of an array; NULL if there is none. */
json_t *fr_json_member(const json_t *object, const char *key);
json_t *fr_json_item(const json_t *array, size_t index);
/* Returns the number of members or items; 0 for other kinds. */
size_t fr_json_count(const json_t *value);

bool fr_json_is_true(const json_t *value);
double fr_json_get_number(const json_t *value);
/* Returns a NUL-terminated text.  It may contain further NULs, which its length includes. */
const char *fr_json_get_text(const json_t *value);
size_t fr_json_text_length(const json_t *value);

void fr_json_free(json_t *value);

/* Iterates over the members of an object in document order.  Start with `place` NULL; returns the
 * next place, or NULL after the last member. */
void *fr_json_next(json_t *object, void *place, const char **key, json_t **value);
#define FR_JSON_EACH_MEMBER(object, key, value) \
    for (void *place_ = NULL; (place_ = fr_json_next(object, place_, &(key), &(value)));)
#define FR_JSON_EACH_ITEM(array, index, value) \
    for ((index) = 0; ((value) = fr_json_item(array, index)); (index)++)

#endif
