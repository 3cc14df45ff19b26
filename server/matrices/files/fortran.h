/* Fortran formats with one repeated field: (16I5), (1P,4D20.12), (1X,8I9), (3(1P,E24.16)). */
#ifndef FR_MATRIX_FORTRAN_H
#define FR_MATRIX_FORTRAN_H

#include "server/matrices/files/number.h"

struct fr_fortran {
    int per_line, width;
    bool is_integer;
    struct fr_real_style style;
    int pitch;           /* from one field to the next, at least the width */
    int skip, next_skip; /* columns before the first field, of the first line and the others */
};

/* Parses a format at `at` and returns its end; NULL if it has another form. */
const char *fr_fortran_parse(const char *at, const char *end, struct fr_fortran *format);

/* The number of lines for `count` numbers. */
static inline int64_t fr_fortran_lines(const struct fr_fortran *format, int64_t count)
{
    return (count + format->per_line - 1) / format->per_line;
}

#endif
