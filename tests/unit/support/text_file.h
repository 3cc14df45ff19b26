/* Reads the sample files of the tests. */
#ifndef FR_TEXT_FILE_H
#define FR_TEXT_FILE_H

#include <stddef.h>

/* A file of a folder of tests/unit with a terminating NUL; the caller frees it. Fails the test
 * if it does not exist. */
char *text_file(const char *folder, const char *name, size_t *length);

#endif
