/* Our own JSON out: needs nothing but libc, so that the calibrator can use it on a cluster.
 *
 * A writer appends to a buffer that grows.  Numbers are written as ECMAScript writes them: the
 * shortest text that reads back to the same double, so that a browser and this daemon agree about
 * the canonical form of a document.
 */
#ifndef FR_WRITER_H
#define FR_WRITER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { FR_WRITER_DEPTH = 32, FR_NUMBER_BYTES = 32 };

struct fr_writer {
    char *text; /* owned by the writer until taken; not NUL-ended */
    size_t length, capacity;
    bool failed; /* memory ran out: nothing more is appended */
    bool is_indented;
    int depth;
    bool has_member[FR_WRITER_DEPTH];
    bool after_key;
};

void fr_writer_init(struct fr_writer *w);
/* Frees the text. */
void fr_writer_free(struct fr_writer *w);

void fr_json_object(struct fr_writer *w);
void fr_json_object_end(struct fr_writer *w);
void fr_json_array(struct fr_writer *w);
void fr_json_array_end(struct fr_writer *w);
void fr_json_key(struct fr_writer *w, const char *key);
/* Asserts that the value is finite. */
void fr_json_number(struct fr_writer *w, double value);
/* The number, or null for NaN. */
void fr_json_number_or_null(struct fr_writer *w, double value);
void fr_json_integer(struct fr_writer *w, int64_t value);
void fr_json_bool(struct fr_writer *w, bool value);
void fr_json_null(struct fr_writer *w);
/* The text, or null for NULL. */
void fr_json_text(struct fr_writer *w, const char *text);
/* Key and value at once. */
void fr_json_pair(struct fr_writer *w, const char *key, const char *text);
void fr_json_pair_number(struct fr_writer *w, const char *key, double value);
void fr_json_pair_integer(struct fr_writer *w, const char *key, int64_t value);
void fr_json_pair_bool(struct fr_writer *w, const char *key, bool value);
/* JSON text made elsewhere, as it is. */
void fr_json_raw(struct fr_writer *w, const char *json, size_t length);

/* A quoted text alone: no comma, no nesting. */
void fr_json_quote(struct fr_writer *w, const char *text);

/* Plain appending, for the other formats. */
void fr_writer_append(struct fr_writer *w, const char *text, size_t length);
/* Puts text before what stands at `at`. */
void fr_writer_insert(struct fr_writer *w, size_t at, const char *text, size_t length);
void fr_writer_text(struct fr_writer *w, const char *text);
void fr_writer_printf(struct fr_writer *w, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void fr_writer_number(struct fr_writer *w, double value);

/* The number as ECMAScript prints it; returns the length.  `value` must be finite. */
size_t fr_number_print(double value, char out[FR_NUMBER_BYTES]);

#endif
