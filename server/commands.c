/* The subcommands token, import, backup, check and restore.  All but the last work while a daemon
 * uses the database. */
#include "server/commands.h"

#include "server/calibrations/facts.h"
#include "server/calibrations/import.h"
#include "server/core/command_line.h"
#include "server/core/log.h"
#include "server/http/token.h"
#include "server/store/lock.h"
#include "server/store/store.h"

#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FAILED = 1, MISUSED = 2, FEW_BYTES = 1024 * 1024 };

/* Resources that every subcommand opens. */
struct opened {
    struct fr_config config;
    struct fr_log log;
    struct fr_store *store;
    int lock;
};

static void read_options(struct opened *opened, struct fr_command_line *line, int argc, char **argv)
{
    memset(opened, 0, sizeof *opened);
    fr_command_line_read(line, argc, argv, &opened->config);
    atomic_init(&opened->log.level, (int)atomic_load(&opened->config.log_level));
    opened->log.is_json = atomic_load(&opened->config.log) == FR_LOG_AS_JSON;
}

/* Exits if there is no database or it cannot be opened. */
static void open_store(struct opened *opened)
{
    if (sodium_init() < 0)
        exit(FAILED);
    opened->lock = fr_store_lock(opened->config.db, FR_STORE_SHARED, &opened->log);
    if (opened->lock < 0)
        exit(FAILED);
    opened->store = fr_store_open(opened->config.db, &opened->log);
    if (!opened->store)
        exit(FAILED);
}

static int close_store(struct opened *opened, int status)
{
    fr_store_close(opened->store);
    close(opened->lock);
    return status;
}

static int misuse(const char *program, const char *what)
{
    fprintf(stderr, "%s: %s; try --help\n", program, what);
    return MISUSED;
}

struct token_options {
    const char *name, *scope;
};

static void take_token_option(void *cls, int key, const char *value)
{
    struct token_options *options = cls;

    *(key == 'n' ? &options->name : &options->scope) = value;
}

static const struct argp_option token_options[] = {
    { .name = "name", .key = 'n', .arg = "NAME", .doc = "Whose token it is." },
    { .name = "scope", .key = 's', .arg = "write|admin", .doc = "Permission of the token." },
    { 0 },
};
static const struct argp_option revoke_options[] = {
    { .name = "name", .key = 'n', .arg = "NAME", .doc = "Whose token it is." },
    { 0 },
};

static bool is_token_name(const char *name)
{
    const size_t length = strlen(name);

    return length > 0 && length < 64 &&
           strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._@-") ==
               length;
}

int fr_command_token_create(int argc, char **argv)
{
    struct token_options options = { 0 };
    struct fr_command_line line = { .name = argv[0],
                                    .doc = "Creates a token and prints it once.",
                                    .options = token_options,
                                    .take = take_token_option,
                                    .cls = &options };
    char token[FR_TOKEN_TEXT], hash[FR_TOKEN_TEXT];
    struct opened opened;
    int result;

    read_options(&opened, &line, argc, argv);
    if (!options.name || !is_token_name(options.name))
        return misuse(argv[0], "--name NAME is required: up to 63 of A-Z a-z 0-9 . _ @ -");
    if (!options.scope || fr_scope_of(options.scope) == FR_OPEN)
        return misuse(argv[0], "--scope write or --scope admin is required");
    open_store(&opened);
    fr_token_make(token);
    fr_token_hash(token, hash);
    result = fr_store_add_token(opened.store, options.name, options.scope, hash);
    if (result == FR_STORE_OK)
        printf("%s\n", token);
    else if (result == FR_STORE_EXISTS)
        fprintf(stderr, "%s: a token named %s exists; revoke it first\n", argv[0], options.name);
    return close_store(&opened, result == FR_STORE_OK ? 0 : FAILED);
}

int fr_command_token_list(int argc, char **argv)
{
    struct fr_command_line line = { .name = argv[0],
                                    .doc = "Lists the tokens: name, scope, time of creation." };
    struct fr_arena *arena = fr_arena_new(FEW_BYTES);
    struct fr_token *tokens = NULL;
    struct opened opened;
    size_t count = 0;
    int result;

    read_options(&opened, &line, argc, argv);
    open_store(&opened);
    result = arena ? fr_store_list_tokens(opened.store, arena, &tokens, &count) : FR_STORE_FAILED;
    for (size_t i = 0; result == FR_STORE_OK && i < count; i++)
        printf("%s\t%s\t%s\n", tokens[i].name, tokens[i].scope, tokens[i].created_at);
    fr_arena_free(arena);
    return close_store(&opened, result == FR_STORE_OK ? 0 : FAILED);
}

int fr_command_token_revoke(int argc, char **argv)
{
    struct token_options options = { 0 };
    struct fr_command_line line = { .name = argv[0],
                                    .doc = "Revokes a token immediately.",
                                    .options = revoke_options,
                                    .take = take_token_option,
                                    .cls = &options };
    struct opened opened;
    int result;

    read_options(&opened, &line, argc, argv);
    if (!options.name)
        return misuse(argv[0], "--name NAME is required");
    open_store(&opened);
    result = fr_store_revoke_token(opened.store, options.name);
    if (result == FR_STORE_NONE)
        fprintf(stderr, "%s: there is no token named %s\n", argv[0], options.name);
    return close_store(&opened, result == FR_STORE_OK ? 0 : FAILED);
}

static bool import_one(struct opened *opened, const char *path)
{
    struct fr_mismatches mismatches = { 0 };
    struct fr_faults faults;
    uint64_t loaded_parts = 0;
    bool created = false;
    char id[17] = "";
    int code;

    faults.count = 0;
    code = fr_import_file(opened->store, NULL, path, id, &created, &mismatches, &loaded_parts,
                          &faults);
    for (size_t i = 0; i < mismatches.count; i++)
        fprintf(stderr, "%s: warning: %s: the machine has %s, the document %s\n", path,
                mismatches.row[i].fact, mismatches.row[i].known, mismatches.row[i].found);
    for (size_t use = 0; use < FR_USE_COUNT; use++)
        if (loaded_parts & UINT64_C(1) << use)
            fprintf(stderr, "%s: warning: " FR_LOADED_MESSAGE "\n", path, fr_use_pointers[use]);
    if (code == FR_OK) {
        printf("%s %s %s\n", path, id, created ? "imported" : "already stored");
        return true;
    }
    for (size_t i = 0; i < fr_faults_kept(&faults); i++)
        fprintf(stderr, "%s: %s%s%s\n", path, faults.fault[i].where,
                faults.fault[i].where[0] ? ": " : "", faults.fault[i].message);
    if (faults.count > FR_MAX_FAULTS)
        fprintf(stderr, "%s: and %zu more faults\n", path, faults.count - FR_MAX_FAULTS);
    return false;
}

int fr_command_import(int argc, char **argv)
{
    struct fr_command_line line = { .name = argv[0],
                                    .arguments_doc = "CALIBRATION.json...",
                                    .doc =
                                        "Checks and stores calibration documents, like an upload.",
                                    .most_arguments = FR_MAX_ARGUMENTS };
    struct opened opened;
    bool is_good = true;

    read_options(&opened, &line, argc, argv);
    if (!line.argument_count)
        return misuse(argv[0], "a file is required");
    if (fr_database_prepare(opened.config.db, &opened.log) != FR_OK)
        return FAILED;
    open_store(&opened);
    for (size_t i = 0; i < line.argument_count; i++)
        is_good = import_one(&opened, line.argument[i]) && is_good;
    return close_store(&opened, is_good ? 0 : FAILED);
}

int fr_command_backup(int argc, char **argv)
{
    struct fr_command_line line = { .name = argv[0],
                                    .arguments_doc = "OUT",
                                    .doc = "Copies the database while the daemon runs.",
                                    .most_arguments = 1 };
    struct opened opened;
    int result;

    read_options(&opened, &line, argc, argv);
    if (!line.argument_count)
        return misuse(argv[0], "the file name of the copy is required");
    open_store(&opened);
    result = fr_store_backup(opened.store, line.argument[0]);
    return close_store(&opened, result == FR_STORE_OK ? 0 : FAILED);
}

int fr_command_check(int argc, char **argv)
{
    struct fr_command_line line = { .name = argv[0],
                                    .doc = "Looks for damage in all of the database." };
    struct opened opened;
    int lock, result;

    read_options(&opened, &line, argc, argv);
    lock = fr_store_lock(opened.config.db, FR_STORE_SHARED, &opened.log);
    if (lock < 0)
        return FAILED;
    result = fr_store_check(opened.config.db, &opened.log);
    close(lock);
    if (result == FR_STORE_OK)
        printf("%s: no damage\n", opened.config.db);
    return result == FR_STORE_OK ? 0 : FAILED;
}

static void take_backup(void *cls, int key, const char *value)
{
    (void)key;
    *(const char **)cls = value;
}

static const struct argp_option restore_options[] = {
    { .name = "from", .key = 'f', .arg = "BACKUP", .doc = "What `forerund backup` wrote." },
    { 0 },
};

int fr_command_restore(int argc, char **argv)
{
    const char *backup = NULL;
    struct fr_command_line line = { .name = argv[0],
                                    .doc = "Replaces the database by a checked copy of a backup, "
                                           "while no daemon serves from it.",
                                    .options = restore_options,
                                    .take = take_backup,
                                    .cls = &backup };
    struct opened opened;
    int result;

    read_options(&opened, &line, argc, argv);
    if (!backup)
        return misuse(argv[0], "--from BACKUP is required");
    result = fr_store_restore(backup, opened.config.db, &opened.log);
    return result == FR_STORE_OK ? 0 : FAILED;
}
