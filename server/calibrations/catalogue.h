/* What is kept in memory between requests: decoded calibrations, and rendered charts.
 *
 * Each cache has a lock that protects its table and nothing else; what a look-up hands out is
 * counted and immutable, so that it is read without a lock.
 */
#ifndef FR_CACHE_H
#define FR_CACHE_H

#include "server/core/log.h"
#include "server/http/http.h"

/* A decoded calibration; drop each share with fr_loaded_drop. */
struct fr_loaded {
    _Atomic unsigned owners;
    char id[17];
    struct fr_arena *arena; /* holds the calibration */
    struct fr_calibration *cal;
};
/* Decodes a document's text; NULL with faults. */
struct fr_loaded *fr_loaded_read(const char *text, size_t length, struct fr_faults *faults);
void fr_loaded_drop(struct fr_loaded *loaded);

/* The newest calibration of every machine, and the older ones used last. */
struct fr_catalog;
struct fr_catalog *fr_catalog_new(void);
void fr_catalog_free(struct fr_catalog *catalog);
/* Takes over what the store holds as the newest of each machine; FR_NOT_FOUND where it fails. */
int fr_catalog_load(struct fr_catalog *catalog, struct fr_store *store, struct fr_log *log);
/* The same for one machine: after a deletion. */
int fr_catalog_refresh(struct fr_catalog *catalog, struct fr_store *store, const char *machine);
/* The same after an upload, without decoding the calibration again; takes a share of its own. */
int fr_catalog_add(struct fr_catalog *catalog, struct fr_store *store, struct fr_loaded *decoded);
/* A share, or NULL: not known here (a worker then asks the store). */
struct fr_loaded *fr_catalog_newest(struct fr_catalog *catalog, const char *machine);
struct fr_loaded *fr_catalog_find(struct fr_catalog *catalog, const char *id);
/* Keeps an older calibration for a while; takes a share of its own. */
void fr_catalog_keep(struct fr_catalog *catalog, struct fr_loaded *loaded);
/* Forgets it again; NULL: all of them. */
void fr_catalog_forget(struct fr_catalog *catalog, const char *id);

/* Rendered charts by ETag, the least recently used dropped first. */
struct fr_pictures;
struct fr_pictures *fr_pictures_new(size_t limit_bytes);
void fr_pictures_free(struct fr_pictures *pictures);
/* A share, or NULL. */
struct fr_blob *fr_pictures_find(struct fr_pictures *pictures, const char *etag);
/* Keeps the picture; takes a share of its own. */
void fr_pictures_keep(struct fr_pictures *pictures, const char *etag, struct fr_blob *blob);

#endif
