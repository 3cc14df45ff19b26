#include "server/machines/shipped_facts.h"

#include "server/calibrations/facts.h"
#include "server/calibrations/import.h"
#include "server/core/config.h"
#include "server/core/log.h"
#include "server/store/store.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { MOST_MACHINES = 1000, ARENA_BYTES = 1 << 24 };

/* Takes over `text`, which is from malloc. */
static void import(struct fr_store *store, const char *name, char *text, size_t length,
                   struct fr_arena *arena, struct fr_faults *faults)
{
    struct fr_facts facts;
    struct fr_writer json;
    bool created;

    fr_facts_read(text, length, arena, &facts, faults);
    free(text);
    if (faults->count)
        return;
    fr_writer_init(&json);
    fr_facts_write(&json, &facts);
    fr_writer_append(&json, "", 1);
    fr_store_put_machine(store, name, facts.description, json.text, &created);
    fr_writer_free(&json);
}

static void import_logged(struct fr_store *store, const char *name, const char *path,
                          struct fr_arena *arena, struct fr_log *log)
{
    struct fr_faults faults;
    size_t length;
    char *text;

    faults.count = 0;
    text = fr_import_text(path, &length, &faults);
    if (text)
        import(store, name, text, length, arena, &faults);
    for (size_t i = 0; i < fr_faults_kept(&faults); i++)
        fr_log(log, FR_LOG_ERROR, "facts_refused", "path", path, "where", faults.fault[i].where,
               "error", faults.fault[i].message, NULL);
}

void fr_shipped_facts_import(struct fr_store *store, const char *folder, struct fr_log *log)
{
    struct fr_arena *arena = fr_arena_new(ARENA_BYTES);
    struct fr_machine *machine;
    char path[2 * FR_PATH_BYTES];
    size_t count = 0;

    if (arena)
        fr_store_list_machines(store, NULL, MOST_MACHINES, arena, &machine, &count);
    for (size_t i = 0; i < count; i++) {
        snprintf(path, sizeof path, "%s/facts/%s.json", folder, machine[i].name);
        if (access(path, F_OK) == 0)
            import_logged(store, machine[i].name, path, arena, log);
    }
    fr_arena_free(arena);
}
