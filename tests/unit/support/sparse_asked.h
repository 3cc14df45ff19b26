/* Questions about sparse LU in tests: structures of the golden file, calibrations, answers. */
#ifndef FR_TEST_SPARSE_ASKED_H
#define FR_TEST_SPARSE_ASKED_H

#include "tests/unit/support/question.h"
#include "tests/unit/support/sparse.h"

/* The state of a test: the structures `hand`, `r11`, `r12` and `r13`, with any ordering. */
struct sparse_asked {
    struct fr_arena *arena;
    struct sparse_shelf shelf;
    struct sparse_structure *s[4];
};
int sparse_asked_begin(void **state);
int sparse_asked_end(void **state);
#define SPARSE_CASE(name) \
    TEST_OF(name, struct sparse_asked *asked, sparse_asked_begin, sparse_asked_end)

/* The golden file, read and freed by the setup and teardown of the group. */
extern json_t *sparse_golden_cases;
int sparse_asked_load(void **state);
int sparse_asked_unload(void **state);

/* A machine of the golden file as a calibration document; decoded, which frees the document. */
json_t *sparse_document(const char *name);
const struct fr_calibration *sparse_decoded(json_t *document, struct fr_arena *arena);
/* The first machine with more values, JSON with single quotes: */
const struct fr_calibration *sparse_calibration(const char *more, struct fr_arena *arena);
extern const char sparse_node[];           /* a node of four cores */
extern const char sparse_rates_document[]; /* the same, rate tables and sparse.fit */
/* With the same tables and constants for a window alone; `quality` is more of `sparse`. */
const struct fr_calibration *sparse_windowed_with(const char *quality, struct fr_arena *arena);
const struct fr_calibration *sparse_windowed(struct fr_arena *arena);

/* The faults of the last question. */
extern struct fr_faults sparse_faults;
/* The code of an answer; the answer, or a failed test. */
int sparse_answer(struct sparse_asked *asked, const char *query, const struct fr_calibration *cal,
                  struct fr_prediction *out);
struct fr_prediction sparse_answered(struct sparse_asked *asked, const char *query,
                                     const struct fr_calibration *cal);
double sparse_output(const struct fr_prediction *prediction, const char *name);
/* Fails the test unless a fault is at `where` and has these words. */
void sparse_refused_for(struct sparse_asked *asked, const char *query,
                        const struct fr_calibration *cal, const char *where, const char *words);
/* Ranks all tunables that the query does not name, under the limit of memory. */
int sparse_rank(struct sparse_asked *asked, const char *query, const struct fr_calibration *cal,
                struct fr_ranking *out);

#endif
