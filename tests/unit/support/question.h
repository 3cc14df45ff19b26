/* Questions to the engine in one line. */
#ifndef FR_QUESTION_H
#define FR_QUESTION_H

#include "engine/forerun.h"
#include "tests/unit/support/check.h"

/* Decodes a document in which single quotes stand for double ones; fails the test if it is
 * refused. */
const struct fr_calibration *calibration_of(const char *document, struct fr_arena *arena);
/* The faults of a document. */
struct fr_faults document_refused(const char *document);
/* JSON from a text with single quotes; the copy lives in `arena`. */
char *quoted(const char *text, struct fr_arena *arena);

/* A machine with round numbers: a node of 4 cores with 1 flop/s each; a message takes 1 s plus 1
 * s per word of 8 bytes; C_avg is 1 and C_max is 2 everywhere; on one core dgemm and dtrsm take
 * 2 n^3 s, dsyrk and dpotrf n^3 s. */
extern const char round_machine[];

/* The state of tests on that machine, for a group's set-up and tear-down. */
struct round_place {
    struct fr_arena *arena;
    const struct fr_calibration *cal;
};
int round_begin(void **state);
/* Frees the arena that is the first member of a state. */
int place_end(void **state);

/* An arena is all of a state. */
int arena_begin(void **state);
int arena_end(void **state);
#define ARENA_TEST(name) TEST_OF(name, struct fr_arena *arena, arena_begin, arena_end)

/* Parameters from `n=1000&processes=4`, bound but not resolved, in `arena`. */
const struct fr_model *ask(const char *model, const char *query, struct fr_arena *arena,
                           void **values, struct fr_faults *faults);
/* The same, where tunables are open that the query does not give. */
const struct fr_model *ask_open(const char *model, const char *query, struct fr_arena *arena,
                                void **values, struct fr_faults *faults);
/* Parameters that are resolved; fails the test if the question is refused, as the next three. */
const struct fr_model *resolved(const char *model, const char *query,
                                const struct fr_calibration *cal, struct fr_arena *arena,
                                void **values);
/* The answer to resolved values. */
struct fr_prediction predicted_of(const struct fr_model *model, const void *values,
                                  const struct fr_calibration *cal, struct fr_arena *arena);
struct fr_prediction predicted(const char *model, const char *query,
                               const struct fr_calibration *cal);
/* Lists what the model explains. */
void explained(const char *model, const char *query, const struct fr_calibration *cal,
               const struct fr_listing *listing);
/* The refusal; fails the test if the question is answered. */
struct fr_faults refused(const char *model, const char *query, const struct fr_calibration *cal);

/* The fault at this parameter or path, or NULL. */
const struct fr_fault *fault_at(const struct fr_faults *faults, const char *where);
/* Fails the test unless a fault has this code and place and a message that contains `words`. */
#define assert_fault(faults, code, where, words) \
    check_fault(faults, code, where, words, __FILE__, __LINE__)
void check_fault(const struct fr_faults *faults, enum fr_code code, const char *where,
                 const char *words, const char *file, int line);
/* The value of a model's output with this name. */
double output_of(const char *model, const char *name, const struct fr_prediction *prediction);
const struct fr_phase *phase_of(const struct fr_prediction *prediction, const char *name);
bool has_warning(const struct fr_prediction *prediction, enum fr_warning_code code,
                 const char *what);

#endif
