#include "server/machines/shipped.h"

#include "server/calibrations/catalogue.h"
#include "server/calibrations/document.h"
#include "server/core/config.h"
#include "server/core/log.h"
#include "server/runs/run_document.h"
#include "server/store/store.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ARENA_BYTES = 1 << 24 };

/* A file about a machine.  `arena` lives until the file is stored. */
struct shipped {
    struct fr_store *store;
    struct fr_catalog *catalog; /* of runs */
    const char *machine, *text;
    size_t length;
    struct fr_machine stored;
    struct fr_arena *arena;
};

/* What somebody stated of a machine stays. */
static void import_facts(const struct shipped *file, struct fr_faults *faults)
{
    struct fr_facts facts;
    struct fr_writer json;
    bool created;

    if (strcmp(file->stored.facts_json, FR_FACTS_UNSTATED) != 0 || *file->stored.description)
        return;
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
    fr_cached_drop(loaded);
}

static const struct kind {
    const char *folder, *suffix, *refused;
    void (*import)(const struct shipped *file, struct fr_faults *faults);
} facts = { "facts", ".json", "facts_refused", import_facts },
  runs = { "runs", ".ndjson", "runs_refused", import_runs };

static void import_logged(struct shipped *file, const struct kind *kind, const char *path,
                          struct fr_log *log)
{
    struct fr_faults faults;
    char *text = NULL;

    faults.count = 0;
    file->arena = fr_arena_new(ARENA_BYTES);
    if (file->arena && fr_store_glance_machine(file->store, file->machine, file->arena,
                                               &file->stored) == FR_STORE_OK)
        text = fr_import_text(path, &file->length, &faults);
    file->text = text;
    if (text)
        kind->import(file, &faults);
    for (size_t i = 0; i < fr_faults_kept(&faults); i++)
        fr_log(log, FR_LOG_ERROR, kind->refused, "path", path, "where", faults.fault[i].where,
               "error", faults.fault[i].message, NULL);
    fr_arena_free(file->arena);
    free(text);
}

/* Imports the files of a kind whose machines are in the store. */
static void import_kind(struct shipped *file, const struct kind *kind, const char *folder,
                        struct fr_log *log)
{
    char path[2 * FR_PATH_BYTES];
    struct dirent **entries = NULL;
    int count;

    snprintf(path, sizeof path, "%s/%s", folder, kind->folder);
    count = scandir(path, &entries, NULL, alphasort);
    for (int i = 0; i < count; i++) {
        char *const name = entries[i]->d_name, *const suffix = strrchr(name, '.');

        snprintf(path, sizeof path, "%s/%s/%s", folder, kind->folder, name);
        if (suffix && strcmp(suffix, kind->suffix) == 0) {
            *suffix = '\0';
            file->machine = name;
            import_logged(file, kind, path, log);
        }
        free(entries[i]);
    }
    free(entries);
}

void fr_shipped_import_facts(struct fr_store *store, const char *folder, struct fr_log *log)
{
    struct shipped file = { .store = store };

    import_kind(&file, &facts, folder, log);
}

void fr_shipped_import_runs(struct fr_store *store, struct fr_catalog *catalog, const char *folder,
                            struct fr_log *log)
{
    struct shipped file = { .store = store, .catalog = catalog };

    import_kind(&file, &runs, folder, log);
}
