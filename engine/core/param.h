/* Parameters: one descriptor holds everything about a parameter; values live in plain structs. */
#ifndef FR_CORE_PARAM_H
#define FR_CORE_PARAM_H

#include "engine/core/fault.h"
#include "engine/core/number.h"

struct fr_calibration;

/* A SET is written as names joined by ':' (`none` if empty), a VECTOR as `8x8x8`.  A TEXT is an
 * element of a list only if it is a name. */
enum fr_kind {
    FR_KIND_INT,
    FR_KIND_REAL,
    FR_KIND_BOOL,
    FR_KIND_CHOICE,
    FR_KIND_SET,
    FR_KIND_VECTOR,
    FR_KIND_TEXT,
    FR_KIND_BORROWED /* a text as it was given, of any characters */
};

/* A text stored in place, so that values can be copied like any struct.  Empty if not given. */
enum { FR_WORDS_BYTES = 8192 };
struct fr_words {
    char text[FR_WORDS_BYTES];
};

enum fr_param_flags {
    FR_REQUIRED = 1,    /* must be given, or what its `unless` names */
    FR_TUNABLE = 2,     /* rank and recommend choose it if it is left open */
    FR_DEFAULT = 4,     /* `fallback` is its value if it is left open */
    FR_AUTOMATIC = 8,   /* resolve() chooses it if it is left open */
    FR_INPUT_ONLY = 16, /* an alternative way to give another parameter; not part of the answer */
    FR_LATE = 32,       /* resolve() checks its range, together with relations */
    FR_METHOD = 64, /* chooses how to predict, not what runs: saved runs match regardless of it */
    FR_OPTIONAL = 128,    /* with AUTOMATIC: may stay open if nothing is known or needed */
    FR_ITERATIONS = 256,  /* how often the same is done: saved runs match regardless of it */
    FR_SCALED = 512,      /* a run that the request names may differ in it: the model scales what it
                             measured, or does not need it */
    FR_NAME = 1024,       /* a TEXT without commas, so that a list can hold several */
    FR_OF_PROCESS = 2048, /* a size of each process: the problem grows with their number */
    FR_RECORDED = 4096, /* with AUTOMATIC: a saved run that leaves it open has what was chosen when
                           it was stored */
};

/* Values that mark a parameter as open (not given). */
#define FR_OPEN_INT INT64_MIN
#define FR_OPEN_CHOICE (-1)

/* Values of an enum and their names, from one list: #define HUES(X) X(RED, "red") X(BLUE, "blue"),
 * enum hue { HUES(FR_CHOICE_VALUE) }, const char *const hues[] = { HUES(FR_CHOICE_NAME) NULL }. */
#define FR_CHOICE_VALUE(value, name) value,
#define FR_CHOICE_NAME(value, name) [value] = name,

/* An alias of a choice, such as the name that a library has for it. */
struct fr_choice_alias {
    const char *name;
    int choice;
};

/* The descriptor of one parameter.  Values live in the model's own plain struct: int64_t for
 * INT, double for REAL (open: NaN), int for BOOL, CHOICE (index into `choices`) and SET (bit i for
 * choice i), struct fr_vector for VECTOR (the range applies to each extent), struct fr_words for
 * TEXT, const char * for BORROWED (open: NULL), whose owner is that of the text that was read. */
struct fr_param {
    const char *name;
    const char *const *aliases; /* taken for the name, never written; NULL-ended */
    enum fr_kind kind;
    size_t offset;
    const char *unit;
    const char *doc;
    double min, max; /* inclusive; for INT, REAL and VECTOR */
    double fallback;
    const char *const *choices; /* NULL-ended */
    const struct fr_choice_alias
        *choice_aliases;   /* taken for a choice, never written; ends with name NULL */
    const char *one_of;    /* exactly one of the parameters with the same `one_of` must be given */
    const char *unless;    /* REQUIRED: resolve() chooses it if this other parameter is given */
    const char *idle_with; /* a BOOL or CHOICE beside which this parameter changes nothing … */
    unsigned idle_at;      /* … where it has a value of this set: bit i for value i */
    unsigned flags;
    /* TEXT: whether the text of `a` describes the run `b`, in other words than its own; or NULL. */
    bool (*is_of)(const void *a, const void *b);
    /* TEXT: adds what the text of `a` says, in whatever words, to a hash; NULL: its words. */
    uint64_t (*mix)(uint64_t hash, const void *a);
    /* INT tunables: writes the values to try in ascending order and returns their number. */
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
#define FR_BORROWED(S, f, ...)                              \
    {                                                       \
        .name = #f, .kind = FR_KIND_BORROWED,             \
        .offset = _Generic(((S *)0)->f, const char *      \
                           : offsetof(S, f)),             \
        __VA_ARGS__ \
    }
#define FR_PARAMS_END \
    {                 \
        .name = NULL  \
    }

/* What MPI and schedulers call the processes of a node. */
extern const char *const fr_per_node_aliases[];

/* The descriptor of this name or alias, or NULL. */
const struct fr_param *fr_param_find(const struct fr_param *params, const char *name);
/* Considers the names of all parameters; `params` may be NULL. */
void fr_params_consider(const struct fr_param *params, struct fr_nearest *nearest);
/* The parameter name closest to a misspelt one, or NULL. */
const char *fr_param_near(const struct fr_param *params, const char *name);
/* The parameter's bit in a set of parameters of its table. */
uint64_t fr_param_bit(const struct fr_param *params, const struct fr_param *param);
/* Adds the parameter to the set of those that are given; refuses it if it is there already, under
 * another name. */
int fr_param_give(const struct fr_param *params, const struct fr_param *param, const char *name,
                  uint64_t *given, struct fr_faults *faults);
/* Whether the parameter is a number or a vector of them, so that it has a minimum and a maximum. */
bool fr_param_has_range(const struct fr_param *param);
/* Marks every parameter as open, then sets the defaults. */
void fr_params_clear(const struct fr_param *params, void *values);
bool fr_param_is_open(const struct fr_param *param, const void *values);
/* Whether the parameter changes nothing with these values (`idle_with`). */
bool fr_param_is_idle(const struct fr_param *params, const struct fr_param *param,
                      const void *values);
/* Opens the tunables that are idle, but for those in the set `kept`. */
void fr_params_open_idle(const struct fr_param *params, uint64_t kept, void *values);
/* Reads a text (`1e6`, `true`, `25d_ovlp`, `8x8x8`), checks its range and sets the value. */
int fr_param_read(const struct fr_param *param, const char *text, void *values,
                  struct fr_faults *faults);
/* The choice of this name or alias; FR_OPEN_CHOICE: none. */
int fr_param_choice(const struct fr_param *param, const char *name);
/* Prints the value for messages and keys; numbers read back to the same value. */
void fr_param_print(const struct fr_param *param, const void *values, char *out, size_t size);
void fr_param_open(const struct fr_param *param, void *values);
void fr_param_copy(const struct fr_param *param, const void *from, void *values);

/* Whether two sets of values have the same value of the parameter. */
bool fr_param_equal(const struct fr_param *param, const void *a, const void *b);

/* The value as a number: the integer, the real, 0 or 1, the index of the choice, or the bits of the
 * set; NaN for VECTOR and TEXT. */
double fr_param_get(const struct fr_param *param, const void *values);
void fr_param_set(const struct fr_param *param, void *values, double value);
int fr_param_parse(const struct fr_param *param, const char *text, double *value,
                   struct fr_faults *faults);
/* Checks a number that needs no parsing (from JSON, a list or a candidate). */
int fr_param_check(const struct fr_param *param, double value, struct fr_faults *faults);
void fr_param_print_number(const struct fr_param *param, double value, char *out, size_t size);
/* The same for a VECTOR. */
const struct fr_vector *fr_param_vector(const struct fr_param *param, const void *values);
void fr_param_set_vector(const struct fr_param *param, void *values, const struct fr_vector *value);
int fr_param_parse_vector(const struct fr_param *param, const char *text, struct fr_vector *value,
                          struct fr_faults *faults);
int fr_param_check_vector(const struct fr_param *param, const struct fr_vector *value,
                          struct fr_faults *faults);
/* The same for a TEXT or a BORROWED. */
const char *fr_param_text(const struct fr_param *param, const void *values);
void fr_param_set_text(const struct fr_param *param, void *values, const char *text);

#endif
