#include "server/store/sqlite/sqlite.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* SQLite locks 512 bytes from its PENDING_BYTE on (https://sqlite.org/src, os.h). */
enum { SQLITE_BYTE = 0x40000000, SERVING_BYTE = SQLITE_BYTE + 512, USING_BYTE, END_BYTE };

static const char is_served[] =
    "another forerund serves from it; stop it first, or give this one a database of its own";
static const char is_replaced[] = "it is being restored; try again when that has ended";
static const char is_cut[] =
    "a restore was interrupted, as its copy, of the same name with " FR_STORE_RESTORED
    ", shows; repeat it";
static const char is_used[] = "a daemon or another program has it open; stop it first";

/* The lock belongs to the descriptor, so that SQLite, which opens and closes the same file, does
 * not drop it. */
static bool lock_bytes(int file, short type, off_t first, off_t end)
{
    struct flock lock = {
        .l_type = type, .l_whence = SEEK_SET, .l_start = first, .l_len = end - first
    };

    return fcntl(file, F_OFD_SETLK, &lock) == 0;
}

/* NULL, or why the file cannot be used like this. */
static const char *take(int file, enum fr_store_use use)
{
    if (use == FR_STORE_REPLACED)
        return lock_bytes(file, F_WRLCK, SQLITE_BYTE, END_BYTE) ? NULL : is_used;
    if (!lock_bytes(file, F_RDLCK, USING_BYTE, END_BYTE))
        return is_replaced;
    if (use == FR_STORE_SERVED && !lock_bytes(file, F_WRLCK, SERVING_BYTE, USING_BYTE))
        return is_served;
    return NULL;
}

/* Whether the path still leads to the open file, which may have been replaced before the lock. */
static bool is_at(int file, const char *path)
{
    struct stat opened, found;

    return fstat(file, &opened) == 0 && stat(path, &found) == 0 && opened.st_dev == found.st_dev &&
           opened.st_ino == found.st_ino;
}

/* A restore removes the logs of the old file before it replaces it.  What is left if it is cut
 * between the two may lack writes. */
static bool is_half_restored(const char *path)
{
    char *place = realpath(path, NULL), copy[PATH_MAX];
    bool is_there;

    snprintf(copy, sizeof copy, "%s" FR_STORE_RESTORED, place ? place : path);
    is_there = access(copy, F_OK) == 0;
    free(place);
    return is_there;
}

int fr_sqlite_lock(const char *path, enum fr_store_use use, struct fr_log *log, int *lock)
{
    const int file = open(path, O_RDWR | O_CLOEXEC);
    const char *trouble = file < 0 ? strerror(errno) : take(file, use);

    if (!trouble && !is_at(file, path))
        trouble = is_replaced;
    if (!trouble && use == FR_STORE_SERVED && is_half_restored(path))
        trouble = is_cut;
    if (!trouble) {
        *lock = file;
        return FR_STORE_OK;
    }
    fr_logf(log, FR_LOG_ERROR, "store_not_opened", "%s: %s", path, trouble);
    if (file >= 0)
        close(file);
    return FR_STORE_FAILED;
}
