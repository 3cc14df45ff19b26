/* sacct: the table of Slurm's accounting, `sacct --parsable2` with its header line.
 *
 *     JobID|JobName|State|ElapsedRaw|NNodes|NTasks|Start
 *     1207|gemm|COMPLETED|318|4||2024-05-14T09:12:03
 *     1207.batch|batch|COMPLETED|318|1|1|2024-05-14T09:12:03
 *     1207.0|gemm|COMPLETED|301|4|64|2024-05-14T09:12:18
 *
 * A run is a numbered step, which contains only the program; `.batch`, `.extern` and `.interactive`
 * are not programs.  If a job has no numbered step, the run is the whole job with its script.  A
 * step that only starts the daemons of another launcher gives the time but not the processes.  Rows
 * that are not COMPLETED or took less than a second are left out.
 */
#include "server/runs/imports/filter.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

/* X(column): the columns that are read, as sacct spells them. */
#define COLUMNS(X) \
    X(JobID)       \
    X(JobName) X(State) X(ElapsedRaw) X(Elapsed) X(NNodes) X(AllocNodes) X(NTasks) X(Start)
enum column {
#define X(name) name,
    COLUMNS(X)
#undef X
        COLUMN_COUNT
};
static const char *const names[] = {
#define X(name) #name,
    COLUMNS(X)
#undef X
};

/* sacct has about 120 columns. */
enum { MAX_FIELDS = 256 };

struct header {
    size_t count;
    int column[MAX_FIELDS]; /* -1: not read */
    bool has[COLUMN_COUNT];
};

struct row {
    size_t line;
    struct fr_slice field[COLUMN_COUNT]; /* length 0: empty, or no such column */
};

/* The job whose steps are being read. */
struct job {
    bool is_open, has_steps;
    struct fr_slice id;
    struct row row;
};

static void read_header(struct fr_filter *filter, struct fr_slice line, struct header *header)
{
    struct fr_slice field;

    for (; fr_slice_field(&line, '|', &field); header->count++) {
        if (header->count == MAX_FIELDS) {
            fr_filter_fault(filter, filter->line, FR_NOMEM, "more than %d columns", MAX_FIELDS);
            return;
        }
        header->column[header->count] = -1;
        for (int i = 0; i < COLUMN_COUNT; i++) {
            if (!fr_slice_is(field, names[i]) || header->has[i])
                continue;
            header->has[i] = true;
            header->column[header->count] = i;
        }
    }
}

static void check_header(struct fr_filter *filter, const struct header *header)
{
    static const char remedy[] = "sacct --parsable2 --format="
                                 "JobID,JobName,State,ElapsedRaw,NNodes,NTasks,Start";
    const size_t line = filter->line;

    if (!header->has[JobID])
        fr_filter_fault(filter, line, FR_MISSING, "no column JobID; use %s", remedy);
    if (!header->has[State])
        fr_filter_fault(filter, line, FR_MISSING, "no column State; use %s", remedy);
    if (!header->has[ElapsedRaw] && !header->has[Elapsed])
        fr_filter_fault(filter, line, FR_MISSING, "no column ElapsedRaw or Elapsed; use %s",
                        remedy);
}

static bool read_row(struct fr_filter *filter, struct fr_slice line, const struct header *header,
                     struct row *row)
{
    struct fr_slice field;
    size_t count = 0;

    *row = (struct row){ .line = filter->line };
    for (; fr_slice_field(&line, '|', &field); count++)
        if (count < header->count && header->column[count] >= 0)
            row->field[header->column[count]] = field;
    if (count == header->count)
        return true;
    fr_filter_fault(filter, filter->line, FR_SYNTAX, "%zu fields, but the header has %zu columns",
                    count, header->count);
    return false;
}

/* `[DD-]HH:MM:SS`, as sacct prints Elapsed. */
static bool read_elapsed(struct fr_slice text, double *seconds)
{
    struct fr_slice part, rest = text;
    int64_t days = 0, number;
    double sum = 0;
    size_t parts = 0;

    if (text.length && memchr(text.at, '-', text.length))
        if (!fr_slice_field(&rest, '-', &part) || !fr_slice_count(part, &days))
            return false;
    for (; fr_slice_field(&rest, ':', &part); parts++) {
        if (!fr_slice_count(part, &number))
            return false;
        sum = sum * 60 + (double)number;
    }
    *seconds = (double)days * 86400 + sum;
    return parts == 2 || parts == 3;
}

static bool read_time(struct fr_filter *filter, const struct row *row, double *seconds)
{
    const struct fr_slice raw = row->field[ElapsedRaw], elapsed = row->field[Elapsed];
    char text[FR_IMPORT_TEXT_BYTES];
    int64_t number;

    if (raw.length ? fr_slice_count(raw, &number) : read_elapsed(elapsed, seconds)) {
        *seconds = raw.length ? (double)number : *seconds;
        return true;
    }
    fr_slice_print(raw.length ? raw : elapsed, text, sizeof text);
    fr_filter_fault(filter, row->line, FR_TYPE, "'%s' is not an elapsed time", text);
    return false;
}

/* A number of nodes or tasks; 0 if the field is empty. */
static int64_t read_size(struct fr_filter *filter, const struct row *row, enum column column)
{
    const struct fr_slice field = row->field[column];
    char text[FR_IMPORT_TEXT_BYTES];
    int64_t number = 0;

    if (!field.length || fr_slice_count(field, &number))
        return number;
    fr_slice_print(field, text, sizeof text);
    fr_filter_fault(filter, row->line, FR_TYPE, "%s '%s' is not a whole number", names[column],
                    text);
    return 0;
}

/* `2024-05-14T09:12:03`, with a time zone or in that of the request. */
static void read_start(struct fr_filter *filter, const struct row *row, struct fr_import_run *run)
{
    const char *offset = fr_filter_given(filter, FR_UTC_OFFSET);
    struct tm time = { 0 };
    char text[FR_IMPORT_TEXT_BYTES];
    int used = 0;

    fr_slice_print(row->field[Start], text, sizeof text);
    if (sscanf(text, "%4d-%2d-%2dT%2d:%2d:%2d%n", &time.tm_year, &time.tm_mon, &time.tm_mday,
               &time.tm_hour, &time.tm_min, &time.tm_sec, &used) != 6)
        return;
    time.tm_year -= 1900;
    time.tm_mon--;
    if (text[used])
        offset = text + used;
    if (offset && !fr_time_utc(&time, offset, run->started_at))
        fr_filter_fault(filter, row->line, FR_RANGE, "%.40s is not a valid time in the zone %.20s",
                        text, offset);
}

/* Daemons that mpirun and similar launchers start on each node instead of the program. */
static bool is_launcher(struct fr_slice name)
{
    static const char *const launchers[] = { "orted",         "prted",     "hydra_pmi_proxy",
                                             "hydra_bstrap_", "pmi_proxy", "mpispawn" };

    for (size_t i = 0; i < sizeof launchers / sizeof launchers[0]; i++)
        if (fr_slice_begins(name, launchers[i]))
            return true;
    return false;
}

static bool is_completed(const struct row *row)
{
    return fr_slice_is(row->field[State], "COMPLETED");
}

/* Writes the run of a step; `job` is NULL for the row of a whole job. */
static void write_run(struct fr_filter *filter, const struct row *row, const struct job *job)
{
    const bool is_launched = job && is_launcher(row->field[JobName]);
    const struct row *sized = is_launched && job->is_open ? &job->row : row;
    struct fr_import_run run = { .line = row->line };
    char name[FR_IMPORT_TEXT_BYTES];

    if (!is_completed(row) || !read_time(filter, row, &run.time_s) || run.time_s < 1) {
        filter->imported.left_out++;
        return;
    }
    run.hosts = read_size(filter, sized, sized->field[NNodes].length ? NNodes : AllocNodes);
    fr_run_set_size(filter, &run, is_launched || !job ? 0 : (double)read_size(filter, row, NTasks),
                    (double)run.hosts);
    read_start(filter, row, &run);
    fr_slice_print(row->field[JobID], run.job, sizeof run.job);
    fr_slice_print(row->field[JobName], name, sizeof name);
    fr_run_note(&run, "Slurm %s%s%s, whole seconds%s", job ? "step" : "job", *name ? " " : "", name,
                job ? "" : ", the job's script included");
    fr_run_begin(filter, &run);
    fr_run_end(filter);
}

static void finish(struct fr_filter *filter, struct job *job)
{
    if (job->is_open && !job->has_steps)
        write_run(filter, &job->row, NULL);
    job->is_open = false;
}

/* The row of a job precedes those of its steps. */
static void take_row(struct fr_filter *filter, const struct row *row, struct job *job)
{
    struct fr_slice step = row->field[JobID], id;
    int64_t number;

    if (!step.length)
        fr_filter_fault(filter, row->line, FR_MISSING, "a row without its JobID");
    fr_slice_field(&step, '.', &id);
    if (!step.at) {
        finish(filter, job);
        *job = (struct job){ .is_open = true, .id = id, .row = *row };
        return;
    }
    if (!fr_slice_equal(job->id, id)) {
        finish(filter, job);
        *job = (struct job){ .id = id };
    }
    if (!fr_slice_count(step, &number))
        return;
    job->has_steps = true;
    write_run(filter, row, job);
}

static void read_table(struct fr_filter *filter)
{
    struct header header = { 0 };
    struct job job = { 0 };
    struct fr_slice line = { NULL, 0 };
    struct row row;
    const size_t before = filter->faults->count;

    while (fr_filter_line(filter, &line) && !line.length)
        continue;
    read_header(filter, line, &header);
    check_header(filter, &header);
    if (filter->faults->count > before && !(header.has[JobID] && header.has[State]))
        return;
    while (fr_filter_line(filter, &line))
        if (line.length && read_row(filter, line, &header, &row))
            take_row(filter, &row, &job);
    finish(filter, &job);
    if (!filter->imported.runs && filter->faults->count == before)
        fr_fault(filter->faults, FR_SYNTAX, "",
                 "no completed job or step of a second or more in %zu rows", filter->line);
}

static const struct fr_import_option options[] = {
    FR_UTC_OFFSET_OPTION,
    { .name = NULL },
};

const struct fr_import fr_import_sacct = {
    .name = "sacct",
    .summary = "Accounting of Slurm: sacct --parsable2 with its header line.",
    .options = options,
    .read = read_table,
};
