/* A calibration document under construction.
 *
 * A benchmark fills `found`; what the fields describe is written (encode.h).  Finished benchmarks
 * are kept as JSON, as --resume has them.
 */
#ifndef FR_DOCUMENT_H
#define FR_DOCUMENT_H

#include "engine/calibration/calibration.h"

struct fr_writer;

enum { FR_MACHINE_BYTES = 65, FR_SOURCE_BYTES = 800 };

struct fr_document {
    struct fr_arena *arena;
    struct fr_calibration frame; /* schema, machine, description, tool, environment */
    struct fr_calibration found; /* values and sources of the running benchmark */
    struct fr_node *values;      /* of those before it, with their sources */
};

/* Returns NULL if out of memory. */
struct fr_document *fr_document_new(void);
/* Takes NULL; returns NULL. */
struct fr_document *fr_document_free(struct fr_document *document);

/* Returns zeroed memory that lasts as long as the document. */
void *fr_document_memory(struct fr_document *document, size_t count, size_t size);
/* Returns a copy that lasts as long as the document, or NULL of NULL and of an empty text. */
const char *fr_document_text(struct fr_document *document, const char *text);

/* Appends a row to a table: *FR_ADD_ROW(document, cal->kernels.reuse) = (struct fr_reuse){ ... }.
 */
#define FR_ADD_ROW(document, table)                                                       \
    ((table).row =                                                                        \
         fr_document_longer((document), (table).row, (table).count, sizeof *(table).row), \
     &(table).row[(table).count++])
void *fr_document_longer(struct fr_document *document, const void *row, size_t count, size_t size);

/* Sets the source of the values under `pointer`: its record but for the text, which follows, and
 * for the day and the load, which fr_document_date sets. */
void fr_document_source(struct fr_document *document, const char *pointer, struct fr_source source,
                        const char *format, ...) __attribute__((format(printf, 4, 5)));
/* Sources that only their text tells apart; counted: of one sample. */
extern const struct fr_source fr_source_assumed, fr_source_published, fr_source_counted;
/* The source of a value that was measured.  0 samples, NAN and NULL: not stated. */
struct fr_source fr_document_measured(int64_t samples, double spread_fraction,
                                      const char *statistic);

/* Adds the day, and what disturbed the measurement or NULL, to the sources of measured values in
 * `found`, from the one with index `first` on. */
void fr_document_date(struct fr_document *document, size_t first, const char *day,
                      const char *load);
/* Appends `found` as one line of JSON. */
void fr_document_write_found(const struct fr_document *document, struct fr_writer *out);
/* Adds the values and sources of such a line.  Returns 0, or -1 if it is invalid. */
int fr_document_read(struct fr_document *document, const char *json, size_t length);

/* Appends the whole document without `found`, indented.  Returns 0, or -1 if out of memory. */
int fr_document_write(struct fr_document *document, struct fr_writer *out);

/* Derives a valid machine name, [a-z0-9][a-z0-9._-]{0,63}, from any text. */
void fr_document_machine(const char *text, char out[FR_MACHINE_BYTES]);

#endif
