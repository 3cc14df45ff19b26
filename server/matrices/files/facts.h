/* Structural properties of a matrix. */
#ifndef FR_MATRIX_FACTS_H
#define FR_MATRIX_FACTS_H

#include "server/matrices/files/matrix.h"

#include <stdbool.h>

struct fr_matrix_facts {
    /* Share of the off-diagonal entries (i,j) for which (j,i) is an entry; 1 if there are none. */
    double structural_symmetry;
    bool is_symmetric_in_magnitude; /* (j,i) exists and has the same magnitude */
    int64_t lower_bandwidth, upper_bandwidth;
    int64_t zero_diagonals; /* no entry, or an explicit zero */
    int64_t empty_rows, empty_columns;
    int64_t fewest_in_row, most_in_row;
};

/* Finds the properties.  FR_OK, or FR_NOMEM with `facts` unchanged. */
int fr_matrix_find_facts(const struct fr_matrix *matrix, struct fr_matrix_facts *facts);

#endif
