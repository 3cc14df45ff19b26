/* The subcommands import, backup, check, doctor and restore.  All but the last work while a daemon
 * uses the database. */
#include "server/commands.h"

#include "server/calibrations/catalogue.h"
#include "server/calibrations/document.h"
#include "server/opened.h"
#include "server/service/service.h"
#include "server/store/store.h"

#include <stdio.h>
#include <time.h>
#include <unistd.h>

static bool import_one(struct fr_opened *opened, const char *path)
{
    struct fr_mismatches mismatches = { 0 };
    struct fr_faults faults;
    fr_uses loaded_parts = 0;
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
        if (loaded_parts & FR_USE_OF(use))
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
    struct fr_opened opened;
    bool is_good = true;

    fr_opened_read(&opened, &line, argc, argv);
    if (!line.argument_count)
        return fr_misuse(argv[0], "a file is required");
    if (fr_database_prepare(opened.config.db, &opened.log) != FR_OK)
        return FR_FAILED;
    fr_opened_store(&opened);
    for (size_t i = 0; i < line.argument_count; i++)
        is_good = import_one(&opened, line.argument[i]) && is_good;
    return fr_opened_close(&opened, is_good ? 0 : FR_FAILED);
}

int fr_command_backup(int argc, char **argv)
{
    struct fr_command_line line = { .name = argv[0],
                                    .arguments_doc = "OUT",
                                    .doc = "Copies the database while the daemon runs.",
                                    .most_arguments = 1 };
    struct fr_opened opened;
    int result;

    fr_opened_read(&opened, &line, argc, argv);
    if (!line.argument_count)
        return fr_misuse(argv[0], "the file name of the copy is required");
    fr_opened_lock(&opened);
    result = fr_store_backup(opened.config.db, line.argument[0], &opened.log);
    return fr_opened_close(&opened, result == FR_STORE_OK ? 0 : FR_FAILED);
}

int fr_command_check(int argc, char **argv)
{
    struct fr_command_line line = { .name = argv[0],
                                    .doc = "Looks for damage in all of the database." };
    struct fr_opened opened;
    int result;

    fr_opened_read(&opened, &line, argc, argv);
    fr_opened_lock(&opened);
    result = fr_store_check(opened.config.db, &opened.log);
    if (result == FR_STORE_OK)
        printf("%s: no damage\n", opened.config.db);
    return fr_opened_close(&opened, result == FR_STORE_OK ? 0 : FR_FAILED);
}

int fr_command_doctor(int argc, char **argv)
{
    struct fr_command_line line = {
        .name = argv[0],
        .doc = "Looks for what keeps the daemon from working, or soon will, and prints a line for "
               "each check.  Takes the options of serve.  The exit status is 1 if there is a "
               "fault, 2 if the configuration cannot be read.",
        .has_all_settings = true
    };
    enum fr_finding gravest;
    struct fr_opened opened;
    struct fr_writer out;

    fr_opened_read(&opened, &line, argc, argv);
    fr_writer_init(&out);
    gravest = fr_doctor(&opened.config, time(NULL), &opened.log, &out);
    printf("%.*s", (int)out.length, out.text ? out.text : "");
    fr_writer_free(&out);
    return gravest == FR_FINDING_FAULT ? FR_FAILED : 0;
}

int fr_command_restore(int argc, char **argv)
{
    const char *backup = NULL;
    const struct fr_command_option own[] = {
        { 'f', "from", "BACKUP", "What `forerund backup` wrote.", .text = &backup },
        { .letter = 0 },
    };
    struct fr_command_line line = { .name = argv[0],
                                    .doc = "Replaces the database by a checked copy of a backup, "
                                           "while no daemon serves from it.",
                                    .options = own };
    struct fr_opened opened;
    int result;

    fr_opened_read(&opened, &line, argc, argv);
    if (!backup)
        return fr_misuse(argv[0], "--from BACKUP is required");
    result = fr_store_restore(backup, opened.config.db, &opened.log);
    return result == FR_STORE_OK ? 0 : FR_FAILED;
}
