/* The time to scatter products into blocks of L and U. */
#ifndef FR_SCATTER_H
#define FR_SCATTER_H

#include "calibrations/calibrate/core/sample.h"

struct fr_scatter {
    double scatter_s; /* of an element of a long column */
    double column_s;  /* of a column, beyond its elements */
};

/* Measures on the calling core. */
struct fr_scatter fr_scatter_measure(struct fr_random *random);

#endif
