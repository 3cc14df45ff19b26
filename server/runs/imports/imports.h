/* Import filters: text that other programs print -> saved runs as JSON.
 *
 * A filter reads what was measured and how large the run was, nothing more; the documents that it
 * writes are validated like any that a client uploads.  What a text does not say (the model, a
 * parameter) the request says for all of its runs; where both speak, they must agree.
 */
#ifndef FR_IMPORTS_H
#define FR_IMPORTS_H

#include "engine/forerun.h"
#include "server/http/http.h"

/* The most runs of one text. */
enum { FR_MAX_IMPORTED = 10000 };

/* What the request says about every run of the text. */
struct fr_import_given {
    const char *model;          /* or NULL: the filter's own, where it has one */
    const struct fr_pair *pair; /* parameters of the model, and the filter's options */
    size_t count;
};

/* A name that the filter takes from the request for itself. */
struct fr_import_option {
    const char *name, *doc;
};

struct fr_filter;
struct fr_import {
    const char *name, *summary;
    const char *model; /* what the text is always about; NULL: the request names it */
    const struct fr_import_option *options; /* ends with name NULL */
    void (*read)(struct fr_filter *filter);
};
extern const struct fr_import *const fr_imports[]; /* NULL-ended, in the order of list.h */
const struct fr_import *fr_import_find(const char *name);

struct fr_imported {
    size_t runs;
    size_t left_out; /* jobs that did not complete, and what is too short to be timed */
};

/* Writes an array of run documents.  Faults are at "line 12", or at the name that the request gave
 * or lacks; with any of them nothing is written. `text` may hold any bytes. */
int fr_import_read(const struct fr_import *import, const char *text, size_t length,
                   const struct fr_import_given *given, struct fr_arena *arena,
                   struct fr_writer *out, struct fr_imported *imported, struct fr_faults *faults);

#endif
