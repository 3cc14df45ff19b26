/* Reads the sample files of the tests. */
#ifndef FR_TEXT_FILE_H
#define FR_TEXT_FILE_H

#include <stddef.h>

/* A file with a terminating NUL; the caller frees it.  NULL: it does not exist. */
char *file_text(const char *path, size_t *length);
/* The same of a folder of tests/samples; fails the test if it does not exist. */
char *text_file(const char *folder, const char *name, size_t *length);

#endif
