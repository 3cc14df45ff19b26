/* Confines a child program by Landlock and seccomp: it reads the files of the system and its own,
 * changes none, opens no socket, and starts no program.  A script may start programs, which are
 * confined in the same way. */
#ifndef FR_SANDBOX_H
#define FR_SANDBOX_H

#include <stdbool.h>

struct fr_sandbox {
    int rules; /* of Landlock; -1: the kernel has none */
    bool is_script;
};

/* Makes the sandbox of the program in the file `path`.  The program may also read the open file
 * `extra` (0: none) and what is below `folders`, separated by colons (NULL: none).  0 or an errno.
 * Free with fr_sandbox_drop. */
int fr_sandbox_make(struct fr_sandbox *made, const char *path, int extra, const char *folders);
void fr_sandbox_drop(struct fr_sandbox *sandbox);
/* Confines the calling process for ever; 0 or an errno.  Only calls the kernel, as a child of vfork
 * has to. */
int fr_sandbox_enter(const struct fr_sandbox *sandbox);
/* What the kernel lacks; NULL: nothing. */
const char *fr_sandbox_missing(void);

#endif
