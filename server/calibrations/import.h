/* Calibration documents from files, and the database file itself. */
#ifndef FR_IMPORT_H
#define FR_IMPORT_H

#include "engine/forerun.h"

struct fr_catalog;
struct fr_log;
struct fr_store;

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
