/* A calibration document with every group of the schema, and functions to change its values. */
#ifndef FR_DOCUMENTS_H
#define FR_DOCUMENTS_H

#include "tests/unit/support/question.h"

#include <jansson.h>

/* full-calibration.json: every key of the schema, with a torus topology. Free with json_decref. */
json_t *full_json(void);
/* The other topologies, as JSON with single quotes for json_of(). */
extern const char dragonfly_topology[], uniform_topology[];
json_t *json_of(const char *text);
/* Sets the value at a JSON pointer to `value` (JSON with single quotes; NULL removes it). A
 * missing key is added; an index one past the end appends. */
void put(json_t *root, const char *pointer, const char *value);

/* A document under test: setup and teardown, and the result of decoding it, which takes
 * ownership of the JSON. */
struct loaded {
    struct fr_arena *arena;
    struct fr_calibration cal;
    char id[17];
};
int documents_begin(void **state);
int documents_end(void **state);
struct fr_faults decode(struct loaded *loaded, json_t *document);
/* Fails the test unless the document is accepted. */
const struct fr_calibration *accepted(struct loaded *loaded, json_t *document);

#endif
