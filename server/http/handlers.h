/* Every handler of the table of routes.  A handler takes a request and a reply and returns the HTTP
 * status, or FR_NEEDS_WORKER. */
#ifndef FR_HTTP_HANDLERS_H
#define FR_HTTP_HANDLERS_H

#include "server/http/http.h"

/* server/http */
extern const struct fr_param fr_page_params[];

/* server/service */
fr_handler fr_get_audit, fr_get_static, fr_get_health, fr_get_ready, fr_get_metrics, fr_get_index,
    fr_get_openapi_yaml, fr_get_openapi_json;

/* server/questions */
fr_handler fr_get_models, fr_get_model, fr_get_fields;
/* Handles a question about a model as route->asking says: reads the query, and answers unless the
 * client already has the answer. */
fr_handler fr_ask;
extern const struct fr_asking fr_asking_prediction, fr_asking_sweep, fr_asking_forecast,
    fr_asking_ranking, fr_asking_sensitivity;
bool fr_prediction_is_long(const struct fr_request *rq);
fr_handler fr_post_predictions;

/* server/charts */
extern const struct fr_asking fr_asking_chart, fr_asking_recommendation,
    fr_asking_recommendation_chart, fr_asking_sensitivity_chart;
extern const struct fr_param fr_routine_params[], fr_accuracy_chart_params[], fr_history_params[],
    fr_spy_params[], fr_partitions_chart_params[], fr_messages_params[];
fr_handler fr_get_calibration_chart, fr_get_accuracy_chart, fr_get_accuracy_history,
    fr_get_matrix_spy;

/* server/comparison */
extern const struct fr_param fr_comparison_params[];
fr_handler fr_get_comparison;

/* server/machines */
extern const struct fr_param fr_deletion_params[];
int fr_machine_of_path(struct fr_request *rq, const char **name);
fr_handler fr_get_machines, fr_get_machine, fr_put_machine, fr_delete_machine;

/* server/calibrations */
int fr_machine_of_calibration(struct fr_request *rq, const char **name);
fr_handler fr_post_calibration, fr_get_calibrations, fr_get_calibration, fr_delete_calibration,
    fr_get_quality;

/* server/runs */
extern const struct fr_param fr_runs_params[], fr_run_upload_params[], fr_accuracy_params[];
int fr_machine_of_run(struct fr_request *rq, const char **name);
fr_handler fr_post_runs;
/* A filter that an index does not answer looks at every run: 6 microseconds each. */
bool fr_runs_are_long(const struct fr_request *rq);
fr_handler fr_get_runs, fr_get_run, fr_delete_run, fr_get_accuracy;

/* server/matrices */
extern const struct fr_param fr_matrix_upload_params[], fr_structure_params[], fr_mumps_params[],
    fr_partition_list_params[], fr_partition_params[];
fr_handler fr_post_matrix, fr_get_matrices, fr_get_matrix, fr_delete_matrix,
    fr_get_matrix_structure, fr_post_structure, fr_get_matrix_mumps, fr_get_partitions,
    fr_get_partition_facts, fr_get_partitions_chart, fr_get_partition_messages;

#endif
