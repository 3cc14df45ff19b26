/* An empty database for a test: in memory, or of the PostgreSQL that tests/postgresql.sh starts. */
#ifndef FR_TEST_DATABASE_H
#define FR_TEST_DATABASE_H

struct fr_store;

/* The name for fr_store_open.  The database of an earlier call is empty again. */
const char *fr_test_database(void);
/* Runs a statement that both databases understand. */
void fr_test_change(struct fr_store *store, const char *sql);

#endif
