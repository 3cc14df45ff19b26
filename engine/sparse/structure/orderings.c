/* The names of the orderings. */
#include "engine/sparse/structure/structure.h"

const char *const sparse_orderings[] = { SPARSE_ORDERINGS(SPARSE_ORDERING_STRING), NULL };
