/* The points of the chart of a recommendation, kept between its answer and its chart. */
#ifndef FR_NODE_POINTS_H
#define FR_NODE_POINTS_H

#include "server/charts/subject.h"
#include "server/questions/recommend.h"

/* The fastest configuration of one number of nodes; NaN: unknown. */
struct fr_node_point {
    double nodes, time_s, low_s, high_s, quantile_s, core_hours;
    bool is_outside; /* of the calibrated range */
};
struct fr_node_points {
    struct fr_chart_warnings warnings;
    double knee, best; /* their nodes; NaN: none */
    size_t count;      /* 0: the model has no nodes */
    struct fr_node_point point[];
};

/* Those of a recommendation, in the order of their nodes.  NULL if memory is short. */
struct fr_node_points *fr_node_points_find(struct fr_question *question,
                                           const struct fr_recommended *found);
/* Keeps them for a chart of the same question, whatever its look. */
void fr_node_points_keep(struct fr_request *rq, const struct fr_question *question,
                         const struct fr_goal *goal, const struct fr_node_points *points);
/* Those that were kept, copied to the request's arena; NULL if there are none. */
struct fr_node_points *fr_node_points_kept(struct fr_request *rq,
                                           const struct fr_question *question,
                                           const struct fr_goal *goal);

#endif
