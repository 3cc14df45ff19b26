/* What is shipped of the machines beside their calibrations: FOLDER/facts/NAME.json, a document as
 * of PUT, and FOLDER/runs/NAME.ndjson, saved runs as of POST. */
#ifndef FR_SHIPPED_H
#define FR_SHIPPED_H

struct fr_catalog;
struct fr_log;
struct fr_store;

/* Both store what is shipped of the machines in the store, and log and skip what fails.  Facts go
 * to machines of which nobody stated any: a newer version ships more of them. */
void fr_shipped_import_facts(struct fr_store *store, const char *folder, struct fr_log *log);
void fr_shipped_import_runs(struct fr_store *store, struct fr_catalog *catalog, const char *folder,
                            struct fr_log *log);

#endif
