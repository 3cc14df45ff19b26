/* Fortran formats with one repeated field: (16I5), (5E16.8), (1P,4D20.12). */
#ifndef FR_MATRIX_FORTRAN_H
#define FR_MATRIX_FORTRAN_H

#include "server/matrices/files/number.h"

struct fr_fortran {
    int per_line, width;
    bool is_integer;
    struct fr_real_style style;
};

/* Parses a format at `at` and returns its end; NULL if it has another form. */
const char *fr_fortran_parse(const char *at, const char *end, struct fr_fortran *format);

/* The number of lines for `count` numbers. */
static inline int64_t fr_fortran_lines(const struct fr_fortran *format, int64_t count)
{
    return (count + format->per_line - 1) / format->per_line;
}

#endif
