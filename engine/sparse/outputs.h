/* The outputs of sparse LU. */
#ifndef FR_SPARSE_OUTPUTS_H
#define FR_SPARSE_OUTPUTS_H

#include "engine/sparse/simulate.h"

extern const struct fr_output sparse_outputs[];

/* Writes a simulation into an empty prediction.  `is_by_order`: N of the analytic time is the order
 * of the matrix, not the number of supernodes. */
void sparse_outputs_put(const struct sparse_simulation *of, bool is_by_order,
                        const struct fr_calibration *cal, struct fr_prediction *out);
/* Writes its processes, nodes and memory alone. */
void sparse_outputs_put_memory(const struct sparse_simulation *of, const struct fr_calibration *cal,
                               struct fr_prediction *out);

#endif
