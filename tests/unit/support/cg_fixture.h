/* Requests for cg with saved runs, on a machine with round numbers. */
#ifndef FR_CG_FIXTURE_H
#define FR_CG_FIXTURE_H

#include "tests/unit/support/documents.h"

struct cg_fixture {
    struct fr_arena *arena;
    const struct fr_calibration *cal;  /* nodes of four cores that share 8 GB/s of memory */
    const struct fr_saved_run *run[2]; /* runs of every request */
    size_t runs;
    struct fr_prediction out;
    struct fr_spread spread;
    struct fr_faults faults;
};

/* Setup and teardown of a test; *state is the struct cg_fixture. */
int cg_fixture_begin(void **state);
int cg_fixture_end(void **state);

/* Sets the runs of the next requests, as JSON with single quotes; NULL: none. */
void with_runs(struct cg_fixture *cg, const char *first, const char *second);
/* Predicts `solver=pcg&nodes=2&…` and returns the code; answered fails the test on a refusal. */
int answer(struct cg_fixture *cg, const char *query);
void answered(struct cg_fixture *cg, const char *query);
double output(const struct cg_fixture *cg, const char *name);

#endif
