/* A saved run: what was measured of a model's operation on one machine at one time (calibration.md,
 * krylov.md 2.2).  It is compared with predictions, and some models compute with it.
 *
 * The document's structs mirror its JSON; fields/run.c describes each member once.
 */
#ifndef FR_SAVED_RUN_H
#define FR_SAVED_RUN_H

#include "engine/calibration/field.h"
#include "engine/core/arena.h"
#include "engine/core/fault.h"

struct fr_model;

/* Traffic and stalls of one class of links during the run. */
enum fr_link_class {
    FR_LINK_X,
    FR_LINK_Y,
    FR_LINK_Z,
    FR_LINK_HOST,
    FR_LINK_CHASSIS,
    FR_LINK_GROUP,
    FR_LINK_GLOBAL
};
struct fr_link_state {
    int class;
    double stalls, traffic_units, bytes;
};
struct fr_network_state {
    double stalls_per_byte; /* or the three that follow */
    double stalls, traffic_units, bytes_per_traffic_unit;
    FR_TABLE(struct fr_link_state) links;
};

/* Of seconds of computation: over all iterations and processes, and over the slowest process of
 * each iteration.  NaN: the run does not say. */
struct fr_run_statistics {
    double median_s, first_quartile_s, slowest_median_s, slowest_first_quartile_s;
};

/* Seconds of computation in ONE iteration: rows are iterations, columns processes; one of three. */
struct fr_run_computation {
    struct {
        fr_number_lists matvec_s, preconditioner_s, vector_s;
    } phases;
    fr_number_lists total_s;
    struct fr_run_statistics summary;
};

/* What of the computation predictions read: its phases, which only `phases` says; the whole of an
 * iteration and of two; and what lies between synchronization points of solvers that have two in an
 * iteration, named after the call that fills it (krylov.md 7.3). */
enum fr_run_share {
    FR_RUN_MATVEC,
    FR_RUN_PRECONDITIONER,
    FR_RUN_VECTOR,
    FR_RUN_ITERATION,
    FR_RUN_PAIR, /* needs two iterations */
    FR_RUN_PCG_MATVEC,
    FR_RUN_PCG_PRECONDITIONER,
    FR_RUN_NBPCG_PRECONDITIONER,
    FR_RUN_NBPCG_MATVEC,
    FR_RUN_SHARES
};
struct fr_run_summary {
    struct fr_run_statistics of[FR_RUN_SHARES];
};

struct fr_run_phase {
    const char *phase;
    double time_s;
};

/* Absent numbers are NaN, absent counts 0, absent texts NULL. */
struct fr_run_document {
    const char *schema, *model, *started_at, *job, *notes;
    int64_t hosts;
    double time_s;
    fr_numbers repetitions, iteration_times_s;
    fr_numbers local_grid, process_grid, on_node_grid, allocation;
    struct fr_network_state network_state;
    struct fr_run_computation computation;
    FR_TABLE(struct fr_run_phase) breakdown;
};
extern const struct fr_field fr_run_fields[];

/* A run ready for use; all it points to lives as long as it does. */
struct fr_saved_run {
    char id[17]; /* empty: it stood in a request */
    const struct fr_model *model;
    const struct fr_run_document *document;
    const void *values;     /* of the model's struct: what the run says, with the defaults */
    uint64_t given;         /* set of fr_param_bit: which of them the run says */
    const double *outputs;  /* measured, one for each of the model's outputs; NaN: not measured */
    double stalls_per_byte; /* NaN: unknown */
    struct fr_run_summary computation;
};

/* Checks what a field alone cannot know (ragged arrays, one kind of computation, phases that the
 * model does not have, grids that it does not read), with JSON pointers. */
int fr_run_check(const struct fr_model *model, const struct fr_run_document *document,
                 struct fr_faults *faults);
/* Takes the document's grids into `values` as the parameters they are, finds the stall rate and
 * summarizes the computation, which is passed over where `faults` hold some already. */
int fr_saved_run_finish(struct fr_saved_run *run, void *values, struct fr_arena *arena,
                        struct fr_faults *faults);
/* Of a computation that fr_run_check has passed; `arena` is for scratch and given back. */
int fr_run_summarize(const struct fr_run_computation *computation, struct fr_arena *arena,
                     struct fr_run_summary *out, struct fr_faults *faults);

/* What must agree for a run to serve a question (krylov.md 2.3): "solver=pcg nodes=4 …".  False
 * where the model reads no run. */
enum { FR_RUN_KEY_BYTES = 256 };
bool fr_run_key(const struct fr_model *model, const void *values, char key[FR_RUN_KEY_BYTES]);

/* Where saved runs come from.  `find` gives those of this key, whose memory lasts until the next
 * call; `given` is what the question itself says: it wins over the run. */
struct fr_run_source {
    size_t (*find)(void *context, const char *key, const struct fr_saved_run *const **runs);
    void *context;
    uint64_t given;
};

#endif
