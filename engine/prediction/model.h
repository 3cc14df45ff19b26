/* A model: a table entry from which routes, forms, schemas, sweeps and rankings follow. */
#ifndef FR_PREDICTION_MODEL_H
#define FR_PREDICTION_MODEL_H

#include "engine/core/param.h"
#include "engine/prediction/prediction.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct fr_column {
    const char *name; /* NULL ends the list */
    enum fr_column_kind { FR_COLUMN_NUMBER, FR_COLUMN_TEXT, FR_COLUMN_BOOL } kind;
};
/* Takes the rows: the first column's text and the numbers of the others; false: no more. */
struct fr_listing {
    void *context;
    bool (*row)(void *context, const char *text, const double *number);
};

/* Whether a prediction may be answered on the event loop. */
enum fr_cost { FR_CLOSED_FORM, FR_LONG };

struct fr_saved_run;
struct fr_structure_source; /* engine/sparse/structure_source.h */

struct fr_model {
    const char *name, *family, *summary;
    const char *source;                              /* paper, section */
    const char *const *assumes, *const *blind_spots; /* NULL-ended sentences */
    unsigned groups;                                 /* enum fr_group bits it may need */
    /* The groups that these values need; NULL: all of `groups`. */
    unsigned (*needs)(const void *values);
    enum fr_cost cost;
    size_t values_size;
    const struct fr_param *params;
    const struct fr_output *outputs;
    bool has_ordered_phases;       /* they are shown as they were added; else by name */
    const char *const *grows_with; /* NULL-ended: more of it never takes less time */
    /* Parameters that a saved run must agree in to serve a question, NULL-ended; NULL: the model
     * reads no run. */
    const char *const *matches;
    const char *prefers; /* of matching runs, those that agree in this too, where there are any */
    void (*set_run)(void *values, const struct fr_saved_run *run);
    /* Tells where block structures come from, for resolve and predict; copies of the values know it
     * too. NULL: the model needs none. */
    void (*set_structures)(void *values, const struct fr_structure_source *source);
    /* Fills in automatic choices and refuses impossible combinations. */
    int (*resolve)(void *values, const struct fr_calibration *cal, struct fr_faults *faults);
    void (*predict)(const void *values, struct fr_evaluation *run);
    /* Lists what resolved values are made of, where the model can (run->out is scratch). */
    void (*explain)(const void *values, struct fr_evaluation *run,
                    const struct fr_listing *listing);
    const char *list_name; /* of the list, and its columns: the first is a text */
    const struct fr_column *list_columns;
    /* Node counts up to max_nodes that suit the model, ascending; NULL where it has no nodes. */
    size_t (*node_counts)(const void *values, const struct fr_calibration *cal, int64_t max_nodes,
                          int64_t *out, size_t capacity);
    /* Sets the node count of values whose process count was left open. */
    void (*set_nodes)(void *values, int64_t nodes);
};

extern const struct fr_model *const fr_models[]; /* NULL-ended, in the order of list.h */
const struct fr_model *fr_model_find(const char *name);
/* Whether the values say how many processes there are, in one of the ways that exclude each other.
 */
bool fr_model_is_sized(const struct fr_model *model, const void *values);
/* What a question may leave open, beside what has a default. */
enum { FR_OPEN_TUNABLES = 1, FR_OPEN_SIZE = 2 };
/* Whether everything required is given, and each one_of once: all that can be said without a
 * calibration. `may_be_open` is a set of the above; 0 for a prediction. */
void fr_model_check_given(const struct fr_model *model, const void *values, unsigned may_be_open,
                          struct fr_faults *faults);
/* A group-aware check and the model's resolve, in the three stages of the specs: nothing later
 * is judged while something earlier is wrong.  `faults` may already hold faults of binding. */
int fr_model_resolve(const struct fr_model *model, void *values, const struct fr_calibration *cal,
                     struct fr_faults *faults);
/* Predicts resolved values: clears `out`, computes, adds provenance and memory warnings.  FR_RANGE
 * where calibrated values are so extreme that a result is not finite; else what the model itself
 * adds to `faults`. */
int fr_model_predict(const struct fr_model *model, const void *values,
                     const struct fr_calibration *cal, struct fr_arena *arena,
                     struct fr_prediction *out, struct fr_faults *faults);

/* For node_counts: inserts in ascending order, each count once; returns how many there are. */
size_t fr_insert_count(int64_t *out, size_t count, size_t capacity, int64_t value);

#endif
