/* Samples: files beside the tests. */
#ifndef FR_TEXT_FILE_H
#define FR_TEXT_FILE_H

#include <stddef.h>

/* A file of a folder of tests/unit, with a NUL behind it; free it.  Fails where it is not there. */
char *text_file(const char *folder, const char *name, size_t *length);

#endif
