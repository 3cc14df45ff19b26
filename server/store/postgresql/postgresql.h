/* The store in a database of PostgreSQL: what its sources share.
 *
 * Each store is one connection.  One that is lost is made again when it is next used: a statement
 * outside of a transaction is repeated, a transaction fails.
 *
 * Several daemons may use the database.  Who takes analyses has a number, its claim, and a lock of
 * this number, which ends with the connection: what is taken under a number without a lock belongs
 * to nobody.
 */
#ifndef FR_POSTGRESQL_H
#define FR_POSTGRESQL_H

#include "server/store/driver.h"
#include "server/store/postgresql/libpq.h"

/* Types of values, which the server names by these numbers
 * (https://www.postgresql.org/docs/15/catalog-pg-type.html). */
enum { PG_BYTEA = 17, PG_INT8 = 20, PG_INT4 = 23, PG_TEXT = 25, PG_FLOAT8 = 701 };

/* The limit of statements that may take as long as they need. */
enum { FR_POSTGRESQL_ENDLESS_MS = 24 * 3600 * 1000 };

struct fr_postgresql {
    struct fr_store base; /* first: the store is this object */
    PGconn *connection;
    bool is_prepared[FR_SQL_COUNT];
    bool is_in_transaction;
    int64_t claim;        /* 0: none; made again with each connection */
    bool has_claim;       /* on this connection */
    bool is_listening;    /* for the writes of others */
    int64_t heard;        /* writes, and connections that may have missed some */
    unsigned most_ms;     /* for a statement: longer than the server's own limit */
    unsigned limit_ms;    /* of fr_store_limit; 0: none */
    uint64_t next_try_ns; /* of a connection that could not be made */
};

static inline struct fr_postgresql *fr_postgresql_of(struct fr_store *store)
{
    return (struct fr_postgresql *)store;
}

/* The binary form of integers and doubles: the most significant byte first. */
void fr_postgresql_put(char bytes[8], uint64_t value);
uint64_t fr_postgresql_get(const char *bytes, int length);

/* Functions that return an int return an enum fr_store_result. */

/* Waits for the last result of what a function of libpq has sent, if it did (`is_sent`).  NULL if
 * the connection is lost or the time is up, which ends the connection. */
PGresult *fr_postgresql_wait(struct fr_postgresql *pg, int is_sent, unsigned most_ms);
void fr_postgresql_limit(struct fr_store *store, unsigned most_ms);
/* fr_store_hurry; and whether it was called. */
void fr_postgresql_hurry(bool is_ending);
bool fr_postgresql_is_ending(void);
/* The last result of commands, separated by semicolons. */
PGresult *fr_postgresql_ask(struct fr_postgresql *pg, const char *commands);

/* Connects, without a look at the schema; NULL on failure, logged. */
struct fr_postgresql *fr_postgresql_connect(const char *url, struct fr_log *log);
void fr_postgresql_close(struct fr_store *store);
/* Connects again if the connection is lost and no transaction depends on it. */
int fr_postgresql_revive(struct fr_postgresql *pg);
/* Whether the connection was lost and the same may be tried on a new one. */
bool fr_postgresql_may_repeat(struct fr_postgresql *pg);
/* Waits a little before the next attempt to connect. */
void fr_postgresql_pause(struct fr_postgresql *pg);

/* Logs why a statement failed, frees its result, and returns FR_STORE_FAILED. */
int fr_postgresql_failed(struct fr_postgresql *pg, const char *what, PGresult *result);
/* Runs commands, separated by semicolons; the last must answer with `tag`, such as COMMIT. */
int fr_postgresql_run(struct fr_postgresql *pg, const char *commands, const char *tag);

/* fr_store_claim. */
int fr_postgresql_claim(struct fr_store *store);

int fr_postgresql_migrate(struct fr_postgresql *pg);
int fr_postgresql_schema(const char *url, struct fr_log *log, int *version, int *newest);

enum fr_step fr_postgresql_start(struct fr_store *store, enum fr_sql id,
                                 const struct fr_sql_value *values, struct fr_row *row);
int fr_postgresql_blob_open(struct fr_blob *blob, bool to_write);
void fr_postgresql_blob_close(struct fr_blob *blob);
int fr_postgresql_blob_put(struct fr_blob *blob, int64_t at, const void *piece, size_t length);
int fr_postgresql_blob_get(struct fr_blob *blob, int64_t at, void *piece, size_t length);

#endif
