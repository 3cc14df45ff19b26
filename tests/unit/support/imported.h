/* Texts for the import filters, and the resulting runs. */
#ifndef FR_IMPORTED_H
#define FR_IMPORTED_H

#include "tests/unit/support/documents.h"

#include "server/runs/imports/imports.h"

/* A file of tests/samples/imports with a terminating NUL; the caller frees it. */
char *sample(const char *name, size_t *length);

/* The result of a filter. */
struct import {
    int code;
    struct fr_faults faults;
    struct fr_imported imported;
    json_t *runs, *read; /* NULL if the text was refused */
};
/* `given` is a query such as "model=cholesky&n=4096". The documents of a result are kept
 * until three more texts were read. */
struct import import_text(const char *filter, const char *given, const char *text, size_t length);
struct import import_sample(const char *filter, const char *given, const char *name);

/* The same; fails the test unless the filter returns `runs` runs. */
json_t *imported_sample(const char *filter, const char *given, const char *name, size_t runs);
json_t *imported_text(const char *filter, const char *given, const char *text, size_t runs);
/* The message of the refusal; fails the test if the text is accepted. */
struct fr_faults import_refused(const char *filter, const char *given, const char *text);
/* Fails the test unless the text is refused with this fault, perhaps among others. */
#define assert_refused(filter, given, text, code, where, words)             \
    do {                                                                    \
        const struct fr_faults found = import_refused(filter, given, text); \
                                                                            \
        assert_fault(&found, code, where, words);                           \
    } while (0)
/* Fails the test unless what is at the JSON pointer has these members, and the first items of these
 * arrays: JSON with single quotes, in which null is what must not be there. */
void assert_holds(json_t *root, const char *pointer, const char *wanted);

/* The value at a JSON pointer; fails the test if there is none. */
json_t *part(json_t *root, const char *pointer);
double number_at(json_t *root, const char *pointer);
const char *text_at(json_t *root, const char *pointer);
bool has_part(json_t *root, const char *pointer);

#endif
