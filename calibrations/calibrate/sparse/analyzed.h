/* Parses the output of forerun-analyze: lines of JSON, some followed by bytes. */
#ifndef FR_ANALYZED_H
#define FR_ANALYZED_H

#include <stdbool.h>
#include <stddef.h>

enum { FR_TIMES_MAX = 99, FR_ANALYZED_WHY_BYTES = 200 };

/* Both return 0, or -1 with a reason in `why`, which the program may have given. */

/* Finds the bytes of the first structure; they point into `text`. */
int fr_analyzed_structure(const char *text, size_t length, const unsigned char **bytes,
                          size_t *count, char why[FR_ANALYZED_WHY_BYTES]);

struct fr_factorized {
    int times;
    double time_s[FR_TIMES_MAX]; /* of each repetition, > 0 */
    bool has_parts;              /* whether dgemm and the other routines of BLAS were timed */
    double gemm_s[FR_TIMES_MAX], panel_s[FR_TIMES_MAX]; /* of each repetition */
    int solves;                                         /* whose times are known; none: 0 or less */
    double solve_s[FR_TIMES_MAX];                       /* by number of right-hand sides, > 0 */
    double supernodes, nnz;                             /* as the library counts */
};
/* Finds the result of a factorization. */
int fr_analyzed_times(const char *text, size_t length, struct fr_factorized *out,
                      char why[FR_ANALYZED_WHY_BYTES]);

#endif
