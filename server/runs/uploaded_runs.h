/* The runs of one upload: a document, an array of them, or one a line. */
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
    bool is_imported;                 /* an array that a filter made: its runs are counted from 1 */
    const char *machine;              /* whose runs they are */
    const struct fr_calibration *cal; /* the machine's newest, or NULL */
};
struct fr_uploaded_runs {
    struct fr_stored_run *run; /* ready to be stored */
    size_t count;
    bool is_single; /* the text was one document */
};

/* Reads and checks all of them.  Faults say which run they are about: `/3/time_s` is of the fourth
 * of an array, `/3/time_s` of the third line.  FR_OK, or with the first of the faults. */
int fr_runs_read(const struct fr_run_upload *upload, struct fr_arena *arena,
                 struct fr_uploaded_runs *out, struct fr_faults *faults);

#endif
