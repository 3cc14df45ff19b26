/* Connections to a database, by the driver that its name calls for, and whether it works. */
#include "server/core/config.h"
#include "server/store/sql.h"

#include <unistd.h>

static const struct fr_driver *driver_of(const char *name)
{
    return fr_config_is_url(name) ? &fr_postgresql_driver : &fr_sqlite_driver;
}

struct fr_store *fr_store_open(const char *name, struct fr_log *log)
{
    struct fr_store *store = driver_of(name)->open(name, log);

    if (store)
        store->limits = (struct fr_page_limits){ FR_MOST_LOOKED_AT, FR_RUN_PAGE_BYTES };
    return store;
}

struct fr_store *fr_store_open_unchanged(const char *name, struct fr_log *log)
{
    return driver_of(name)->open_unchanged(name, log);
}

void fr_store_close(struct fr_store *store)
{
    if (store)
        store->driver->close(store);
}

const char *fr_store_trouble(struct fr_store *store)
{
    if (!store->driver->is_in_place(store))
        return "The database file was moved or deleted; put it back and restart the daemon.";
    if (fr_sql_one(store, FR_SQL_READY, NULL, NULL, NULL, NULL) != FR_STORE_FAILED)
        return NULL;
    return store->failure == FR_STORE_DAMAGED
               ? "The database is damaged; stop the daemon and restore a backup."
               : "The database does not answer; the log says why.";
}

enum fr_store_failure fr_store_failure(const struct fr_store *store)
{
    return store->failure;
}

struct fr_store_quota fr_store_quota(const struct fr_store *store)
{
    return store->quota;
}

bool fr_store_is_shared(const struct fr_store *store)
{
    return store->driver->is_shared;
}

int fr_store_hear(struct fr_store *store, int64_t *version)
{
    return store->driver->hear(store, version);
}

void fr_store_hurry(const char *name, bool is_ending)
{
    driver_of(name)->hurry(is_ending);
}

void fr_store_limit(struct fr_store *store, unsigned most_ms)
{
    store->driver->limit(store, most_ms);
}

int fr_store_claim(struct fr_store *store)
{
    return store->driver->claim(store);
}

int fr_store_lock(const char *name, enum fr_store_use use, struct fr_log *log, int *lock)
{
    return driver_of(name)->lock(name, use, log, lock);
}

void fr_store_unlock(int lock)
{
    if (lock >= 0)
        close(lock);
}

int fr_store_schema(const char *name, struct fr_log *log, int *version, int *newest)
{
    return driver_of(name)->schema(name, log, version, newest);
}

int fr_store_check_quickly(const char *name, unsigned most_ms, struct fr_log *log)
{
    return driver_of(name)->check_quickly(name, most_ms, log);
}

int fr_store_check(const char *name, struct fr_log *log)
{
    return driver_of(name)->check(name, log);
}

int fr_store_backup(const char *name, const char *path, struct fr_log *log)
{
    return driver_of(name)->backup(name, path, log);
}

int fr_store_restore(const char *backup, const char *name, struct fr_log *log)
{
    return driver_of(name)->restore(backup, name, log);
}
