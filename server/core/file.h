/* Files of the operator, read as a whole. */
#ifndef FR_FILE_H
#define FR_FILE_H

#include <stdbool.h>

enum { FR_FILE_BYTES = 1 << 20 };

/* The text of a file of at most FR_FILE_BYTES bytes, for free(); NULL with the reason.  While the
 * daemon serves, nothing may wait for the writer of a pipe: then `may_wait` is false, and only a
 * regular file is read.  No copy of what is refused stays in memory. */
char *fr_file_text(const char *path, bool may_wait, const char **reason);

#endif
