/* Precision of the arithmetic: the parameter `precision`, and `word_bytes`, which implies it
 * (docs/models/dense.md#precision). */
#ifndef FR_CALIBRATION_PRECISION_H
#define FR_CALIBRATION_PRECISION_H

#include "engine/core/param.h"

enum fr_precision { FR_SINGLE, FR_DOUBLE, FR_COMPLEX, FR_DOUBLE_COMPLEX, FR_PRECISIONS };
extern const char *const fr_precisions[]; /* names, NULL-ended */

/* The descriptors of the members `precision` (int) and `word_bytes` (int64_t) of S.  `usual` is a
 * text: the values if neither is given. */
#define FR_PRECISION_PARAMS(S, usual)                                                            \
    FR_CHOICE_OF(S, precision, .choices = fr_precisions, .unit = "",                             \
                 .flags = FR_AUTOMATIC | FR_OPTIONAL,                                            \
                 .doc = "Arithmetic and elements; by default those of word_bytes. " usual),      \
        FR_INT(S, word_bytes, .unit = "bytes", .min = 1, .max = 1024, .flags = FR_AUTOMATIC,     \
               .doc = "Bytes of a matrix element, instead of precision: 4 is single, 8 double, " \
                      "16 double_complex; 8 of precision=complex.")

/* Sets whichever of the two is open; `usual` if both are.  A size that belongs to no precision
 * leaves *precision open.  Adds a fault if they contradict each other. */
void fr_precision_resolve(int *precision, int64_t *word_bytes, enum fr_precision usual,
                          struct fr_faults *faults);
/* The name; "unknown" if open. */
const char *fr_precision_name(int precision);
/* Real operations of one operation: 4 in complex arithmetic, else 1.  A complex product and sum
 * take 4 real products and 4 real sums, the real ones take 1 and 1. */
double fr_precision_operations(int precision);

#endif
