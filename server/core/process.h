/* Child processes: start, limits, end. */
#ifndef FR_PROCESS_H
#define FR_PROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct fr_clock;

struct fr_program {
    char *const *arguments;   /* NULL-ended; the first is the program */
    char *const *environment; /* NULL-ended and complete */
    int input, output, error; /* its only file descriptors, besides: */
    int extra;                /* it reads it as FR_EXTRA_PATH; 0: none */
    const char *folders;      /* that it may read besides the system's; NULL: none */
    unsigned cpu_s;
    size_t memory_bytes; /* address space */
    size_t file_bytes;   /* largest file that it may write */
    int niceness;        /* 0: that of this process */
};

#define FR_EXTRA_PATH "/dev/fd/3"

/* Starts the program in a sandbox (sandbox.h), with default signals in a process group of its own;
 * 0 or an errno. */
int fr_process_start(const struct fr_program *program, pid_t *pid);
/* Waits for its end, kills what it started, and reaps it; false if it missed the deadline and was
 * killed. */
bool fr_process_wait(pid_t pid, struct fr_clock *clock, unsigned deadline_ms, int *status);
/* Kills the process group and reaps the process. */
void fr_process_end(pid_t pid, int *status);

#endif
