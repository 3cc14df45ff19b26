/* Visits the numbers and texts of a JSON object on one line. */
#ifndef FR_JSON_LINES_H
#define FR_JSON_LINES_H

#include <stdbool.h>
#include <stddef.h>

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
