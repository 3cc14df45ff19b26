/* What strangers' matrices may cost, and what is said where they cost more.
 *
 * The libraries end the process by exit, abort or a wrong address when memory is short.  Where
 * most of the allowance was in use then, that is told as the reason, in a last record.
 */
#ifndef FR_ANALYZE_LIMITS_H
#define FR_ANALYZE_LIMITS_H

#include <stdbool.h>
#include <stdint.h>

/* Begins anew, once, where the threads of BLAS and OpenMP or the library's own options were set
 * from outside: they are read before main begins.  `is_cleared`: nothing else stays either. */
void fr_limits_environment(char **arguments, bool is_cleared);

/* 0: as it is.  Memory in bytes of addresses, the loaded libraries included.  Under mpirun files
 * are written: MPI's memory is shared that way; without, the process ends with the one that started
 * it. */
bool fr_limits_set(int64_t memory_bytes, int64_t cpu_s, bool may_write_files);

/* Which stage a last record names, and where it goes. */
void fr_limits_stage(int out, const char *stage, const char *ordering);
/* No last record from here on. */
void fr_limits_end(void);

#endif
