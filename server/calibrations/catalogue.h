/* Calibrations in use: decoded, imported, listed. */
#ifndef FR_CALIBRATIONS_CATALOGUE_H
#define FR_CALIBRATIONS_CATALOGUE_H

#include "engine/forerun.h"
#include "server/core/log.h"
#include "server/http/http.h"

/* Decoded calibrations, kept in memory between requests.
 *
 * A lock protects only the table of the newest.  A calibration is shared and immutable, so that it
 * is read without a lock.
 */

/* A decoded calibration; release each share with fr_cached_drop. */
struct fr_loaded {
    struct fr_cached cached;
    char id[17];
    struct fr_arena *arena;     /* holds the calibration */
    struct fr_loaded *decoded;  /* with the parts of the calibration, or NULL: the arena has them */
    struct fr_calibration *cal; /* with the facts of its machine, if it is from the catalogue */
    const char *facts_json;     /* their text; {} if there are none */
};
/* Decodes the text of a document; one share, or NULL with faults. */
struct fr_loaded *fr_loaded_read(const char *text, size_t length, struct fr_faults *faults);

/* The newest calibration of every machine, and the older ones used last. */
struct fr_catalog;
struct fr_catalog *fr_catalog_new(void);
void fr_catalog_free(struct fr_catalog *catalog);
/* Loads the newest calibration of each machine at the start; FR_NOT_FOUND if the store fails. */
int fr_catalog_load(struct fr_catalog *catalog, struct fr_store *store, struct fr_log *log);
/* Notices what another process has written about a machine; FR_NOT_FOUND if the store fails,
 * FR_SYNTAX if the newest calibration cannot be read. */
int fr_catalog_follow(struct fr_catalog *catalog, struct fr_store *store, const char *machine);
/* Loads that of one machine, after a deletion or new facts. */
int fr_catalog_refresh(struct fr_catalog *catalog, struct fr_store *store, const char *machine);
/* The same after an upload, which is not decoded again; takes a share of its own. */
int fr_catalog_add(struct fr_catalog *catalog, struct fr_store *store, struct fr_loaded *decoded);
/* A share, or NULL: then a worker asks the store. */
struct fr_loaded *fr_catalog_newest(struct fr_catalog *catalog, const char *machine);
struct fr_loaded *fr_catalog_find(struct fr_catalog *catalog, const char *id);
/* As fr_catalog_find, and reads the store, with the facts of the machine; `arena` is scratch.  What
 * it reads is kept for a while.  A share, or NULL. */
struct fr_loaded *fr_catalog_get(struct fr_catalog *catalog, struct fr_store *store, const char *id,
                                 struct fr_arena *arena);
/* Drops an older calibration; NULL: all of them. */
void fr_catalog_forget(struct fr_catalog *catalog, const char *id);

/* Stores a calibration, for uploads and imports. */

/* The clause of fr_document_warnings_write. */
#define FR_DOCUMENT_HAS "the document"

/* Validates a document as an upload, stores it, and adds it to the catalogue unless that is NULL.
 * FR_OK, or a code: with faults if the document is refused, without if the store failed.  *created
 * says whether it is new.
 *
 * The facts of the document are compared with those of its machine.  A new document that cannot be
 * of this machine is refused; *mismatches are the facts that differ, *loaded_parts those that were
 * measured on a loaded machine (enum fr_use bits). */
int fr_calibration_add(struct fr_store *store, struct fr_catalog *catalog,
                       const char *machine_or_null, const char *text, size_t length, char id[17],
                       bool *created, struct fr_mismatches *mismatches, fr_uses *loaded_parts,
                       struct fr_faults *faults);

/* Calibration documents from files, and the database file itself. */

/* Makes the folder of the database and the file, readable by their owner only; a failure is logged.
 */
int fr_database_prepare(const char *path, struct fr_log *log);

/* The text of a file of at most 64 MiB, from malloc, NUL-ended; NULL with a fault. */
char *fr_import_text(const char *path, size_t *length, struct fr_faults *faults);
/* Stores the file's document after the checks of an upload; `catalog` (or NULL) takes it over.  A
 * failure without faults is the store's, which has logged it. */
int fr_import_file(struct fr_store *store, struct fr_catalog *catalog, const char *path,
                   char id[17], bool *created, struct fr_mismatches *mismatches,
                   fr_uses *loaded_parts, struct fr_faults *faults);
/* Imports the folder's *.json in the order of their names; failures are logged and skipped. */
void fr_import_folder(struct fr_store *store, struct fr_catalog *catalog, const char *folder,
                      struct fr_log *log);

#endif
