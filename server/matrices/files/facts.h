/* What can be read off a matrix at once. */
#ifndef FR_MATRIX_FACTS_H
#define FR_MATRIX_FACTS_H

#include "server/matrices/files/matrix.h"

#include <stdbool.h>

struct fr_matrix_facts {
    /* Entries off the diagonal that have one opposite, of all such entries; 1 where there are
     * none. */
    double structural_symmetry;
    bool is_symmetric_in_magnitude; /* opposite entries are there, and as large */
    int64_t lower_bandwidth, upper_bandwidth;
    int64_t zero_diagonals; /* no entry, or an explicit zero */
    int64_t empty_rows, empty_columns;
    int64_t fewest_in_row, most_in_row;
};

/* FR_OK, or FR_NOMEM with nothing written. */
int fr_matrix_find_facts(const struct fr_matrix *matrix, struct fr_matrix_facts *facts);

#endif
