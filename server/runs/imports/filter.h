/* What the filters share: the text line by line (lines.c), the run being written (run.c). */
#ifndef FR_FILTER_H
#define FR_FILTER_H

#include "server/runs/imports/imports.h"

/* Some bytes of the text: any values, not ended. */
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
    struct fr_writer out;
    struct fr_imported imported;
    struct fr_slice rest; /* what is not read yet */
    size_t line;          /* number of the line that was read last */
    bool is_full;         /* there were too many runs: no more lines */
};

/* ---- reading ---- */

/* The next line without its end and the blanks around it; false behind the last one. */
bool fr_filter_line(struct fr_filter *filter, struct fr_slice *line);
/* A fault at "line 12". */
int fr_filter_fault(struct fr_filter *filter, size_t line, enum fr_code code, const char *format,
                    ...) FR_PRINTF(4, 5);
/* What the request gives under this name, or NULL. */
const char *fr_filter_given(const struct fr_filter *filter, const char *name);

bool fr_slice_is(struct fr_slice slice, const char *text);
bool fr_slice_equal(struct fr_slice a, struct fr_slice b);
bool fr_slice_begins(struct fr_slice slice, const char *text);
bool fr_slice_has(struct fr_slice slice, const char *text);
/* Takes `text` off the front, and the blanks behind it; false where it does not begin so. */
bool fr_slice_skip(struct fr_slice *slice, const char *text);
struct fr_slice fr_slice_trim(struct fr_slice slice);
/* Takes the next word off the front; false where none is left. */
bool fr_slice_word(struct fr_slice *rest, struct fr_slice *word);
/* Takes what stands before the separator off the front, trimmed; false where nothing is left. */
bool fr_slice_field(struct fr_slice *rest, char separator, struct fr_slice *field);
/* Strictly a decimal number, not beyond FR_GREATEST: sums of them stay finite. */
bool fr_slice_number(struct fr_slice slice, double *value);
/* Strictly a whole number from 0 to 2^53. */
bool fr_slice_count(struct fr_slice slice, int64_t *value);
/* As a text that JSON can hold: what is no character or a control becomes `?`. */
void fr_slice_print(struct fr_slice slice, char *out, size_t size);

/* A time that is printed in few digits beside the rate of a known number of operations (`unit`:
 * operations a second in a rate of 1): whichever tells the time more closely.  False where the two
 * cannot be of the same run, or tell nothing. */
bool fr_time_beside_rate(struct fr_slice time, double operations, struct fr_slice rate, double unit,
                         double *time_s);

/* `year-month-day` and so on as RFC 3339 in UTC; false where no such time exists. `offset` is `Z`,
 * `+02:00` or `-0500`. */
enum { FR_TIME_BYTES = 24 };
struct tm;
bool fr_time_utc(const struct tm *local, const char *offset, char out[FR_TIME_BYTES]);
/* The option that says which zone a text's times are in, for the filters whose texts do not. */
#define FR_UTC_OFFSET "utc_offset"
#define FR_UTC_OFFSET_OPTION                                                                \
    {                                                                                       \
        FR_UTC_OFFSET, "Zone of the text's times, as +02:00; without it they are left out." \
    }

/* ---- writing ---- */

enum { FR_MAX_TOLD = 16, FR_TOLD_BYTES = 64, FR_NOTES_BYTES = 400 };

/* A parameter as the text tells it. */
struct fr_told {
    char name[FR_TOLD_BYTES];
    char text[FR_TOLD_BYTES]; /* empty: a number */
    double number;
    bool is_reading; /* the request's own value in the model's words: replaces it */
};

struct fr_import_run {
    size_t line; /* to which faults about it point */
    double time_s;
    char started_at[FR_TIME_BYTES]; /* here and below: empty, 0 or NULL where not told */
    char job[FR_TOLD_BYTES];
    int64_t hosts;
    const double *repetition;
    size_t repetition_count;
    char notes[FR_NOTES_BYTES];
    size_t told_count;
    struct fr_told told[FR_MAX_TOLD];
};

void fr_run_tell(struct fr_import_run *run, const char *name, double number);
struct fr_told *fr_run_tell_text(struct fr_import_run *run, const char *name, const char *text);
/* The size in the parameters that the model has for it; 0 where the text does not say. */
void fr_run_tell_size(struct fr_filter *filter, struct fr_import_run *run, double processes,
                      double nodes);
/* The same for a model that asks for nodes and processes_per_node: where only the processes are
 * known, the request must give one of the two. */
void fr_run_tell_nodes(struct fr_filter *filter, struct fr_import_run *run, double processes,
                       double nodes);
void fr_run_note(struct fr_import_run *run, const char *format, ...) FR_PRINTF(2, 3);

/* Writes the document up to what only this filter has, which may follow before fr_run_end. */
void fr_run_begin(struct fr_filter *filter, const struct fr_import_run *run);
void fr_run_end(struct fr_filter *filter);

#endif
