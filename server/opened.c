#include "server/opened.h"

#include "server/store/lock.h"
#include "server/store/store.h"

#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void fr_opened_read(struct fr_opened *opened, struct fr_command_line *line, int argc, char **argv)
{
    memset(opened, 0, sizeof *opened);
    fr_command_line_read(line, argc, argv, &opened->config);
    atomic_init(&opened->log.level, (int)atomic_load(&opened->config.log_level));
    snprintf(opened->author, sizeof opened->author, "%s, user %u", line->name, (unsigned)getuid());
    opened->log.is_json = atomic_load(&opened->config.log) == FR_LOG_AS_JSON;
}

void fr_opened_lock(struct fr_opened *opened)
{
    if (fr_store_lock(opened->config.db, FR_STORE_SHARED, &opened->log, &opened->lock) !=
        FR_STORE_OK)
        exit(FR_FAILED);
}

/* A daemon of an older version may serve from the database, and could not be started again. */
static bool is_older(struct fr_opened *opened)
{
    int version = 0, newest;

    if (fr_store_schema(opened->config.db, &opened->log, &version, &newest) != FR_STORE_OK)
        return true;
    if (version == 0 || version >= newest)
        return false;
    fr_logf(&opened->log, FR_LOG_ERROR, "store_not_opened",
            "the database has schema version %d, this program has %d; start the daemon of this "
            "version, which brings it up to date",
            version, newest);
    return true;
}

void fr_opened_store(struct fr_opened *opened)
{
    if (sodium_init() < 0)
        exit(FR_FAILED);
    fr_opened_lock(opened);
    if (is_older(opened))
        exit(FR_FAILED);
    opened->store = fr_store_open(opened->config.db, &opened->log);
    if (!opened->store)
        exit(FR_FAILED);
    fr_store_set_author(opened->store, &(struct fr_author){ .command = opened->author });
}

int fr_opened_close(struct fr_opened *opened, int status)
{
    fr_store_close(opened->store);
    fr_store_unlock(opened->lock);
    return status;
}

int fr_misuse(const char *program, const char *what)
{
    fprintf(stderr, "%s: %s; try --help\n", program, what);
    return FR_MISUSED;
}
