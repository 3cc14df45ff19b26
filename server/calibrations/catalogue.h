/* Decoded calibrations, kept in memory between requests.
 *
 * A lock protects only the table of the newest.  A calibration is shared and immutable, so that it
 * is read without a lock.
 */
#ifndef FR_CALIBRATIONS_CATALOGUE_H
#define FR_CALIBRATIONS_CATALOGUE_H

#include "server/core/log.h"
#include "server/http/http.h"

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

#endif
