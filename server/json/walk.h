/* Visits the numbers and texts of a JSON object that stands on one line. */
#ifndef FR_JSON_LINES_H
#define FR_JSON_LINES_H

#include <stdbool.h>
#include <stddef.h>

/* A number or a text somewhere in the object; anything else is neither. */
struct fr_json_leaf {
    const char *key;    /* the member of the line's object */
    const char *member; /* the member of the object under `key`; NULL where there is none */
    bool is_number;
    double number;
    const char *text; /* NULL: not a text */
};

/* Calls `see` for each leaf in turn: of objects and arrays under a member for each of theirs, one
 * level deep.  False where it is no object, with what is wrong in `error`. */
enum { FR_JSON_ERROR_BYTES = 200 };
bool fr_json_walk(const char *text, size_t length,
                  void (*see)(void *context, const struct fr_json_leaf *leaf), void *context,
                  char error[FR_JSON_ERROR_BYTES]);

#endif
