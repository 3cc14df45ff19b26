/* A model: the descriptor from which routes, forms, schemas, sweeps and rankings follow. */
#ifndef FR_PREDICTION_MODEL_H
#define FR_PREDICTION_MODEL_H

#include "engine/core/param.h"
#include "engine/prediction/prediction.h"

struct fr_column {
    const char *name; /* NULL ends the list */
    enum fr_column_kind { FR_COLUMN_NUMBER, FR_COLUMN_TEXT, FR_COLUMN_BOOL } kind;
};
/* Receives rows: the text of the first column and the numbers of the others.  Returning false ends
 * the list. */
struct fr_listing {
    void *context;
    bool (*row)(void *context, const char *text, const double *number);
};

/* A closed form is answered on the event loop, anything longer by a worker. */
enum fr_cost { FR_CLOSED_FORM, FR_LONG };

/* The parts of a calibration that a model reads, as sets of enum fr_use bits. */
struct fr_reads {
    fr_uses required; /* a question that leaves options at their defaults is refused without one */
    struct {
        fr_uses preferred, instead; /* refused if neither set is complete */
        fr_uses beside;             /* helpful, and read with `instead` only */
    } either[2];
    fr_uses older;   /* what older calibrations have in place of a part that it names */
    fr_uses helpful; /* read by options, or replaced by an assumption with a warning */
    /* The routine models that it reads, as forerun-calibrate --kernels names them.  NULL: none, or
     * those that the question names. */
    const char *kernels;
    /* Whether a calibration has these for one thread, or without `kernels` costs of calls or what
     * replaces them; NULL: its parts tell. */
    bool (*has_kernels)(const struct fr_calibration *cal);
};
/* A list of texts, as a member of a descriptor. */
#define FR_TEXTS(...) ((const char *const[]){ __VA_ARGS__, NULL })

struct fr_saved_run;
struct fr_structure_source;  /* engine/sparse/counts/work_counts.h */
struct sparse_structure_key; /* engine/sparse/structure/structure.h */
struct fr_partition_source;  /* engine/krylov/partition/partition.h */

struct fr_model {
    const char *name, *family, *summary;
    const char *source;                              /* paper, section */
    const char *const *assumes, *const *blind_spots; /* FR_TEXTS: sentences */
    /* How wrong the model was, at most, in nine of ten runs to whose times nothing was fitted; 0:
     * not known.  predict may set another for a question.  Intervals rest on it until enough runs
     * are saved (docs/models/variability.md#how-wrong-the-models-were). */
    double error_fraction;
    unsigned groups; /* enum fr_group bits that it may need */
    /* The groups that these values need.  NULL if always all of `groups`. */
    unsigned (*needs)(const void *values);
    struct fr_reads reads;
    enum fr_cost cost;
    size_t values_size;
    const struct fr_param *params;
    const struct fr_output *outputs;
    bool has_ordered_phases;       /* phases appear in the order of addition, else sorted by name */
    const char *const *grows_with; /* FR_TEXTS: a larger value never takes less time */
    /* Takes what a saved run measured.  NULL if the model reads no saved runs. */
    void (*set_run)(void *values, const struct fr_saved_run *run);
    /* The run whose measurements serve a question best: its index; `count` if none does.  Of equal
     * runs the last.  NULL: every run that agrees with the question serves it. */
    size_t (*nearest_run)(const void *values, const struct fr_saved_run *const *run, size_t count,
                          const struct fr_calibration *cal, struct fr_arena *arena);
    /* Sets the source of block structures for resolve and predict; copies of the values keep it.
     * NULL if the model needs none. */
    void (*set_structures)(void *values, const struct fr_structure_source *source);
    /* With set_structures: the matrix and the structure that unresolved values ask for. */
    void (*structure_key)(const void *values, const char **matrix,
                          struct sparse_structure_key *key);
    /* The same for facts of partitioned matrices. */
    void (*set_partitions)(void *values, const struct fr_partition_source *source);
    /* Fills in automatic choices and refuses impossible combinations. */
    int (*resolve)(void *values, const struct fr_calibration *cal, struct fr_faults *faults);
    void (*predict)(const void *values, struct fr_evaluation *run);
    /* A time that no schedule of resolved values can beat, in much less work than predict.
     * run->out is scratch, whose flops it sets.  NULL: rankings predict every configuration. */
    double (*bound_s)(const void *values, struct fr_evaluation *run);
    /* The bound is the same for values with the same first bytes, as far as tunables differ. */
    size_t bound_bytes;
    /* What the predictions of a ranking share (struct fr_evaluation); 0: nothing. */
    size_t kept_bytes;
    /* Sets the memory of resolved values, and its limit, as predict does, in much less work; faults
     * as predict's.  NULL: only predict knows it. */
    void (*memory)(const void *values, struct fr_evaluation *run);
    /* The part of resolve that is known although parameters are missing, such as an alternative of
     * which one is required: it is called in place of resolve if there are other faults, so that
     * all are reported at once.  May be NULL. */
    void (*check_given)(const void *values, struct fr_faults *faults);
    /* Lists the components of a prediction of resolved values; NULL if the model cannot.  run->out
     * is scratch. */
    void (*explain)(const void *values, struct fr_evaluation *run,
                    const struct fr_listing *listing);
    const char *list_name; /* name and columns of that list; the first column is a text */
    const struct fr_column *list_columns;
    /* Writes the suitable node counts up to max_nodes in ascending order.  NULL without nodes. */
    size_t (*node_counts)(const void *values, const struct fr_calibration *cal, int64_t max_nodes,
                          int64_t *out, size_t capacity);
    /* Sets the node count of values whose process count is open. */
    void (*set_nodes)(void *values, int64_t nodes);
};

extern const struct fr_model *const fr_models[]; /* NULL-ended, in the order of list.h */
const struct fr_model *fr_model_find(const char *name);
/* Reports a name that is no parameter of the model (NULL: of the route): with the nearest of those
 * considered, or else `remedy`, or where the model's parameters are listed. */
void fr_param_refuse(const struct fr_nearest *nearest, const struct fr_model *model,
                     const char *remedy, struct fr_faults *faults);
/* Whether the values give the number of processes, in one of the alternative ways. */
bool fr_model_is_sized(const struct fr_model *model, const void *values);
/* Whether a parameter that determines the size of the problem from the configuration is given
 * (`unless` of struct fr_param), so that configurations differ in size. */
bool fr_model_is_filled(const struct fr_model *model, const void *values);
/* Whether the problem grows with the nodes: its size is filled, or given for a process. */
bool fr_model_grows(const struct fr_model *model, const void *values);
/* At most so many node counts are tried for a question. */
enum { FR_MOST_NODE_COUNTS = 2048 };
/* Required parameters that a question may leave open. */
enum { FR_OPEN_TUNABLES = 1, FR_OPEN_SIZE = 2 };
/* Checks, without a calibration, that every required parameter is given and that each `one_of` is
 * given once.  `may_be_open` is a set of the bits above; 0 for a prediction. */
void fr_model_check_given(const struct fr_model *model, const void *values, unsigned may_be_open,
                          struct fr_faults *faults);
/* Checks it for a prediction; where there are faults, what the model's check_given knows as well.
 */
void fr_model_check_complete(const struct fr_model *model, const void *values,
                             struct fr_faults *faults);
/* Checks given parameters, then calibration groups, then calls the model's resolve.  A later stage
 * runs only if the earlier ones found no fault.  `faults` may already hold faults of binding. */
int fr_model_resolve(const struct fr_model *model, void *values, const struct fr_calibration *cal,
                     struct fr_faults *faults);
/* Predicts resolved values: clears `out`, computes, adds provenance and memory warnings.  Returns
 * FR_RANGE if extreme calibrated values make a result infinite, or the code of a fault that the
 * model adds. */
int fr_model_predict(const struct fr_model *model, const void *values,
                     const struct fr_calibration *cal, struct fr_arena *arena,
                     struct fr_prediction *out, struct fr_faults *faults);
/* The same with all members of `run`: time_s may become infinite, and nothing else be set, if it
 * exceeds the limit. */
int fr_model_predict_within(const struct fr_model *model, const void *values,
                            struct fr_evaluation *run);

/* Inserts a count into an ascending list without duplicates and returns the new length. */
size_t fr_insert_count(int64_t *out, size_t count, size_t capacity, int64_t value);
/* Copies at most `capacity` of the values of a fixed list and returns their number. */
size_t fr_copy_counts(int64_t *out, size_t capacity, const int64_t *values, size_t count);

#endif
