/* A saved run: measurements of one execution of the operation of a model (docs/saved_runs.md).  It
 * is compared with predictions, and some models compute with it.
 *
 * The structs of the document mirror its JSON; engine/fields/run.c describes each member.
 */
#ifndef FR_SAVED_RUN_H
#define FR_SAVED_RUN_H

#include "engine/calibration/field.h"
#include "engine/calibration/machine_facts.h"
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
    double stalls_per_byte; /* or the next three */
    double stalls, traffic_units, bytes_per_traffic_unit;
    FR_TABLE(struct fr_link_state) links;
};

/* Statistics of seconds of computation: over all iterations and processes, and over the slowest
 * process of each iteration.  NaN: unknown. */
struct fr_run_statistics {
    double median_s, first_quartile_s, slowest_median_s, slowest_first_quartile_s;
};

/* Seconds of computation in one iteration, in one of three forms; rows are iterations, columns are
 * processes (docs/saved_runs.md#computation-of-a-run). */
struct fr_run_computation {
    struct {
        fr_number_lists matvec_s, preconditioner_s, vector_s;
    } phases;
    fr_number_lists total_s;
    struct fr_run_statistics summary;
};

/* Parts of the computation that predictions read: its phases, known only from `phases`; an
 * iteration and two of them; and the work between the two synchronization points of an iteration,
 * named after its main operation (docs/models/krylov.md#synchronization). */
enum fr_run_share {
    FR_RUN_MATVEC,
    FR_RUN_PRECONDITIONER,
    FR_RUN_VECTOR,
    FR_RUN_ITERATION,
    FR_RUN_PAIR, /* two iterations */
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
    struct fr_environment environment;
    struct fr_run_computation computation;
    FR_TABLE(struct fr_run_phase) breakdown;
};
extern const struct fr_field fr_run_fields[];

/* A decoded run.  The owner of the arena that it was decoded into owns everything it points to. */
struct fr_saved_run {
    char id[17]; /* empty for a run in a request */
    const struct fr_model *model;
    const struct fr_run_document *document;
    const void *values;     /* of the struct of the model: given parameters and defaults */
    uint64_t given;         /* set of fr_param_bit of the given parameters */
    const double *outputs;  /* measured, one for each output of the model; NaN: not measured */
    double stalls_per_byte; /* NaN: unknown */
    struct fr_run_summary computation;
};

/* Checks relations between members: array sizes, forms of the computation, repeated phases, grids
 * that the model does not have.  FR_OK or FR_RELATION; appends faults with JSON pointers. */
int fr_run_check(const struct fr_model *model, const struct fr_run_document *document,
                 struct fr_faults *faults);
/* Copies the grids of the document into `values`, sets the stall rate and summarizes the
 * computation unless `faults` already holds some.  FR_OK or FR_RELATION. */
int fr_saved_run_finish(struct fr_saved_run *run, void *values, struct fr_arena *arena,
                        struct fr_faults *faults);
/* Summarizes a computation that fr_run_check accepted; releases its scratch of `arena`.  FR_OK or
 * FR_NOMEM with a fault. */
int fr_run_summarize(const struct fr_run_computation *computation, struct fr_arena *arena,
                     struct fr_run_summary *out, struct fr_faults *faults);

/* A source of saved runs.  `find` returns the number of runs that match a question's values; they
 * are valid until the next call.  `given` is the set of parameters of the request, which win over
 * the run. */
struct fr_run_source {
    size_t (*find)(void *context, const void *values, const struct fr_saved_run *const **runs);
    void *context;
    uint64_t given;
};

#endif
