/* Recommendations: the best configurations over node counts. */
#ifndef FR_QUESTIONS_RECOMMEND_H
#define FR_QUESTIONS_RECOMMEND_H

#include "engine/questions/answer.h"
#include "engine/questions/rank.h"

#include <stddef.h>
#include <stdint.h>

/* FR_KNEE: the least core hours times time, which is the highest efficiency over time.  Beyond it,
 * one percent less time costs more than one percent more core hours (Eager, Zahorjan and Lazowska,
 * Speedup versus efficiency in parallel systems, IEEE Transactions on Computers 38(3), 1989). */
enum fr_objective {
    FR_LEAST_TIME,
    FR_FEWEST_NODES,
    FR_FEWEST_CORE_HOURS,
    FR_BEST_EFFICIENCY,
    FR_KNEE
};

/* Constraints of a recommendation; 0 or NaN if unconstrained. */
struct fr_goal {
    enum fr_objective objective;
    enum fr_memory memory;
    int64_t max_nodes;
    int64_t machine_nodes; /* how far the remedy of a refusal looks; 0: no further */
    double deadline_s, max_core_hours, min_efficiency_fraction;
    /* Least core hours of all configurations over those of the one: how far more nodes pay.
     * Of a problem of fixed size. */
    double min_scaling_fraction;
    bool prefers_calibrated; /* the order of enum fr_outside comes first */
    /* The quantile that judges the deadline; NULL, or without one, the predicted time does. */
    const struct fr_outlook_asked *outlook;
    const struct fr_errors *errors; /* of the outlook; NULL: none are known */
    const int64_t *nodes;           /* the counts to try, or NULL for the model's own */
    size_t nodes_count;
    const struct fr_restriction *only; /* tunables with lists of values; or NULL */
};
/* FR_RELATION: a goal that compares node counts, for a problem that grows with them. */
int fr_goal_check(const struct fr_model *model, const void *values, const struct fr_goal *goal,
                  struct fr_faults *faults);
/* Finds the fastest configuration for each node count, whatever the constraints, in the order in
 * which the counts were tried.  At a fixed count it is also the cheapest and the most efficient, so
 * that one row serves every objective.  While it works, `legal` of `out` counts the configurations
 * so far. */
int fr_node_curve(const struct fr_model *model, const void *values,
                  const struct fr_run_source *source, const struct fr_calibration *cal,
                  const struct fr_goal *goal, struct fr_arena *arena, struct fr_ranking *out,
                  struct fr_faults *faults);
/* Chooses from a curve, which becomes the rows that meet the constraints, best first, at most
 * `keep`; it also finds `fastest` and `knee`.  If none meets the constraints, `faults` name each
 * failing constraint and its margin. */
int fr_recommend_among(const struct fr_model *model, const void *values,
                       const struct fr_calibration *cal, const struct fr_goal *goal, size_t keep,
                       struct fr_arena *arena, struct fr_ranking *curve, struct fr_faults *faults);
/* All of these. */
int fr_recommend(const struct fr_model *model, const void *values,
                 const struct fr_run_source *source, const struct fr_calibration *cal,
                 const struct fr_goal *goal, size_t keep, struct fr_arena *arena,
                 struct fr_ranking *out, struct fr_faults *faults);
/* nodes * cores_per_node * time_s / 3600. */
double fr_core_hours(const struct fr_prediction *prediction, const struct fr_calibration *cal);

#endif
