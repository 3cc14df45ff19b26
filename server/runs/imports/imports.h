/* Import filters convert the output of other programs to saved runs as JSON.
 *
 * A filter reads the measurements and the size of a run.  Its documents are validated like uploads.
 * The request gives whatever the text lacks (the model, a parameter) for all runs of the text; a
 * value that both give must be the same.
 */
#ifndef FR_IMPORTS_H
#define FR_IMPORTS_H

#include "engine/forerun.h"
#include "server/http/http.h"

/* At most this many runs in one text. */
enum { FR_MAX_IMPORTED = 10000 };

/* What the request gives for every run of the text. */
struct fr_import_given {
    const char *model;          /* or NULL: the model of the filter, if it has one */
    const struct fr_pair *pair; /* parameters of the model and options of the filter */
    size_t count;
    const struct fr_matrix_record *matrix; /* that the parameter `matrix` names, or NULL */
};

/* A parameter of the request that belongs to the filter, not to the model. */
struct fr_import_option {
    const char *name, *doc;
};

struct fr_filter;
struct fr_import {
    const char *name, *summary;
    const char *model; /* the model of every text; NULL: the request names it */
    /* The model of a text whose request names none, in place of `model`; or NULL. */
    const char *(*model_of)(const char *text, size_t length, const struct fr_import_given *given);
    bool names_models; /* texts name the model of each run: the request must not */
    const struct fr_import_option *options; /* ends with name NULL */
    void (*read)(struct fr_filter *filter);
};
extern const struct fr_import *const fr_imports[]; /* NULL-ended, in the order of list.h */
/* NULL: there is no such filter. */
const struct fr_import *fr_import_find(const char *name);
/* Whether the name is one of the filter's options, rather than a parameter of the model. */
bool fr_import_has_option(const struct fr_import *import, const char *name);
/* The model of the runs of a text: that of the request, else the filter's; NULL: neither names one.
 */
const char *fr_import_model(const struct fr_import *import, const char *text, size_t length,
                            const struct fr_import_given *given);

struct fr_imported {
    size_t runs;
    size_t left_out;           /* incomplete jobs, failed checks, and runs too short to be timed */
    struct fr_faults warnings; /* parts of the text that could not be read, or only in part */
    const char
        *read; /* JSON, in the arena: an array of what was taken, {run, field, value, line} */
};

/* Appends an array of run documents to `out`.  Faults are at "line 12" or at a parameter of the
 * request; then nothing is written.  `text` may contain any bytes.  FR_OK or FR_SYNTAX. */
int fr_import_read(const struct fr_import *import, const char *text, size_t length,
                   const struct fr_import_given *given, struct fr_arena *arena,
                   struct fr_writer *out, struct fr_imported *imported, struct fr_faults *faults);

#endif
