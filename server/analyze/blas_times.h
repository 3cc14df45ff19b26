/* The time that factorizations of this process spend in BLAS. */
#ifndef FR_ANALYZE_BLAS_TIMES_H
#define FR_ANALYZE_BLAS_TIMES_H

#include <stddef.h>

/* Seconds, without the time that it takes to read the clock. */
struct fr_blas_times {
    double gemm_s;
    double panel_s; /* dtrsm, dtrsv and dger */
};

/* Times the calls between begin and end from now on, which slows them; otherwise those do nothing.
 */
void fr_blas_times_want(void);
void fr_blas_times_begin(void);
void fr_blas_times_end(void);
/* Of the last calls that were timed. */
struct fr_blas_times fr_blas_times_last(void);

/* Writes the next definition of a function to the pointer `function` of this size. */
void fr_blas_times_next(const char *name, void *function, size_t size);

#endif
