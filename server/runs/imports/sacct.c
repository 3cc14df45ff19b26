/* sacct: the table of Slurm's accounting, `sacct --parsable2` with its header line.
 *
 *     JobID|JobName|State|ElapsedRaw|NNodes|NTasks|Start
 *     1207|gemm|COMPLETED|318|4||2024-05-14T09:12:03
 *     1207.batch|batch|COMPLETED|318|1|1|2024-05-14T09:12:03
 *     1207.0|gemm|COMPLETED|301|4|64|2024-05-14T09:12:18
 *
 * A job is one run, its numbered step, which contains only the program; `.batch`, `.extern` and
 * `.interactive` are not programs.  Which of several steps is the program, only the request knows.
 * If a job has no numbered step, the run is the whole job with its script.  A step that only starts
 * the daemons of another launcher gives the time but not the processes.  Rows that are not
 * COMPLETED or took less than a second are left out.
 */
#include "server/runs/imports/sacct.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define STEP "step"
enum { STEPS_BYTES = 240 };

/* The job whose rows are being read. */
struct job {
    struct fr_slice id; /* at NULL: none */
    size_t line;
    bool has_row, has_steps, has_step, is_unreadable; /* has_step: one that may be the program */
    bool is_heterogeneous;
    struct sacct_row row;
    size_t steps, completed; /* that may be the program: all, or those that the request names */
    bool are_alike;          /* these have one name */
    struct sacct_row step;   /* the last of them, if possible one that is completed */
    char list[STEPS_BYTES];
};

/* A job whose rows were read. */
struct seen {
    struct fr_slice id;
    size_t line;
    bool has_row;
};

struct table {
    struct fr_filter *filter;
    struct sacct_header header;
    const char *step; /* the program's, as the request says; or NULL */
    bool has_step, has_refused_start, has_dropped_start;
    struct job job;
    char list[STEPS_BYTES]; /* of the steps that the request does not mean */
    struct seen *seen;
    size_t seen_count, seen_capacity;
};

static bool read_time(struct fr_filter *filter, const struct sacct_row *row, double *seconds)
{
    const struct fr_slice raw = row->field[ElapsedRaw], elapsed = row->field[Elapsed];
    char text[FR_IMPORT_TEXT_BYTES];

    fr_slice_print(raw.length ? raw : elapsed, text, sizeof text);
    if (sacct_times_differ(row))
        fr_filter_fault(filter, row->line, FR_RELATION,
                        "ElapsedRaw '%s' and Elapsed are not the same time", text);
    else if (sacct_scan_time(row, seconds))
        return true;
    else
        fr_filter_fault(filter, row->line, FR_TYPE, "'%s' is not an elapsed time", text);
    return false;
}

/* A number of nodes or tasks; 0 if the field is empty. */
static int64_t read_size(struct fr_filter *filter, const struct sacct_row *row,
                         enum sacct_column column)
{
    const struct fr_slice field = row->field[column];
    char text[FR_IMPORT_TEXT_BYTES];
    int64_t number = 0;

    if (!field.length || fr_slice_count(field, &number))
        return number;
    fr_slice_print(field, text, sizeof text);
    fr_filter_fault(filter, row->line, FR_TYPE,
                    "%s '%s' is not a whole number; print it with sacct --noconvert",
                    sacct_columns[column], text);
    return 0;
}

/* `2024-05-14T09:12:03`, also without seconds or with a blank, and with what follows it, such as a
 * time zone; or seconds since 1970, which are in UTC.  False for anything else. */
static bool scan_start(const char *text, struct tm *time, const char **zone)
{
    char separator[2];
    int used = 0;
    time_t at;

    if (strspn(text, "0123456789") == strlen(text) && strlen(text) >= 9 && strlen(text) <= 10) {
        at = (time_t)strtoll(text, NULL, 10);
        *zone = "Z";
        return gmtime_r(&at, time) != NULL;
    }
    sscanf(text, "%4d-%2d-%2d%1[T ]%2d:%2d%n:%2d%n", &time->tm_year, &time->tm_mon, &time->tm_mday,
           separator, &time->tm_hour, &time->tm_min, &used, &time->tm_sec, &used);
    time->tm_year -= 1900;
    time->tm_mon--;
    while (text[used] == ' ')
        used++;
    *zone = text[used] ? text + used : NULL;
    return used > 0 && text[used] != '.';
}

static void read_start(struct table *table, const struct sacct_row *row, struct fr_import_run *run)
{
    static const char *const unknown[] = { "", "Unknown", "None", "N/A" };
    struct fr_filter *filter = table->filter;
    const char *given = fr_filter_given(filter, FR_UTC_OFFSET), *zone = NULL;
    struct tm time = { 0 };
    char text[FR_IMPORT_TEXT_BYTES];

    for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++)
        if (fr_slice_is(row->field[Start], unknown[i]))
            return;
    fr_slice_print(row->field[Start], text, sizeof text);
    if (!scan_start(text, &time, &zone)) {
        if (!table->has_refused_start)
            fr_filter_fault(filter, row->line, FR_SYNTAX,
                            "Start '%s' is not a date with its year and a time, such as "
                            "2024-05-14T09:12:03; set SLURM_TIME_FORMAT=standard for sacct, or "
                            "leave the column out",
                            text);
        table->has_refused_start = true;
    } else if (!zone && !given) {
        if (!table->has_dropped_start)
            fr_filter_warn(filter, row->line, FR_MISSING,
                           "Start has no time zone: start times are left out; give " FR_UTC_OFFSET
                           ", such as +02:00");
        table->has_dropped_start = true;
    } else if (!fr_time_utc(&time, zone ? zone : given, run->started_at)) {
        fr_filter_fault(filter, row->line, FR_RANGE, "%.40s is not a valid time in the zone %.20s",
                        text, zone ? zone : given);
    }
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

static bool is_completed(const struct sacct_row *row)
{
    return fr_slice_is(row->field[State], "COMPLETED");
}

/* Writes the run of a step, or of a job without steps. */
static void write_run(struct table *table, const struct sacct_row *row, bool is_step)
{
    struct fr_filter *filter = table->filter;
    const struct job *job = &table->job;
    const bool is_launched = is_step && is_launcher(row->field[JobName]);
    const struct sacct_row *sized = is_launched && job->has_row ? &job->row : row;
    struct fr_import_run run = { .line = row->line };
    char name[FR_IMPORT_TEXT_BYTES];

    if (!is_completed(row) || !read_time(filter, row, &run.time_s) || run.time_s < 1) {
        filter->imported.left_out++;
        return;
    }
    run.hosts = read_size(filter, sized, sized->field[NNodes].length ? NNodes : AllocNodes);
    fr_run_set_size(filter, &run,
                    is_step && !is_launched ? (double)read_size(filter, row, NTasks) : 0,
                    (double)run.hosts);
    read_start(table, row, &run);
    fr_slice_print(row->field[JobID], run.job, sizeof run.job);
    fr_slice_print(row->field[JobName], name, sizeof name);
    fr_run_note(&run, "Slurm %s%s%s, whole seconds%s", is_step ? "step" : "job", *name ? " " : "",
                name, is_step ? "" : ", the job's script included");
    fr_run_begin(filter, &run);
    fr_run_end(filter);
}

/* Appends `0 gemm 301 s`. */
static void list_step(char list[STEPS_BYTES], struct fr_slice number, const struct sacct_row *row)
{
    const size_t used = strlen(list);
    char id[FR_IMPORT_TEXT_BYTES], name[FR_IMPORT_TEXT_BYTES], text[2 * FR_IMPORT_TEXT_BYTES + 40];
    double seconds = 0;
    size_t length;

    fr_slice_print(number, id, sizeof id);
    fr_slice_print(row->field[JobName], name, sizeof name);
    sacct_scan_time(row, &seconds);
    length = (size_t)snprintf(text, sizeof text, "%s%s%s%s %.0f s", used ? ", " : "", id,
                              *name ? " " : "", name, seconds);
    if (used + length + sizeof ", ..." <= STEPS_BYTES)
        memcpy(list + used, text, length + 1);
    else if (used < 3 || strcmp(list + used - 3, "...") != 0)
        snprintf(list + used, STEPS_BYTES - used, ", ...");
}

/* A job is a run if one of its steps alone can be the program. */
static void choose_step(struct table *table)
{
    struct fr_filter *filter = table->filter;
    const struct job *job = &table->job;
    char id[FR_IMPORT_TEXT_BYTES];

    if (job->steps == 1 || (job->are_alike && job->completed <= 1)) {
        write_run(table, &job->step, true);
        filter->imported.left_out += job->steps - 1;
        return;
    }
    fr_slice_print(job->id, id, sizeof id);
    fr_fault(filter->faults, FR_MISSING, STEP,
             "line %zu: job %s has %zu steps, and a job is one run: which is the program? Give "
             "step=NAME or step=NUMBER of: %s",
             job->line, id, job->steps, job->list);
}

static void remember(struct table *table, const struct job *job)
{
    if (table->seen_count == table->seen_capacity) {
        const size_t capacity = table->seen_capacity ? 2 * table->seen_capacity : 64;
        struct seen *grown = fr_arena_longer(table->filter->arena, table->seen, table->seen_count,
                                             capacity, sizeof *grown);

        if (!grown) {
            fr_filter_fault(table->filter, job->line, FR_NOMEM,
                            "too many jobs; send them in parts");
            table->filter->is_full = true;
            return;
        }
        table->seen = grown;
        table->seen_capacity = capacity;
    }
    table->seen[table->seen_count++] = (struct seen){ job->id, job->line, job->has_row };
}

static int compare_seen(const void *left, const void *right)
{
    const struct seen *a = left, *b = right;
    const size_t shorter = a->id.length < b->id.length ? a->id.length : b->id.length;
    const int order = memcmp(a->id.at, b->id.at, shorter);

    if (order)
        return order;
    if (a->id.length != b->id.length)
        return a->id.length < b->id.length ? -1 : 1;
    return (a->line > b->line) - (a->line < b->line);
}

/* Jobs that were requeued come again, each time with a row of their own.  A step that is not among
 * the rows of its job would be a run beside it. */
static void refuse_parted(struct table *table)
{
    struct seen *seen = table->seen;

    if (seen)
        qsort(seen, table->seen_count, sizeof *seen, compare_seen);
    for (size_t i = 1; i < table->seen_count; i++)
        if (fr_slice_equal(seen[i - 1].id, seen[i].id) && !(seen[i - 1].has_row && seen[i].has_row))
            fr_filter_fault(table->filter, seen[i].line, FR_RELATION,
                            "other rows of this job stand elsewhere; send the table in the order "
                            "of sacct, each job's row with its steps behind it");
}

static void finish(struct table *table)
{
    struct fr_filter *filter = table->filter;
    struct job *job = &table->job;

    if (!job->id.at)
        return;
    remember(table, job);
    if (job->is_heterogeneous)
        fr_filter_warn(filter, job->line, FR_RELATION,
                       "a heterogeneous job, or a component of one, which no model describes; it "
                       "is left out");
    if (job->is_heterogeneous || job->is_unreadable || (table->step && !job->has_step))
        filter->imported.left_out++;
    else if (!job->has_steps && job->has_row)
        write_run(table, &job->row, false);
    else if (job->steps)
        choose_step(table);
    job->id = (struct fr_slice){ NULL, 0 };
}

static bool is_named(const struct table *table, struct fr_slice number, const struct sacct_row *row)
{
    return fr_slice_is(row->field[JobName], table->step) || fr_slice_is(number, table->step) ||
           fr_slice_is(row->field[JobID], table->step);
}

static void take_step(struct table *table, struct fr_slice number, const struct sacct_row *row)
{
    struct job *job = &table->job;
    double seconds;

    job->has_steps = true;
    if (table->step && !is_named(table, number, row)) {
        list_step(table->list, number, row);
        return;
    }
    table->has_step = job->has_step = true;
    if (is_completed(row) && sacct_scan_time(row, &seconds) && seconds < 1) {
        table->filter->imported.left_out++;
        return;
    }
    list_step(job->list, number, row);
    job->are_alike = row->field[JobName].length &&
                     (!job->steps || (job->are_alike && fr_slice_equal(job->step.field[JobName],
                                                                       row->field[JobName])));
    job->steps++;
    if (is_completed(row) || !job->completed)
        job->step = *row;
    job->completed += is_completed(row);
}

/* The row of a job precedes those of its steps; in a table that is sorted otherwise it may follow
 * them.  `1207+0` is the first component of a heterogeneous job, each with nodes of its own;
 * `1207.0+0` is a part of a step over several components. */
static void take_row(struct table *table, const struct sacct_row *row)
{
    struct fr_slice step = row->field[JobID], id;
    int64_t number;

    if (!step.length) {
        fr_filter_fault(table->filter, row->line, FR_MISSING, "a row without its JobID");
        return;
    }
    fr_slice_field(&step, '.', &id);
    if ((!step.at && table->job.has_row) || !table->job.id.at ||
        !fr_slice_equal(table->job.id, id)) {
        finish(table);
        table->job = (struct job){ .id = id, .line = row->line };
    }
    table->job.is_unreadable |= !row->is_readable;
    table->job.is_heterogeneous |= fr_slice_has(row->field[JobID], "+");
    if (!step.at) {
        table->job.has_row = true;
        table->job.row = *row;
    } else if (row->is_readable && fr_slice_count(step, &number) && !table->job.is_heterogeneous) {
        take_step(table, step, row);
    }
}

static void read_table(struct fr_filter *filter)
{
    struct table table = { .filter = filter, .step = fr_filter_given(filter, STEP) };
    struct fr_slice line = { NULL, 0 };
    struct sacct_row row;
    const size_t before = filter->faults->count;

    while (fr_filter_line(filter, &line) && !line.length)
        continue;
    if (!sacct_read_header(filter, line, &table.header))
        return;
    while (fr_filter_line(filter, &line)) {
        if (sacct_is_header(line)) { /* of another table, whose columns may be others */
            if (!sacct_read_header(filter, line, &table.header))
                return;
        } else if (line.length && sacct_read_row(filter, line, &table.header, &row)) {
            take_row(&table, &row);
        }
    }
    finish(&table);
    refuse_parted(&table);
    if (table.step && !table.has_step)
        fr_fault(filter->faults, FR_NOT_FOUND, STEP, "no step is called '%.60s'%s%s", table.step,
                 *table.list ? "; there are: " : ": no job has steps", table.list);
    else if (!filter->imported.runs && filter->faults->count == before)
        fr_fault(filter->faults, FR_SYNTAX, "",
                 "no completed job or step of a second or more in %zu rows", filter->line);
}

static const struct fr_import_option options[] = {
    { STEP, "The step of a job that is the program, by its name or number, if a job has several." },
    FR_UTC_OFFSET_OPTION,
    { .name = NULL },
};

const struct fr_import fr_import_sacct = {
    .name = "sacct",
    .summary = "Accounting of Slurm: sacct --parsable2 with its header line.",
    .options = options,
    .read = read_table,
};
