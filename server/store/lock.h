/* Who uses a database file.  The locks are in the file itself, behind the bytes that SQLite locks:
 * they follow links, end with their process, and leave nothing in the folder.  A server of
 * databases needs none of them.
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

/* Locks an existing file without waiting: FR_STORE_OK, or FR_STORE_FAILED, logged.  *lock becomes a
 * descriptor, or -1 where nothing is to be locked.  To release it, close it after the last
 * connection: closing drops all of SQLite's locks of this process. */
int fr_store_lock(const char *name, enum fr_store_use use, struct fr_log *log, int *lock);
/* Closes a lock; -1 does nothing. */
void fr_store_unlock(int lock);

#endif
