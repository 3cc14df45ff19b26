/* Processes and files, as the operating system has them. */
#ifndef FR_PROCESS_H
#define FR_PROCESS_H

#include "engine/forerun.h"

#include <sys/types.h>

/* Child processes: start, limits, end. */

struct fr_clock;

struct fr_program {
    char *const *arguments;   /* NULL-ended; the first is the program */
    char *const *environment; /* NULL-ended and complete */
    int input, output, error; /* its only file descriptors, besides: */
    int extra;                /* it reads it as FR_EXTRA_PATH; 0: none */
    const char *folders;      /* that it may read besides the system's; NULL: none */
    unsigned cpu_s;           /* at least 1 */
    size_t memory_bytes;      /* address space */
    size_t file_bytes;        /* largest file that it may write */
    int niceness;             /* 0: that of this process */
};

#define FR_EXTRA_PATH "/dev/fd/3"

/* Starts the program in a sandbox (below), with default signals in a process group of its own;
 * 0 or an errno. */
int fr_process_start(const struct fr_program *program, pid_t *pid);
/* Waits for its end, kills what it started, and reaps it; false if it missed the deadline and was
 * killed. */
bool fr_process_wait(pid_t pid, struct fr_clock *clock, unsigned deadline_ms, int *status);
/* Kills the process group and reaps the process. */
void fr_process_end(pid_t pid, int *status);

/* Confines a child program by Landlock and seccomp: it reads the files of the system and its own,
 * changes none, opens no socket, and starts no program.  A script may start programs, which are
 * confined in the same way. */

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

/* Tells systemd the state of the daemon: sd_notify(3). */

/* Sends a state such as "READY=1" to the socket that the environment names; without one it does
 * nothing. */
void fr_notify(const char *state);
/* Whether systemd restarts this process unless "WATCHDOG=1" arrives now and then. */
bool fr_notify_has_watchdog(void);

/* Files of the operator, read as a whole. */

enum { FR_FILE_BYTES = 1 << 20 };

/* The text of a file of at most FR_FILE_BYTES bytes, for free(); NULL with the reason.  While the
 * daemon serves, nothing may wait for the writer of a pipe: then `may_wait` is false, and only a
 * regular file is read.  No copy of what is refused stays in memory. */
char *fr_file_text(const char *path, bool may_wait, const char **reason);

/* Temporary files for uploads that are too large for memory.  They are in the folder of the
 * database, or in $TMPDIR or /var/tmp if a server has the database, and have no name, so that
 * nothing remains after a crash. */

/* Opens an empty file for a database of this name; the caller closes it.  -1 with errno. */
int fr_spool_open(const char *database);
/* Appends; 0 or an errno. */
int fr_spool_write(int file, const void *bytes, size_t length);

/* Reads a spooled file from its beginning, for fr_matrix_read. */
struct fr_spool_reader {
    int file;
    int64_t at;
};
long fr_spool_read(void *reader, char *out, size_t size);

/* An upload as it is stored: as gzip. */
struct fr_packed {
    char id[17];    /* the first 16 hex digits of the SHA-256 of the plain bytes */
    int64_t bytes;  /* plain */
    int file;       /* the gzip: the spool itself, or a new one */
    int64_t length; /* of the gzip, bytes */
};
/* Hashes a spooled upload, and compresses it unless it is gzip.  FR_OK, or the code of a fault at
 * "/"; FR_NOT_FOUND without a fault, with errno, if a file cannot be written or read.  Close
 * out->file unless it is `spool`. */
int fr_spool_pack(int spool, const char *database, int64_t limit_bytes, struct fr_packed *out,
                  struct fr_faults *faults);

#endif
