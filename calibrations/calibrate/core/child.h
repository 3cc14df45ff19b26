/* Another program run to its end. */
#ifndef FR_CHILD_H
#define FR_CHILD_H

#include <stddef.h>

enum { FR_CHILD_WHY_BYTES = 200 };

/* What `path` prints on standard output, with a 0 after it, which the caller frees; NULL with a
 * sentence in `why` where it cannot be started, ends with another status than 0 without having
 * printed anything, prints more than 64 MiB or takes longer than `limit_s`.  It does not see that
 * it was started under MPI, and its standard error is dropped. */
char *fr_child_run(const char *path, char *const arguments[], double limit_s, size_t *length,
                   char why[FR_CHILD_WHY_BYTES]);

#endif
