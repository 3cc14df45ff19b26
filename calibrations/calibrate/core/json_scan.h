/* JSON text by its members: just enough to take a document apart without a JSON library. */
#ifndef FR_JSON_SCAN_H
#define FR_JSON_SCAN_H

#include <stdbool.h>
#include <stddef.h>

struct fr_writer;

enum { FR_MEMBERS_MAX = 256, FR_NESTING_MAX = 24 };

/* Both point into the text: the key as written between its quotes, the value with them. */
struct fr_member {
    const char *key;
    size_t key_length;
    const char *value;
    size_t value_length;
};

/* The members of the object that `text` is.  Returns how many, or -1 where the text is no object,
 * its brackets or strings do not close, or it has more than `max` members. */
int fr_json_scan_split(const char *text, size_t length, struct fr_member *members, int max);

/* Likewise the values of an array, their keys empty. */
int fr_json_scan_rows(const char *text, size_t length, struct fr_member *members, int max);

/* The member of that key, or NULL. */
const struct fr_member *fr_json_scan_find(const struct fr_member *members, int count,
                                          const char *key);

/* Appends the same JSON laid out for reading: what fits on a line stands on one.
 * Returns 0, or -1 for text that fr_json_scan_split would refuse. */
int fr_json_scan_layout(const char *text, size_t length, struct fr_writer *out);

#endif
