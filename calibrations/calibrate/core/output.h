/* Reading and writing whole files. */
#ifndef FR_OUTPUT_H
#define FR_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>

enum { FR_INPUT_MAX = 64 << 20 };

/* Writes the file atomically, following a symbolic link; devices and FIFOs are written in place;
 * "-" is standard output.  Returns 0, or -1 with errno. */
int fr_output_write(const char *path, const char *text, size_t length);
/* Checks in advance whether fr_output_write can succeed.  Returns 0, or -1 with errno. */
int fr_output_check(const char *path);
/* Whether the path is a file, existing or not, and not a device, a FIFO or "-". */
bool fr_output_is_file(const char *path);
/* Returns the contents, which the caller frees, or NULL with errno; at most FR_INPUT_MAX bytes. */
char *fr_output_read(const char *path, size_t *length);

#endif
