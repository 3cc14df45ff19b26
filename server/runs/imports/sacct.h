/* The table of sacct: its rows by column (sacct_rows.c), and the runs in it (sacct.c). */
#ifndef FR_SACCT_H
#define FR_SACCT_H

#include "server/runs/imports/filter.h"

/* X(column): the columns that are read, as sacct spells them. */
#define SACCT_COLUMNS(X) \
    X(JobID)             \
    X(JobIDRaw)          \
    X(JobName) X(State) X(ElapsedRaw) X(Elapsed) X(NNodes) X(AllocNodes) X(NTasks) X(Start)
enum sacct_column {
#define X(name) name,
    SACCT_COLUMNS(X)
#undef X
        SACCT_COLUMN_COUNT
};
extern const char *const sacct_columns[];

/* sacct has about 120 columns. */
enum { SACCT_MAX_FIELDS = 256, SACCT_MAX_FREE = 16 };

struct sacct_header {
    size_t count;
    int column[SACCT_MAX_FIELDS]; /* -1: not read */
    bool has[SACCT_COLUMN_COUNT];
    /* Where columns are whose texts may contain the separator. */
    size_t free_at[SACCT_MAX_FREE], free_count;
};

struct sacct_row {
    size_t line;
    bool is_readable;                          /* or only its JobID is known */
    struct fr_slice field[SACCT_COLUMN_COUNT]; /* length 0: empty, or no such column */
};

/* Whether the line is the header of another table behind the first one. */
bool sacct_is_header(struct fr_slice line);
/* Reads the header line; false if it lacks what every row needs.  Each lack is a fault. */
bool sacct_read_header(struct fr_filter *filter, struct fr_slice line, struct sacct_header *header);
/* False with a fault; a row of which only the JobID can be told has a warning. */
bool sacct_read_row(struct fr_filter *filter, struct fr_slice line,
                    const struct sacct_header *header, struct sacct_row *row);
/* The elapsed time in seconds; false if it is none. */
bool sacct_scan_time(const struct sacct_row *row, double *seconds);
/* Whether ElapsedRaw and Elapsed are both there and differ. */
bool sacct_times_differ(const struct sacct_row *row);

#endif
