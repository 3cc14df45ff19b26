/* The file of --resume: a key, then one line "NAME JSON" for each completed benchmark. */
#include "calibrations/calibrate/core/document.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static int refuse(const char *path, const char *reason, char *why)
{
    snprintf(why, FR_CHECKPOINT_WHY_BYTES, "%.160s: %s", path, reason);
    return -1;
}

static int append(FILE *file, const char *text, size_t length)
{
    return fwrite(text, 1, length, file) == length && fflush(file) == 0 ? 0 : -1;
}

static int refuse_key(const char *path, const char *there, const char *key, char *why)
{
    static const char first[] = "forerun-calibrate";

    if (strncmp(there, first, strlen(first)) != 0)
        return refuse(path, "is not a checkpoint of forerun-calibrate; give the name of a new file",
                      why);
    snprintf(why, FR_CHECKPOINT_WHY_BYTES,
             "%.160s: of another job, give the name of a new file; it has \"%.*s\", this is "
             "\"%.480s\"",
             path, (int)(strcspn(there, "\n") < 480 ? strcspn(there, "\n") : 480), there, key);
    return -1;
}

/* Checks the first line, which is the key; completes it if an interruption left a part of it. */
static int check_key(struct fr_checkpoint *checkpoint, const char *path, const char *key, char *why)
{
    const size_t whole = strlen(key),
                 there = checkpoint->length < whole ? checkpoint->length : whole;
    const bool is_new = checkpoint->length <= whole;

    if (memcmp(checkpoint->text, key, there) != 0 || (!is_new && checkpoint->text[whole] != '\n'))
        return refuse_key(path, checkpoint->text, key, why);
    if (is_new &&
        (append(checkpoint->file, key + there, whole - there) || append(checkpoint->file, "\n", 1)))
        return refuse(path, strerror(errno), why);
    return 0;
}

/* Refuses devices and FIFOs, because reading them can block. */
static int check_kind(const char *path, char *why)
{
    struct stat facts;

    if (stat(path, &facts) == 0 && !S_ISREG(facts.st_mode))
        return refuse(path, "is not a regular file; give the name of a new file", why);
    return 0;
}

int fr_checkpoint_open(struct fr_checkpoint *checkpoint, const char *path, const char *key,
                       char why[FR_CHECKPOINT_WHY_BYTES])
{
    int status;

    *checkpoint = (struct fr_checkpoint){ 0 };
    if (!path)
        return 0;
    if (check_kind(path, why))
        return -1;
    checkpoint->file = fopen(path, "a");
    if (checkpoint->file)
        checkpoint->text = fr_output_read(path, &checkpoint->length);
    if (!checkpoint->text) {
        status = refuse(path, strerror(errno), why);
    } else {
        checkpoint->text[checkpoint->length] = '\0';
        status = check_key(checkpoint, path, key, why);
    }
    /* Ends an incomplete last line, so that it is ignored and the next line is separate. */
    if (!status && checkpoint->length > strlen(key) &&
        checkpoint->text[checkpoint->length - 1] != '\n' && append(checkpoint->file, "?\n", 2))
        status = refuse(path, strerror(errno), why);
    if (status)
        fr_checkpoint_close(checkpoint);
    return status;
}

void fr_checkpoint_close(struct fr_checkpoint *checkpoint)
{
    if (checkpoint->file)
        fclose(checkpoint->file);
    free(checkpoint->text);
    *checkpoint = (struct fr_checkpoint){ 0 };
}

const char *fr_checkpoint_find(const struct fr_checkpoint *checkpoint, const char *name,
                               size_t *length)
{
    const size_t name_length = strlen(name);
    const char *found = NULL;

    for (const char *at = checkpoint->text; at && *at; at += strspn(at, "\n")) {
        const size_t line = strcspn(at, "\n");

        /* The last complete line of the benchmark counts. */
        if (line > name_length && strncmp(at, name, name_length) == 0 && at[name_length] == ' ' &&
            at[line - 1] == '}' && at[line] == '\n') {
            found = at + name_length + 1;
            *length = line - name_length - 1;
        }
        at += line;
    }
    return found;
}

int fr_checkpoint_add(struct fr_checkpoint *checkpoint, const char *name, const char *json,
                      size_t length)
{
    if (!checkpoint->file)
        return 0;
    return fprintf(checkpoint->file, "%s ", name) < 0 || append(checkpoint->file, json, length) ||
                   append(checkpoint->file, "\n", 1)
               ? -1
               : 0;
}
