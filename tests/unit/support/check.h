/* cmocka and assert_close; cmocka's own comparison of floating-point numbers has single
 * precision. */
#ifndef FR_CHECK_H
#define FR_CHECK_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <math.h>

/* |a - b| <= tolerance * |b|, or both below any measurable magnitude. */
#define assert_close(a, b, tolerance) \
    check_close((double)(a), (double)(b), (tolerance), #a, __FILE__, __LINE__)

static inline void check_close(double a, double b, double tolerance, const char *what,
                               const char *file, int line)
{
    if (isnan(a) && isnan(b))
        return;
    if (fabs(a - b) <= tolerance * fabs(b) || fabs(a - b) < 1e-15)
        return;
    print_error("%s: %.17g is not %.17g within %g\n", what, a, b, tolerance);
    _fail(file, line);
}

#endif
