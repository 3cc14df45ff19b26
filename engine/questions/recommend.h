/* Recommendations: the best configurations over node counts. */
#ifndef FR_QUESTIONS_RECOMMEND_H
#define FR_QUESTIONS_RECOMMEND_H

#include "engine/questions/rank.h"

#include <stddef.h>
#include <stdint.h>

enum fr_objective { FR_LEAST_TIME, FR_FEWEST_NODES, FR_FEWEST_CORE_HOURS, FR_BEST_EFFICIENCY };

/* What a recommendation must keep to; 0 or NaN where free. */
struct fr_goal {
    enum fr_objective objective;
    enum fr_memory memory;
    int64_t max_nodes;
    double deadline_s, min_efficiency_fraction;
    const int64_t *nodes; /* the counts to try, or NULL: the model's own */
    size_t nodes_count;
};
/* The best configurations over node counts, best first, at most `keep` rows, one for each count
 * of nodes.  Where none keeps to the goal, `faults` name each constraint that fails and by how
 * much. */
int fr_recommend(const struct fr_model *model, const void *values,
                 const struct fr_run_source *source, const struct fr_calibration *cal,
                 const struct fr_goal *goal, size_t keep, struct fr_arena *arena,
                 struct fr_ranking *out, struct fr_faults *faults);
/* core_hours = nodes * cores_per_node * time / 3600. */
double fr_core_hours(const struct fr_prediction *prediction, const struct fr_calibration *cal);

#endif
