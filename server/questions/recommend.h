/* Recommendations, searches and sensitivities. */
#ifndef FR_SERVER_RECOMMEND_H
#define FR_SERVER_RECOMMEND_H

#include "engine/questions/recommend.h"
#include "server/questions/ask.h"

/* The options of recommendations, for the answer and for its chart. */

enum { FR_MOST_ROWS = 1000, FR_MOST_NODES = 100000 };

/* The fastest configuration of each number of nodes, and what is chosen among them. */
struct fr_recommended {
    struct fr_goal goal;
    struct fr_ranking curve; /* without rows if there is no memory for them */
    struct fr_ranking chosen;
    bool is_met; /* a row meets the constraints */
};
/* Receives the curve of a recommendation after its answer is written. */
typedef void fr_curve_receiver(struct fr_request *rq, struct fr_question *question,
                               struct fr_recommended *found);

struct fr_recommend_options {
    int memory, objective, prefer_calibrated;
    int64_t limit, max_nodes;
    double deadline_s, max_core_hours, min_efficiency_fraction, min_scaling_fraction;
    struct fr_look look;               /* of the chart */
    const char *nodes, *along, *title; /* as given; NULL if absent */
};
extern const char *const fr_objectives[], *const fr_memories[];
extern const struct fr_param fr_recommend_params[];

/* The options of an options struct S that forecasts or rankings have too. */
#define FR_MEMORY_OPTION(S)                                                                   \
    FR_CHOICE_OF(S, memory, .choices = fr_memories, .fallback = FR_MEMORY_LIMIT,              \
                 .flags = FR_DEFAULT,                                                         \
                 .doc = "limit: configurations that do not fit into memory are left out and " \
                        "counted; ignore: they are kept, with a warning.")
#define FR_RANKING_OPTIONS(S)                                                                  \
    FR_MEMORY_OPTION(S),                                                                       \
        FR_INT(S, limit, .unit = "1", .min = 1, .max = FR_MOST_ROWS, .fallback = FR_MOST_ROWS, \
               .flags = FR_DEFAULT, .doc = "Maximum number of rows.")
/* Those of struct fr_recommend_options. */
#define FR_RECOMMEND_OPTIONS                                                                       \
    FR_CHOICE_OF(struct fr_recommend_options, objective, .choices = fr_objectives,                 \
                 .flags = FR_AUTOMATIC,                                                            \
                 .doc = "What to optimize: least time, fewest nodes, fewest core hours, highest "  \
                        "fraction of the peak, least core hours times time (knee), or largest "    \
                        "size; or where the faster of two changes. Not given: with a deadline "    \
                        "the fewest nodes, else the knee, or the least time of a problem that "    \
                        "grows with the nodes or has none."),                                      \
        FR_BOOL(struct fr_recommend_options, prefer_calibrated, .flags = FR_DEFAULT,               \
                .doc =                                                                             \
                    "Whether configurations that extrapolate from the calibration follow all "     \
                    "that do not, and those on more processes than were measured follow last."),   \
        FR_INT(                                                                                    \
            struct fr_recommend_options, max_nodes, .unit = "1", .min = 1, .max = FR_MOST_NODES,   \
            .flags = FR_AUTOMATIC,                                                                 \
            .doc =                                                                                 \
                "Maximum number of nodes; default the machine's size if known, otherwise 4096."),  \
        FR_REAL(struct fr_recommend_options, deadline_s, .unit = "s", .min = 1e-9, .max = 1e15,    \
                .flags = FR_AUTOMATIC,                                                             \
                .doc = "Maximum time, or maximum time_quantile_s where quantile is given."),       \
        FR_REAL(struct fr_recommend_options, max_core_hours, .unit = "h", .min = 1e-9,             \
                .max = 1e15, .flags = FR_AUTOMATIC, .doc = "Maximum number of core hours."),       \
        FR_REAL(struct fr_recommend_options, min_efficiency_fraction, .unit = "1", .min = 0,       \
                .max = 1, .flags = FR_AUTOMATIC, .doc = "Minimum fraction of the peak."),          \
        FR_REAL(struct fr_recommend_options, min_scaling_fraction, .unit = "1", .min = 0,          \
                .max = 1, .flags = FR_AUTOMATIC,                                                   \
                .doc = "Minimum of the least core hours of all configurations over those of one, " \
                       "so that more nodes must pay."),                                            \
        FR_BORROWED(struct fr_recommend_options, nodes,                                            \
                    .doc = "The node counts to consider; a value list."),                          \
        FR_RANKING_OPTIONS(struct fr_recommend_options)

/* What to optimize: what is asked for, or what suits the question. */
int fr_recommend_objective(const struct fr_question *question,
                           const struct fr_recommend_options *options);
/* The number of nodes in the machine's description, or a default. */
int64_t fr_usual_nodes(struct fr_request *rq, const char *machine);
/* Reads the goal of a recommendation, which does not search.  `only` has to outlive it.  Partitions
 * of a matrix that it needs are queued for analysis at once. */
int fr_goal_read(struct fr_request *rq, struct fr_question *question,
                 const struct fr_recommend_options *options, const struct fr_restriction *only,
                 struct fr_goal *goal, struct fr_faults *faults);

/* Recommends for the goal of `found`, and keeps the curve; while it works, found->chosen tells how
 * far it is.  FR_OK, FR_INFEASIBLE if no row meets the constraints, or another code; with faults.
 */
int fr_question_recommend(struct fr_request *rq, const struct fr_question *question, size_t keep,
                          struct fr_recommended *found, struct fr_faults *faults);
/* Answers a recommendation, whose curve goes to `receive` as well. */
int fr_recommendation_answer(struct fr_request *rq, struct fr_reply *reply,
                             struct fr_question *question, void *options, struct fr_faults *faults,
                             fr_curve_receiver *receive);
/* Whether the objective searches, so that parameters may be lists. */
bool fr_recommendation_searches(const struct fr_request *rq);

/* Recommendations that search along a parameter. */

/* A recommendation that searches: the largest size, or where the faster of two changes. */
struct fr_search_asked {
    bool is_crossover;
    const char *along; /* the parameter to search along; NULL: the list, or the model's size */
    const char *nodes; /* `nodes=…` as given; NULL if absent */
    struct fr_goal goal;
    size_t limit; /* rows */
};
/* The parameter to search along; NULL with a fault if the question leaves it unclear. */
const struct fr_param *fr_search_along(const struct fr_question *question,
                                       const struct fr_search_asked *asked,
                                       struct fr_faults *faults);
/* Searches and answers; returns the HTTP status.  `along` may be NULL if there are faults. */
int fr_search_answer(struct fr_request *rq, struct fr_reply *reply, struct fr_question *question,
                     const struct fr_search_asked *asked, const struct fr_param *along,
                     struct fr_faults *faults);

/* The sensitivity of a prediction, for the answer and for its chart. */

struct fr_sensitivity_options {
    double factor;
    int64_t limit;
    struct fr_look look; /* of the chart, as is the title */
    const char *title;   /* NULL if absent */
};
#define FR_SENSITIVITY_OPTIONS(usual_limit)                                                \
    FR_REAL(struct fr_sensitivity_options, factor, .unit = "1", .min = 1.001, .max = 1000, \
            .fallback = 2, .flags = FR_DEFAULT,                                            \
            .doc = "Each value is multiplied by it, and divided."),                        \
        FR_INT(struct fr_sensitivity_options, limit, .unit = "1", .min = 1,                \
               .max = FR_MOST_INFLUENCES, .fallback = usual_limit, .flags = FR_DEFAULT,    \
               .doc = "Maximum number of values, those that change the time most.")

/* Finds it, and keeps as many rows as the options allow.  FR_OK, or a code with faults. */
int fr_question_sensitivity(struct fr_request *rq, const struct fr_question *question,
                            const struct fr_sensitivity_options *options,
                            struct fr_sensitivity *out, struct fr_faults *faults);

#endif
