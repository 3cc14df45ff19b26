/* The inputs of a simulation that come from a calibration. */
#ifndef FR_SPARSE_MACHINE_H
#define FR_SPARSE_MACHINE_H

#include "engine/sparse/clocks/clocks.h"
#include "engine/sparse/rates/calibrated.h"

/* The machine for the kernel model `paper`; the caller sets the variants of the model. */
struct sparse_machine sparse_machine_of(const struct fr_calibration *cal);
/* Checks that a calibration has all values of the machine, and that they are consistent.  FR_OK, or
 * FR_GROUP_MISSING with faults of `calibration` that name them. */
int sparse_machine_need(const struct fr_calibration *cal, struct fr_faults *faults);

/* The network; without points if the calibration has none, which is enough for one process. */
struct sparse_network sparse_network_of(const struct fr_calibration *cal);
/* As sparse_machine_need. */
int sparse_network_need(const struct fr_calibration *cal, struct fr_faults *faults);

/* Whether the calibration has the constants of the kernel model `calibrated`, or those for a
 * look-ahead window; the constants; and, as sparse_machine_need, a check of everything that the
 * model needs. */
bool sparse_has_fit(const struct fr_calibration *cal, bool is_window);
struct sparse_fit sparse_fit_of(const struct fr_calibration *cal, bool is_window);
int sparse_fit_need(const struct fr_calibration *cal, bool is_window, struct fr_faults *faults);
/* The constants of the triangular solves: the calibration's, or those of another machine. */
struct sparse_solve_fit sparse_solve_fit_of(const struct fr_calibration *cal);
bool sparse_has_solve_fit(const struct fr_calibration *cal);

#endif
