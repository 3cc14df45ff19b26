/* Documents of answers. */
#ifndef FR_QUESTIONS_DOCUMENTS_H
#define FR_QUESTIONS_DOCUMENTS_H

#include "engine/questions/recommend.h"
#include "server/http/http.h"
#include "server/questions/ask.h"

/* What the rows of an answer rest on.  Rows are comparable only if they have one basis: all are
 * estimated, or all use one saved run.  What saved runs measured stands beside. */

/* Writes `basis`, and the `run` of all rows if there is one, for a model that reads runs.  Call it
 * when the rows are predicted. */
void fr_basis_write(struct fr_writer *w, const struct fr_question *question);
/* Writes what the saved runs of a configuration measured, if there are runs of the model and no
 * what-ifs.  `resolved` is NULL in a row without a prediction. */
void fr_row_measured(struct fr_rows *rows, const struct fr_question *question,
                     const struct fr_target *target, const void *resolved);

/* The interval and the quantile of the measured time in the rows of every question. */

/* The errors that tell the outlook of a prediction; NULL: none, as on a hypothetical machine. */
const struct fr_errors *fr_errors_of(const struct fr_matching_runs *matching, bool is_changed);
/* Finds the outlook of a row of the question with these resolved values, and adds its warning to
 * the prediction. */
struct fr_outlook fr_row_foresee(const struct fr_question *question, const struct fr_target *target,
                                 const void *values, struct fr_prediction *prediction,
                                 const struct fr_spread *spread);

/* Writes `interval` in JSON, its ends elsewhere, and the quantile if `asked`.  NULL: a row without
 * a prediction. */
void fr_row_outlook(struct fr_rows *rows, const struct fr_outlook_asked *asked,
                    const struct fr_outlook *outlook);

/* Predictions for questions, with baselines and what to expect of the measured time. */

/* A prediction and its inputs. */
struct fr_predicted {
    const struct fr_model *model;
    const struct fr_loaded *loaded;
    const struct fr_calibration *cal; /* with the what-ifs applied */
    const void *values;               /* resolved */
    struct fr_prediction *prediction;
    struct fr_spread spread; /* over several saved runs, if used */
    struct fr_extrapolation extrapolation;
    const struct fr_errors *errors; /* of comparable runs, or NULL */
    struct fr_outlook_asked asked;
    struct fr_outlook outlook;
    struct fr_predicted *baseline; /* without the what-ifs, or NULL */
    const struct fr_change *change;
    size_t change_count;
    struct fr_arena *arena;
    bool is_explained; /* the JSON includes its components */
};

/* Resolves the values and predicts; with what-ifs, also predicts the baseline without them.
 * The question's values stay unchanged; its first target counts.  Everything that `out` refers to
 * lives in the request's arena.  Returns FR_OK, or a code with faults. */
int fr_predict(struct fr_request *rq, const struct fr_question *question, struct fr_predicted *out,
               struct fr_faults *faults);

/* Finds the outlook of the prediction and of its baseline. */
void fr_predicted_foresee(struct fr_predicted *predicted, const struct fr_outlook_asked *asked);

/* The range of the time within which half of the calibration's measurements lie, if their noise is
 * the same everywhere.  It knows nothing of the model's error, so it is no interval.  False if a
 * value states no spread, or the request changes values. */
struct fr_calibrated_range {
    double low_s, high_s, spread_fraction;
};
bool fr_predicted_calibrated_range(const struct fr_predicted *predicted,
                                   struct fr_calibrated_range *out);

/* Response documents of predictions: an object in JSON, a flat row in CSV and txt. */

/* Writes the prediction as one row in any format. */
void fr_prediction_write(struct fr_rows *rows, const struct fr_predicted *predicted);

/* For explain=true: writes the components of the prediction, one per row. */
void fr_explain_write(struct fr_rows *rows, const struct fr_predicted *predicted);
/* Returns FR_OK, or FR_RELATION with a fault if the model has no components to list. */
int fr_explain_check(const struct fr_model *model, bool is_wanted, struct fr_faults *faults);

/* Parts of rows for sweeps and rankings: all parameters, then the outputs that do not repeat a
 * parameter.  If `prediction` is NULL, every output is null. */
void fr_row_params(struct fr_rows *rows, const struct fr_model *model, const void *values,
                   const struct fr_prediction *prediction);
void fr_row_outputs(struct fr_rows *rows, const struct fr_model *model,
                    const struct fr_prediction *prediction);
void fr_row_warnings(struct fr_rows *rows, const struct fr_prediction *prediction);
/* The what-ifs of the question: in JSON the object what_if, in CSV a column of PATH=VALUE, in TXT,
 * whose values have no such characters, nothing. */
void fr_row_changes(struct fr_rows *rows, const struct fr_change *change, size_t count);

/* The configurations of rankings and recommendations in answers. */

/* The names of model, machine and calibration. */
void fr_question_head(struct fr_writer *w, const struct fr_question *question);
/* The same, and what was considered. */
void fr_ranking_head(struct fr_writer *w, const struct fr_question *question,
                     const struct fr_ranking *ranking);
/* The columns of a configuration, to which a warning may be added.  Without a row (NULL) the
 * outputs are null; slowdowns refer to `best`. */
void fr_ranking_columns(struct fr_rows *rows, const struct fr_question *question,
                        const void *values, struct fr_ranked *row,
                        const struct fr_prediction *best);
/* All rows of a ranking; as the head of a job script the best.  `objective` of a recommendation is
 * said but in JSON; NULL: there is none. */
void fr_ranking_rows(struct fr_rows *rows, const struct fr_question *question,
                     const struct fr_ranking *ranking, const char *objective);
/* In JSON the members `best`, `runners_up`, `fastest` and `knee`, as HPL.dat the best; else what
 * fr_ranking_rows writes. */
void fr_ranking_write(struct fr_rows *rows, const struct fr_question *question,
                      struct fr_ranking *ranking, const char *objective);

/* Writes the answers of searches. */

/* The recommendation at the largest value, and why the next one does not hold. */
void fr_largest_write(struct fr_request *rq, struct fr_reply *reply,
                      const struct fr_question *question, const struct fr_search *search,
                      struct fr_largest *found);
/* Who is faster in each stretch of values; at most `limit` of them. */
void fr_crossover_write(struct fr_request *rq, struct fr_reply *reply,
                        const struct fr_question *question, const struct fr_search *search,
                        const struct fr_axis *pair, const struct fr_crossover *found, size_t limit);

/* HPL.dat, the input file of HPL 2.3, as a format of answers about hpl. */

/* Refuses the format for models that have no such file.  Returns 0 if there is nothing to refuse,
 * else the HTTP status. */
int fr_hpl_dat_refuse(const struct fr_request *rq, struct fr_reply *reply,
                      const struct fr_model *model);
/* Writes the file of one configuration.  HPL reads 31 lines; what was predicted, the warnings and
 * what-ifs follow for people. */
void fr_hpl_dat_write(struct fr_writer *w, const struct fr_question *question, const void *resolved,
                      const struct fr_prediction *prediction);
/* The same of the best row of a ranking, and a line for each other row within 2 % of it. */
void fr_hpl_dat_write_best(struct fr_writer *w, const struct fr_question *question,
                           const struct fr_ranking *ranking);

/* The head of a job script, or the reference of its test, as a format of answers about one
 * configuration. */

/* Writes the head of a script for the scheduler that the format names, up to the line that starts
 * the program.  Its time limit is that of `quantile`, 0.95 if the question has none.  FR_REFRAME:
 * the `reference` of a performance test.  `resolved` are the values of the prediction, whose
 * warnings may get shares; `objective`, or NULL: what they are the best for. */
void fr_job_head_write(struct fr_writer *w, enum fr_format format,
                       const struct fr_question *question, const void *resolved,
                       struct fr_prediction *prediction, const struct fr_spread *spread,
                       const char *objective);

#endif
