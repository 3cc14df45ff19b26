/* A calibration document under construction: values by JSON pointer, each with its source.
 *
 * Benchmarks add values to the same group independently of each other.
 */
#ifndef FR_DOCUMENT_H
#define FR_DOCUMENT_H

#include <stddef.h>

#include "engine/calibration/provenance.h"

struct fr_document;
struct fr_writer;

enum { FR_MACHINE_BYTES = 65, FR_SOURCE_BYTES = 800 };

/* Returns NULL if out of memory. */
struct fr_document *fr_document_new(void);
/* Takes NULL; returns NULL. */
struct fr_document *fr_document_free(struct fr_document *document);

/* Returns the writer for the JSON value of `pointer` ("/node/cores_per_node"), which replaces an
 * earlier one.  No pointer may be a prefix of another. */
struct fr_writer *fr_document_value(struct fr_document *document, const char *pointer);
void fr_document_number(struct fr_document *document, const char *pointer, double value);
void fr_document_integer(struct fr_document *document, const char *pointer, long long value);
/* Removes the value if the text is NULL or empty. */
void fr_document_text(struct fr_document *document, const char *pointer, const char *text);

/* Sets the source of the values under `pointer`: its record but for the text, which follows, and
 * for the day and the load, which fr_document_date sets. */
void fr_document_source(struct fr_document *document, const char *pointer, struct fr_source source,
                        const char *format, ...) __attribute__((format(printf, 4, 5)));
/* Sources that only their text tells apart; counted: of one sample. */
extern const struct fr_source fr_source_assumed, fr_source_published, fr_source_counted;
/* The source of a value that was measured.  0 samples, NAN and NULL: not stated. */
struct fr_source fr_document_measured(int64_t samples, double spread_fraction,
                                      const char *statistic);

/* Number of values and sources, to write those added later. */
struct fr_document_size {
    int values, sources;
};
struct fr_document_size fr_document_size(const struct fr_document *document);
/* Adds the day, and what disturbed the measurement or NULL, to every source of measured values that
 * was added since then. */
void fr_document_date(struct fr_document *document, struct fr_document_size mark, const char *day,
                      const char *load);
/* Appends the values and sources added since then as one line of JSON.  Returns 0, or -1 if out of
 * memory. */
int fr_document_write_since(const struct fr_document *document, struct fr_document_size mark,
                            struct fr_writer *out);
/* Adds the values and sources of such a line.  Returns 0, or -1 if it is invalid. */
int fr_document_read(struct fr_document *document, const char *json, size_t length);

int fr_document_sources(const struct fr_document *document);
/* The spread of a source, as a fraction, and its pointer; NAN without one. */
double fr_document_spread(const struct fr_document *document, int source, const char **pointer);

/* Appends the whole document, indented.  Returns 0, or -1 if out of memory. */
int fr_document_write(const struct fr_document *document, struct fr_writer *out);

/* Derives a valid machine name, [a-z0-9][a-z0-9._-]{0,63}, from any text. */
void fr_document_machine(const char *text, char out[FR_MACHINE_BYTES]);

#endif
