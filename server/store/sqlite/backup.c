/* Copies of the database, and their way back. */
#include "server/store/sqlite/sqlite.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int failed(struct fr_log *log, const char *event, const char *path, const char *why)
{
    fr_logf(log, FR_LOG_ERROR, event, "%s: %s", path, why);
    return FR_STORE_FAILED;
}

/* Copies everything in one step: a copy in small steps starts again after each write of another
 * connection.  With a write-ahead log no writer has to wait. */
static int copy_into(struct fr_sqlite *store, sqlite3 *copy)
{
    sqlite3_backup *backup = sqlite3_backup_init(copy, "main", store->db, "main");
    int code;

    if (!backup)
        return sqlite3_errcode(copy);
    sqlite3_backup_step(backup, -1);
    code = sqlite3_backup_finish(backup);
    /* Without a write-ahead log the copy is one file, and is read where nothing can be written. */
    return code == SQLITE_OK ? sqlite3_exec(copy, "PRAGMA journal_mode = DELETE", NULL, NULL, NULL)
                             : code;
}

/* Fills an empty file. */
static int fill(struct fr_sqlite *store, const char *path, const char *event)
{
    struct fr_sqlite *copy = fr_sqlite_connect(path, store->base.log);
    const int code = copy ? copy_into(store, copy->db) : SQLITE_CANTOPEN;
    int result = FR_STORE_FAILED;

    if (code == SQLITE_OK)
        result = fr_sqlite_check(copy);
    else
        failed(store->base.log, event, path, sqlite3_errstr(code));
    fr_sqlite_close(copy);
    return result;
}

/* Makes a new file with a checked copy; leaves no incomplete one. */
static int copy_to(struct fr_sqlite *store, const char *path, const char *event)
{
    const int error = fr_sqlite_create(path);
    int result;

    if (error != 0) {
        failed(store->base.log, event, path, strerror(error));
        return error == EEXIST ? FR_STORE_EXISTS : FR_STORE_FAILED;
    }
    result = fill(store, path, event);
    if (result != FR_STORE_OK)
        unlink(path);
    return result;
}

/* Of the schema that it has, so that the program that made it can read the copy. */
static int copy_file(const char *from, const char *to, struct fr_log *log, const char *event)
{
    struct fr_sqlite *store = fr_sqlite_connect(from, log);
    int result = FR_STORE_FAILED;

    if (store && fr_sqlite_is_known(store))
        result = copy_to(store, to, event);
    fr_sqlite_close(store);
    return result;
}

int fr_sqlite_backup(const char *name, const char *path, struct fr_log *log)
{
    return copy_file(name, path, log, "backup_failed");
}

/* ---- reading ------------------------------------------------------------------------------ */

/* The file itself if its schema is that of this release, else a temporary copy that is migrated. */
static struct fr_sqlite *current(struct fr_sqlite *file, const char *path)
{
    struct fr_sqlite *copy;
    int version = 0, newest, code;

    if (fr_sqlite_schema(path, file->base.log, &version, &newest) == FR_STORE_OK &&
        version == newest)
        return file;
    copy = fr_sqlite_connect_temporary(file->base.log);
    code = copy ? copy_into(file, copy->db) : SQLITE_CANTOPEN;
    fr_sqlite_close(file);
    if (code == SQLITE_OK && fr_sqlite_migrate(copy) == FR_STORE_OK)
        return copy;
    if (copy && code != SQLITE_OK)
        failed(copy->base.log, "store_not_opened", path, sqlite3_errstr(code));
    fr_sqlite_close(copy);
    return NULL;
}

struct fr_store *fr_sqlite_open_unchanged(const char *path, struct fr_log *log)
{
    struct fr_sqlite *sqlite = fr_sqlite_connect(path, log);

    if (!sqlite || !fr_sqlite_is_known(sqlite)) {
        fr_sqlite_close(sqlite);
        return NULL;
    }
    sqlite = current(sqlite, path);
    if (sqlite && fr_sqlite_run(sqlite, "PRAGMA query_only = ON") == FR_STORE_OK)
        return &sqlite->base;
    fr_sqlite_close(sqlite);
    return NULL;
}

/* ---- restoring ---------------------------------------------------------------------------- */

/* Writes the folder of a file, whose path is absolute. */
static void folder_of(const char *path, char folder[PATH_MAX])
{
    const size_t length = (size_t)(strrchr(path, '/') - path);

    snprintf(folder, PATH_MAX, "%.*s", length ? (int)length : 1, path);
}

/* Makes what was done in the folder of a file last through a power failure. */
static bool sync_folder(const char *path)
{
    char folder[PATH_MAX];
    int file;
    bool is_synced;

    folder_of(path, folder);
    file = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    is_synced = file >= 0 && fsync(file) == 0;
    if (file >= 0)
        close(file);
    return is_synced;
}

/* SQLite would apply the logs of the old file to the new one: they go first, and for good. */
static bool remove_logs(const char *path)
{
    static const char *const endings[] = { "-wal", "-shm", "-journal" };

    for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++) {
        char log[PATH_MAX];

        snprintf(log, sizeof log, "%s%s", path, endings[i]);
        if (unlink(log) != 0 && errno != ENOENT)
            return false;
    }
    return sync_folder(path);
}

/* An operator may restore as root: the copy belongs to whom the old file did, or its folder does if
 * there was none, or else the daemon could not open it. */
static bool give_to_owner(const char *copy, const char *path, bool was_there)
{
    char folder[PATH_MAX];
    struct stat owner;
    bool is_given;
    int file;

    folder_of(path, folder);
    if (stat(was_there ? path : folder, &owner) != 0)
        return false;
    if (geteuid() != 0 && (!was_there || owner.st_uid == geteuid()))
        return true;
    file = open(copy, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
    is_given = file >= 0 && fchown(file, owner.st_uid, owner.st_gid) == 0;
    if (file >= 0)
        close(file);
    return is_given;
}

/* `path` is absolute and without links, since rename(2) would replace a link. */
static int replace(const char *backup, const char *path, bool was_there, struct fr_log *log)
{
    char copy[PATH_MAX];
    int result;

    if (snprintf(copy, sizeof copy, "%s" FR_STORE_RESTORED, path) >= (int)sizeof copy)
        return failed(log, "restore_failed", path, strerror(ENAMETOOLONG));
    unlink(copy); /* of an attempt that was killed; the lock keeps others out */
    result = copy_file(backup, copy, log, "restore_failed");
    if (result != FR_STORE_OK)
        return FR_STORE_FAILED;
    if (give_to_owner(copy, path, was_there) && remove_logs(path) && rename(copy, path) == 0 &&
        sync_folder(path))
        return FR_STORE_OK;
    result = failed(log, "restore_failed", path, strerror(errno));
    unlink(copy);
    return result;
}

int fr_sqlite_restore(const char *backup, const char *path, struct fr_log *log)
{
    char *place;
    int error, lock, result;

    error = fr_sqlite_create(path);
    if (error != 0 && error != EEXIST)
        return failed(log, "restore_failed", path, strerror(error));
    if (fr_sqlite_lock(path, FR_STORE_REPLACED, log, &lock) != FR_STORE_OK)
        return FR_STORE_FAILED;
    place = realpath(path, NULL);
    result = place ? replace(backup, place, error == EEXIST, log)
                   : failed(log, "restore_failed", path, strerror(errno));
    if (result != FR_STORE_OK && error == 0)
        unlink(path); /* it was made only to be locked */
    free(place);
    close(lock);
    return result;
}
