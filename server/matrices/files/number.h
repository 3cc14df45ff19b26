/* Parses numbers of matrix files, fast and correctly rounded. */
#ifndef FR_MATRIX_NUMBER_H
#define FR_MATRIX_NUMBER_H

#include <stdbool.h>
#include <stdint.h>

/* How Fortran reads a real field, e.g. (1P,4D20.12); all zero: plain numbers. */
struct fr_real_style {
    bool is_fortran; /* 1.5-103 is 1.5E-103 */
    int decimals;    /* digits after the point if the field has no point */
    int scale;       /* power of ten to divide by if the field has no exponent */
};

/* Both read the number at `at` and return its end, or NULL if there is no number. */

/* Digits only; a larger number becomes FR_COUNT_MOST. */
#define FR_COUNT_MOST INT64_C(1000000000000000000)
const char *fr_scan_count(const char *at, const char *end, int64_t *value);
/* The exponent follows E, e, D or d; the value is infinite if it exceeds DBL_MAX. */
const char *fr_scan_real(const char *at, const char *end, const struct fr_real_style *style,
                         double *value);

#endif
