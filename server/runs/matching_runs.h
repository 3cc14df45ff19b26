/* What saved runs bring to a question: those that serve its predictions as input, and the history
 * that tells how far such predictions were off. */
#ifndef FR_EVIDENCE_H
#define FR_EVIDENCE_H

#include "server/http/server.h"
#include "server/runs/residuals.h"

/* The most matching runs that one prediction is made with: the newest. */
enum { FR_MOST_MATCHING = 100 };

struct fr_runs; /* the runs at hand */

struct fr_matching_runs {
    struct fr_residuals
        *history;         /* a share; NULL: nothing is known, as of a calibration in a body */
    struct fr_runs *runs; /* NULL: no run serves */
};

/* Finds it for a model on the machine of `loaded`.  `run_id` (or NULL) names the run to use, whose
 * text faults of `run` tell what is wrong with; `given` is what the question itself says.  FR_OK, a
 * fault, or FR_NEEDS_WORKER.  End with fr_matching_runs_end in any case. */
int fr_matching_runs_find(struct fr_request *rq, const struct fr_model *model,
                          const struct fr_loaded *loaded, const char *run_id, uint64_t given,
                          struct fr_matching_runs *out, struct fr_faults *faults);
/* Serves this run alone: it stood in the request.  It must live as long as the evidence. */
int fr_matching_runs_name(struct fr_request *rq, const struct fr_saved_run *run, uint64_t given,
                          struct fr_matching_runs *out, struct fr_faults *faults);
void fr_matching_runs_end(struct fr_matching_runs *evidence);

/* What the engine is given; NULL: no runs. */
const struct fr_run_source *fr_matching_runs_source(const struct fr_matching_runs *evidence);

#endif
