/* A log of samples: one line of CSV for each, added when it is measured, so that an interrupted
 * calibration can be resumed. */
#ifndef FR_SAMPLE_LOG_H
#define FR_SAMPLE_LOG_H

#include <stdio.h>

#include "calibrations/calibrate/blocked/modeling.h"

struct fr_sample_log {
    FILE *file; /* NULL: none */
    struct fr_sample_log_line *line;
    size_t lines, capacity;
    bool has_failed; /* a line could not be written; no more are tried */
};

/* Reads the file and opens it for appending; `path` may be NULL.  The header of a new file, or of
 * one cut within it, is completed.  Returns 0, or -1 with an error message in `why`. */
int fr_sample_log_open(struct fr_sample_log *sample_log, const char *path, char why[160]);
void fr_sample_log_close(struct fr_sample_log *sample_log);
/* The samples of a kernel in an array that the caller frees, or NULL if there are none. */
struct blocked_sample *fr_sample_log_find(const struct fr_sample_log *sample_log,
                                          const struct blocked_kernel *kernel, int threads,
                                          bool is_cold, size_t *count);
/* Appends a sample.  Returns 0, or -1 with errno the first time that a line cannot be written. */
int fr_sample_log_add(struct fr_sample_log *sample_log, const struct blocked_kernel *kernel,
                      int threads, bool is_cold, const struct blocked_sample *sample);

#endif
