/* Files in and out. */
#ifndef FR_OUTPUT_H
#define FR_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>

enum { FR_INPUT_MAX = 64 << 20 };

/* Writes the file whole or not at all, the one behind a symbolic link too; a device or a FIFO is
 * written to as it is; "-" is standard output.  Returns 0, or -1 with errno. */
int fr_output_write(const char *path, const char *text, size_t length);
/* Whether that will be possible, as far as can be told now.  Returns 0, or -1 with errno. */
int fr_output_check(const char *path);
/* Whether it is a file, there or not, rather than a device, a FIFO or "-". */
bool fr_output_is_file(const char *path);
/* The whole file, to be freed by the caller; NULL with errno, also for more than FR_INPUT_MAX. */
char *fr_output_read(const char *path, size_t *length);

#endif
