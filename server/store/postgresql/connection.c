/* Connections to PostgreSQL: made, lost and made again. */
#include "server/core/clock.h"
#include "server/store/postgresql/postgresql.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* The time between two attempts to connect to a server that does not answer; what an answer may
 * take beyond the server's own limit, and for how long a thread waits for its turn to connect. */
enum { PAUSE_MS = 1000, GRACE_MS = 2000, TURN_MS = 500 };
#define USUAL_TIMEOUT "30s"

/* Of the process: the connections that were lost are made again one by one.  libpq waits for
 * seconds for each host that does not answer; one thread does, and the others have their requests
 * refused.
 */
static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;

/* Compiling a statement takes longer than any of them, as the rows of a JSON text are
 * overestimated. A transaction waits for others as long as in SQLite.  One that is cut off from its
 * daemon must not keep the others out: the server looks after a minute whether the daemon's
 * computer is there.  Without a limit for statements, a server that hangs would hold every thread.
 */
static const char settings[] =
    "SET jit = off; SET lock_timeout = 5000; SET client_min_messages = warning;"
    "SET idle_in_transaction_session_timeout = 60000; SET tcp_keepalives_idle = 30;"
    "SET tcp_keepalives_interval = 10; SET tcp_keepalives_count = 3;"
    "SELECT set_config(name, '" USUAL_TIMEOUT "', false) FROM pg_settings"
    " WHERE name = 'statement_timeout' AND setting = '0';"
    "SELECT setting FROM pg_settings WHERE name = 'statement_timeout'";

void fr_postgresql_put(char bytes[8], uint64_t value)
{
    for (int i = 0; i < 8; i++)
        bytes[i] = (char)(value >> (56 - 8 * i));
}

uint64_t fr_postgresql_get(const char *bytes, int length)
{
    uint64_t value = 0;

    for (int i = 0; i < length; i++)
        value = value << 8 | (unsigned char)bytes[i];
    return value;
}

/* The last error of the connection, without the end of its line. */
static void log_connection(struct fr_postgresql *pg, const char *event)
{
    const char *message = fr_pq.errorMessage(pg->connection);

    fr_logf(pg->base.log, FR_LOG_ERROR, event, "%.*s", (int)strcspn(message, "\n"), message);
}

/* ---- failures ----------------------------------------------------------------------------- */

/* https://www.postgresql.org/docs/15/errcodes-appendix.html */
static enum fr_store_failure failure_of(const char *state)
{
    if (strcmp(state, "53100") == 0)
        return FR_STORE_FULL;
    return strncmp(state, "XX", 2) == 0 && strcmp(state, "XX000") != 0 ? FR_STORE_DAMAGED
                                                                       : FR_STORE_SILENT;
}

int fr_postgresql_failed(struct fr_postgresql *pg, const char *what, PGresult *result)
{
    const char *state = fr_pq.resultErrorField(result, PG_DIAG_SQLSTATE);
    const char *message = fr_pq.resultErrorField(result, PG_DIAG_MESSAGE_PRIMARY);

    if (!message) /* the connection is lost */
        message = fr_pq.errorMessage(pg->connection);
    pg->base.failure = failure_of(state ? state : "");
    fr_logf(pg->base.log, FR_LOG_ERROR, "store_failed",
            "%.80s: %s (PostgreSQL code %s, database %s)", what,
            message ? message : fr_pq.errorMessage(pg->connection), state ? state : "none",
            fr_pq.db(pg->connection));
    fr_pq.clear(result);
    return FR_STORE_FAILED;
}

int fr_postgresql_run(struct fr_postgresql *pg, const char *commands, const char *tag)
{
    PGresult *result = fr_postgresql_ask(pg, commands);
    const ExecStatusType status = fr_pq.resultStatus(result);

    /* COMMIT of a transaction that failed answers with ROLLBACK. */
    if ((status != PGRES_COMMAND_OK && status != PGRES_TUPLES_OK) ||
        strncmp(fr_pq.cmdStatus(result), tag, strlen(tag)) != 0)
        return fr_postgresql_failed(pg, commands, result);
    fr_pq.clear(result);
    return FR_STORE_OK;
}

/* ---- connecting --------------------------------------------------------------------------- */

/* Warnings of the server; without this they go to standard error as they are. */
static void log_notice(void *log, const char *message)
{
    fr_logf(log, FR_LOG_INFO, "store_notice", "%s", message);
}

/* NULL, or why the URL is refused.  It may hold a password: no message repeats it. */
static const char *fault_of(const char *url)
{
    PQconninfoOption *options = fr_pq.conninfoParse(url, NULL);
    const char *fault = options ? NULL : "not a URL of PostgreSQL: postgresql://HOST:PORT/DATABASE";

    for (PQconninfoOption *one = options; one && one->keyword; one++)
        if (strcmp(one->keyword, "password") == 0 && one->val)
            fault = "the URL holds a password, which others can read in the list of processes; "
                    "write it to ~/.pgpass or to the file that PGPASSFILE names";
    fr_pq.conninfoFree(options);
    return fault;
}

static PGconn *connect_to(const char *url)
{
    /* Those before the URL are defaults, those after it hold whatever it says.  A standby takes no
     * write: a daemon on it would be ready, and refuse each upload. */
    const char *const names[] = { "target_session_attrs",
                                  "connect_timeout",
                                  "tcp_user_timeout",
                                  "application_name",
                                  "options",
                                  "dbname",
                                  "client_encoding",
                                  NULL };
    const char *const values[] = {
        "read-write", "5",    "10000", "forerund", "-c statement_timeout=" USUAL_TIMEOUT,
        url,          "UTF8", NULL
    };

    return fr_pq.connectdbParams(names, values, 1);
}

static void keep_limit(struct fr_postgresql *pg)
{
    if (pg->limit_ms && pg->most_ms > pg->limit_ms)
        pg->most_ms = pg->limit_ms;
}

void fr_postgresql_limit(struct fr_store *store, unsigned most_ms)
{
    struct fr_postgresql *pg = fr_postgresql_of(store);

    pg->limit_ms = most_ms;
    keep_limit(pg);
}

/* Prepares a new connection. */
static int set_up(struct fr_postgresql *pg)
{
    PGresult *result;

    fr_pq.setnonblocking(pg->connection, 1);
    pg->most_ms = GRACE_MS;
    result = fr_postgresql_ask(pg, settings);
    if (fr_pq.resultStatus(result) != PGRES_TUPLES_OK || fr_pq.ntuples(result) != 1)
        return fr_postgresql_failed(pg, "settings", result);
    pg->most_ms = (unsigned)strtoul(fr_pq.getvalue(result, 0, 0), NULL, 10) + GRACE_MS;
    keep_limit(pg);
    fr_pq.clear(result);
    return FR_STORE_OK;
}

struct fr_postgresql *fr_postgresql_connect(const char *url, struct fr_log *log)
{
    const char *missing = fr_pq_load(), *fault = missing ? missing : fault_of(url);
    struct fr_postgresql *pg = fault ? NULL : calloc(1, sizeof *pg);

    if (!pg) {
        fr_logf(log, FR_LOG_ERROR, "store_not_opened", "db: %s", fault ? fault : strerror(ENOMEM));
        return NULL;
    }
    pg->base.driver = &fr_postgresql_driver;
    pg->base.log = log;
    pg->base.author.command = "forerund";
    pg->connection = connect_to(url);
    if (fr_pq.status(pg->connection) != CONNECTION_OK) {
        log_connection(pg, "store_not_opened");
        fr_postgresql_close(&pg->base);
        return NULL;
    }
    fr_pq.setNoticeProcessor(pg->connection, log_notice, log);
    if (set_up(pg) == FR_STORE_OK)
        return pg;
    fr_postgresql_close(&pg->base);
    return NULL;
}

void fr_postgresql_close(struct fr_store *store)
{
    struct fr_postgresql *pg = fr_postgresql_of(store);

    if (!pg)
        return;
    fr_pq.finish(pg->connection);
    free(pg);
}

/* ---- connections that are lost ------------------------------------------------------------ */

static int connect_again(struct fr_postgresql *pg)
{
    const struct timespec until = fr_clock_timespec(fr_clock_in_ms(NULL, TURN_MS));

    if (pthread_mutex_clocklock(&turn, CLOCK_MONOTONIC, &until) != 0) {
        fr_logf(pg->base.log, FR_LOG_ERROR, "store_failed",
                "database %s: another thread waits for a connection", fr_pq.db(pg->connection));
        return FR_STORE_FAILED;
    }
    memset(pg->is_prepared, 0, sizeof pg->is_prepared);
    pg->is_listening = pg->has_claim = false;
    fr_pq.reset(pg->connection);
    pthread_mutex_unlock(&turn);
    if (fr_pq.status(pg->connection) != CONNECTION_OK) {
        log_connection(pg, "store_failed");
        return FR_STORE_FAILED;
    }
    fr_logf(pg->base.log, FR_LOG_INFO, "store_connected", "database %s, connected again",
            fr_pq.db(pg->connection));
    return set_up(pg);
}

void fr_postgresql_pause(struct fr_postgresql *pg)
{
    pg->next_try_ns = fr_clock_in_ms(NULL, PAUSE_MS);
}

int fr_postgresql_revive(struct fr_postgresql *pg)
{
    const bool is_lost = fr_pq.status(pg->connection) != CONNECTION_OK;
    int result = FR_STORE_OK;

    if (!is_lost && !pg->claim == !pg->has_claim)
        return FR_STORE_OK;
    pg->base.failure = FR_STORE_SILENT;
    if (pg->is_in_transaction || fr_clock_ns(NULL) < pg->next_try_ns || fr_postgresql_is_ending())
        return FR_STORE_FAILED;
    if (is_lost)
        result = connect_again(pg);
    if (result == FR_STORE_OK && pg->claim)
        result = fr_postgresql_claim(&pg->base);
    if (result != FR_STORE_OK)
        fr_postgresql_pause(pg);
    return result;
}

bool fr_postgresql_may_repeat(struct fr_postgresql *pg)
{
    return !pg->is_in_transaction && fr_pq.status(pg->connection) != CONNECTION_OK &&
           fr_postgresql_revive(pg) == FR_STORE_OK;
}
