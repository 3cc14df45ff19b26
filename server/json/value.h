/* JSON values, read. */
#ifndef FR_JSON_VALUE_H
#define FR_JSON_VALUE_H

#include <stdbool.h>
#include <stddef.h>

/* Reads parsed JSON without depending on the library that parsed it.  Every function accepts NULL
 * as a missing value.  Returned pointers are borrowed. */

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
/* Returns a NUL-terminated text.  It may contain further NULs. */
const char *fr_json_get_text(const json_t *value);

void fr_json_free(json_t *value);

/* Iterates over the members of an object in document order.  Start with `place` NULL; returns the
 * next place, or NULL after the last member. */
void *fr_json_next(json_t *object, void *place, const char **key, json_t **value);
#define FR_JSON_EACH_MEMBER(object, key, value) \
    for (void *place_ = NULL; (place_ = fr_json_next(object, place_, &(key), &(value)));)
#define FR_JSON_EACH_ITEM(array, index, value) \
    for ((index) = 0; ((value) = fr_json_item(array, index)); (index)++)

/* Bounds the memory of parsed JSON.  A parsed document takes up to eighty times the bytes of its
 * text, so the limit of the text does not bound it.
 *
 * The limit is of a thread, and a document is freed by the thread that parsed it. */

/* Lets all JSON memory be counted; once, before anything is parsed. */
void fr_json_memory_install(void);
/* From here to fr_json_memory_end, the documents of this thread take at most this much. */
void fr_json_memory_begin(size_t limit_bytes);
/* Also returns the memory of large documents, which are freed by then, to the system. */
void fr_json_memory_end(void);
/* Whether a document has been refused since fr_json_memory_begin because it did not fit. */
bool fr_json_memory_is_exhausted(void);
size_t fr_json_memory_limit(void);

/* Visits the numbers and texts of a JSON object on one line. */

/* A value in the object: a number, a text or neither. */
struct fr_json_leaf {
    const char *key;    /* a member of the outer object */
    const char *member; /* a member of the object at `key`; NULL if there is none */
    bool is_number;
    double number;
    const char *text; /* NULL if not a text */
};

/* Calls `see` for each leaf in order.  Visits the members of nested objects and arrays one level
 * deep.  Returns false if the text is not an object, with the reason in `error`. */
enum { FR_JSON_ERROR_BYTES = 200 };
bool fr_json_walk(const char *text, size_t length,
                  void (*see)(void *context, const struct fr_json_leaf *leaf), void *context,
                  char error[FR_JSON_ERROR_BYTES]);

#endif
