#include "server/calibrations/catalogue.h"

#include "server/core/config.h"
#include "server/core/log.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_DOCUMENT_BYTES = 64 * 1024 * 1024 };

/* Makes each missing folder above the file. */
static bool make_parents(const char *path)
{
    char folder[FR_PATH_BYTES];

    snprintf(folder, sizeof folder, "%s", path);
    for (char *slash = folder; (slash = strchr(slash + 1, '/'));) {
        *slash = '\0';
        if (mkdir(folder, 0700) != 0 && errno != EEXIST)
            return false;
        *slash = '/';
    }
    return true;
}

int fr_database_prepare(const char *path, struct fr_log *log)
{
    int fd;

    if (fr_config_is_url(path)) /* its server has the database */
        return FR_OK;
    fd = make_parents(path) ? open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600) : -1;
    if (fd >= 0) {
        close(fd);
        return FR_OK;
    }
    fr_log(log, FR_LOG_ERROR, "database", "path", path, "error", strerror(errno), NULL);
    return FR_NOT_FOUND;
}

char *fr_import_text(const char *path, size_t *length, struct fr_faults *faults)
{
    FILE *file = fopen(path, "re");
    struct stat status;
    char *text = NULL;

    if (file && fstat(fileno(file), &status) == 0 && S_ISREG(status.st_mode) &&
        status.st_size <= MOST_DOCUMENT_BYTES)
        text = malloc((size_t)status.st_size + 1);
    if (text) {
        *length = fread(text, 1, (size_t)status.st_size, file);
        text[*length] = '\0';
    } else {
        fr_fault(faults, FR_NOT_FOUND, "", "%s",
                 file ? "not a file of at most 64 MiB" : strerror(errno));
    }
    if (file)
        fclose(file);
    return text;
}

int fr_import_file(struct fr_store *store, struct fr_catalog *catalog, const char *path,
                   char id[17], bool *created, struct fr_mismatches *mismatches,
                   fr_uses *loaded_parts, struct fr_faults *faults)
{
    size_t length;
    char *text = fr_import_text(path, &length, faults);
    int code;

    if (!text)
        return FR_NOT_FOUND;
    code = fr_calibration_add(store, catalog, NULL, text, length, id, created, mismatches,
                              loaded_parts, faults);
    free(text);
    return code;
}

static void import_logged(struct fr_store *store, struct fr_catalog *catalog, const char *path,
                          struct fr_log *log)
{
    struct fr_mismatches mismatches = { 0 };
    struct fr_faults faults;
    fr_uses loaded_parts;
    bool created;
    char id[17];

    faults.count = 0;
    if (fr_import_file(store, catalog, path, id, &created, &mismatches, &loaded_parts, &faults) ==
        FR_OK)
        fr_log(log, FR_LOG_INFO, "calibration_loaded", "path", path, "id", id, NULL);
    for (size_t i = 0; i < mismatches.count; i++)
        fr_log(log, FR_LOG_WARNING, "machine_mismatch", "path", path, "fact",
               mismatches.row[i].fact, "machine", mismatches.row[i].known, "document",
               mismatches.row[i].found, NULL);
    for (size_t i = 0; i < fr_faults_kept(&faults); i++)
        fr_log(log, FR_LOG_ERROR, "calibration_refused", "path", path, "where",
               faults.fault[i].where, "error", faults.fault[i].message, NULL);
}

static int is_document(const struct dirent *entry)
{
    const char *suffix = strrchr(entry->d_name, '.');

    return entry->d_name[0] != '.' && suffix && strcmp(suffix, ".json") == 0;
}

void fr_import_folder(struct fr_store *store, struct fr_catalog *catalog, const char *folder,
                      struct fr_log *log)
{
    struct dirent **entries = NULL;
    const int count = scandir(folder, &entries, is_document, alphasort);

    if (count < 0)
        fr_log(log, FR_LOG_WARNING, "calibrations", "path", folder, "error", strerror(errno), NULL);
    for (int i = 0; i < count; i++) {
        char path[2 * FR_PATH_BYTES];

        snprintf(path, sizeof path, "%s/%s", folder, entries[i]->d_name);
        import_logged(store, catalog, path, log);
        free(entries[i]);
    }
    free(entries);
}
