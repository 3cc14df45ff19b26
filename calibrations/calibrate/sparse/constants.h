/* The constants of sparse LU in the document. */
#ifndef FR_SPARSE_CONSTANTS_H
#define FR_SPARSE_CONSTANTS_H

#include "calibrations/calibrate/sparse/samples.h"

/* By FR_BY_...: names of members. */
extern const char *const fr_constant_names[FR_CONSTANTS];

/* Writes the members of an object that has begun. */
struct fr_writer;
void fr_constants_write(struct fr_writer *out, const double constant[FR_CONSTANTS]);
/* Writes constants of another machine as assumed, with the reason why. */
void fr_constants_assume(struct fr_context *context, const char *pointer,
                         const double constant[FR_CONSTANTS], const char *why);

enum { FR_COUNTED_BYTES = 120 };
/* "24 samples, best median of 4 rounds of 5, spread 1.2 %" */
const char *fr_constants_counted(const struct fr_sparse_samples *samples,
                                 char out[FR_COUNTED_BYTES]);

/* Fits sparse.window_fit and records it with its quality. */
void fr_window_constants_fit(const struct fr_sparse_samples *samples);
void fr_window_constants_assume(struct fr_context *context, const char *why);

#endif
