/* Questions about cg with saved runs, on a machine of round numbers. */
#ifndef FR_ASKING_H
#define FR_ASKING_H

#include "tests/unit/support/documents.h"

struct asking {
    struct fr_arena *arena;
    const struct fr_calibration *cal;  /* nodes of four cores that share 8 GB/s of memory */
    const struct fr_saved_run *run[2]; /* that serve every question */
    size_t runs;
    struct fr_prediction out;
    struct fr_spread spread;
    struct fr_faults faults;
};

/* Fixtures; *state is the struct asking. */
int asking_begin(void **state);
int asking_end(void **state);

/* The runs that serve the questions that follow, as JSON with single quotes; NULL: none. */
void with_runs(struct asking *asking, const char *first, const char *second);
/* Predicts `solver=pcg&nodes=2&…`; the code, and the same where a refusal is a failure. */
int answer(struct asking *asking, const char *query);
void answered(struct asking *asking, const char *query);
double output(const struct asking *asking, const char *name);

#endif
