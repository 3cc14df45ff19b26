/* A calibration document with every group of the contract, and how to change a value of it. */
#ifndef FR_DOCUMENTS_H
#define FR_DOCUMENTS_H

#include "tests/unit/support/question.h"

#include <jansson.h>

/* full-calibration.json: every key that the contract has, a torus for topology.  Free with
 * json_decref. */
json_t *full_json(void);
/* The other topologies, with single quotes for double ones, as json_of() takes them. */
extern const char dragonfly_topology[], uniform_topology[];
json_t *json_of(const char *text);
/* Puts `value` (JSON with single quotes; NULL: nothing, removed) at a JSON pointer; a key that is
 * not there yet is added, an index one past the end appends. */
void put(json_t *root, const char *pointer, const char *value);

/* A document under test: its setup and teardown, and how decoding it went (it takes the JSON). */
struct loaded {
    struct fr_arena *arena;
    struct fr_calibration cal;
    char id[17];
};
int documents_begin(void **state);
int documents_end(void **state);
struct fr_faults decode(struct loaded *loaded, json_t *document);
/* Fails unless it is taken. */
const struct fr_calibration *accepted(struct loaded *loaded, json_t *document);

#endif
