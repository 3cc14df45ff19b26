/* The parts of the filter scalapack: tables of the testers (scalapack.c), and the PBLAS timer
 * (scalapack_pblas.c). */
#ifndef FR_SCALAPACK_H
#define FR_SCALAPACK_H

#include "server/runs/imports/filter.h"

/* Sets the model of the run that is written next. */
void scalapack_set_model(struct fr_filter *filter, const char *name);
/* The time of a run, more accurately from its rate (Mflop/s) where the operations are known (not
 * 0).  False if it has no two digits, or contradicts the rate. */
bool scalapack_time(struct fr_slice time, double operations, struct fr_slice rate, double *time_s);

/* Whether a number did not fit its column, for which Fortran prints asterisks; then there is a
 * warning that names the line. */
bool scalapack_is_overfull(struct fr_filter *filter, struct fr_slice line);

/* What has been read of a test of the PBLAS timer. */
struct scalapack_pblas {
    int64_t rows, columns; /* 0: no test has begun */
    int64_t m, n, k;
    size_t grid_line, sizes_line, block_line;
    char side, uplo, trans[2];
    int64_t block[3]; /* of A, B, C; 0: none that the models have */
    bool is_overfull; /* a size is not known */
    enum { SCALAPACK_NOTHING, SCALAPACK_SIZES, SCALAPACK_OPERAND } next; /* of the next line */
    size_t operand;
};
/* Reads a line of the timer; true if it is a result. */
bool scalapack_read_pblas(struct fr_filter *filter, struct fr_slice line,
                          struct scalapack_pblas *test);

#endif
