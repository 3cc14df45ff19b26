/* Splits JSON text into members, so that the calibrator needs no JSON library. */
#ifndef FR_JSON_SCAN_H
#define FR_JSON_SCAN_H

#include <stdbool.h>
#include <stddef.h>

struct fr_writer;

enum { FR_MEMBERS_MAX = 256, FR_NESTING_MAX = 24 };

/* Both point into the text.  The key excludes its quotation marks, the value includes them. */
struct fr_member {
    const char *key;
    size_t key_length;
    const char *value;
    size_t value_length;
};

/* Splits an object.  Returns the number of members, or -1 if the text is not an object, brackets or
 * strings are not closed, or there are more than `max` members. */
int fr_json_scan_split(const char *text, size_t length, struct fr_member *members, int max);

/* Likewise for an array; the keys are empty. */
int fr_json_scan_rows(const char *text, size_t length, struct fr_member *members, int max);

/* Returns the member with that key, or NULL. */
const struct fr_member *fr_json_scan_find(const struct fr_member *members, int count,
                                          const char *key);

/* Appends the same JSON, indented; a value that fits is on one line.  Returns 0, or -1 for text
 * that fr_json_scan_split would refuse. */
int fr_json_scan_layout(const char *text, size_t length, struct fr_writer *out);

#endif
