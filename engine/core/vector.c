/* Vectors of extents: printing, product, equality. */
#include "engine/core/number.h"

#include <inttypes.h>
#include <stdio.h>

void fr_vector_print(const struct fr_vector *vector, char *out, size_t size)
{
    size_t used = (size_t)snprintf(out, size, "%s", vector->count ? "" : "null");

    for (size_t i = 0; i < vector->count && used < size; i++)
        used +=
            (size_t)snprintf(out + used, size - used, "%s%" PRId64, i ? "x" : "", vector->at[i]);
}

double fr_vector_product(const struct fr_vector *vector)
{
    double product = 1;

    for (size_t i = 0; i < vector->count; i++)
        product *= (double)vector->at[i];
    return product;
}

bool fr_vector_equal(const struct fr_vector *a, const struct fr_vector *b)
{
    for (size_t i = 0; i < a->count && i < b->count; i++)
        if (a->at[i] != b->at[i])
            return false;
    return a->count == b->count;
}
