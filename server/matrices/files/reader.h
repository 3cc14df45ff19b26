/* Shared by the readers of the formats: the text, the faults, the entries read so far. */
#ifndef FR_MATRIX_READER_H
#define FR_MATRIX_READER_H

#include "server/matrices/files/text.h"

/* Entries in the order of the file, with indices from 0.  Values come with them or after them. */
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
    struct fr_matrix head;     /* without its arrays; `entries` is the count in the header */
    struct fr_entries entries; /* read so far; not stored after a fault */
    int64_t first_line;        /* of the entries; 0: the lines of entries are not known */
    int64_t per_line;          /* entries on each line except the last */
};

/* Appends a fault at a line, or at the whole file if `line` is 0; returns its code. */
int fr_reader_fault(struct fr_reader *reader, int64_t line, enum fr_code code, const char *format,
                    ...) FR_PRINTF(4, 5);
/* Whether this reader has appended a fault. */
bool fr_reader_failed(const struct fr_reader *reader);
/* Whether no more faults are kept, so that reading can stop. */
bool fr_reader_is_full(const struct fr_reader *reader);
/* Reads the next line; false with a fault if there is none.  `what` is the expected content. */
bool fr_reader_line(struct fr_reader *reader, struct fr_matrix_line *line, const char *what);
/* Appends the fault of a file that ends before `what`, which the header announces. */
void fr_reader_cut(struct fr_reader *reader, const char *what);
/* Refuses anything but blank lines up to the end of the file. */
void fr_reader_end(struct fr_reader *reader);
/* Checks the sizes of the header against each other, the symmetry and the limits; false with
 * faults. */
bool fr_reader_check_head(struct fr_reader *reader, int64_t rows, int64_t columns);
/* Checks the position of an entry, counted from 1; false with a fault. */
bool fr_reader_check_entry(struct fr_reader *reader, int64_t row, int64_t column);
/* Checks that a Hermitian matrix has a real diagonal; false with a fault. */
bool fr_reader_check_complex(struct fr_reader *reader, int64_t row, int64_t column,
                             double imaginary);
/* The magnitude of a complex entry, at most DBL_MAX. */
double fr_reader_magnitude(double real, double imaginary);

/* Skips blanks and tabs at the front, or at both ends. */
const char *fr_skip_blanks(const char *at, const char *end);
struct fr_matrix_line fr_trim(struct fr_matrix_line line);
/* Reads up to `most` counts from a line; returns how many, -1 if there is anything else. */
int fr_scan_counts(struct fr_matrix_line line, int64_t *out, int most);
/* "at least " for a count that was cut to FR_COUNT_MOST, otherwise "". */
const char *fr_at_least(int64_t count);
/* Copies bytes as printable text for a message or a title. */
void fr_print_bytes(const char *at, const char *end, char *out, size_t size);

/* Grow the arrays, up to the count in the header; false with a fault if memory is short. */
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

/* Makes the matrix of all entries; frees some of their arrays.  NULL with faults. */
struct fr_matrix *fr_reader_assemble(struct fr_reader *reader);

/* Read header and entries of one format; append faults. */
void fr_read_market(struct fr_reader *reader);
void fr_read_harwell(struct fr_reader *reader);

#endif
