/* Limits on memory and time for untrusted matrices, and a last record when one is reached.
 *
 * When memory is short the libraries end the process by exit, abort or an invalid address.  If most
 * of the allowed memory was in use then, a last record gives that as the reason.
 */
#ifndef FR_ANALYZE_LIMITS_H
#define FR_ANALYZE_LIMITS_H

#include <stdbool.h>
#include <stdint.h>

/* Sets one thread for BLAS and OpenMP and removes variables that change the library's options.
 * Restarts the program once if needed, because some are read before main.  `is_cleared` removes all
 * other variables too. */
void fr_limits_environment(char **arguments, bool is_cleared);

/* Limits address space and processor time; 0 leaves a limit unchanged.  With `may_write_files`
 * files may grow (MPI shares memory through them); without, the process also ends with its parent.
 * False with errno on failure. */
bool fr_limits_set(int64_t memory_bytes, int64_t cpu_s, bool may_write_files);

/* Sets the stage and the ordering (or NULL) of a last record, and the file that it is written to.
 */
void fr_limits_stage(int out, const char *stage, const char *ordering);
/* Disables the last record. */
void fr_limits_end(void);

#endif
