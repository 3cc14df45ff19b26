/* The names of the orderings. */
#include "engine/sparse/structure/structure.h"

#include <stddef.h>

const char *const sparse_orderings[] = { SPARSE_ORDERINGS(SPARSE_ORDERING_STRING), NULL };
