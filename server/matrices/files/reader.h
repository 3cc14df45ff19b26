/* What the readers of the formats share: the text, the faults, the entries as they come. */
#ifndef FR_MATRIX_READER_H
#define FR_MATRIX_READER_H

#include "server/matrices/files/text.h"

/* Entries in the order of the file, from 0.  Values may come with them or after all of them. */
struct fr_entries {
    int64_t count, room, values, value_room;
    int32_t *row, *column;
    double *value;
};

struct fr_reader {
    struct fr_matrix_text *text;
    const struct fr_matrix_limits *limits;
    struct fr_faults *faults;
    size_t faults_before;
    struct fr_matrix head;     /* all but the arrays; `entries` is what the header announces */
    int64_t header_line;       /* the line that announces the entries */
    struct fr_entries entries; /* how many have come; not kept once there was a fault */
    int64_t first_line;        /* of the entries; 0: which line has which is not known */
    int64_t per_line;          /* entries on each line but the last */
};

/* A fault at a line, or at the whole file where `line` is 0. */
int fr_reader_fault(struct fr_reader *reader, int64_t line, enum fr_code code, const char *format,
                    ...) FR_PRINTF(4, 5);
bool fr_reader_failed(const struct fr_reader *reader);
/* No more faults are kept: there is no use in reading on. */
bool fr_reader_is_full(const struct fr_reader *reader);
/* The next line, which must be there: false with a fault. `what` should stand there. */
bool fr_reader_line(struct fr_reader *reader, struct fr_matrix_line *line, const char *what);
/* The fault of a file that ends where `what`, which the header announces, should stand. */
void fr_reader_cut(struct fr_reader *reader, const char *what);
/* Refuses what follows, but for blank lines. */
void fr_reader_end(struct fr_reader *reader);
/* The header's sizes against each other, the symmetry and the limits; false with faults. */
bool fr_reader_check_head(struct fr_reader *reader, int64_t rows, int64_t columns);
/* Whether an entry, counted from 1, may stand in such a file; false with a fault. */
bool fr_reader_check_entry(struct fr_reader *reader, int64_t row, int64_t column);
/* Checks the diagonal of hermitian matrices; false with a fault. */
bool fr_reader_check_complex(struct fr_reader *reader, int64_t row, int64_t column,
                             double imaginary);
/* A complex entry's magnitude, finite. */
double fr_reader_magnitude(double real, double imaginary);

/* Blanks and tabs off the front, or off both ends. */
const char *fr_skip_blanks(const char *at, const char *end);
struct fr_matrix_line fr_trim(struct fr_matrix_line line);
/* The counts on a line, up to `most`; -1 where there is anything else. */
int fr_scan_counts(struct fr_matrix_line line, int64_t *out, int most);
/* What stands before a count in a message: it may be more than was counted. */
const char *fr_at_least(int64_t count);
/* As a short text for a message or a title. */
void fr_print_bytes(const char *at, const char *end, char *out, size_t size);

/* Room for more, but for no more than the header announces; false with a fault: memory. */
bool fr_entries_grow(struct fr_reader *reader);
bool fr_entries_grow_values(struct fr_reader *reader);

static inline bool fr_entries_add(struct fr_reader *reader, int64_t row, int64_t column)
{
    struct fr_entries *entries = &reader->entries;

    if (entries->count == entries->room && !fr_entries_grow(reader))
        return false;
    entries->row[entries->count] = (int32_t)row - 1;
    entries->column[entries->count++] = (int32_t)column - 1;
    return true;
}

static inline bool fr_entries_add_value(struct fr_reader *reader, double magnitude)
{
    struct fr_entries *entries = &reader->entries;

    if (entries->values == entries->value_room && !fr_entries_grow_values(reader))
        return false;
    entries->value[entries->values++] = magnitude;
    return true;
}

/* The matrix of all entries, which are freed; NULL with faults. */
struct fr_matrix *fr_reader_assemble(struct fr_reader *reader);

/* What each format fills the reader with; faults where it cannot. */
void fr_read_market(struct fr_reader *reader);
void fr_read_harwell(struct fr_reader *reader);

#endif
