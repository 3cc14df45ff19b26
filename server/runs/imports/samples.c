/* samples: BLAS calls timed by forerun-calibrate, as CSV.
 *
 *     call,min_s,median_s,mean_s,max_s,std_s,repetitions
 *     dtrsm LLNN 96 104 -1,0.000028493,0.000028693,0.00002868,0.000028854,1.8e-7,10
 *
 * from --sample, or from --samples, which adds the columns locality and threads.  --each adds the
 * time of every repetition in times_s, --metrics its counters.  Columns are found by name.  Each
 * line is a run of the model calls.  The call is written with letters (`dtrsm LLNN m n -1`), so
 * that the samples of a kernel form one series of a chart over its sizes.
 */
#include "server/runs/imports/filter.h"

#include "engine/blocked/routine.h"

#include <stdio.h>
#include <string.h>

enum column {
    CALL,
    LOCALITY,
    THREADS,
    MIN,
    MEDIAN,
    MEAN,
    MAX,
    STD,
    REPETITIONS,
    TIMES,
    FIRST_COUNTER,
    COLUMNS = FIRST_COUNTER + 6,
};
static const char *const column_names[COLUMNS] = {
    "call",  "locality", "threads",      "min_s",      "median_s", "mean_s",
    "max_s", "std_s",    "repetitions",  "times_s",    "ticks",    "instructions",
    "loads", "stores",   "cache_misses", "tlb_misses",
};
/* The output of the model in each column; NULL: none. */
static const char *const outputs[COLUMNS] = {
    [MIN] = "time_min_s", [MEAN] = "time_average_s", [MAX] = "time_max_s", [STD] = "time_std_s"
};

enum { MOST_FIELDS = 64, MOST_CALL_BYTES = 256 };

/* The index of each column; MOST_FIELDS: absent. */
struct header {
    size_t place[COLUMNS], count;
};

/* A cell, without the quotation marks around one that holds commas. */
static bool next_cell(struct fr_slice *rest, struct fr_slice *cell)
{
    const char *end;

    if (!rest->at || !rest->length || rest->at[0] != '"')
        return fr_slice_field(rest, ',', cell);
    end = memchr(rest->at + 1, '"', rest->length - 1);
    if (!end)
        return fr_slice_field(rest, ',', cell);
    *cell = (struct fr_slice){ rest->at + 1, (size_t)(end - rest->at) - 1 };
    rest->length -= (size_t)(end + 1 - rest->at);
    rest->at = end + 1;
    if (rest->length && rest->at[0] == ',')
        *rest = (struct fr_slice){ rest->at + 1, rest->length - 1 };
    else
        *rest = (struct fr_slice){ NULL, 0 };
    return true;
}

static bool read_header(struct fr_filter *filter, struct fr_slice line, struct header *header)
{
    struct fr_slice cell;
    bool is_whole = true;

    for (size_t c = 0; c < COLUMNS; c++)
        header->place[c] = MOST_FIELDS;
    for (header->count = 0; header->count < MOST_FIELDS && next_cell(&line, &cell); header->count++)
        for (size_t c = 0; c < COLUMNS; c++)
            if (header->place[c] == MOST_FIELDS && fr_slice_is(cell, column_names[c]))
                header->place[c] = header->count;
    for (size_t c = 0; c < COLUMNS; c++)
        if ((c == CALL || c == MEDIAN) && header->place[c] == MOST_FIELDS) {
            fr_filter_fault(filter, filter->line, FR_MISSING,
                            "no column %s; the first line names the columns, as "
                            "forerun-calibrate --sample does",
                            column_names[c]);
            is_whole = false;
        }
    return is_whole;
}

/* The cells of the columns; length 0: none.  A line of another length has them elsewhere, for
 * example where its decimal points are commas. */
static bool read_cells(struct fr_filter *filter, struct fr_slice line, const struct header *header,
                       struct fr_slice out[COLUMNS])
{
    struct fr_slice cell;
    size_t count = 0;

    memset(out, 0, COLUMNS * sizeof *out);
    for (; count < MOST_FIELDS && next_cell(&line, &cell); count++)
        for (size_t c = 0; c < COLUMNS; c++)
            if (header->place[c] == count)
                out[c] = cell;
    if (count != header->count)
        fr_filter_fault(filter, filter->line, FR_SYNTAX,
                        "%zu cells, but the header has %zu columns; numbers have decimal points",
                        count, header->count);
    return count == header->count;
}

static bool read_call(struct fr_filter *filter, struct fr_slice cell, struct blocked_call *call)
{
    char text[MOST_CALL_BYTES], why[BLOCKED_WHY_BYTES];
    size_t taken;

    fr_slice_print(cell, text, sizeof text);
    taken = blocked_call_read(text, NULL, NULL, call, why);
    if (taken && taken == strlen(text) && cell.length < sizeof text)
        return true;
    fr_filter_fault(filter, filter->line, FR_SYNTAX, "'%s': %s", text,
                    taken ? "not one call" : why);
    return false;
}

/* Sets `dtrsm LLNN m n -1` and the sizes. */
static void set_call(struct fr_import_run *run, const struct blocked_call *call)
{
    const struct blocked_routine *routine = call->kernel.routine;
    char text[FR_IMPORT_TEXT_BYTES];
    size_t used = (size_t)snprintf(text, sizeof text, "%s%s%s", routine->name,
                                   *call->kernel.flags ? " " : "", call->kernel.flags);

    for (size_t d = 0; d < routine->sizes; d++)
        used += (size_t)snprintf(text + used, sizeof text - used, " %s", routine->size_names[d]);
    if (routine->has_alpha) {
        char alpha[BLOCKED_ALPHA_BYTES];

        blocked_alpha_print(call->alpha, alpha);
        snprintf(text + used, sizeof text - used, " %s", alpha);
    }
    fr_run_set_text(run, "calls", text);
    for (size_t d = 0; d < routine->sizes; d++)
        fr_run_set(run, routine->size_names[d], (double)call->size[d]);
}

/* The request may give what the text lacks; the defaults are those of --sample. */
static bool set_setting(struct fr_filter *filter, const struct fr_slice cell[COLUMNS],
                        struct fr_import_run *run)
{
    int64_t threads = 1;
    char locality[FR_IMPORT_TEXT_BYTES] = "in_cache";

    if (cell[THREADS].length && (!fr_slice_count(cell[THREADS], &threads) || !threads)) {
        fr_filter_fault(filter, filter->line, FR_SYNTAX, "threads is not a number of threads");
        return false;
    }
    if (cell[LOCALITY].length)
        fr_slice_print(cell[LOCALITY], locality, sizeof locality);
    if (strcmp(locality, "in_cache") && strcmp(locality, "out_of_cache")) {
        fr_filter_fault(filter, filter->line, FR_CHOICE,
                        "locality '%s' is not one of in_cache, out_of_cache", locality);
        return false;
    }
    if (cell[THREADS].length || !fr_filter_given(filter, "threads"))
        fr_run_set(run, "threads", (double)threads)->line = cell[THREADS].length ? run->line : 0;
    if (cell[LOCALITY].length || !fr_filter_given(filter, "locality"))
        fr_run_set_text(run, "locality", locality)->line = cell[LOCALITY].length ? run->line : 0;
    return true;
}

/* Times in seconds; the median must be above 0. */
static bool read_times(struct fr_filter *filter, const struct fr_slice cell[COLUMNS],
                       double time_s[COLUMNS])
{
    for (size_t c = MIN; c <= STD; c++) {
        if (!cell[c].length || (fr_slice_number(cell[c], &time_s[c]) && time_s[c] >= 0 &&
                                (c != MEDIAN || time_s[c] > 0)))
            continue;
        fr_filter_fault(filter, filter->line, FR_RANGE, "%s is not a time in seconds%s",
                        column_names[c], c == MEDIAN ? " above 0" : "");
        return false;
    }
    return true;
}

/* Times in seconds above 0, separated by blanks. */
static bool read_each(struct fr_filter *filter, struct fr_slice cell, struct fr_import_run *run)
{
    struct fr_slice rest = cell, word;
    size_t count = 0;
    double *times;

    while (fr_slice_word(&rest, &word))
        count++;
    times = fr_arena_zeroed(filter->arena, count, sizeof *times);
    if (!times)
        return fr_filter_fault(filter, filter->line, FR_NOMEM, "too many repetitions") == FR_OK;
    for (; fr_slice_word(&cell, &word); run->repetition_count++)
        if (!fr_slice_number(word, &times[run->repetition_count]) ||
            times[run->repetition_count] <= 0) {
            fr_filter_fault(filter, filter->line, FR_RANGE,
                            "times_s are not times in seconds above 0");
            return false;
        }
    run->repetition = times;
    return true;
}

/* The repetitions, and medians of counters. */
static void note(struct fr_import_run *run, const struct fr_slice cell[COLUMNS])
{
    int64_t repetitions;

    if (fr_slice_count(cell[REPETITIONS], &repetitions) && repetitions)
        fr_run_note(run, "median of %lld", (long long)repetitions);
    for (size_t c = FIRST_COUNTER; c < COLUMNS; c++) {
        double value;

        if (cell[c].length && fr_slice_number(cell[c], &value))
            fr_run_note(run, "%s%s %.0f", *run->notes ? ", " : "", column_names[c], value);
    }
}

static void read_sample(struct fr_filter *filter, struct fr_slice line, const struct header *header)
{
    struct fr_import_run run = { .line = filter->line };
    struct fr_slice cell[COLUMNS];
    double time_s[COLUMNS] = { 0 };
    struct blocked_call call;

    /* --samples marks the incomplete line of an interrupted run. */
    if (line.at[line.length - 1] == '?') {
        filter->imported.left_out++;
        return;
    }
    if (!read_cells(filter, line, header, cell) || !read_call(filter, cell[CALL], &call) ||
        !read_times(filter, cell, time_s))
        return;
    /* The call was not timed, or does nothing. */
    if (!cell[MEDIAN].length || blocked_call_is_empty(&call)) {
        filter->imported.left_out++;
        return;
    }
    run.time_s = time_s[MEDIAN];
    set_call(&run, &call);
    if (!set_setting(filter, cell, &run))
        return;
    note(&run, cell);
    if (!read_each(filter, cell[TIMES], &run))
        return;
    for (size_t c = 0; c < COLUMNS; c++)
        if (outputs[c] && cell[c].length)
            fr_run_set(&run, outputs[c], time_s[c])->is_output = true;
    fr_run_begin(filter, &run);
    fr_run_end(filter);
}

static void read_samples(struct fr_filter *filter)
{
    const size_t before = filter->faults->count;
    struct header header;
    struct fr_slice line;
    bool has_header = false;

    while (fr_filter_line(filter, &line)) {
        if (!line.length)
            continue;
        if (has_header)
            read_sample(filter, line, &header);
        else if (!read_header(filter, line, &header))
            return;
        has_header = true;
    }
    if (!filter->imported.runs && filter->faults->count == before)
        fr_fault(filter->faults, FR_SYNTAX, "", "no sample with a time in %zu lines", filter->line);
}

const struct fr_import fr_import_samples = {
    .name = "samples",
    .summary = "Calls of BLAS timed by forerun-calibrate, --sample or --samples, as CSV.",
    .model = "calls",
    .read = read_samples,
};
