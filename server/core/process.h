/* Another program: started, limited, waited for. */
#ifndef FR_PROCESS_H
#define FR_PROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>
#include <time.h>

struct fr_program {
    char *const *arguments;   /* NULL-ended; the first is the program */
    char *const *environment; /* NULL-ended: the whole of it */
    int input, output, error; /* its standard files; it gets no others */
    unsigned cpu_s;
    size_t memory_bytes; /* address space */
    size_t file_bytes;   /* of the largest file it writes */
    int niceness;        /* 0: as urgent as we are */
};

/* Starts it with default signals, as the first of a process group of its own; 0 or an errno. */
int fr_process_start(const struct fr_program *program, pid_t *pid);
/* Waits for its end and reaps it; false where it had to be killed for being late. */
bool fr_process_wait(pid_t pid, unsigned deadline_ms, int *status);
/* Kills it with all that it has started, and reaps it. */
void fr_process_end(pid_t pid, int *status);
/* The monotonic clock's time in so many milliseconds. */
struct timespec fr_process_deadline(unsigned milliseconds);
/* How many are left until then; 0 where it has passed. */
int fr_process_left_ms(const struct timespec *deadline);

#endif
