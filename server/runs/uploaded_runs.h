/* The runs of one upload: a document, an array of documents, or one document on each line. */
#ifndef FR_UPLOADED_RUNS_H
#define FR_UPLOADED_RUNS_H

#include "server/runs/run_document.h"
#include "server/store/store.h"

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
