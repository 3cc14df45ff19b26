/* seconds: measured times alone, a time in seconds on each line.
 *
 *     42.66
 *     42.81
 *
 * The request gives the model and its parameters, so that a job script that has timed a program
 * needs no JSON.  All lines are repetitions of one run, whose time is their median.
 */
#include "engine/core/statistics.h"
#include "server/runs/imports/filter.h"

#include <string.h>

#define JOB "job"
#define STARTED_AT "started_at"
enum { MAX_REPETITIONS = 10000 };

/* The times in the order of the text; false if out of memory. */
static bool read_times(struct fr_filter *filter, struct fr_import_run *run)
{
    double *times = fr_arena_zeroed(filter->arena, MAX_REPETITIONS, sizeof *times);
    struct fr_slice line;
    char text[FR_IMPORT_TEXT_BYTES];

    if (!times)
        return fr_fault(filter->faults, FR_NOMEM, "", "out of memory"), false;
    while (fr_filter_line(filter, &line)) {
        if (!line.length)
            continue;
        if (run->repetition_count == MAX_REPETITIONS) {
            fr_filter_fault(filter, filter->line, FR_NOMEM, "more than %d times", MAX_REPETITIONS);
            break;
        }
        if (fr_slice_number(line, &times[run->repetition_count])) {
            if (!run->repetition_count++)
                run->line = filter->line;
            continue;
        }
        fr_slice_print(line, text, sizeof text);
        fr_filter_fault(filter, filter->line, FR_TYPE, "'%s' is not a time in seconds", text);
    }
    run->repetition = times;
    return true;
}

static double median(struct fr_arena *arena, const struct fr_import_run *run)
{
    double *sorted = fr_arena_zeroed(arena, run->repetition_count, sizeof *sorted);

    if (!sorted)
        return 0; /* which the validation refuses */
    memcpy(sorted, run->repetition, run->repetition_count * sizeof *sorted);
    fr_sort(sorted, run->repetition_count);
    return fr_quantile(sorted, run->repetition_count, 0.5);
}

/* Takes an option of the request; a longer one is refused, not cut off. */
static void take(struct fr_filter *filter, const char *name, char *out, size_t size)
{
    const char *given = fr_filter_given(filter, name);

    if (given && strlen(given) >= size)
        fr_fault(filter->faults, FR_RANGE, name, "'%.40s' has more than %zu bytes", given,
                 size - 1);
    else if (given)
        memcpy(out, given, strlen(given) + 1);
}

static void read_run(struct fr_filter *filter)
{
    const size_t before = filter->faults->count;
    struct fr_import_run run = { .line = 1 };

    take(filter, JOB, run.job, sizeof run.job);
    take(filter, STARTED_AT, run.started_at, sizeof run.started_at);
    if (!read_times(filter, &run) || filter->faults->count > before)
        return;
    if (!run.repetition_count) {
        fr_fault(filter->faults, FR_MISSING, "", "no time in %zu lines; send seconds, such as 42.7",
                 filter->line);
        return;
    }
    run.time_s = median(filter->arena, &run);
    fr_run_begin(filter, &run);
    fr_run_end(filter);
}

static const struct fr_import_option options[] = {
    { JOB, "The job's id or name." },
    { STARTED_AT, "When the run began, RFC 3339 in UTC." },
    { .name = NULL },
};

const struct fr_import fr_import_seconds = {
    .name = "seconds",
    .summary = "Measured times: seconds, the repetitions of one run on lines of their own.",
    .options = options,
    .read = read_run,
};
