/* The subcommands audit and prune. */
#include "server/commands.h"

#include "server/opened.h"
#include "server/service/service.h"
#include "server/store/store.h"

#include <stdio.h>

enum { PAGE = 1000, PAGE_BYTES = 16 * 1024 * 1024 };

static void print_entry(const struct fr_audit_entry *entry)
{
    struct fr_writer line;
    struct fr_rows rows;

    fr_writer_init(&line);
    fr_rows_begin(&rows, &line, FR_JSON);
    fr_audit_write(&rows, entry);
    fr_rows_end(&rows);
    printf("%.*s\n", (int)line.length, line.text ? line.text : "");
    fr_writer_free(&line);
}

static int print_all(struct fr_opened *opened, struct fr_arena *arena)
{
    const struct fr_arena_mark mark = fr_arena_mark(arena);
    struct fr_audit_entry *entries;
    int64_t before = 0;
    size_t count;

    do {
        fr_arena_release(arena, mark);
        if (fr_store_list_audit(opened->store, before, PAGE, arena, &entries, &count) !=
            FR_STORE_OK)
            return FR_FAILED;
        for (size_t i = 0; i < count; i++)
            print_entry(&entries[i]);
        before = count ? entries[count - 1].sequence : 0;
    } while (count == PAGE);
    return 0;
}

int fr_command_audit(int argc, char **argv)
{
    struct fr_command_line line = { .name = argv[0],
                                    .doc = "Prints who wrote what and when, a JSON object a line, "
                                           "newest first." };
    struct fr_arena *arena = fr_arena_new(PAGE_BYTES);
    struct fr_opened opened;
    int status;

    fr_opened_read(&opened, &line, argc, argv);
    fr_opened_store(&opened);
    status = arena ? print_all(&opened, arena) : FR_FAILED;
    fr_arena_free(arena);
    return fr_opened_close(&opened, status);
}

static int print_doomed(struct fr_opened *opened, const struct fr_retention *rules,
                        struct fr_arena *arena)
{
    const struct fr_retention of_kind[] = { { .run_days = rules->run_days },
                                            { .calibrations = rules->calibrations } };
    struct fr_doomed *doomed;
    size_t count;

    for (size_t kind = 0; kind < 2; kind++) {
        if (fr_store_list_doomed(opened->store, &of_kind[kind], INT64_MAX, arena, &doomed,
                                 &count) != FR_STORE_OK)
            return FR_FAILED;
        for (size_t i = 0; i < count; i++)
            printf("%s %s %s\n", doomed[i].kind, doomed[i].id, doomed[i].machine);
    }
    return 0;
}

static int prune(struct fr_opened *opened, const struct fr_retention *rules, struct fr_arena *arena)
{
    const struct fr_arena_mark mark = fr_arena_mark(arena);
    size_t deleted;

    do {
        fr_arena_release(arena, mark);
        if (fr_store_prune(opened->store, rules, FR_UPKEEP_ROWS, arena, &deleted) != FR_STORE_OK)
            return FR_FAILED;
    } while (deleted);
    return 0;
}

int fr_command_prune(int argc, char **argv)
{
    bool is_dry = false;
    const struct fr_command_option own[] = {
        { 'd', "dry-run", NULL, "Only print what would be deleted.", .flag = &is_dry },
        { .letter = 0 },
    };
    struct fr_command_line line = {
        .name = argv[0],
        .doc = "Deletes what run_retention_days, calibrations_kept and audit_retention_days do not "
               "keep, as the daemon does by itself every minute.",
        .options = own,
        .has_all_settings = true,
    };
    struct fr_arena *arena = fr_arena_new(SIZE_MAX);
    struct fr_retention rules;
    struct fr_opened opened;
    int status;

    fr_opened_read(&opened, &line, argc, argv);
    rules = fr_upkeep_rules(&opened.config);
    fr_opened_store(&opened);
    status = !arena   ? FR_FAILED
             : is_dry ? print_doomed(&opened, &rules, arena)
                      : prune(&opened, &rules, arena);
    fr_arena_free(arena);
    return fr_opened_close(&opened, status);
}
