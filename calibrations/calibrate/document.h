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

/* Where to write the JSON value of `pointer` ("/node/cores_per_node"); the pointer's text is
 * borrowed until the document is freed.  No pointer may be given twice or lead into another. */
struct fr_writer *fr_document_value(struct fr_document *document, const char *pointer);
void fr_document_number(struct fr_document *document, const char *pointer, double value);
void fr_document_integer(struct fr_document *document, const char *pointer, long long value);
/* Leaves the value out where the text is NULL or empty. */
void fr_document_text(struct fr_document *document, const char *pointer, const char *text);

/* Says where the values under `pointer` come from: `measured: HOW (samples, spread)`, ... */
void fr_document_source(struct fr_document *document, const char *pointer, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Appends the whole document, laid out.  Returns 0, or -1 when memory ran out. */
int fr_document_write(const struct fr_document *document, struct fr_writer *out);

/* A machine's name as documents want it, [a-z0-9][a-z0-9._-]{0,63}, from any text. */
void fr_document_machine(const char *text, char out[FR_MACHINE_BYTES]);

#endif
