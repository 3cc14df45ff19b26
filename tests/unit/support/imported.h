/* Texts given to the import filters, and the runs that come of them. */
#ifndef FR_IMPORTED_H
#define FR_IMPORTED_H

#include "tests/unit/support/documents.h"

#include "server/runs/imports/imports.h"

/* A file of tests/samples/imports, with a NUL behind it; free it. */
char *sample(const char *name, size_t *length);

/* What a filter made of a text. */
struct import {
    int code;
    struct fr_faults faults;
    struct fr_imported imported;
    json_t *runs; /* NULL where it was refused */
};
/* `given` as in a query: "model=cholesky&n=4096"; end it with import_end. */
struct import import_text(const char *filter, const char *given, const char *text, size_t length);
struct import import_sample(const char *filter, const char *given, const char *name);
void import_end(struct import *import);

/* The same; fails unless `runs` came out of it. */
json_t *imported_sample(const char *filter, const char *given, const char *name, size_t runs);
json_t *imported_text(const char *filter, const char *given, const char *text, size_t runs);
/* The refusal; fails where it is taken. */
struct fr_faults import_refused(const char *filter, const char *given, const char *text);

/* What stands at a JSON pointer; fails where there is nothing. */
json_t *part(json_t *root, const char *pointer);
double number_at(json_t *root, const char *pointer);
const char *text_at(json_t *root, const char *pointer);
bool has_part(json_t *root, const char *pointer);

#endif
