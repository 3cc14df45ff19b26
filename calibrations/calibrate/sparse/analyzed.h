/* What forerun-analyze prints: lines of JSON, some with bytes after them. */
#ifndef FR_ANALYZED_H
#define FR_ANALYZED_H

#include <stddef.h>

enum { FR_TIMES_MAX = 99, FR_ANALYZED_WHY_BYTES = 200 };

/* All return 0, or -1 with a sentence in `why`: the program's own, where it gives one. */

/* The bytes of the first ordering's structure; they point into `text`. */
int fr_analyzed_structure(const char *text, size_t length, const unsigned char **bytes,
                          size_t *count, char why[FR_ANALYZED_WHY_BYTES]);

struct fr_factorized {
    int times;
    double time_s[FR_TIMES_MAX]; /* of each repetition; all > 0 */
    double supernodes, nnz;      /* the library's own */
};
int fr_analyzed_times(const char *text, size_t length, struct fr_factorized *out,
                      char why[FR_ANALYZED_WHY_BYTES]);

#endif
