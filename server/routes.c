/* The table of routes.  Their order does not matter, because the path templates do not overlap. */
#include "server/http/handlers.h"

enum { MIB = 1024 * 1024 };

#define ROUTE(verb, template, handler, ...)                                       \
    {                                                                             \
        .method = FR_##verb, .path = (template), .handle = (handler), __VA_ARGS__ \
    }

const struct fr_route fr_routes[] = {
    ROUTE(GET, "/healthz", fr_get_health, .is_inline = true,
          .summary = "Whether the process is alive."),
    ROUTE(
        GET, "/readyz", fr_get_ready, .is_urgent = true,
        .summary =
            "Whether the daemon can answer requests. The database works and the engine is loaded."),
    ROUTE(GET, "/metrics", fr_get_metrics, .is_inline = true,
          .summary = "Counters and latencies for Prometheus."),

    ROUTE(GET, "/api/v1", fr_get_index, .formats = FR_JSON, .scope = FR_READ, .is_inline = true,
          .summary = "Entry points and the version."),
    ROUTE(GET, "/api/v1/openapi.yaml", fr_get_openapi_yaml, .scope = FR_READ, .is_inline = true,
          .summary = "This document."),
    ROUTE(GET, "/api/v1/openapi.json", fr_get_openapi_json, .scope = FR_READ, .is_inline = true,
          .summary = "This document as JSON."),

    ROUTE(GET, "/api/v1/audit", fr_get_audit, .options = fr_page_params, .formats = FR_ROWS,
          .scope = FR_ADMIN, .summary = "Who wrote what and when, newest first."),

    ROUTE(GET, "/api/v1/models", fr_get_models, .options = fr_page_params, .formats = FR_ROWS,
          .scope = FR_READ, .is_inline = true, .summary = "The operations that can be predicted."),
    ROUTE(GET, "/api/v1/models/{model}", fr_get_model, .formats = FR_JSON, .scope = FR_READ,
          .is_inline = true, .summary = "A model's parameters, outputs, assumptions and source."),
    ROUTE(GET, "/api/v1/fields", fr_get_fields, .formats = FR_JSON, .scope = FR_READ,
          .is_inline = true,
          .summary =
              "The fields of a calibration document, which are also the paths of `what_if`."),

    ROUTE(GET, "/api/v1/machines", fr_get_machines, .options = fr_page_params, .formats = FR_ROWS,
          .scope = FR_READ, .summary = "The machines, by name."),
    ROUTE(GET, "/api/v1/machines/{machine}", fr_get_machine, .formats = FR_JSON, .scope = FR_READ,
          .summary = "A machine, with the models that its newest calibration serves."),
    ROUTE(PUT, "/api/v1/machines/{machine}", fr_put_machine, .formats = FR_JSON,
          .find_machine = fr_machine_of_path, .scope = FR_WRITE, .body = FR_BODY_JSON,
          .body_limit = MIB / 4, .summary = "Sets the description and facts of a machine."),
    ROUTE(DELETE, "/api/v1/machines/{machine}", fr_delete_machine, .options = fr_deletion_params,
          .find_machine = fr_machine_of_path, .formats = FR_JSON, .scope = FR_ADMIN,
          .summary = "Removes a machine."),
    ROUTE(POST, "/api/v1/machines/{machine}/calibrations", fr_post_calibration, .formats = FR_JSON,
          .find_machine = fr_machine_of_path, .scope = FR_WRITE, .body = FR_BODY_JSON,
          .summary = "Uploads a calibration document, as `forerun-calibrate` writes it."),
    ROUTE(GET, "/api/v1/machines/{machine}/calibrations", fr_get_calibrations,
          .options = fr_page_params, .formats = FR_ROWS, .scope = FR_READ,
          .summary = "A machine's calibrations, newest first."),
    ROUTE(GET, "/api/v1/machines/{machine}/calibrations/compare", fr_get_comparison,
          .options = fr_comparison_params, .formats = FR_ROWS, .scope = FR_READ, .is_long = true,
          .summary =
              "A comparison of two calibrations of a machine, with the effect on predictions."),
    ROUTE(GET, "/api/v1/calibrations/{id}", fr_get_calibration, .formats = FR_JSON,
          .scope = FR_READ, .summary = "A calibration document as it was uploaded, byte for byte."),
    ROUTE(DELETE, "/api/v1/calibrations/{id}", fr_delete_calibration, .formats = FR_JSON,
          .find_machine = fr_machine_of_calibration, .scope = FR_ADMIN,
          .summary = "Removes a calibration."),
    ROUTE(GET, "/api/v1/calibrations/{id}/quality", fr_get_quality, .formats = FR_ROWS,
          .scope = FR_READ,
          .summary = "How sure each part of a calibration is, what it lacks for which model, and "
                     "what to run."),
    ROUTE(GET, "/api/v1/calibrations/{id}/chart/{what}", fr_get_calibration_chart,
          .options = fr_routine_params, .formats = FR_CHARTS, .scope = FR_READ, .is_long = true,
          .summary = "A chart of a calibration."),
    ROUTE(POST, "/api/v1/machines/{machine}/runs", fr_post_runs, .options = fr_run_upload_params,
          .find_machine = fr_machine_of_path, .formats = FR_JSON, .scope = FR_RUNS,
          .body = FR_BODY_TEXT, .is_long = true,
          .summary = "Uploads saved runs, as one document, an array, one run on each line, or the "
                     "output of another program."),
    ROUTE(GET, "/api/v1/machines/{machine}/runs", fr_get_runs, .options = fr_runs_params,
          .formats = FR_ROWS, .scope = FR_READ, .is_long_for = fr_runs_are_long,
          .summary = "A machine's saved runs, newest upload first."),
    ROUTE(GET, "/api/v1/runs/{id}", fr_get_run, .formats = FR_JSON, .scope = FR_READ,
          .summary = "A saved run, with the members of the document as uploaded and the data "
                     "stored with it."),
    ROUTE(DELETE, "/api/v1/runs/{id}", fr_delete_run, .formats = FR_JSON,
          .find_machine = fr_machine_of_run, .scope = FR_ADMIN, .summary = "Removes a saved run."),

    ROUTE(POST, "/api/v1/matrices", fr_post_matrix, .options = fr_matrix_upload_params,
          .formats = FR_JSON, .scope = FR_WRITE, .body = FR_BODY_FILE, .is_long = true,
          .summary = "Uploads a sparse matrix for analysis, in Matrix Market, Harwell-Boeing or "
                     "Rutherford-Boeing format, plain or gzip."),
    ROUTE(GET, "/api/v1/matrices", fr_get_matrices, .options = fr_page_params, .formats = FR_ROWS,
          .scope = FR_READ, .summary = "The sparse matrices, newest upload first."),
    ROUTE(GET, "/api/v1/matrices/{matrix}", fr_get_matrix, .formats = FR_ROWS, .scope = FR_READ,
          .summary = "A matrix, with its facts, the progress of its analysis, and the results."),
    ROUTE(DELETE, "/api/v1/matrices/{matrix}", fr_delete_matrix, .formats = FR_JSON,
          .scope = FR_ADMIN,
          .summary = "Removes a matrix with its block structures; a running analysis is stopped."),
    ROUTE(GET, "/api/v1/matrices/{matrix}/spy", fr_get_matrix_spy, .options = fr_spy_params,
          .formats = FR_CHARTS, .scope = FR_READ, .is_long = true,
          .summary = "A spy plot of a matrix."),
    ROUTE(GET, "/api/v1/matrices/{matrix}/structure", fr_get_matrix_structure,
          .options = fr_structure_params, .formats = FR_JSON, .scope = FR_READ, .is_long = true,
          .summary = "The block structure of the factors of a matrix, which can be the `structure` "
                     "of a prediction on another daemon."),
    ROUTE(POST, "/api/v1/matrices/{matrix}/structures", fr_post_structure, .formats = FR_JSON,
          .scope = FR_WRITE, .body = FR_BODY_JSON,
          .summary = "Adds a block structure with other supernode limits, another ordering or row "
                     "permutation."),
    ROUTE(GET, "/api/v1/matrices/{matrix}/mumps", fr_get_matrix_mumps, .options = fr_mumps_params,
          .formats = FR_ROWS, .scope = FR_READ,
          .summary = "The memory that MUMPS 5.5 asks for to factorize a matrix in core, and "
                     "whether an allocation is enough."),
    ROUTE(GET, "/api/v1/matrices/{matrix}/partitions", fr_get_partitions,
          .options = fr_partition_list_params, .formats = FR_ROWS, .scope = FR_READ,
          .summary = "What processes that share the rows of a matrix do and exchange: neighbours, "
                     "bytes, load balance."),
    ROUTE(GET, "/api/v1/matrices/{matrix}/partitions/facts", fr_get_partition_facts,
          .options = fr_partition_params, .formats = FR_JSON, .scope = FR_READ, .is_long = true,
          .summary = "Rows, entries and messages of each process that shares a matrix, which can "
                     "be the `facts` of a prediction on another daemon."),
    ROUTE(GET, "/api/v1/matrices/{matrix}/partitions/chart", fr_get_partitions_chart,
          .options = fr_partitions_chart_params, .formats = FR_CHARTS, .scope = FR_READ,
          .is_long = true,
          .summary = "The partitions that are ready over their processes, with a line for each way "
                     "to divide the matrix."),
    ROUTE(GET, "/api/v1/matrices/{matrix}/partitions/messages", fr_get_partition_messages,
          .options = fr_messages_params, .formats = FR_CHARTS, .scope = FR_READ, .is_long = true,
          .summary = "Who talks to whom before a product, in colours of the bytes from each sender "
                     "to each receiver."),

    ROUTE(GET, "/api/v1/machines/{machine}/accuracy", fr_get_accuracy,
          .options = fr_accuracy_params, .formats = FR_ROWS, .scope = FR_READ, .is_long = true,
          .summary = "The accuracy of predictions for the saved runs, by model."),
    ROUTE(GET, "/api/v1/machines/{machine}/accuracy/chart", fr_get_accuracy_chart,
          .options = fr_accuracy_chart_params, .formats = FR_CHARTS, .scope = FR_READ,
          .is_long = true, .summary = "Predicted against measured values of the saved runs."),
    ROUTE(
        GET, "/api/v1/machines/{machine}/accuracy/history", fr_get_accuracy_history,
        .options = fr_history_params, .formats = FR_CHARTS, .scope = FR_READ, .is_long = true,
        .summary =
            "The errors of the predictions of saved runs over time, with the calibrations marked."),

    ROUTE(GET, "/api/v1/predict/{model}", fr_ask, .asking = &fr_asking_prediction,
          .formats = FR_ROWS | FR_DAT | FR_JOBS, .scope = FR_READ, .is_inline = true,
          .is_long_for = fr_prediction_is_long, .summary = "One prediction."),
    ROUTE(POST, "/api/v1/predict", fr_post_predictions, .formats = FR_JSON, .scope = FR_READ,
          .body = FR_BODY_JSON, .is_long = true, .summary = "Up to 1,000 predictions."),
    ROUTE(GET, "/api/v1/sweep/{model}", fr_ask, .asking = &fr_asking_sweep,
          .formats = FR_ROWS | FR_NDJSON, .scope = FR_READ, .is_long = true,
          .summary = "A prediction for every combination of the given values."),
    ROUTE(GET, "/api/v1/chart/{model}", fr_ask, .asking = &fr_asking_chart, .formats = FR_CHARTS,
          .scope = FR_READ, .is_long = true, .summary = "A chart of a sweep."),
    ROUTE(GET, "/api/v1/forecast/{model}", fr_ask, .asking = &fr_asking_forecast,
          .formats = FR_ROWS | FR_TEX, .scope = FR_READ, .is_long = true,
          .summary = "A table over two parameters, with a number for each value of a tunable and "
                     "the best marked."),
    ROUTE(GET, "/api/v1/rank/{model}", fr_ask, .asking = &fr_asking_ranking,
          .formats = FR_ROWS | FR_NDJSON | FR_DAT | FR_JOBS, .scope = FR_READ, .is_long = true,
          .summary = "Every combination of the open tunable parameters, best first."),
    ROUTE(GET, "/api/v1/recommend/{model}", fr_ask, .asking = &fr_asking_recommendation,
          .formats = FR_ROWS | FR_NDJSON | FR_DAT | FR_JOBS, .scope = FR_READ, .is_long = true,
          .summary = "The best configuration including the number of nodes, and the runners-up."),
    ROUTE(GET, "/api/v1/recommend/{model}/chart", fr_ask, .asking = &fr_asking_recommendation_chart,
          .formats = FR_CHARTS, .scope = FR_READ, .is_long = true,
          .summary = "Time and core hours over the number of nodes, with the deadline, the knee "
                     "and the best configuration marked."),
    ROUTE(GET, "/api/v1/sensitivity/{model}", fr_ask, .asking = &fr_asking_sensitivity,
          .formats = FR_ROWS, .scope = FR_READ, .is_long = true,
          .summary = "The calibrated values that change a prediction most."),
    ROUTE(GET, "/api/v1/sensitivity/{model}/chart", fr_ask, .asking = &fr_asking_sensitivity_chart,
          .formats = FR_CHARTS, .scope = FR_READ, .is_long = true,
          .summary = "The change of the time with each calibrated value, multiplied and divided by "
                     "a factor."),

    ROUTE(GET, "/*", fr_get_static, .is_inline = true, .summary = "The dashboard."),
    { .path = NULL },
};
