/* The code that filters share: reading lines (lines.c) and writing runs (run.c). */
#ifndef FR_FILTER_H
#define FR_FILTER_H

#include "server/runs/imports/imports.h"

/* A part of the text: arbitrary bytes, without a NUL at the end. */
struct fr_slice {
    const char *at;
    size_t length;
};

struct fr_filter {
    const struct fr_import *import;
    const struct fr_import_given *given;
    const char *model_name;
    const struct fr_model *model; /* NULL: none of this name */
    struct fr_arena *arena;
    struct fr_faults *faults;
    struct fr_writer out, read; /* the runs; what was taken of the text for them */
    struct fr_imported imported;
    struct fr_slice rest;         /* not read yet */
    size_t line;                  /* number of the line read last, from 1 */
    size_t last_taken;            /* the last line that has a value of a run */
    size_t folded[FR_MAX_FAULTS]; /* of each fault that is kept: further lines that have it */
    bool is_full;                 /* too many runs: stop reading */
};

/* ---- reading ---- */

/* The next line without its newline and surrounding blanks; false after the last. */
bool fr_filter_line(struct fr_filter *filter, struct fr_slice *line);
enum { FR_LISTED_LINES = 3 };
/* Adds a fault at "line 12"; where more than FR_LISTED_LINES have the same one, it is counted.
 * Returns its code. */
int fr_filter_fault(struct fr_filter *filter, size_t line, enum fr_code code, const char *format,
                    ...) FR_PRINTF(4, 5);
/* Makes one fault of those that were counted. */
void fr_filter_fold(struct fr_filter *filter);
/* Adds a warning at "line 12" of what is recognized but not read, or may be another's: the rest of
 * the text is taken. */
void fr_filter_warn(struct fr_filter *filter, size_t line, enum fr_code code, const char *format,
                    ...) FR_PRINTF(4, 5);
/* The value that the request gives, or NULL. */
const char *fr_filter_given(const struct fr_filter *filter, const char *name);

bool fr_slice_is(struct fr_slice slice, const char *text);
bool fr_slice_equal(struct fr_slice a, struct fr_slice b);
bool fr_slice_begins(struct fr_slice slice, const char *text);
bool fr_slice_has(struct fr_slice slice, const char *text);
/* Removes `text` and the blanks after it from the front; false if the slice begins otherwise. */
bool fr_slice_skip(struct fr_slice *slice, const char *text);
struct fr_slice fr_slice_trim(struct fr_slice slice);
/* Removes the next word from the front; false if there is none. */
bool fr_slice_word(struct fr_slice *rest, struct fr_slice *word);
/* Removes the text before the separator from the front and trims it; false if nothing is left. */
bool fr_slice_field(struct fr_slice *rest, char separator, struct fr_slice *field);
/* A decimal number of at most FR_GREATEST, so that sums stay finite; false for anything else. */
bool fr_slice_number(struct fr_slice slice, double *value);
/* A whole number from 0 to 2^53; false for anything else. */
bool fr_slice_count(struct fr_slice slice, int64_t *value);
/* The significant digits of a printed decimal number: 2 of `0.17`, none of `0.00`. */
size_t fr_slice_digits(struct fr_slice slice);
/* Copies the slice as UTF-8; control characters and invalid bytes become `?`. */
void fr_slice_print(struct fr_slice slice, char *out, size_t size);

/* A time in seconds, from a printed time or from the printed rate of a known number of operations,
 * whichever has the smaller rounding error.  `unit` is operations per second at a rate of 1.  False
 * if the two contradict each other or have no significant digits. */
bool fr_time_beside_rate(struct fr_slice time, double operations, struct fr_slice rate, double unit,
                         double *time_s);

/* A local time as RFC 3339 in UTC; false if there is no such time.  `offset` is `Z`, `+02:00` or
 * `-0500`. */
enum { FR_TIME_BYTES = 24 };
struct tm;
bool fr_time_utc(const struct tm *local, const char *offset, char out[FR_TIME_BYTES]);
/* The option of filters whose texts do not give a time zone. */
#define FR_UTC_OFFSET "utc_offset"
#define FR_UTC_OFFSET_OPTION                                                             \
    {                                                                                    \
        FR_UTC_OFFSET,                                                                   \
            "Time zone of the text, such as +02:00; without it no run has a start time." \
    }

/* ---- writing ---- */

enum { FR_MAX_IMPORT_PARAMS = 16, FR_IMPORT_TEXT_BYTES = 64, FR_NOTES_BYTES = 800 };

/* A parameter or output in the text. */
struct fr_import_param {
    char name[FR_IMPORT_TEXT_BYTES];
    char text[FR_IMPORT_TEXT_BYTES]; /* empty: a number */
    double number;
    size_t line; /* where the text has it: that of the run, unless the filter changes it; 0: it does
                    not */
    bool is_translated; /* the value of the request in the terms of the model: replaces it */
    bool is_output;
};

struct fr_import_run {
    size_t line; /* where faults of the run point to */
    double time_s;
    size_t time_line, start_line;   /* 0: the same line */
    char started_at[FR_TIME_BYTES]; /* here and below: empty, 0 or NULL if unknown */
    char job[FR_IMPORT_TEXT_BYTES];
    int64_t hosts;
    const double *repetition;
    size_t repetition_count;
    char notes[FR_NOTES_BYTES];
    size_t param_count;
    struct fr_import_param param[FR_MAX_IMPORT_PARAMS];
};

struct fr_import_param *fr_run_set(struct fr_import_run *run, const char *name, double number);
struct fr_import_param *fr_run_set_text(struct fr_import_run *run, const char *name,
                                        const char *text);
/* The text of a parameter, of the request or of the run; NULL: neither has it. */
const char *fr_run_text(const struct fr_filter *filter, const struct fr_import_run *run,
                        const char *name);
/* Sets the parameters that the model has for the size; 0: the text does not give it. */
void fr_run_set_size(struct fr_filter *filter, struct fr_import_run *run, double processes,
                     double nodes);
/* The same for a model with nodes and processes_per_node: if only the processes are known, the
 * request must give one of the two. */
void fr_run_set_nodes(struct fr_filter *filter, struct fr_import_run *run, double processes,
                      double nodes);
void fr_run_note(struct fr_import_run *run, const char *format, ...) FR_PRINTF(2, 3);

/* Writes the document; members of the filter's own may follow before fr_run_end. */
void fr_run_begin(struct fr_filter *filter, const struct fr_import_run *run);
void fr_run_end(struct fr_filter *filter);

#endif
