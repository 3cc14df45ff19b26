/* What the subcommands share: their options, the database, exit codes. */
#ifndef FR_OPENED_H
#define FR_OPENED_H

#include "server/core/config.h"
#include "server/core/log.h"

struct fr_store;

enum { FR_FAILED = 1, FR_MISUSED = 2 };

struct fr_opened {
    struct fr_config config;
    struct fr_log log;
    struct fr_store *store;
    int lock;
    char author[80]; /* of what the command writes */
};

/* Reads the options; ends the program if they are wrong. */
void fr_opened_read(struct fr_opened *opened, struct fr_command_line *line, int argc, char **argv);
/* Takes the database for the command, unopened; ends the program if there is none. */
void fr_opened_lock(struct fr_opened *opened);
/* Opens it too; ends the program if that fails.  Leaves a schema of an older version alone. */
void fr_opened_store(struct fr_opened *opened);
/* Returns the exit code `status`. */
int fr_opened_close(struct fr_opened *opened, int status);
/* Says what is wrong with the arguments; returns the exit code. */
int fr_misuse(const char *program, const char *what);

#endif
