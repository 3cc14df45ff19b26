/* What a simulation takes from a calibration. */
#ifndef FR_SPARSE_MACHINE_H
#define FR_SPARSE_MACHINE_H

#include "engine/sparse/calibrated.h"

/* The machine as the kernel model `paper` sees it; the switches are the caller's. */
struct sparse_machine sparse_machine_of(const struct fr_calibration *cal);
/* Everything that it needs; each missing value is a fault of `calibration` and is named, then what
 * contradicts itself. A code. */
int sparse_machine_need(const struct fr_calibration *cal, struct fr_faults *faults);

/* Without points where the document has none: enough for one process. */
struct sparse_network sparse_network_of(const struct fr_calibration *cal);
int sparse_network_need(const struct fr_calibration *cal, struct fr_faults *faults);

/* The kernel model `calibrated`. */
bool sparse_has_fit(const struct fr_calibration *cal);
struct sparse_fit sparse_fit_of(const struct fr_calibration *cal);
int sparse_fit_need(const struct fr_calibration *cal, struct fr_faults *faults);

#endif
