/* forerun: the engine's one public header.
 *
 * A prediction is a pure function: (model, parameter values, calibration) -> (times, breakdown,
 * outputs).  Everything a client can name (a parameter, an output, a calibrated value) is described
 * once, by a descriptor in a table; parsing, refusals, schemas, forms and what-if are read off it.
 *
 * Every pointer is borrowed unless a comment says otherwise.  Functions that can fail return an
 * enum fr_code as int (0 is success), append to `faults` and leave what they write untouched.
 */
#ifndef FORERUN_H
#define FORERUN_H

#include "engine/calibration/calibration.h"
#include "engine/runs/saved_run.h"
#include "engine/runs/statistics.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FR_VERSION "0.3.0"
#define FR_ENGINE "forerun " FR_VERSION

#if defined(__GNUC__)
#define FR_PRINTF(text, first) __attribute__((format(printf, text, first)))
#else
#define FR_PRINTF(text, first)
#endif

/* ---- faults: why something was refused ---------------------------------------------------- */

/* The code's name as clients see it.  HTTP statuses belong to the server. */
#define FR_CODES(X)                                  \
    X(FR_SYNTAX, "syntax")                           \
    X(FR_TYPE, "wrong_type")                         \
    X(FR_RANGE, "out_of_range")                      \
    X(FR_CHOICE, "unknown_choice")                   \
    X(FR_MISSING, "required")                        \
    X(FR_REPEATED, "given_twice")                    \
    X(FR_RELATION, "impossible_combination")         \
    X(FR_UNKNOWN_PARAMETER, "unknown_parameter")     \
    X(FR_UNKNOWN_KEY, "unknown_key")                 \
    X(FR_GROUP_MISSING, "calibration_group_missing") \
    X(FR_NOT_FOUND, "not_found")                     \
    X(FR_TOO_MANY_POINTS, "too_many_points")         \
    X(FR_NOMEM, "too_large")                         \
    X(FR_TOO_LONG, "too_long")                       \
    X(FR_INFEASIBLE, "infeasible")

enum fr_code {
    FR_OK,
#define X(code, name) code,
    FR_CODES(X)
#undef X
};

const char *fr_code_name(enum fr_code code);

enum { FR_MAX_FAULTS = 32, FR_WHERE_BYTES = 160, FR_MESSAGE_BYTES = 440 };

struct fr_fault {
    enum fr_code code;
    char where[FR_WHERE_BYTES]; /* a parameter's name, or a JSON pointer (begins with '/') */
    char message[FR_MESSAGE_BYTES];
};

/* All faults of a request; the first FR_MAX_FAULTS are kept, `count` counts all. */
struct fr_faults {
    size_t count;
    struct fr_fault fault[FR_MAX_FAULTS];
};

/* Appends a fault and returns its code. */
int fr_fault(struct fr_faults *faults, enum fr_code code, const char *where, const char *format,
             ...) FR_PRINTF(4, 5);

size_t fr_faults_kept(const struct fr_faults *faults);

/* ---- arena: the memory of a request, and its work ------------------------------------------ */

struct fr_arena;

/* The first 64 KiB come with the arena.  NULL where memory is short.  Free with fr_arena_free. */
struct fr_arena *fr_arena_new(size_t limit_bytes);
void fr_arena_free(struct fr_arena *arena);
/* Zeroed, aligned for any type; NULL beyond the limit (report FR_NOMEM). */
void *fr_arena_zeroed(struct fr_arena *arena, size_t count, size_t size);
char *fr_arena_text(struct fr_arena *arena, const char *text, size_t length);
/* Counts work whose amount the client chooses, in steps of some nanoseconds; false once the request
 * has taken more than FR_MAX_STEPS, some seconds' worth (report FR_NOMEM). */
#define FR_MAX_STEPS 4e8
bool fr_arena_spend(struct fr_arena *arena, double steps);
/* The same, but what there is not enough for is not counted: smaller work may still be done.
 * Negative steps give back what was not done after all. */
bool fr_arena_afford(struct fr_arena *arena, double steps);
/* Counts from nothing: for another request, or a thing that has its own share. */
void fr_arena_renew(struct fr_arena *arena);
/* A mark, and a return to it: what was allocated since is given back. */
struct fr_arena_mark {
    void *chunk;
    size_t used, total;
};
struct fr_arena_mark fr_arena_mark(const struct fr_arena *arena);
void fr_arena_release(struct fr_arena *arena, struct fr_arena_mark mark);

/* ---- parameters --------------------------------------------------------------------------- */

/* A SET is given as names joined by ':' (`none` where it is empty), a VECTOR as `8x8x8`; a TEXT is
 * never part of a list. */
enum fr_kind {
    FR_KIND_INT,
    FR_KIND_REAL,
    FR_KIND_BOOL,
    FR_KIND_CHOICE,
    FR_KIND_SET,
    FR_KIND_VECTOR,
    FR_KIND_TEXT
};

/* Extents of a grid, a box, an allocation. No extents: not given. */
enum { FR_MAX_EXTENTS = 3 };
struct fr_vector {
    size_t count;
    int64_t at[FR_MAX_EXTENTS];
};
/* `8x8x8`; `null` where there is none. */
void fr_vector_print(const struct fr_vector *vector, char *out, size_t size);
double fr_vector_product(const struct fr_vector *vector);
bool fr_vector_equal(const struct fr_vector *a, const struct fr_vector *b);

/* Held in place, so that values can be copied like any struct. Empty: not given. */
enum { FR_WORDS_BYTES = 8192 };
struct fr_words {
    char text[FR_WORDS_BYTES];
};

enum fr_param_flags {
    FR_REQUIRED = 1,    /* must be given */
    FR_TUNABLE = 2,     /* rank and recommend choose it where it is left open */
    FR_DEFAULT = 4,     /* `fallback` holds where it is left open */
    FR_AUTOMATIC = 8,   /* resolve() chooses it where it is left open */
    FR_INPUT_ONLY = 16, /* another way to give a parameter: not part of the answer */
    FR_LATE = 32,       /* its range is judged by resolve(), with the relations */
    FR_METHOD = 64,    /* says how to predict, not what is run: a saved run does not differ by it */
    FR_OPTIONAL = 128, /* with AUTOMATIC: may stay open where nothing is known or needed */
};

/* Marks of a parameter that was left open. */
#define FR_OPEN_INT INT64_MIN
#define FR_OPEN_CHOICE (-1)

struct fr_calibration;

/* Everything about one parameter.  Values live in the model's own plain struct: int64_t for
 * INT, double for REAL (open: NaN), int for BOOL, CHOICE (index into `choices`) and SET (bit i for
 * choice i), struct fr_vector for VECTOR (whose range is that of each extent), struct fr_words for
 * TEXT. */
struct fr_param {
    const char *name;
    enum fr_kind kind;
    size_t offset;
    const char *unit;
    const char *doc;
    double min, max; /* inclusive; for INT, REAL and VECTOR */
    double fallback;
    const char *const *choices; /* NULL-ended */
    const char *one_of;         /* exactly one of the parameters that carry this same name */
    unsigned flags;
    /* INT tunables: writes the values worth trying, ascending, and returns how many. */
    size_t (*candidates)(const void *values, const struct fr_calibration *cal, int64_t *out,
                         size_t capacity);
};

/* `_Generic` ties the field's type to its kind: a mismatch does not compile. */
#define FR_INT(S, f, ...)                       \
    {                                           \
        .name = #f, .kind = FR_KIND_INT,        \
        .offset = _Generic(((S *)0)->f, int64_t \
                           : offsetof(S, f)),   \
        __VA_ARGS__                             \
    }
#define FR_REAL(S, f, ...)                     \
    {                                          \
        .name = #f, .kind = FR_KIND_REAL,      \
        .offset = _Generic(((S *)0)->f, double \
                           : offsetof(S, f)),  \
        __VA_ARGS__                            \
    }
#define FR_BOOL(S, f, ...)                    \
    {                                         \
        .name = #f, .kind = FR_KIND_BOOL,     \
        .offset = _Generic(((S *)0)->f, int   \
                           : offsetof(S, f)), \
        __VA_ARGS__                           \
    }
#define FR_CHOICE_OF(S, f, ...)               \
    {                                         \
        .name = #f, .kind = FR_KIND_CHOICE,   \
        .offset = _Generic(((S *)0)->f, int   \
                           : offsetof(S, f)), \
        __VA_ARGS__                           \
    }
#define FR_SET_OF(S, f, ...)                  \
    {                                         \
        .name = #f, .kind = FR_KIND_SET,      \
        .offset = _Generic(((S *)0)->f, int   \
                           : offsetof(S, f)), \
        __VA_ARGS__                           \
    }
#define FR_VECTOR(S, f, ...)                             \
    {                                                    \
        .name = #f, .kind = FR_KIND_VECTOR,              \
        .offset = _Generic(((S *)0)->f, struct fr_vector \
                           : offsetof(S, f)),            \
        __VA_ARGS__                                      \
    }
#define FR_TEXT(S, f, ...)                              \
    {                                                   \
        .name = #f, .kind = FR_KIND_TEXT,               \
        .offset = _Generic(((S *)0)->f, struct fr_words \
                           : offsetof(S, f)),           \
        __VA_ARGS__                                     \
    }
#define FR_PARAMS_END \
    {                 \
        .name = NULL  \
    }

const struct fr_param *fr_param_find(const struct fr_param *params, const char *name);
/* The name nearest to a misspelt one, or NULL where none is near. */
const char *fr_param_near(const struct fr_param *params, const char *name);
/* A parameter's bit in a set of the parameters of its table. */
uint64_t fr_param_bit(const struct fr_param *params, const struct fr_param *param);
/* Marks every parameter as open, then fills in the defaults. */
void fr_params_clear(const struct fr_param *params, void *values);
bool fr_param_is_open(const struct fr_param *param, const void *values);
/* Reads a text (`1e6`, `true`, `25d_ovlp`, `8x8x8`), checks its range and sets the value. */
int fr_param_read(const struct fr_param *param, const char *text, void *values,
                  struct fr_faults *faults);
/* The value as text, for messages and keys; numbers round-trip. */
void fr_param_print(const struct fr_param *param, const void *values, char *out, size_t size);
void fr_param_open(const struct fr_param *param, void *values);
void fr_param_copy(const struct fr_param *param, const void *from, void *values);

/* Whether two sets of values agree in it. */
bool fr_param_equal(const struct fr_param *param, const void *a, const void *b);

/* A value as a number, for all kinds but VECTOR and TEXT (NaN): the integer, the real, 0 or 1, the
 * index of the choice, the bits of the set. */
double fr_param_get(const struct fr_param *param, const void *values);
void fr_param_set(const struct fr_param *param, void *values, double value);
int fr_param_parse(const struct fr_param *param, const char *text, double *value,
                   struct fr_faults *faults);
/* Checks a number that is already one (from JSON, a list or a candidate). */
int fr_param_check(const struct fr_param *param, double value, struct fr_faults *faults);
void fr_param_print_number(const struct fr_param *param, double value, char *out, size_t size);
/* The same for a VECTOR. */
const struct fr_vector *fr_param_vector(const struct fr_param *param, const void *values);
void fr_param_set_vector(const struct fr_param *param, void *values, const struct fr_vector *value);
int fr_param_parse_vector(const struct fr_param *param, const char *text, struct fr_vector *value,
                          struct fr_faults *faults);
int fr_param_check_vector(const struct fr_param *param, const struct fr_vector *value,
                          struct fr_faults *faults);
/* The same for a TEXT. */
const char *fr_param_text(const struct fr_param *param, const void *values);
void fr_param_set_text(const struct fr_param *param, void *values, const char *text);
/* Reads a decimal number strictly: no blanks, hex, inf, nan or trailing text. */
bool fr_number_parse(const char *text, double *value);
/* A number for a message: few digits where few are exact, 1000000 rather than 1e+06. */
void fr_number_text(double value, char *out, size_t size);
/* The edits between two names, and whether so few that one was probably meant to be the other. */
size_t fr_text_distance(const char *a, const char *b);
bool fr_text_is_near(const char *name, const char *candidate);

/* ---- what if ------------------------------------------------------------------------------ */

/* A change of calibrated values for one request. */
struct fr_change {
    const char *path;  /* network.bandwidth, network.protocols.eager.max_message_bytes */
    const char *value; /* "*2" or "1e-6" */
};
/* The short forms that act on many fields, for listing. */
struct fr_alias {
    const char *path, *doc;
};
extern const struct fr_alias fr_aliases[];
/* How a field may be changed, in words; NULL: not at all (texts, what is about the document). */
const char *fr_what_if_form(const struct fr_field *field);
/* A changed and prepared copy in `arena`; faults name `what_if.PATH`. NULL on failure. */
const struct fr_calibration *fr_what_if(const struct fr_calibration *cal,
                                        const struct fr_change *change, size_t count,
                                        struct fr_arena *arena, struct fr_faults *faults);

/* ---- predictions -------------------------------------------------------------------------- */

enum fr_phase_kind { FR_COMPUTATION, FR_COMMUNICATION };
struct fr_phase {
    const char *name;
    enum fr_phase_kind kind;
    double time_s, hidden_s;
};

/* X(code, name, has a `what`) */
#define FR_WARNINGS(X)                                          \
    X(FR_WARN_EXTRAPOLATED, "extrapolated")                     \
    X(FR_WARN_ASSUMED, "assumed_value")                         \
    X(FR_WARN_UNSTATED, "unstated_source")                      \
    X(FR_WARN_MEMORY, "memory_exceeded")                        \
    X(FR_WARN_UNEVEN_BLOCKS, "uneven_blocks")                   \
    X(FR_WARN_UNEVEN_LAYERS, "uneven_layers")                   \
    X(FR_WARN_ROUNDED, "collective_rounded")                    \
    X(FR_WARN_OVERSUBSCRIBED, "oversubscribed")                 \
    X(FR_WARN_ALLOCATION, "allocation_assumed")                 \
    X(FR_WARN_STALL_RATE, "stall_rate_missing")                 \
    X(FR_WARN_TOPOLOGY_MAPPING, "topology_mapping_assumed")     \
    X(FR_WARN_COMPUTATION, "computation_estimated")             \
    X(FR_WARN_COMPUTATION_SCALED, "computation_scaled")         \
    X(FR_WARN_COMPUTATION_SPLIT, "computation_split_estimated") \
    X(FR_WARN_SYNCHRONIZATION, "synchronization_missing")       \
    X(FR_WARN_PATTERN, "pattern_missing")                       \
    X(FR_WARN_BROADCAST, "broadcast_algorithm_assumed")
enum fr_warning_code {
#define X(code, name) code,
    FR_WARNINGS(X)
#undef X
};
/* Kept as numbers, so that raising one costs nothing; worded by fr_warning_print. */
struct fr_warning {
    enum fr_warning_code code;
    const char *what; /* NULL where the code says it all */
    double value, low, high;
};

enum { FR_MAX_PHASES = 32, FR_MAX_WARNINGS = 48, FR_MAX_EXTRA = 40, FR_MAX_VECTORS = 2 };

struct fr_prediction {
    double time_s, flops, gflops, percent_of_peak;
    double processes, nodes;
    double memory_bytes_per_process, memory_limit_bytes_per_process;
    double communication_bytes_per_process;
    double computation_s, communication_s, hidden_s;
    /* numbers up to here: a median of two predictions is half of each */
    double extra[FR_MAX_EXTRA]; /* the model's own outputs; NaN: no value */
    struct fr_vector vector[FR_MAX_VECTORS];
    const char *text; /* NULL: no value */
    uint64_t used;    /* enum fr_use bits of the calibrated values that were read */
    size_t phase_count;
    struct fr_phase phase[FR_MAX_PHASES];
    size_t warning_count;
    struct fr_warning warning[FR_MAX_WARNINGS];
};

/* An output's descriptor: where it stands in struct fr_prediction.  A name such as `step.time_s` is
 * a member of an object in JSON, and `step_time_s` wherever names are flat. */
enum fr_output_kind { FR_OUTPUT_NUMBER, FR_OUTPUT_VECTOR, FR_OUTPUT_TEXT };
struct fr_output {
    const char *name;
    enum fr_output_kind kind;
    size_t offset;
    const char *unit;
    const char *doc;
};
#define FR_OUTPUT(f, ...)                                                    \
    {                                                                        \
        .name = #f, .offset = offsetof(struct fr_prediction, f), __VA_ARGS__ \
    }
#define FR_EXTRA(i, label, ...)                                                                \
    {                                                                                          \
        .name = label, .offset = offsetof(struct fr_prediction, extra) + (i) * sizeof(double), \
        __VA_ARGS__                                                                            \
    }
#define FR_EXTRA_VECTOR(i, label, ...)                                                     \
    {                                                                                      \
        .name = label, .kind = FR_OUTPUT_VECTOR,                                           \
        .offset = offsetof(struct fr_prediction, vector) + (i) * sizeof(struct fr_vector), \
        __VA_ARGS__                                                                        \
    }
#define FR_EXTRA_TEXT(label, ...)                                                              \
    {                                                                                          \
        .name = label, .kind = FR_OUTPUT_TEXT, .offset = offsetof(struct fr_prediction, text), \
        __VA_ARGS__                                                                            \
    }
#define FR_OUTPUTS_END \
    {                  \
        .name = NULL   \
    }

/* By its name, flat or with the dot. */
const struct fr_output *fr_output_find(const struct fr_output *outputs, const char *name);
/* NaN where it has no value, or is no number. */
double fr_output_get(const struct fr_output *output, const struct fr_prediction *prediction);
const struct fr_vector *fr_output_vector(const struct fr_output *output,
                                         const struct fr_prediction *prediction);
const char *fr_output_text(const struct fr_output *output, const struct fr_prediction *prediction);
/* `step_time_s` of `step.time_s`. */
enum { FR_OUTPUT_NAME_BYTES = 64 };
void fr_output_flat_name(const struct fr_output *output, char out[FR_OUTPUT_NAME_BYTES]);

void fr_prediction_clear(struct fr_prediction *out);
/* Adds a phase and adds it to the time: a breakdown sums to the time by construction. */
void fr_phase(struct fr_prediction *out, const char *name, enum fr_phase_kind kind, double time_s,
              double hidden_s);
/* Each (code, what) is kept once, with the value furthest out. */
void fr_warn(struct fr_prediction *out, enum fr_warning_code code, const char *what, double value,
             double low, double high);
const char *fr_warning_name(enum fr_warning_code code);
/* The sentence for a person; `cal` names the sources of assumed values. */
void fr_warning_print(const struct fr_warning *warning, const struct fr_prediction *prediction,
                      const struct fr_calibration *cal, char *out, size_t size);

/* What a model computes with. */
struct fr_run {
    const struct fr_calibration *cal;
    struct fr_arena *arena;
    struct fr_prediction *out;
    struct fr_faults *faults; /* what only computing finds out; a fault refuses the prediction */
};

/* Lookups; each records in run->out what it read and what it had to extrapolate. */

/* C_avg of a transfer over `distance` ranks (dense-distributed.md 3). */
double fr_contention_average(struct fr_run *run, double distance);
/* The same for `processes` that all send, where the document tells them apart
 * (dense-distributed.md 14.2). */
double fr_contention_average_among(struct fr_run *run, double processes, double distance);
/* C_max of `processes` all sending over `distance` ranks (dense-distributed.md 3, D5, D6). */
double fr_contention_maximum(struct fr_run *run, double processes, double distance);
/* Seconds of an uncontended message by the first protocol that carries it; `bytes` may be
 * fractional.  On the node where the document has no off-node values. */
double fr_message_s(struct fr_run *run, double bytes);
/* The same where `factor` messages share what carries messages of `reference_bytes`: contention
 * takes bandwidth, not latency (dense-distributed.md 14.2). */
double fr_message_contended_s(struct fr_run *run, double bytes, double factor,
                              double reference_bytes);
/* The size that contention factors were measured with; the largest where that is not known. */
double fr_contention_bytes(struct fr_run *run);
/* Latency and inverse bandwidth of the protocol that carries it. */
const struct fr_link *fr_message_link(struct fr_run *run, double bytes);
/* Seconds of a routine on square operands of order n (dense-distributed.md 5). */
double fr_kernel_s(struct fr_run *run, enum fr_routine routine, double n, double threads);
const char *fr_routine_name(enum fr_routine routine);
/* Operations of a routine on operands of order n, leading term (dense-distributed.md D9). */
double fr_routine_flops(enum fr_routine routine, double n);

/* ---- lists: what a prediction is made of, row by row -------------------------------------- */

struct fr_column {
    const char *name; /* NULL ends the list */
    enum fr_column_kind { FR_COLUMN_NUMBER, FR_COLUMN_TEXT, FR_COLUMN_BOOL } kind;
};
/* Takes the rows: the first column's text and the numbers of the others; false: no more. */
struct fr_listing {
    void *context;
    bool (*row)(void *context, const char *text, const double *number);
};

/* ---- models ------------------------------------------------------------------------------- */

/* Whether a prediction may be answered on the event loop. */
enum fr_cost { FR_CLOSED_FORM, FR_LONG };

struct fr_structure_source; /* structure_source.h */

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
    void (*predict)(const void *values, struct fr_run *run);
    /* Lists what resolved values are made of, where the model can (run->out is scratch). */
    void (*explain)(const void *values, struct fr_run *run, const struct fr_listing *listing);
    const char *list_name; /* of the list, and its columns: the first is a text */
    const struct fr_column *list_columns;
    /* Node counts up to max_nodes that suit the model, ascending; NULL where it has no nodes. */
    size_t (*node_counts)(const void *values, const struct fr_calibration *cal, int64_t max_nodes,
                          int64_t *out, size_t capacity);
    /* Sets the node count of values whose process count was left open. */
    void (*set_nodes)(void *values, int64_t nodes);
};

#define FR_MODEL(name) extern const struct fr_model fr_model_##name;
#include "engine/models/list.h"
#undef FR_MODEL

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

/* Where several saved runs served one question: how the predictions spread. */
struct fr_spread {
    size_t runs;          /* 0: no saved run was used, and the rest is without meaning */
    double low_s, high_s; /* 5 % and 95 % quantiles */
    struct fr_box_statistics box;
};
/* The whole of it: resolves and predicts bound values, once with each saved run that matches; the
 * answer is the median prediction (krylov.md 2.3).  `values` become resolved.  `source` may be
 * NULL: no runs. */
int fr_model_answer(const struct fr_model *model, void *values, const struct fr_run_source *source,
                    const struct fr_calibration *cal, struct fr_arena *arena,
                    struct fr_prediction *out, struct fr_spread *spread, struct fr_faults *faults);

/* ---- what was measured, beside what was predicted ------------------------------------------- */

/* Something that both a prediction and a saved run may say: an output, or the time of a phase. */
struct fr_quantity {
    const struct fr_output *output; /* or NULL: */
    char phase[FR_OUTPUT_NAME_BYTES];
    size_t place; /* of the output among those of the model */
};
/* `time_s`, any numeric output, or `breakdown_PHASE_time_s`; false: the model has no such thing. */
bool fr_quantity_find(const struct fr_model *model, const char *name, struct fr_quantity *out);
/* NaN where it has no value. */
double fr_quantity_predicted(const struct fr_quantity *quantity,
                             const struct fr_prediction *prediction);
double fr_quantity_measured(const struct fr_quantity *quantity, const struct fr_saved_run *run);
const char *fr_quantity_unit(const struct fr_quantity *quantity);

/* A number for all parameters that say what was run, so that equal configurations are found: those
 * with FR_METHOD are left out, and the tunables too where only the problem counts. */
uint64_t fr_configuration(const struct fr_model *model, const void *values, bool is_problem);

/* ---- questions over any model ------------------------------------------------------------- */

enum { FR_MAX_POINTS = 100000, FR_MAX_AXES = 16 };

/* One parameter and the values it takes. */
struct fr_axis {
    const struct fr_param *param;
    double *value;            /* all kinds but VECTOR and TEXT */
    struct fr_vector *vector; /* VECTOR */
    size_t count;
    const char *text; /* TEXT: the one value */
};
/* Reads `a,b,c`, `lo..hi`, `lo..hi..step`, `lo..hi..*factor`; at most FR_MAX_POINTS values. */
int fr_axis_parse(const struct fr_param *param, const char *text, struct fr_arena *arena,
                  struct fr_axis *axis, struct fr_faults *faults);
/* Sets the parameter to value number `index` of its axis. */
void fr_axis_put(const struct fr_axis *axis, size_t index, void *values);
void fr_axis_print(const struct fr_axis *axis, size_t index, char *out, size_t size);
/* Writes the point number `index` of the product (the last axis runs fastest) into `values`. */
void fr_axes_point(const struct fr_axis *axis, size_t count, size_t index, void *values);
/* The number of points; FR_TOO_MANY_POINTS beyond FR_MAX_POINTS / `machines`. */
int fr_axes_count(const struct fr_axis *axis, size_t count, size_t machines, size_t *points,
                  struct fr_faults *faults);

/* How much memory matters to a choice. */
enum fr_memory { FR_MEMORY_LIMIT, FR_MEMORY_IGNORE };

/* One configuration of a ranking. */
struct fr_ranked {
    const void *values;
    struct fr_prediction prediction;
    struct fr_spread spread;
};
struct fr_ranking {
    struct fr_ranked *row; /* best first */
    size_t count;
    size_t legal; /* configurations that the model accepts */
    size_t left_out_memory;
    size_t left_out_missing;       /* for want of calibrated values */
    size_t left_out_long;          /* FR_TOO_LONG: one prediction takes more than a question may */
    char reason[FR_MESSAGE_BYTES]; /* of the first of these two kinds */
    /* Nearest miss where a limit leaves nothing: the least memory that a process needs, its limit.
     */
    double least_memory_bytes, memory_limit_bytes;
    /* Recommendations: the one of least time over all counts of nodes, whatever the goal; more
     * nodes than it has do not help. */
    struct fr_ranked fastest;
};
/* Every combination of the tunables that are open, best (least time) first, at most `keep` rows.
 * `faults` comes empty; where the model accepts no combination, it holds what is against the one
 * that comes nearest.  FR_NOMEM: a prediction takes more than a question may. */
int fr_rank(const struct fr_model *model, const void *values, const struct fr_run_source *source,
            const struct fr_calibration *cal, enum fr_memory memory, size_t keep,
            struct fr_arena *arena, struct fr_ranking *out, struct fr_faults *faults);

enum fr_objective { FR_LEAST_TIME, FR_FEWEST_NODES, FR_FEWEST_CORE_HOURS, FR_BEST_EFFICIENCY };

/* What a recommendation must keep to; 0 or NaN where free. */
struct fr_goal {
    enum fr_objective objective;
    enum fr_memory memory;
    int64_t max_nodes;
    double deadline_s, min_efficiency_fraction;
    const int64_t *nodes; /* the counts to try, or NULL: the model's own */
    size_t nodes_count;
};
/* The best configurations over node counts, best first, at most `keep` rows, one for each count
 * of nodes.  Where none keeps to the goal, `faults` name each constraint that fails and by how
 * much. */
int fr_recommend(const struct fr_model *model, const void *values,
                 const struct fr_run_source *source, const struct fr_calibration *cal,
                 const struct fr_goal *goal, size_t keep, struct fr_arena *arena,
                 struct fr_ranking *out, struct fr_faults *faults);
/* For node_counts: inserts in ascending order, each count once; returns how many there are. */
size_t fr_insert_count(int64_t *out, size_t count, size_t capacity, int64_t value);
/* core_hours = nodes * cores_per_node * time / 3600. */
double fr_core_hours(const struct fr_prediction *prediction, const struct fr_calibration *cal);

#endif
