/* Saved runs: their content, the quantities in it, and runs of the same configuration. */
#ifndef FR_SAVED_RUN_H
#define FR_SAVED_RUN_H

#include "engine/calibration/field.h"
#include "engine/calibration/machine_facts.h"
#include "engine/core/arena.h"
#include "engine/core/fault.h"
#include "engine/prediction/model.h"

/* A saved run: measurements of one execution of the operation of a model (docs/saved_runs.md).  It
 * is compared with predictions, and some models compute with it.
 *
 * The structs of the document mirror its JSON; engine/fields/run.c describes each member.
 */

/* Traffic and stalls of one class of links during the run. */
#define FR_LINK_STATE_CLASSES(X)  \
    X(FR_LINK_X, "x")             \
    X(FR_LINK_Y, "y")             \
    X(FR_LINK_Z, "z")             \
    X(FR_LINK_HOST, "host")       \
    X(FR_LINK_CHASSIS, "chassis") \
    X(FR_LINK_GROUP, "group")     \
    X(FR_LINK_GLOBAL, "global")
enum fr_link_class { FR_LINK_STATE_CLASSES(FR_CHOICE_VALUE) };
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

/* Quantities that a prediction and a saved run both have. */

/* A number that a prediction and a saved run may both have: an output, or the time of a phase. */
struct fr_quantity {
    const struct fr_output *output; /* NULL: a phase */
    char phase[FR_OUTPUT_NAME_BYTES];
    size_t place; /* index of the output in the model */
};
/* Finds `time_s`, any numeric output, or `breakdown_PHASE_time_s`; false if the model has none. */
bool fr_quantity_find(const struct fr_model *model, const char *name, struct fr_quantity *out);
/* Reports a name that is none of these, with the nearest output. */
void fr_quantity_refuse(const struct fr_model *model, const char *name, enum fr_code code,
                        const char *where, struct fr_faults *faults);
/* Their values, NaN if unknown, and the unit. */
double fr_quantity_predicted(const struct fr_quantity *quantity,
                             const struct fr_prediction *prediction);
double fr_quantity_measured(const struct fr_quantity *quantity, const struct fr_saved_run *run);
bool fr_quantity_is_time(const struct fr_quantity *quantity); /* of the whole run: time_s */
bool fr_quantity_is_rate(const struct fr_quantity *quantity); /* gflops or percent_of_peak */
const char *fr_quantity_unit(const struct fr_quantity *quantity);

enum { FR_MOST_QUANTITIES = 6 };

struct fr_quantities {
    struct fr_quantity quantity[FR_MOST_QUANTITIES];
    const char *name[FR_MOST_QUANTITIES + 1]; /* NULL-terminated */
    size_t count;
};
/* Reads names separated by commas; faults name `where`. */
void fr_quantities_read(const struct fr_model *model, const char *names, const char *where,
                        struct fr_arena *arena, struct fr_quantities *out,
                        struct fr_faults *faults);

/* What runs: the parameters of a question or saved run by which their configurations are compared.
 * Parameters with FR_METHOD only choose how to predict it, and are left out. */

/* A hash of the parameters without those flags, equal for equal ones: of a configuration without
 * FR_METHOD, of a problem without FR_TUNABLE too. */
uint64_t fr_configuration(const struct fr_model *model, const void *values, unsigned left_out);

/* A configuration by its hashes: that of the parameters that each question decides, and those of
 * the others, in the order of the table.  A question decides the others only if it gives them, or,
 * if they are FR_ITERATIONS, only if it is about the whole time. */
enum { FR_MOST_UNDECIDED = 16 };
struct fr_footprint {
    uint64_t decided, other[FR_MOST_UNDECIDED]; /* 0: open */
};
void fr_footprint_of(const struct fr_model *model, const void *values, struct fr_footprint *out);

/* What a saved run is to agree in with a question: in what changes its time, or in what changes the
 * measurements that a model takes from it, seconds of one iteration. */
enum fr_agreement { FR_SAME_TIME, FR_SAME_ITERATION };
/* Whether a run has the configuration of a question, which gives the set `given` of parameters. */
bool fr_footprint_agrees(const struct fr_model *model, const struct fr_footprint *run,
                         const struct fr_footprint *question, uint64_t given,
                         enum fr_agreement agreement);

/* Saved runs by their configuration: which of them match a question, and what they measured. */

/* At most this many runs match a question: the newest. */
enum { FR_MOST_MATCHING = 100 };

struct fr_indexed_run {
    struct fr_footprint footprint; /* of its parameters, resolved */
    double time_s;                 /* measured */
    int64_t sequence;              /* grows with each upload */
    char id[17];
};
/* Borrows the runs; fr_run_index_sort puts them in the order that the search needs, and finds the
 * newest. */
struct fr_run_index {
    const struct fr_model *model;
    struct fr_indexed_run *run;
    size_t count;
    const struct fr_indexed_run *newest[FR_MOST_MATCHING]; /* of each configuration, oldest first */
    size_t configurations;                                 /* at most FR_MOST_MATCHING */
};
void fr_run_index_sort(struct fr_run_index *index);
/* Finds the runs that agree with the values of a question, newest first; returns their number. */
size_t fr_run_index_find(const struct fr_run_index *index, const void *values, uint64_t given,
                         enum fr_agreement agreement,
                         const struct fr_indexed_run *out[FR_MOST_MATCHING]);

/* The runs that a model which transfers chooses from: the newest of each configuration, in the
 * order of their uploads, and last the newest that agrees with the values of the question, if there
 * is one; returns their number. */
size_t fr_run_index_candidates(const struct fr_run_index *index, const void *values, uint64_t given,
                               const struct fr_indexed_run *out[FR_MOST_MATCHING]);

/* The median time of the runs that agree in all that changes it; NaN without runs. */
struct fr_run_time {
    size_t runs;
    double median_s;
};
struct fr_run_time fr_run_index_time(const struct fr_run_index *index, const void *resolved,
                                     uint64_t given);

#endif
