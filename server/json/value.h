/* A parsed JSON value, read without knowing which library parsed it.  A missing value is NULL:
 * every function takes it, is_* is then false. */
#ifndef FR_JSON_VALUE_H
#define FR_JSON_VALUE_H

#include <stdbool.h>
#include <stddef.h>

typedef struct json_t json_t; /* as in jansson.h */

bool fr_json_is_object(const json_t *value);
bool fr_json_is_array(const json_t *value);
bool fr_json_is_number(const json_t *value);
bool fr_json_is_text(const json_t *value);
bool fr_json_is_bool(const json_t *value);
bool fr_json_is_true(const json_t *value);
bool fr_json_is_null(const json_t *value);

/* Of an object its member, of an array its item; borrowed, NULL where there is none. */
json_t *fr_json_member(const json_t *object, const char *key);
json_t *fr_json_item(const json_t *array, size_t index);
/* Members or items; 0 for anything else. */
size_t fr_json_count(const json_t *value);

double fr_json_get_number(const json_t *value);
/* Borrowed, NUL-ended; the text may hold further NULs, which its length counts. */
const char *fr_json_get_text(const json_t *value);
size_t fr_json_text_length(const json_t *value);

/* Accepts NULL. */
void fr_json_free(json_t *value);

/* Iterates over the members of an object, in the order of the text. */
void *fr_json_first(json_t *object);
void *fr_json_next(json_t *object, void *place);
const char *fr_json_key_at(void *place);
json_t *fr_json_value_at(void *place);
#define FR_JSON_EACH_MEMBER(object, key, value)                                            \
    for (void *place_ = fr_json_first(object);                                             \
         place_ && ((key) = fr_json_key_at(place_), (value) = fr_json_value_at(place_)) && \
         ((void)(key), (void)(value), true);                                               \
         place_ = fr_json_next(object, place_))
#define FR_JSON_EACH_ITEM(array, index, value) \
    for ((index) = 0; ((value) = fr_json_item(array, index)); (index)++)

#endif
