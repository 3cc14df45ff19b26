/* One gnuplot program: started, limited, waited for. */
#ifndef FR_CHART_PROCESS_H
#define FR_CHART_PROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>
#include <time.h>

/* Starts `gnuplot -d -` with these standard files, no others, default signals and an environment
 * of its own; returns 0 or an errno. */
int fr_process_start(int input, int output, int complaint, pid_t *pid);
/* Limits its processor time, its memory and the size of what it writes. */
void fr_process_limit(pid_t pid, size_t file_bytes);
/* Waits for its end and reaps it; false where it had to be killed for being late. */
bool fr_process_wait(pid_t pid, unsigned deadline_ms, int *status);
/* The monotonic clock's time in so many milliseconds. */
struct timespec fr_process_deadline(unsigned milliseconds);

#endif
