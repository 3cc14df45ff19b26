/* What is shipped of the machines beside their calibrations: FOLDER/facts/NAME.json, a document as
 * of PUT, and FOLDER/runs/NAME.ndjson, saved runs as of POST. */
#ifndef FR_SHIPPED_H
#define FR_SHIPPED_H

struct fr_catalog;
struct fr_log;
struct fr_store;

/* Stores the facts and the runs of the store's machines that have a file; failures are logged and
 * skipped. */
void fr_shipped_import(struct fr_store *store, struct fr_catalog *catalog, const char *folder,
                       struct fr_log *log);

#endif
