/* The saved runs behind a prediction: those that it uses as input, and the residuals that give its
 * interval. */
#ifndef FR_MATCHING_RUNS_H
#define FR_MATCHING_RUNS_H

#include "server/http/server.h"
#include "server/runs/residuals.h"

struct fr_runs; /* the decoded runs */

struct fr_matching_runs {
    struct fr_residuals *residuals; /* a share; NULL: none, as for a calibration in a body */
    struct fr_runs *runs;           /* NULL: no run is used */
};

/* Finds the runs of a model on the machine of `loaded`.  `run_id` names the only run to use, or is
 * NULL; `given` is the set of parameters that the request gives.  FR_OK, FR_NEEDS_WORKER, or the
 * code of a fault at `run`.  End with fr_matching_runs_end in every case. */
int fr_matching_runs_find(struct fr_request *rq, const struct fr_model *model,
                          struct fr_loaded *loaded, const char *run_id, uint64_t given,
                          struct fr_matching_runs *out, struct fr_faults *faults);
/* Uses only this run, which came in the request and must live as long as *out. */
int fr_matching_runs_name(struct fr_request *rq, const struct fr_saved_run *run, uint64_t given,
                          struct fr_matching_runs *out, struct fr_faults *faults);
void fr_matching_runs_end(struct fr_matching_runs *matching);

/* The source for answers of several rows: the run that the request names; of a model that
 * transfers, the nearest to the first row that is asked for; else the runs of each row, without
 * their computation, which other rows lack.  NULL: no runs. */
const struct fr_run_source *fr_matching_runs_of_rows(const struct fr_matching_runs *matching);
/* The id of that run, once a row was predicted; NULL: none was used. */
const char *fr_matching_runs_basis(const struct fr_matching_runs *matching);
/* The answer to a question that was asked before of the same runs and the calibration `cal`, and
 * its values, which become resolved; false: it is not kept, or `cal` is changed by a what-if. */
bool fr_matching_runs_recall(const struct fr_matching_runs *matching,
                             const struct fr_calibration *cal, void *values,
                             struct fr_prediction *out, struct fr_spread *spread);
/* Keeps the answer that came last of fr_matching_runs_source, for fr_matching_runs_recall. */
void fr_matching_runs_remember(const struct fr_matching_runs *matching,
                               const struct fr_calibration *cal, const void *asked,
                               const void *resolved, const struct fr_prediction *prediction,
                               const struct fr_spread *spread);
/* The source that the engine reads runs from; NULL: no runs. */
const struct fr_run_source *fr_matching_runs_source(const struct fr_matching_runs *matching);

#endif
