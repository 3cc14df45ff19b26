/* Extents of a grid, a box or an allocation. */
#ifndef FR_CORE_VECTOR_H
#define FR_CORE_VECTOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The extents in order; `count` is 0 if the vector is not given. */
enum { FR_MAX_EXTENTS = 3 };
struct fr_vector {
    size_t count;
    int64_t at[FR_MAX_EXTENTS];
};
/* Prints `8x8x8`, or `null` if there are no extents. */
void fr_vector_print(const struct fr_vector *vector, char *out, size_t size);
/* The product of the extents. */
double fr_vector_product(const struct fr_vector *vector);
bool fr_vector_equal(const struct fr_vector *a, const struct fr_vector *b);

#endif
