/* The best configuration, and searches for a size or a crossing. */
#ifndef FR_QUESTIONS_RECOMMEND_H
#define FR_QUESTIONS_RECOMMEND_H

#include "engine/questions/rank.h"

/* Recommendations: the best configurations over node counts. */

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
/* Finds the fastest configuration for each node count, whatever the constraints, in the order of
 * the counts.  If that is more work than a question may take, the counts that are most likely to
 * matter for the goal are tried, and the others counted in `untried_nodes`.  At a fixed count it is
 * also the cheapest and the most efficient, so that one row serves every objective.  While it
 * works, `legal` of `out` counts the configurations so far. */
int fr_node_curve(const struct fr_model *model, const void *values,
                  const struct fr_run_source *source, const struct fr_calibration *cal,
                  const struct fr_goal *goal, struct fr_arena *arena, struct fr_ranking *out,
                  struct fr_faults *faults);
/* The best for the goal of so many rankings, some of which have no row, and of which the first row
 * counts; the fastest if none meets the constraints; `count` if there is no row.  Deadlines are
 * judged by the predicted time. */
size_t fr_recommend_best(const struct fr_ranking *of, size_t count,
                         const struct fr_calibration *cal, const struct fr_goal *goal);
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

/* Searches along a scale. */

/* The values of one parameter among which a search looks: a list, or a range of any length. */

/* Values in ascending order.  A range of vectors rises by `step` in every extent. */
struct fr_scale {
    const struct fr_param *param;
    size_t count;
    bool is_range;
    struct fr_axis list;     /* not a range */
    double low, step;        /* a range of numbers */
    struct fr_vector corner; /* a range of vectors: its first */
};
/* Reads what fr_axis_parse reads.  `lo..hi` and `lo..hi..step` may have more values than an axis,
 * and may be vectors: `8x8x8..64x64x64..8`.  FR_RANGE for numbers that do not rise. */
int fr_scale_parse(const struct fr_param *param, const char *text, struct fr_arena *arena,
                   struct fr_scale *scale, struct fr_faults *faults);
/* Every integer between the limits of an INT. */
struct fr_scale fr_scale_whole(const struct fr_param *param);
/* Sets the parameter to the value at `index`. */
void fr_scale_put(const struct fr_scale *scale, size_t index, void *values);
/* The index at `part` of `parts` between two indexes: by ratio of the values if a range of positive
 * values spans more than a factor of 4, else by place.  Strictly between if there is room.  In a
 * range, values with many divisors are preferred, since many configurations need them: multiples
 * of the largest power of 2 steps that leaves the parts apart. */
size_t fr_scale_between(const struct fr_scale *scale, size_t low, size_t high, size_t part,
                        size_t parts);

/* Searches: a recommendation is asked again at values of one parameter, to find where it changes.
 */

/* A search, and what it has done so far. */
struct fr_search {
    const struct fr_model *model;
    const struct fr_run_source *source; /* NULL: no runs */
    const struct fr_calibration *cal;
    const struct fr_goal *goal;
    const struct fr_scale *scale;
    struct fr_arena *arena;
    size_t tried;             /* values asked about, each time it was asked */
    size_t impossible;        /* of these: no configuration is possible */
    struct fr_faults *faults; /* of the last value that fails or is impossible */
};

/* What is known of one value.  IMPOSSIBLE values, such as process counts that make no grid, are
 * skipped.  ENDED: the work of a request is used up, or the question itself is wrong. */
enum fr_trial { FR_HOLDS, FR_FAILS, FR_IMPOSSIBLE, FR_ENDED };

/* Asks for the recommendation at one value.  *out stays valid as long as the arena. */
enum fr_trial fr_search_try(struct fr_search *search, const void *values, size_t index, size_t keep,
                            struct fr_ranking *out);

/* Judges one value of a search. */
struct fr_judge {
    enum fr_trial (*trial)(void *context, size_t index);
    void *context;
};
/* The first value from `index` on and below `end` that is possible, with its trial; `end` if there
 * is none. */
size_t fr_search_possible(struct fr_search *search, const struct fr_judge *judge, size_t index,
                          size_t end, enum fr_trial *trial);
/* The last value found in [low, high) that holds; `low` does.  Each round asks at four places from
 * the highest down and goes on between the first that holds and the one above it, until two
 * neighbors are left.  *trial becomes FR_ENDED if the search ended early. */
size_t fr_search_last(struct fr_search *search, const struct fr_judge *judge, size_t low,
                      size_t high, enum fr_trial *trial);

/* The largest value at which something meets the goal. */
struct fr_largest {
    size_t index;
    size_t next;                 /* the next possible value, which does not; the count if none */
    const struct fr_faults *why; /* the reasons at `next` */
    struct fr_ranking ranking;   /* at `index`: the node counts that meet the goal, best first */
};
/* Goes up the scale in 12 equal ratios and narrows between the last that holds and the next.  For
 * the size of a problem two failures in a row end the climb.  FR_INFEASIBLE, with
 * the reasons at the lowest possible value, if nothing holds. */
int fr_search_largest(struct fr_search *search, const void *values, size_t keep,
                      struct fr_largest *out, struct fr_faults *faults);

/* Who is faster: the first or the second of two; both are the same; neither meets the goal. */
enum fr_leader { FR_FIRST, FR_SECOND, FR_EQUAL, FR_NEITHER };
/* A stretch of values with the same leader. */
struct fr_segment {
    size_t from, to; /* the first and the last value found */
    enum fr_leader leader;
    bool has[2];                   /* which of the two meets the goal at `from` */
    struct fr_ranked row[2];       /* at `from`, where it does */
    char reason[FR_MESSAGE_BYTES]; /* why one does not; empty if both do */
};
struct fr_crossover {
    struct fr_segment *segment;
    size_t count;
};
enum { FR_MOST_SEGMENTS = 512, FR_SEARCH_SAMPLES = 128 };
/* Compares the times of two sets of values along the scale: at every value of a short scale, at
 * FR_SEARCH_SAMPLES of a longer one, and by narrowing where the leader changes between two of them.
 * A value counts only if both are possible. */
int fr_search_crossover(struct fr_search *search, const void *const values[2],
                        struct fr_crossover *out, struct fr_faults *faults);

#endif
