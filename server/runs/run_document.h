/* The document of a saved run: decoding and checking it, its parameters in a database. */
#ifndef FR_JSON_SAVED_RUN_H
#define FR_JSON_SAVED_RUN_H

#include "engine/forerun.h"
#include "server/json/value.h"
#include "server/json/writer.h"
#include "server/store/store.h"

/* The most numbers of one list: a phase of a thousand iterations by a thousand processes. */
enum { FR_MAX_RUN_NUMBERS = 1000000 };

/* Decodes and checks a run; *out lives in `arena`.  Faults are at JSON pointers into the run.
 * FR_OK, or the code of the first fault.
 *
 * An upload needs a model, the parameters of a prediction and a time.  A run in a request needs
 * only what the model reads; without a model of its own it is a run of `model_or_null`.  A run of
 * another model is refused. */
int fr_run_decode(json_t *root, const struct fr_model *model_or_null, bool is_upload,
                  struct fr_arena *arena, struct fr_saved_run *out, struct fr_faults *faults);
/* Decodes the document of a stored run, and takes the FR_RECORDED parameters that it leaves open.
 */
int fr_run_read(const struct fr_stored_run *stored, struct fr_arena *arena,
                struct fr_saved_run *out, struct fr_faults *faults);

/* Checks the parameters of the run on the machine of the calibration.  A group that the calibration
 * lacks is not a fault: a run can be saved even if it cannot be predicted.  `resolved` (space for
 * the values of the model) gets the values of the run, with automatic choices made if possible. */
int fr_run_resolve(const struct fr_saved_run *run, const struct fr_calibration *cal_or_null,
                   void *resolved, struct fr_faults *faults);

/* Compares the run's environment with the calibration's.  False if all that both state agrees. */
bool fr_run_compare(const struct fr_saved_run *run, const struct fr_calibration *cal,
                    struct fr_mismatches *out);
/* The clauses of fr_mismatches_write. */
#define FR_CALIBRATION_HAS "the calibration has"
#define FR_RUN_HAS "the run"

/* Writes all parameters as a prediction shows them, and those that the run gave in another form. */
void fr_run_write_parameters(struct fr_writer *w, const struct fr_saved_run *run,
                             const void *resolved);
/* Reads that JSON into values of the model; unknown parameters are ignored. */
void fr_run_read_parameters(const struct fr_model *model, const char *json, void *values);

/* The runs of one upload: a document, an array of documents, or one document on each line. */

/* The most runs of one upload. */
enum { FR_MAX_UPLOADED_RUNS = 10000 };

struct fr_run_upload {
    const char *text;
    size_t length;
    bool is_json_lines;
    bool is_imported;    /* the array was written by a filter: faults count its runs from 1 */
    const char *machine; /* of all runs */
    const struct fr_calibration *cal; /* the machine's newest, or NULL */
};
struct fr_uploaded_runs {
    struct fr_stored_run *run; /* ready to be stored */
    const char **warnings;     /* of each: a JSON array of the facts that differ, or NULL */
    size_t count;
    bool is_single; /* the text was one document */
};

/* Reads and checks all runs; *out lives in `arena`.  Faults name the run: `/3/time_s` belongs to
 * the fourth run of an array, or to the third line.  FR_OK, or the code of the first fault. */
int fr_runs_read(const struct fr_run_upload *upload, struct fr_arena *arena,
                 struct fr_uploaded_runs *out, struct fr_faults *faults);

#endif
