/* A JSON writer that depends only on libc, so that the calibrator can use it on a cluster.
 *
 * A writer appends to a growing buffer.  Numbers are printed as in ECMAScript, as the shortest text
 * that reads back to the same double, so that a browser and the daemon compute the same canonical
 * form of a document.
 */
#ifndef FR_WRITER_H
#define FR_WRITER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { FR_WRITER_DEPTH = 32, FR_NUMBER_BYTES = 32 };

struct fr_writer {
    char *text; /* owned by the writer until taken; not NUL-terminated */
    size_t length, capacity;
    bool failed; /* out of memory; later calls append nothing */
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
/* Writes a number, which must be finite. */
void fr_json_number(struct fr_writer *w, double value);
/* Writes a number, or null for NaN and what is infinite. */
void fr_json_number_or_null(struct fr_writer *w, double value);
void fr_json_integer(struct fr_writer *w, int64_t value);
/* Write an array. */
void fr_json_numbers(struct fr_writer *w, const double *value, size_t count);
void fr_json_integers(struct fr_writer *w, const int64_t *value, size_t count);
void fr_json_bool(struct fr_writer *w, bool value);
void fr_json_null(struct fr_writer *w);
/* Writes a text, or null for NULL. */
void fr_json_text(struct fr_writer *w, const char *text);
/* Writes a key and a text. */
void fr_json_pair(struct fr_writer *w, const char *key, const char *text);
void fr_json_pair_number(struct fr_writer *w, const char *key, double value);
void fr_json_pair_integer(struct fr_writer *w, const char *key, int64_t value);
void fr_json_pair_bool(struct fr_writer *w, const char *key, bool value);
/* Writes a key and begins its value. */
void fr_json_pair_object(struct fr_writer *w, const char *key);
void fr_json_pair_array(struct fr_writer *w, const char *key);
/* Writes a key and an array of texts; the list ends with NULL, or is NULL. */
void fr_json_pair_texts(struct fr_writer *w, const char *key, const char *const *texts);
/* Writes JSON text unchanged, as one value. */
void fr_json_raw(struct fr_writer *w, const char *json, size_t length);

/* Appends a quoted text without a comma. */
void fr_json_quote(struct fr_writer *w, const char *text);

/* Append plain text, for the other formats. */
void fr_writer_append(struct fr_writer *w, const char *text, size_t length);
/* Inserts text at offset `at`. */
void fr_writer_insert(struct fr_writer *w, size_t at, const char *text, size_t length);
void fr_writer_text(struct fr_writer *w, const char *text);
void fr_writer_printf(struct fr_writer *w, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void fr_writer_number(struct fr_writer *w, double value);
/* Appends text as a part of the query of an address, with nothing that a shell would read in
 * single quotes. */
void fr_writer_escape(struct fr_writer *w, const char *text);
/* Appends `before`, such as ? or &, and name=value, both escaped. */
void fr_writer_query(struct fr_writer *w, const char *before, const char *name, const char *value);

/* Prints a finite number as ECMAScript does; returns the length in bytes. */
size_t fr_number_print(double value, char out[FR_NUMBER_BYTES]);

#endif
