/* Who uses a database file.  The locks are in the file itself, behind the bytes that SQLite locks:
 * they follow links, end with their process, and leave nothing in the folder.
 */
#ifndef FR_STORE_LOCK_H
#define FR_STORE_LOCK_H

struct fr_log;

/* A file of this ending beside the database is the copy that a restore makes. */
#define FR_STORE_RESTORED "-restored"

enum fr_store_use {
    FR_STORE_SHARED,   /* a command, beside a daemon and other commands */
    FR_STORE_SERVED,   /* a daemon: the only one */
    FR_STORE_REPLACED, /* nobody else, not even a program that knows only SQLite's locks */
};

/* Locks an existing file without waiting; returns a descriptor, or -1, logged.  To release the
 * lock, close it after the last connection: closing drops all of SQLite's locks of this process. */
int fr_store_lock(const char *path, enum fr_store_use use, struct fr_log *log);

#endif
