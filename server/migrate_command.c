/* The subcommand migrate. */
#include "server/commands.h"

#include "server/opened.h"
#include "server/store/lock.h"
#include "server/store/store.h"

#include <inttypes.h>
#include <stdio.h>

static void tell(void *context, const char *table, int64_t rows)
{
    (void)context;
    printf("%s: %" PRId64 " rows, the same in both\n", table, rows);
}

/* A daemon may use the file meanwhile. */
static int migrate(const char *file, const char *url, struct fr_log *log)
{
    struct fr_store *from = NULL, *to = NULL;
    int lock = -1, result = fr_store_lock(file, FR_STORE_SHARED, log, &lock);

    if (result == FR_STORE_OK) {
        from = fr_store_open_unchanged(file, log);
        to = from ? fr_store_open(url, log) : NULL;
        result = to ? fr_store_migrate(from, to, tell, NULL) : FR_STORE_FAILED;
    }
    fr_store_close(to);
    fr_store_close(from);
    fr_store_unlock(lock);
    return result;
}

int fr_command_migrate(int argc, char **argv)
{
    const char *from = NULL, *to = NULL;
    const struct fr_command_option own[] = {
        { 'f', "from", "FILE", "A database of SQLite, which stays.", .text = &from },
        { 't', "to", "URL", "An empty database of PostgreSQL.", .text = &to },
        { .letter = 0 },
    };
    struct fr_command_line line = {
        .name = argv[0],
        .doc = "Copies a database of SQLite into an empty one of PostgreSQL, all or nothing, and "
               "compares each row.  What a daemon writes meanwhile stays behind: stop it before.",
        .options = own
    };
    struct fr_opened opened;

    fr_opened_read(&opened, &line, argc, argv);
    if (!from || !to || fr_config_is_url(from) || !fr_config_is_url(to))
        return fr_misuse(argv[0], "--from FILE and --to postgresql://... are required");
    if (migrate(from, to, &opened.log) != FR_STORE_OK)
        return FR_FAILED;
    printf("serve from it with --db; the file has all that it had\n");
    return 0;
}
