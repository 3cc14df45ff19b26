/* Questions to the engine in one line, and random numbers that are the same on every machine. */
#ifndef FR_QUESTION_H
#define FR_QUESTION_H

#include "engine/forerun.h"
#include "tests/unit/support/check.h"

/* A document's text decoded; single quotes stand for double ones.  Fails where it is refused. */
const struct fr_calibration *calibration_of(const char *document, struct fr_arena *arena);
/* What is against a document. */
struct fr_faults document_refused(const char *document);
/* JSON with single quotes, as C likes it; the copy lives in `arena`. */
char *quoted(const char *text, struct fr_arena *arena);

/* A machine of round numbers: a node of 4 cores, 1 flop/s each; a message takes 1 s and 1 s a word
 * of 8 bytes; C_avg 1 and C_max 2 everywhere; dgemm and dtrsm take 2 n^3 s, dsyrk and dpotrf n^3 s
 * on one core. */
extern const char round_machine[];

/* Parameters from `n=1000&processes=4`, bound and not resolved, in `arena`. */
const struct fr_model *ask(const char *model, const char *query, struct fr_arena *arena,
                           void **values, struct fr_faults *faults);
/* The answer; fails where the question is refused. */
struct fr_prediction predicted(const char *model, const char *query,
                               const struct fr_calibration *cal);
/* The refusal; fails where there is an answer. */
struct fr_faults refused(const char *model, const char *query, const struct fr_calibration *cal);

/* The fault of this place, or NULL. */
const struct fr_fault *fault_at(const struct fr_faults *faults, const char *where);
/* Fails unless there is a fault with this code and place whose message contains `words`. */
#define assert_fault(faults, code, where, words) \
    check_fault(faults, code, where, words, __FILE__, __LINE__)
void check_fault(const struct fr_faults *faults, enum fr_code code, const char *where,
                 const char *words, const char *file, int line);
/* A model's own output by name. */
double output_of(const char *model, const char *name, const struct fr_prediction *prediction);
const struct fr_phase *phase_of(const struct fr_prediction *prediction, const char *name);
bool has_warning(const struct fr_prediction *prediction, enum fr_warning_code code,
                 const char *what);

/* Random, and the same in every run. */
uint64_t random_bits(uint64_t *state);
double random_share(uint64_t *state);                               /* in [0, 1) */
int64_t random_between(uint64_t *state, int64_t low, int64_t high); /* both possible */
double random_size(uint64_t *state, double low, double high);       /* even in the logarithm */

#endif
