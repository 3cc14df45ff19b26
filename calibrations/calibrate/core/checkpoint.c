/* The file of --resume: a key, then one line "NAME JSON" for each completed benchmark. */
#include "calibrations/calibrate/core/document.h"

#include <string.h>

static void refuse_key(const char *path, const char *there, const char *key, char *why)
{
    static const char first[] = "forerun-calibrate";
    const size_t length = strcspn(there, "\n");

    if (strncmp(there, first, strlen(first)) != 0)
        snprintf(why, FR_CHECKPOINT_WHY_BYTES,
                 "%.160s: is not a checkpoint of forerun-calibrate; give the name of a new file",
                 path);
    else
        snprintf(why, FR_CHECKPOINT_WHY_BYTES,
                 "%.160s: of another job, give the name of a new file; it has \"%.*s\", this is "
                 "\"%.480s\"",
                 path, (int)(length < 480 ? length : 480), there, key);
}

int fr_checkpoint_open(struct fr_journal *checkpoint, const char *path, const char *key,
                       char why[FR_CHECKPOINT_WHY_BYTES])
{
    const int status = fr_journal_open(checkpoint, path, key, why, FR_CHECKPOINT_WHY_BYTES);

    if (status > 0) {
        refuse_key(path, checkpoint->text, key, why);
        fr_journal_close(checkpoint);
    }
    return status ? -1 : 0;
}

const char *fr_checkpoint_find(const struct fr_journal *checkpoint, const char *name,
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
