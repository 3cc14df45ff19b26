/* The file of --resume: a line for each completed benchmark with its part of the document, so that
 * an interrupted calibration continues with the next benchmark. */
#ifndef FR_CHECKPOINT_H
#define FR_CHECKPOINT_H

#include <stddef.h>
#include <stdio.h>

enum { FR_CHECKPOINT_KEY_BYTES = 4000, FR_CHECKPOINT_WHY_BYTES = 1200 };

struct fr_checkpoint {
    FILE *file; /* NULL: none */
    char *text; /* contents when it was opened */
    size_t length;
};

/* Reads the file and opens it for appending; `path` may be NULL.  `key` is one line that must be
 * the same for all jobs that share the file; it becomes the first line of a new file, or of one cut
 * within it.  Returns 0, or -1 with an error message in `why`. */
int fr_checkpoint_open(struct fr_checkpoint *checkpoint, const char *path, const char *key,
                       char why[FR_CHECKPOINT_WHY_BYTES]);
void fr_checkpoint_close(struct fr_checkpoint *checkpoint);
/* The JSON of a completed benchmark, or NULL; valid until fr_checkpoint_close. */
const char *fr_checkpoint_find(const struct fr_checkpoint *checkpoint, const char *name,
                               size_t *length);
/* Appends one line of JSON.  Returns 0, or -1 with errno. */
int fr_checkpoint_add(struct fr_checkpoint *checkpoint, const char *name, const char *json,
                      size_t length);

#endif
