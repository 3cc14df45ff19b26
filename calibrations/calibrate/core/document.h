/* The calibration document: what the run finds, its sources, and how it gets into a file. */
#ifndef FR_DOCUMENT_H
#define FR_DOCUMENT_H

#include "engine/calibration/calibration.h"

#include <stdio.h>
#include <stdlib.h>

/* ---- document -------------------------------------------------------------------------- */

/* ---- tree ------------------------------------------------------------------------------ */

/* JSON as a tree, so that the calibrator needs no JSON library.  Nothing is decoded: keys and
 * values stay as they are in the text. */

struct fr_writer;

enum fr_node_kind { FR_NODE_VALUE, FR_NODE_OBJECT, FR_NODE_ARRAY };

struct fr_node {
    enum fr_node_kind kind;
    const char *key;              /* without its quotation marks; "" in an array */
    const char *text;             /* of a value, with its quotation marks; else NULL */
    struct fr_node *first, *last; /* members or values */
    struct fr_node *next;
};

/* Returns NULL for text that is not one JSON value, and if memory runs out. */
struct fr_node *fr_tree_read(struct fr_arena *arena, const char *text, size_t length);
struct fr_node *fr_tree_new(struct fr_arena *arena, enum fr_node_kind kind);

/* The member with that key, unless it is null; NULL without one.  Accepts NULL. */
struct fr_node *fr_tree_find(const struct fr_node *object, const char *key);
bool fr_tree_is_null(const struct fr_node *node);
/* NULL equals only NULL. */
bool fr_tree_equals(const struct fr_node *a, const struct fr_node *b);

/* Appends a copy of the node, or replaces the member with that key.  Returns the copy, which shares
 * what is below it; NULL if memory runs out. */
struct fr_node *fr_tree_put(struct fr_arena *arena, struct fr_node *into, const char *key,
                            const struct fr_node *node);
/* Puts all members of an object, those of objects in both one by one.  Returns 0, or -1 if memory
 * runs out. */
int fr_tree_graft(struct fr_arena *arena, struct fr_node *into, const struct fr_node *from);

/* Appends an indented text; what fits is on one line. */
void fr_tree_write(const struct fr_node *node, struct fr_writer *out);

/* ---- encode ---------------------------------------------------------------------------- */

/* JSON of a struct that fields describe: the inverse of the daemon's decoder. */

/* Whether any field of the record is present. */
bool fr_encode_has_any(const struct fr_field *fields, const void *record);
/* Writes an object with the fields that are present, or its members alone. */
void fr_encode(struct fr_writer *out, const struct fr_field *fields, const void *record);
void fr_encode_members(struct fr_writer *out, const struct fr_field *fields, const void *record);

/* ---- document -------------------------------------------------------------------------- */

/* A calibration document under construction.
 *
 * A benchmark fills `found`; what the fields describe is written (encode.h).  Finished benchmarks
 * are kept as JSON, as --resume has them.
 */

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

/* ---- merge ----------------------------------------------------------------------------- */

/* Merges calibration documents of one machine (docs/calibration.md#merging-documents). */

enum { FR_MERGE_MESSAGE_BYTES = 200 };

struct fr_text {
    const char *text;
    size_t length;
};

/* Appends the merged document, indented.  Parts of later documents replace those of earlier ones;
 * null replaces nothing.  Each source is restricted to the parts that come from its document, and
 * the source of a row follows the row to its new index.  Returns 0 with an empty message or a
 * warning (other processor or library), or -1 with a reason: not a JSON object, or different
 * machines or schemas. */
int fr_merge(const struct fr_text *documents, int count, struct fr_writer *out,
             char message[FR_MERGE_MESSAGE_BYTES]);

/* ---- output ---------------------------------------------------------------------------- */

/* Reading and writing whole files. */

enum { FR_INPUT_MAX = 64 << 20 };

/* Writes the file atomically, following a symbolic link; devices and FIFOs are written in place;
 * "-" is standard output.  Returns 0, or -1 with errno. */
int fr_output_write(const char *path, const char *text, size_t length);
/* Checks in advance whether fr_output_write can succeed.  Returns 0, or -1 with errno. */
int fr_output_check(const char *path);
/* Whether the path is a file, existing or not, and not a device, a FIFO or "-". */
bool fr_output_is_file(const char *path);
/* Returns the contents, which the caller frees, or NULL with errno; at most FR_INPUT_MAX bytes. */
char *fr_output_read(const char *path, size_t *length);

/* ---- journal --------------------------------------------------------------------------- */

/* A file that grows by lines.  A process may be killed while it writes one. */

struct fr_journal {
    FILE *file; /* NULL: none */
    char *text; /* contents when it was opened, with a 0 behind them */
    size_t length;
};

/* Reads the file and opens it for appending; `path` may be NULL.  `head` becomes the first line of
 * a new file, or of one cut within it; a last line that is cut is ended, and is none.  Returns 0,
 * or -1 with an error message in `why`; or 1 if the file has another first line: it is left as it
 * is, and the caller closes it. */
int fr_journal_open(struct fr_journal *journal, const char *path, const char *head, char *why,
                    size_t size);
void fr_journal_close(struct fr_journal *journal);
/* Appends a line, which ends with a newline, and has it survive an interruption.  Returns 0, or -1
 * with errno. */
int fr_journal_add(struct fr_journal *journal, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* ---- checkpoint ------------------------------------------------------------------------ */

/* The file of --resume: a line for each completed benchmark with its part of the document, so that
 * an interrupted calibration continues with the next benchmark. */

enum { FR_CHECKPOINT_KEY_BYTES = 4000, FR_CHECKPOINT_WHY_BYTES = 1200 };

/* As fr_journal_open.  `key` is one line that must be the same for all jobs that share the file.
 * Returns 0, or -1 with an error message in `why`. */
int fr_checkpoint_open(struct fr_journal *checkpoint, const char *path, const char *key,
                       char why[FR_CHECKPOINT_WHY_BYTES]);
/* The JSON of a completed benchmark, or NULL; valid until the file is closed. */
const char *fr_checkpoint_find(const struct fr_journal *checkpoint, const char *name,
                               size_t *length);
/* Memory for results, as opposed to message buffers.
 *
 * The smpicc of SimGrid redefines malloc and calloc as macros that return memory shared by all
 * ranks with undefined contents.  That suits message buffers but not results; the parentheses
 * prevent the expansion of the macros.
 */

/* Returns zeroed memory, or NULL. */
static inline void *fr_record_new(size_t count, size_t size)
{
    return (calloc)(count, size);
}

static inline void fr_record_free(void *record)
{
    (free)(record);
}

#endif
