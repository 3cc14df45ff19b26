/* Finished benchmarks on file: a line each with what it wrote into the document, added when it
 * ends, so that an interrupted calibration goes on with the next. */
#ifndef FR_CHECKPOINT_H
#define FR_CHECKPOINT_H

#include <stddef.h>
#include <stdio.h>

enum { FR_CHECKPOINT_KEY_BYTES = 4000, FR_CHECKPOINT_WHY_BYTES = 1200 };

struct fr_checkpoint {
    FILE *file; /* NULL: none */
    char *text; /* what there was */
    size_t length;
};

/* Reads what is there and opens the file for adding; `path` may be NULL.  `key`, one line, says
 * what a job must share for its benchmarks to be taken over.  A file that is new, or was cut before
 * its first line ended, is begun.  Returns 0, or -1 with a sentence in `why`. */
int fr_checkpoint_open(struct fr_checkpoint *checkpoint, const char *path, const char *key,
                       char why[FR_CHECKPOINT_WHY_BYTES]);
void fr_checkpoint_close(struct fr_checkpoint *checkpoint);
/* What the file has of a benchmark, or NULL; good until it is closed. */
const char *fr_checkpoint_find(const struct fr_checkpoint *checkpoint, const char *name,
                               size_t *length);
/* `json` is one line.  Returns 0, or -1 with errno where it cannot be written. */
int fr_checkpoint_add(struct fr_checkpoint *checkpoint, const char *name, const char *json,
                      size_t length);

#endif
