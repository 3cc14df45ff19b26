/* Runs another program to its end. */
#ifndef FR_CHILD_H
#define FR_CHILD_H

#include <stddef.h>

enum { FR_CHILD_WHY_BYTES = 200 };

/* Returns the standard output of `path`, terminated by a 0, which the caller frees; or NULL with an
 * error message in `why` if the program cannot be started, fails without output, prints more than
 * 64 MiB or takes longer than `limit_s`.  The environment of MPI is hidden from the program, and
 * its standard error is discarded. */
char *fr_child_run(const char *path, char *const arguments[], double limit_s, size_t *length,
                   char why[FR_CHILD_WHY_BYTES]);

#endif
