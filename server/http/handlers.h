/* Every handler of the table of routes.  A handler takes a request and a reply and returns the HTTP
 * status, or FR_NEEDS_WORKER. */
#ifndef FR_HTTP_HANDLERS_H
#define FR_HTTP_HANDLERS_H

#include "server/http/http.h"

/* server/http */
extern const struct fr_param fr_page_params[];

/* server/service */
int fr_get_audit(struct fr_request *rq, struct fr_reply *reply);
int fr_get_static(struct fr_request *rq, struct fr_reply *reply);
int fr_get_health(struct fr_request *rq, struct fr_reply *reply);
int fr_get_ready(struct fr_request *rq, struct fr_reply *reply);
int fr_get_metrics(struct fr_request *rq, struct fr_reply *reply);
int fr_get_index(struct fr_request *rq, struct fr_reply *reply);
int fr_get_openapi_yaml(struct fr_request *rq, struct fr_reply *reply);
int fr_get_openapi_json(struct fr_request *rq, struct fr_reply *reply);

/* server/questions */
int fr_get_models(struct fr_request *rq, struct fr_reply *reply);
int fr_get_model(struct fr_request *rq, struct fr_reply *reply);
int fr_get_fields(struct fr_request *rq, struct fr_reply *reply);
/* Handles a question about a model as route->asking says: reads the query, and answers unless the
 * client already has the answer. */
int fr_ask(struct fr_request *rq, struct fr_reply *reply);
extern const struct fr_asking fr_asking_prediction, fr_asking_sweep, fr_asking_forecast,
    fr_asking_ranking, fr_asking_sensitivity;
bool fr_prediction_is_long(const struct fr_request *rq);
int fr_post_predictions(struct fr_request *rq, struct fr_reply *reply);

/* server/charts */
extern const struct fr_asking fr_asking_chart, fr_asking_recommendation,
    fr_asking_recommendation_chart, fr_asking_sensitivity_chart;
extern const struct fr_param fr_routine_params[], fr_accuracy_chart_params[], fr_history_params[],
    fr_spy_params[], fr_partitions_chart_params[], fr_messages_params[];
int fr_get_calibration_chart(struct fr_request *rq, struct fr_reply *reply);
int fr_get_accuracy_chart(struct fr_request *rq, struct fr_reply *reply);
int fr_get_accuracy_history(struct fr_request *rq, struct fr_reply *reply);
int fr_get_matrix_spy(struct fr_request *rq, struct fr_reply *reply);

/* server/comparison */
extern const struct fr_param fr_comparison_params[];
int fr_get_comparison(struct fr_request *rq, struct fr_reply *reply);

/* server/machines */
extern const struct fr_param fr_deletion_params[];
int fr_machine_of_path(struct fr_request *rq, const char **name);
int fr_get_machines(struct fr_request *rq, struct fr_reply *reply);
int fr_get_machine(struct fr_request *rq, struct fr_reply *reply);
int fr_put_machine(struct fr_request *rq, struct fr_reply *reply);
int fr_delete_machine(struct fr_request *rq, struct fr_reply *reply);

/* server/calibrations */
int fr_machine_of_calibration(struct fr_request *rq, const char **name);
int fr_post_calibration(struct fr_request *rq, struct fr_reply *reply);
int fr_get_calibrations(struct fr_request *rq, struct fr_reply *reply);
int fr_get_calibration(struct fr_request *rq, struct fr_reply *reply);
int fr_delete_calibration(struct fr_request *rq, struct fr_reply *reply);
int fr_get_quality(struct fr_request *rq, struct fr_reply *reply);

/* server/runs */
extern const struct fr_param fr_runs_params[], fr_run_upload_params[], fr_accuracy_params[];
int fr_machine_of_run(struct fr_request *rq, const char **name);
int fr_post_runs(struct fr_request *rq, struct fr_reply *reply);
/* A filter that an index does not answer looks at every run: 6 microseconds each. */
bool fr_runs_are_long(const struct fr_request *rq);
int fr_get_runs(struct fr_request *rq, struct fr_reply *reply);
int fr_get_run(struct fr_request *rq, struct fr_reply *reply);
int fr_delete_run(struct fr_request *rq, struct fr_reply *reply);
int fr_get_accuracy(struct fr_request *rq, struct fr_reply *reply);

/* server/matrices */
extern const struct fr_param fr_matrix_upload_params[], fr_structure_params[], fr_mumps_params[],
    fr_partition_list_params[], fr_partition_params[];
int fr_post_matrix(struct fr_request *rq, struct fr_reply *reply);
int fr_get_matrices(struct fr_request *rq, struct fr_reply *reply);
int fr_get_matrix(struct fr_request *rq, struct fr_reply *reply);
int fr_delete_matrix(struct fr_request *rq, struct fr_reply *reply);
int fr_get_matrix_structure(struct fr_request *rq, struct fr_reply *reply);
int fr_post_structure(struct fr_request *rq, struct fr_reply *reply);
int fr_get_matrix_mumps(struct fr_request *rq, struct fr_reply *reply);
int fr_get_partitions(struct fr_request *rq, struct fr_reply *reply);
int fr_get_partition_facts(struct fr_request *rq, struct fr_reply *reply);
int fr_get_partitions_chart(struct fr_request *rq, struct fr_reply *reply);
int fr_get_partition_messages(struct fr_request *rq, struct fr_reply *reply);

#endif
