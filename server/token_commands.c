/* The subcommands token create, list and revoke. */
#include "server/commands.h"

#include "server/calibrations/document.h"
#include "server/core/clock.h"
#include "server/core/utf8.h"
#include "server/http/server.h"
#include "server/opened.h"
#include "server/store/store.h"

#include <ctype.h>
#include <inttypes.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { LIST_BYTES = 16 * 1024 * 1024, MOST_DAYS = 36500, DAY_S = 86400 };
/* Of the setting kept_bytes_per_token too. */
static const int64_t MOST_KEPT_BYTES = INT64_C(1) << 50;
enum { MACHINE_BYTES = 65, NOTE_BYTES = 200 };

struct token_options {
    const char *name, *scope, *expires, *note, *keep;
    struct fr_repeated machines;
};

static bool is_token_name(const char *name)
{
    const size_t length = strlen(name);

    return length > 0 && length < 64 &&
           strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._@-") ==
               length;
}

/* A name, or the beginning of names with `*` behind it. */
static bool is_machine(const char *text)
{
    char name[MACHINE_BYTES];
    const size_t length = strlen(text);

    if (length < 2 || length > sizeof name - 1 || text[length - 1] != '*')
        return fr_machine_name_is_legal(text);
    snprintf(name, sizeof name, "%.*s", (int)(length - 1), text);
    return fr_machine_name_is_legal(name);
}

static void write_time(time_t at, char out[FR_TIMESTAMP_BYTES])
{
    struct tm utc;

    strftime(out, FR_TIMESTAMP_BYTES, "%Y-%m-%dT%H:%M:%S.000Z", gmtime_r(&at, &utc));
}

/* Reads days from now, a day or a time; false unless it is one, and in the future. */
static bool read_expiry(const char *text, char out[FR_TIMESTAMP_BYTES])
{
    const time_t now = time(NULL);
    char *end, today[FR_TIMESTAMP_BYTES];
    const long days = strtol(text, &end, 10);

    write_time(now, today);
    if (*text && !*end) {
        if (days < 1 || days > MOST_DAYS)
            return false;
        write_time(now + days * DAY_S, out);
        return true;
    }
    return fr_timestamp_read_bound(text, true, out) && strcmp(out, today) > 0;
}

/* False unless the text is a number of bytes. */
static bool read_keep(const char *text, int64_t *out)
{
    char *end;
    const long long bytes = strtoll(text, &end, 10);

    if (!isdigit((unsigned char)*text) || *end || bytes > MOST_KEPT_BYTES)
        return false;
    *out = bytes;
    return true;
}

static const char *fault_of(const struct token_options *options)
{
    if (options->name && !is_token_name(options->name))
        return "--name takes up to 63 of A-Z a-z 0-9 . _ @ -";
    if (!options->scope || fr_scope_of(options->scope) == FR_OPEN)
        return "--scope read, runs, write or admin is required";
    if (options->machines.count > FR_MOST_REPEATED)
        return "--machine may be repeated 32 times; without it a token is for all machines";
    for (size_t i = 0; i < options->machines.count; i++)
        if (!is_machine(options->machines.text[i]))
            return "--machine takes a name of 1 to 64 of a-z 0-9 . _ -, or the beginning of names "
                   "and *";
    if (options->note && (strlen(options->note) > NOTE_BYTES || !fr_is_shown(options->note)))
        return "--note takes up to 200 bytes of UTF-8 without control characters";
    return NULL;
}

static void join_machines(const struct token_options *options, char *out)
{
    *out = '\0';
    for (size_t i = 0; i < options->machines.count; i++) {
        if (i)
            strcat(out, " ");
        strcat(out, options->machines.text[i]);
    }
}

static int create(struct fr_opened *opened, const char *program, const struct fr_token *wanted)
{
    char token[FR_TOKEN_TEXT], hash[FR_TOKEN_TEXT];
    int result;

    fr_token_make(token);
    fr_token_hash(token, hash);
    result = fr_store_add_token(opened->store, wanted, hash);
    if (result == FR_STORE_OK)
        printf("%s\n", token);
    else if (result == FR_STORE_EXISTS)
        fprintf(stderr,
                "%s: a token is or was named %s; choose another name, by which the audit log "
                "tells them apart\n",
                program, wanted->name);
    return result == FR_STORE_OK ? 0 : FR_FAILED;
}

int fr_command_token_create(int argc, char **argv)
{
    struct token_options options = { 0 };
    const struct fr_command_option own[] = {
        { 'n', "name", "NAME",
          "What the token is called; default: a new name, printed on standard error.",
          .text = &options.name },
        { 's', "scope", "read|runs|write|admin", "What the token permits.",
          .text = &options.scope },
        { 'm', "machine", "MACHINE",
          "A machine that it may write, and no other that is not named so; gpu-* is every machine "
          "whose name begins with gpu-; may be repeated.",
          .repeated = &options.machines },
        { 'e', "expires", "DATE|DAYS",
          "The last day or moment (2027-01-31, 2027-01-31T12:00:00Z) or so many days from now.",
          .text = &options.expires },
        { 'k', "keep", "BYTES",
          "What it may have stored, in place of the setting kept_bytes_per_token; 0 for any "
          "number.",
          .text = &options.keep },
        { 't', "note", "TEXT", "Shown by token list.", .text = &options.note },
        { .letter = 0 },
    };
    struct fr_command_line line = { .name = argv[0],
                                    .doc = "Creates a token and prints it once.",
                                    .options = own };
    char machines[FR_MOST_REPEATED * MACHINE_BYTES], name[16], expires_at[FR_TIMESTAMP_BYTES];
    struct fr_token wanted = { .machines = machines, .name = name, .keep_bytes = FR_KEEP_USUAL };
    struct fr_opened opened;
    const char *fault;
    int status;

    fr_opened_read(&opened, &line, argc, argv);
    fault = fault_of(&options);
    if (!fault && options.expires && !read_expiry(options.expires, expires_at))
        fault = "--expires takes a day like 2027-01-31, a time like 2027-01-31T12:00:00Z, or a "
                "number of days up to 36500, and not the past";
    if (!fault && options.keep && !read_keep(options.keep, &wanted.keep_bytes))
        fault = "--keep takes a number of bytes up to 2^50, 0 for any number";
    if (fault)
        return fr_misuse(argv[0], fault);
    fr_opened_store(&opened);
    join_machines(&options, machines);
    if (options.name) {
        wanted.name = options.name;
    } else {
        snprintf(name, sizeof name, "t%08x", randombytes_random());
    }
    wanted.scope = options.scope;
    wanted.note = options.note ? options.note : "";
    wanted.expires_at = options.expires ? expires_at : NULL;
    status = create(&opened, argv[0], &wanted);
    if (status == EXIT_SUCCESS && !options.name)
        fprintf(stderr, "%s: the name is %s\n", argv[0], name);
    return fr_opened_close(&opened, status);
}

static const char *or_dash(const char *text)
{
    return text && *text ? text : "-";
}

int fr_command_token_list(int argc, char **argv)
{
    struct fr_command_line line = {
        .name = argv[0],
        .doc =
            "Lists the tokens, a line each, separated by tabs: name, scope, when it was created, "
            "the machines that it may write (* for all), when it expires, was last used (within "
            "a minute) and was revoked, its note, the bytes that it keeps, and those that it may "
            "keep (- for the setting kept_bytes_per_token); - for none."
    };
    struct fr_arena *arena = fr_arena_new(LIST_BYTES);
    struct fr_token *tokens = NULL;
    struct fr_opened opened;
    size_t count = 0;
    int result;

    fr_opened_read(&opened, &line, argc, argv);
    fr_opened_store(&opened);
    result = arena ? fr_store_list_tokens(opened.store, arena, &tokens, &count) : FR_STORE_FAILED;
    for (size_t i = 0; result == FR_STORE_OK && i < count; i++) {
        const struct fr_token *token = &tokens[i];

        char keep[24] = "-";

        if (token->keep_bytes != FR_KEEP_USUAL)
            snprintf(keep, sizeof keep, "%" PRId64, token->keep_bytes);
        printf("%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%" PRId64 "\t%s\n", token->name, token->scope,
               token->created_at, *token->machines ? token->machines : "*",
               or_dash(token->expires_at), or_dash(token->last_used_at), or_dash(token->revoked_at),
               or_dash(token->note), token->kept_bytes, keep);
    }
    fr_arena_free(arena);
    return fr_opened_close(&opened, result == FR_STORE_OK ? 0 : FR_FAILED);
}

int fr_command_token_revoke(int argc, char **argv)
{
    const char *name = NULL;
    const struct fr_command_option own[] = {
        { 'n', "name", "NAME", "The same as the argument.", .text = &name },
        { .letter = 0 },
    };
    struct fr_command_line line = { .name = argv[0],
                                    .arguments_doc = "NAME",
                                    .doc = "Revokes a token immediately.",
                                    .options = own,
                                    .most_arguments = 1 };
    struct fr_opened opened;
    int result;

    fr_opened_read(&opened, &line, argc, argv);
    if (line.argument_count)
        name = line.argument[0];
    if (!name)
        return fr_misuse(argv[0], "the name of a token is required");
    fr_opened_store(&opened);
    result = fr_store_revoke_token(opened.store, name);
    if (result == FR_STORE_NONE)
        fprintf(stderr, "%s: there is no token named %s\n", argv[0], name);
    return fr_opened_close(&opened, result == FR_STORE_OK ? 0 : FR_FAILED);
}
