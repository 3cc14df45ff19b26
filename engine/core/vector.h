/* Extents of a grid, a box or an allocation. */
#ifndef FR_CORE_VECTOR_H
#define FR_CORE_VECTOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Extents of a grid, a box, an allocation. No extents: not given. */
enum { FR_MAX_EXTENTS = 3 };
struct fr_vector {
    size_t count;
    int64_t at[FR_MAX_EXTENTS];
};
/* `8x8x8`; `null` where there is none. */
void fr_vector_print(const struct fr_vector *vector, char *out, size_t size);
double fr_vector_product(const struct fr_vector *vector);
bool fr_vector_equal(const struct fr_vector *a, const struct fr_vector *b);

#endif
