/* Numbers as matrix files have them, read fast and rounded correctly. */
#ifndef FR_MATRIX_NUMBER_H
#define FR_MATRIX_NUMBER_H

#include <stdbool.h>
#include <stdint.h>

/* How Fortran reads a real field, e.g. (1P,4D20.12); all zero: as everybody else does. */
struct fr_real_style {
    bool is_fortran; /* 1.5-103 is 1.5E-103 */
    int decimals;    /* digits behind the point where the field has none */
    int scale;       /* power of ten to divide by where the field has no exponent */
};

/* Both take what begins at `at` and return where it ends, NULL where no number begins there. */

/* Digits alone.  Beyond FR_COUNT_MOST it is that. */
#define FR_COUNT_MOST INT64_C(1000000000000000000)
const char *fr_scan_count(const char *at, const char *end, int64_t *value);
/* With E, e, D or d before the exponent; infinite where no double is as large. */
const char *fr_scan_real(const char *at, const char *end, const struct fr_real_style *style,
                         double *value);

#endif
