#include "server/machines/shipped.h"

#include "server/calibrations/catalogue.h"
#include "server/calibrations/facts.h"
#include "server/calibrations/import.h"
#include "server/core/config.h"
#include "server/core/log.h"
#include "server/runs/uploaded_runs.h"
#include "server/store/store.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { MOST_MACHINES = 1000, ARENA_BYTES = 1 << 24 };

/* A file about a machine.  `arena` lives until the file is stored. */
struct shipped {
    struct fr_store *store;
    struct fr_catalog *catalog;
    const char *machine, *text;
    size_t length;
    struct fr_arena *arena;
};

static void import_facts(const struct shipped *file, struct fr_faults *faults)
{
    struct fr_facts facts;
    struct fr_writer json;
    bool created;

    fr_facts_read(file->text, file->length, file->arena, &facts, faults);
    if (faults->count)
        return;
    fr_writer_init(&json);
    fr_facts_write(&json, &facts);
    fr_writer_append(&json, "", 1);
    fr_store_put_machine(file->store, file->machine, facts.description, json.text, &created);
    fr_writer_free(&json);
}

static void import_runs(const struct shipped *file, struct fr_faults *faults)
{
    struct fr_loaded *loaded = fr_catalog_newest(file->catalog, file->machine);
    const struct fr_run_upload upload = {
        .text = file->text,
        .length = file->length,
        .is_json_lines = true,
        .machine = file->machine,
        .cal = loaded ? loaded->cal : NULL,
    };
    struct fr_uploaded_runs runs;
    bool *is_new;

    if (fr_runs_read(&upload, file->arena, &runs, faults) == FR_OK) {
        is_new = fr_arena_zeroed(file->arena, runs.count, sizeof *is_new);
        if (!is_new || fr_store_add_runs(file->store, runs.run, runs.count, is_new) != FR_STORE_OK)
            fr_fault(faults, FR_NOT_FOUND, "", "the store did not take the runs");
    }
    fr_loaded_drop(loaded);
}

static const struct {
    const char *folder, *suffix, *refused;
    void (*import)(const struct shipped *file, struct fr_faults *faults);
} kinds[] = {
    { "facts", "json", "facts_refused", import_facts },
    { "runs", "ndjson", "runs_refused", import_runs },
};

static void import_logged(struct shipped *file, size_t kind, const char *path, struct fr_log *log)
{
    struct fr_faults faults;
    char *text;

    faults.count = 0;
    text = fr_import_text(path, &file->length, &faults);
    file->text = text;
    file->arena = fr_arena_new(ARENA_BYTES);
    if (text && file->arena)
        kinds[kind].import(file, &faults);
    for (size_t i = 0; i < fr_faults_kept(&faults); i++)
        fr_log(log, FR_LOG_ERROR, kinds[kind].refused, "path", path, "where", faults.fault[i].where,
               "error", faults.fault[i].message, NULL);
    fr_arena_free(file->arena);
    free(text);
}

void fr_shipped_import(struct fr_store *store, struct fr_catalog *catalog, const char *folder,
                       struct fr_log *log)
{
    struct fr_arena *arena = fr_arena_new(ARENA_BYTES);
    struct fr_machine *machine;
    char path[2 * FR_PATH_BYTES];
    size_t count = 0;

    if (arena)
        fr_store_list_machines(store, NULL, MOST_MACHINES, arena, &machine, &count);
    for (size_t i = 0; i < count; i++)
        for (size_t kind = 0; kind < sizeof kinds / sizeof kinds[0]; kind++) {
            struct shipped file = { .store = store,
                                    .catalog = catalog,
                                    .machine = machine[i].name };

            snprintf(path, sizeof path, "%s/%s/%s.%s", folder, kinds[kind].folder, machine[i].name,
                     kinds[kind].suffix);
            if (access(path, F_OK) == 0)
                import_logged(&file, kind, path, log);
        }
    fr_arena_free(arena);
}
