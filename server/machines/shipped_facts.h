/* The facts of the shipped machines: FOLDER/facts/NAME.json, each a document as of PUT. */
#ifndef FR_SHIPPED_FACTS_H
#define FR_SHIPPED_FACTS_H

struct fr_log;
struct fr_store;

/* Stores the facts of the store's machines that have a file; failures are logged and skipped. */
void fr_shipped_facts_import(struct fr_store *store, const char *folder, struct fr_log *log);

#endif
