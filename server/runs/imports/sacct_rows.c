/* Finds the columns of each row of sacct's table.  A user's text may contain the separator. */
#include "server/runs/imports/sacct.h"

#include <ctype.h>
#include <string.h>

const char *const sacct_columns[] = {
#define X(name) #name,
    SACCT_COLUMNS(X)
#undef X
};

/* Columns of texts that users write, which may contain the separator. */
static const char *const free_texts[] = {
    "AdminComment", "Comment",    "Constraints",   "Container", "Extra",
    "JobName",      "Licenses",   "Reservation",   "StdErr",    "StdIn",
    "StdOut",       "SubmitLine", "SystemComment", "WCKey",     "WorkDir",
};

static bool is_free_text(struct fr_slice name)
{
    for (size_t i = 0; i < sizeof free_texts / sizeof *free_texts; i++)
        if (fr_slice_is(name, free_texts[i]))
            return true;
    return false;
}

static void find_columns(struct fr_filter *filter, struct fr_slice line,
                         struct sacct_header *header)
{
    struct fr_slice field;

    for (; fr_slice_field(&line, '|', &field); header->count++) {
        if (header->count == SACCT_MAX_FIELDS) {
            fr_filter_fault(filter, filter->line, FR_NOMEM, "more than %d columns",
                            SACCT_MAX_FIELDS);
            return;
        }
        if (is_free_text(field) && header->free_count < SACCT_MAX_FREE)
            header->free_at[header->free_count++] = header->count;
        header->column[header->count] = -1;
        for (int i = 0; i < SACCT_COLUMN_COUNT; i++) {
            if (!fr_slice_is(field, sacct_columns[i]) || header->has[i])
                continue;
            header->has[i] = true;
            header->column[header->count] = i;
        }
    }
}

static void check_header(struct fr_filter *filter, const struct sacct_header *header)
{
    static const char remedy[] = "sacct --parsable2 --format="
                                 "JobID,JobName,State,ElapsedRaw,NNodes,NTasks,Start";
    const size_t line = filter->line;

    if (!header->has[JobID] && !header->has[JobIDRaw])
        fr_filter_fault(filter, line, FR_MISSING, "no column JobID; use %s", remedy);
    if (!header->has[State])
        fr_filter_fault(filter, line, FR_MISSING, "no column State; use %s", remedy);
    if (!header->has[ElapsedRaw] && !header->has[Elapsed])
        fr_filter_fault(filter, line, FR_MISSING, "no column ElapsedRaw or Elapsed; use %s",
                        remedy);
}

bool sacct_is_header(struct fr_slice line)
{
    struct fr_slice field;
    bool has_job = false, has_state = false;

    while (fr_slice_field(&line, '|', &field)) {
        has_job = has_job || fr_slice_is(field, "JobID") || fr_slice_is(field, "JobIDRaw");
        has_state = has_state || fr_slice_is(field, "State");
    }
    return has_job && has_state;
}

bool sacct_read_header(struct fr_filter *filter, struct fr_slice line, struct sacct_header *header)
{
    *header = (struct sacct_header){ .count = 0 };
    find_columns(filter, line, header);
    check_header(filter, header);
    return (header->has[JobID] || header->has[JobIDRaw]) && header->has[State];
}

/* `[DD-]HH:MM:SS`, as sacct prints Elapsed. */
static bool read_elapsed(struct fr_slice text, double *seconds)
{
    struct fr_slice part, rest = text;
    int64_t days = 0, number;
    double sum = 0;
    size_t parts = 0;
    const bool has_days = text.length && memchr(text.at, '-', text.length);

    if (has_days && (!fr_slice_field(&rest, '-', &part) || !fr_slice_count(part, &days)))
        return false;
    for (; fr_slice_field(&rest, ':', &part); parts++) {
        if (!fr_slice_count(part, &number) || (parts && number >= 60))
            return false;
        sum = sum * 60 + (double)number;
    }
    *seconds = (double)days * 86400 + sum;
    return parts == 3 || (parts == 2 && !has_days);
}

bool sacct_scan_time(const struct sacct_row *row, double *seconds)
{
    const struct fr_slice raw = row->field[ElapsedRaw];
    int64_t number;

    if (!raw.length)
        return read_elapsed(row->field[Elapsed], seconds);
    if (!fr_slice_count(raw, &number))
        return false;
    *seconds = (double)number;
    return true;
}

bool sacct_times_differ(const struct sacct_row *row)
{
    double seconds;
    int64_t raw;

    return fr_slice_count(row->field[ElapsedRaw], &raw) &&
           read_elapsed(row->field[Elapsed], &seconds) && seconds != (double)raw;
}

/* Takes the fields of a line that has `excess` more than the header has columns: they belong to the
 * text in column `free`. */
static void assign(struct fr_slice line, const struct sacct_header *header, size_t free,
                   size_t excess, struct sacct_row *row)
{
    struct fr_slice field, part;

    for (size_t at = 0; at < header->count && fr_slice_field(&line, '|', &field); at++) {
        for (size_t i = 0; at == free && i < excess && fr_slice_field(&line, '|', &part); i++)
            field.length = (size_t)(part.at + part.length - field.at);
        if (header->column[at] >= 0)
            row->field[header->column[at]] = field;
    }
    if (!header->has[JobID])
        row->field[JobID] = row->field[JobIDRaw];
}

/* Whether each field may stand in its column. */
static bool is_plausible(const struct sacct_row *row)
{
    static const enum sacct_column counts[] = { NNodes, AllocNodes, NTasks };
    struct fr_slice state = row->field[State], word;
    double seconds;
    int64_t number;

    if (!fr_slice_word(&state, &word) || !sacct_scan_time(row, &seconds))
        return false;
    for (size_t i = 0; i < word.length; i++)
        if (!isupper((unsigned char)word.at[i]) && word.at[i] != '_')
            return false;
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        if (row->field[counts[i]].length && !fr_slice_count(row->field[counts[i]], &number))
            return false;
    return true;
}

/* Whether two readings of a row agree in all but the name of the job. */
static bool is_same(const struct sacct_row *a, const struct sacct_row *b)
{
    for (size_t i = 0; i < SACCT_COLUMN_COUNT; i++)
        if (i != JobName &&
            (a->field[i].at != b->field[i].at || a->field[i].length != b->field[i].length))
            return false;
    return true;
}

/* Finds the one text to which separators belong; false if there is none, or one of several.  A name
 * that the readings do not share is left empty. */
static bool place_excess(struct fr_slice line, const struct sacct_header *header, size_t excess,
                         struct sacct_row *row)
{
    struct sacct_row first = { .line = row->line };
    size_t found = 0;

    for (size_t i = 0; i < header->free_count; i++) {
        struct sacct_row tried = { .line = row->line };

        assign(line, header, header->free_at[i], excess, &tried);
        if (!is_plausible(&tried))
            continue;
        if (found && is_same(&tried, row)) {
            if (!fr_slice_equal(tried.field[JobName], row->field[JobName]))
                row->field[JobName].length = 0;
            continue;
        }
        if (found++)
            break;
        *row = tried;
    }
    if (found == 1)
        return true;
    /* What stands before the first of these texts is where it is. */
    assign(line, header, header->free_at[0], excess, &first);
    *row = (struct sacct_row){ .line = row->line };
    for (size_t at = 0; at < header->free_at[0]; at++)
        if (header->column[at] == (header->has[JobID] ? JobID : JobIDRaw))
            row->field[JobID] = first.field[JobID];
    return false;
}

bool sacct_read_row(struct fr_filter *filter, struct fr_slice line,
                    const struct sacct_header *header, struct sacct_row *row)
{
    size_t count = 1;

    *row = (struct sacct_row){ .line = filter->line };
    for (size_t i = 0; i < line.length; i++)
        count += line.at[i] == '|';
    if (count == header->count) {
        assign(line, header, 0, 0, row);
        return row->is_readable = true;
    }
    if (count > header->count && count <= 2 * SACCT_MAX_FIELDS && header->free_count) {
        row->is_readable = place_excess(line, header, count - header->count, row);
        if (!row->is_readable && row->field[JobID].length)
            fr_filter_warn(filter, filter->line, FR_SYNTAX,
                           "%zu fields, but the header has %zu columns: a text contains |, and it "
                           "is not clear which; the job is left out. Print no columns of free text",
                           count, header->count);
        if (row->is_readable || row->field[JobID].length)
            return true;
    }
    fr_filter_fault(filter, filter->line, FR_SYNTAX, "%zu fields, but the header has %zu columns",
                    count, header->count);
    return false;
}
