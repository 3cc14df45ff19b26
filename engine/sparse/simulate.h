/* A sparse factorization, simulated. */
#ifndef FR_SPARSE_SIMULATE_H
#define FR_SPARSE_SIMULATE_H

#include "engine/prediction/prediction.h"
#include "engine/sparse/clocks/clocks.h"
#include "engine/sparse/counts/work.h"
#include "engine/sparse/rates/rates.h"
#include "engine/sparse/structure/structure.h"

/* The inputs of a simulation that come from a calibration. */

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
 * look-ahead window; the constants of a process that takes `slowest` times as long; and, as
 * sparse_machine_need, a check of everything that the model needs. */
bool sparse_has_fit(const struct fr_calibration *cal, bool is_window);
struct sparse_fit sparse_fit_of(const struct fr_calibration *cal, bool is_window, double slowest);
int sparse_fit_need(const struct fr_calibration *cal, bool is_window, struct fr_faults *faults);
/* The constants of the triangular solves: the calibration's, or those of another machine. */
struct sparse_solve_fit sparse_solve_fit_of(const struct fr_calibration *cal, double slowest);
bool sparse_has_solve_fit(const struct fr_calibration *cal);

/* A complete simulation: work by either kernel model, clocks, solves, memory. */

enum sparse_part { SPARSE_ONLY_FACTOR, SPARSE_ONLY_SOLVE, SPARSE_BOTH };

struct sparse_simulation {
    /* Inputs. */
    const struct fr_structure_source *source; /* counts work (paper), admits it (calibrated) */
    const struct sparse_structure *s;         /* NULL: the simulation is refused */
    struct sparse_grid grid;                  /* of a layer */
    int32_t layers;                /* a power of 2; more than 1 with a window, without solves */
    bool is_calibrated;            /* the kernel model; true for a window */
    int32_t window;                /* look-ahead panels (overlap `window`) */
    bool is_schedule_static;       /* likewise */
    struct sparse_machine machine; /* paper */
    struct sparse_network network;
    enum sparse_part part;
    int64_t nrhs, solves;     /* right-hand sides of a solve; solves */
    double *clock_s, *load_s; /* zeroes, receive those of each rank, layer by layer; or NULL */
    /* Results. */
    double slowest;  /* calibrated: the time of the last process that others wait for over the
                        measured time; else 1 */
    double by_alone; /* the time of one process that waits for nobody over that of the last */
    struct sparse_times times;               /* of the factorization; zeroes without it */
    struct sparse_solve_times solve;         /* of one solve; zeroes without it */
    struct sparse_times total;               /* of the parts asked for, one after the other */
    struct sparse_memory memory;             /* of the process that needs most */
    struct sparse_forests forests;           /* of several layers, while it runs */
    double sequential_s, sequential_upper_s; /* of these parts; upper: with TLB misses; NaN: not
                                                known */
    struct sparse_totals totals;             /* paper: of all processes */
    struct sparse_bounds bounds;             /* paper: on the misses of a single process */
    double window_fraction;                  /* updates within the window over all; else NaN */
};

/* The processes of all layers. */
static inline int64_t sparse_all_processes(const struct sparse_simulation *of)
{
    return of->layers * sparse_processes(of->grid);
}

/* Simulates; records in run->out which calibrated values were used and which table was exceeded.
 * FR_OK, or a code with faults. */
int sparse_simulate(struct sparse_simulation *of, struct fr_evaluation *run);
/* Finds the memory alone, in O(blocks).  Likewise. */
int sparse_simulate_memory(struct sparse_simulation *of, struct fr_evaluation *run);

/* The parts of a complete simulation, and what they share. */

/* The factorization with the overlaps of the paper or with a look-ahead window, and the triangular
 * solves; as sparse_simulate, which calls them.  Each charges the request for its passes over all
 * steps first; a refusal refunds them. */
int sparse_simulate_overlaps(struct sparse_simulation *of, struct fr_evaluation *run);
int sparse_simulate_window(struct sparse_simulation *of, struct fr_evaluation *run);
int sparse_simulate_solve(struct sparse_simulation *of, struct fr_evaluation *run);

/* Divides the supernodes among the layers.  The steps depend on the trees, so that they are charged
 * afterwards.  FR_OK, or a code with a fault. */
int sparse_find_forests(struct sparse_simulation *of, struct fr_evaluation *run);
/* The forests of the layers; NULL: one layer. */
static inline const struct sparse_forests *sparse_forests_of(const struct sparse_simulation *of)
{
    return of->layers > 1 ? &of->forests : NULL;
}

/* Charges the request for steps.  FR_OK, or FR_TOO_LONG with a fault. */
int sparse_spend(const struct sparse_simulation *of, double steps, const struct fr_evaluation *run);
/* Charges it for all that a part demands, or for nothing. */
int sparse_admit(const struct sparse_simulation *of, const struct sparse_demand *demand,
                 const struct fr_evaluation *run);
/* FR_NOMEM with a fault. */
int sparse_no_memory(const struct fr_evaluation *run);
/* Warns of each axis whose sizes outside it take more than 1 % of the time of the routine. */
void sparse_warn_of_tables(struct fr_prediction *out, const struct sparse_tables *tables);

/* The outputs of sparse LU. */

extern const struct fr_output sparse_outputs[];

/* Writes a simulation into an empty prediction.  `is_by_order`: N of the analytic time is the order
 * of the matrix, not the number of supernodes. */
void sparse_outputs_put(const struct sparse_simulation *of, bool is_by_order,
                        const struct fr_calibration *cal, struct fr_prediction *out);
/* Writes its processes, nodes and memory alone. */
void sparse_outputs_put_memory(const struct sparse_simulation *of, const struct fr_calibration *cal,
                               struct fr_prediction *out);

#endif
