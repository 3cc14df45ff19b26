/* Samples on file: a line of CSV each, added as they are measured, so that an interrupted
 * calibration goes on where it stopped. */
#ifndef FR_JOURNAL_H
#define FR_JOURNAL_H

#include <stdio.h>

#include "calibrations/calibrate/blocked/modeling.h"

struct fr_sample_log {
    FILE *file; /* NULL: none */
    struct fr_sample_log_line *line;
    size_t lines, capacity;
    bool has_failed; /* a line could not be written: the ones after it are not either */
};

/* Reads what is there and opens the file for adding; `path` may be NULL.  A file that is new, or
 * was cut before its first line ended, is begun.  Returns 0, or -1 with a sentence in `why`. */
int fr_sample_log_open(struct fr_sample_log *journal, const char *path, char why[160]);
void fr_sample_log_close(struct fr_sample_log *journal);
/* What the file has of a kernel; the caller frees the array.  NULL where it has none. */
struct blocked_sample *fr_sample_log_find(const struct fr_sample_log *journal,
                                          const struct blocked_kernel *kernel, int threads,
                                          bool is_cold, size_t *count);
/* Returns 0, or -1 with errno the first time that the line cannot be written. */
int fr_sample_log_add(struct fr_sample_log *journal, const struct blocked_kernel *kernel,
                      int threads, bool is_cold, const struct blocked_sample *sample);

#endif
