/* The calibration document while it grows: values by JSON pointer, each with where it comes from.
 *
 * A benchmark adds what it measured and need not know what else stands in the same group.
 */
#ifndef FR_DOCUMENT_H
#define FR_DOCUMENT_H

#include <stddef.h>

struct fr_document;
struct fr_writer;

enum { FR_MACHINE_BYTES = 65, FR_SOURCE_BYTES = 400 };

/* NULL when memory runs out. */
struct fr_document *fr_document_new(void);
/* Takes NULL; returns NULL. */
struct fr_document *fr_document_free(struct fr_document *document);

/* Where to write the JSON value of `pointer` ("/node/cores_per_node"), in place of what it had.  No
 * pointer may lead into another. */
struct fr_writer *fr_document_value(struct fr_document *document, const char *pointer);
void fr_document_number(struct fr_document *document, const char *pointer, double value);
void fr_document_integer(struct fr_document *document, const char *pointer, long long value);
/* Leaves the value out, also one it had, where the text is NULL or empty. */
void fr_document_text(struct fr_document *document, const char *pointer, const char *text);

/* Says where the values under `pointer` come from: `measured: HOW (samples, spread)`, ... */
void fr_document_source(struct fr_document *document, const char *pointer, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* What has been added since a moment, for a file that a later run goes on from: pointers that were
 * new then. */
struct fr_document_size {
    int values, sources;
};
struct fr_document_size fr_document_size(const struct fr_document *document);
/* Appends it as one line of JSON.  Returns 0, or -1 when memory ran out. */
int fr_document_write_since(const struct fr_document *document, struct fr_document_size mark,
                            struct fr_writer *out);
/* Adds what such a line has.  Returns 0, or -1 where it is none. */
int fr_document_read(struct fr_document *document, const char *json, size_t length);

int fr_document_sources(const struct fr_document *document);
/* The spread that the source'th source states as a fraction, and of what; NAN where it states none.
 */
double fr_document_spread(const struct fr_document *document, int source, const char **pointer);

/* Appends the whole document, laid out.  Returns 0, or -1 when memory ran out. */
int fr_document_write(const struct fr_document *document, struct fr_writer *out);

/* A machine's name as documents want it, [a-z0-9][a-z0-9._-]{0,63}, from any text. */
void fr_document_machine(const char *text, char out[FR_MACHINE_BYTES]);

#endif
