/* What the readers of matrix files share: numbers, text by lines, and the formats of Fortran. */
#ifndef FR_FILES_READER_H
#define FR_FILES_READER_H

#include "server/matrices/files/matrix.h"

/* ---- number ---------------------------------------------------------------------------- */

/* Parses numbers of matrix files, fast and correctly rounded. */

/* How Fortran reads a real field, e.g. (1P,4D20.12); all zero: plain numbers. */
struct fr_real_style {
    bool is_fortran; /* 1.5-103 is 1.5E-103 */
    int decimals;    /* digits after the point if the field has no point */
    int scale;       /* power of ten to divide by if the field has no exponent */
};

/* Both read the number at `at` and return its end, or NULL if there is no number. */

/* Digits only; a larger number becomes FR_COUNT_MOST. */
#define FR_COUNT_MOST INT64_C(1000000000000000000)
const char *fr_scan_count(const char *at, const char *end, int64_t *value);
/* The exponent follows E, e, D or d; the value is infinite if it exceeds DBL_MAX. */
const char *fr_scan_real(const char *at, const char *end, const struct fr_real_style *style,
                         double *value);

/* ---- whole ----------------------------------------------------------------------------- */

/* Whole numbers in bytes, the least significant first. */

static inline void fr_put_whole(unsigned char *at, int bytes, uint64_t value)
{
    for (int i = 0; i < bytes; i++)
        at[i] = (unsigned char)(value >> 8 * i);
}

static inline uint64_t fr_get_whole(const unsigned char *at, int bytes)
{
    uint64_t value = 0;

    for (int i = 0; i < bytes; i++)
        value |= (uint64_t)at[i] << 8 * i;
    return value;
}

/* ---- fortran --------------------------------------------------------------------------- */

/* Fortran formats with one repeated field: (16I5), (1P,4D20.12), (1X,8I9), (3(1P,E24.16)). */

struct fr_fortran {
    int per_line, width;
    bool is_integer;
    struct fr_real_style style;
    int pitch;           /* from one field to the next, at least the width */
    int skip, next_skip; /* columns before the first field, of the first line and the others */
};

/* Parses a format at `at` and returns its end; NULL if it has another form. */
const char *fr_fortran_parse(const char *at, const char *end, struct fr_fortran *format);

/* The number of lines for `count` numbers. */
static inline int64_t fr_fortran_lines(const struct fr_fortran *format, int64_t count)
{
    return (count + format->per_line - 1) / format->per_line;
}

/* ---- text ------------------------------------------------------------------------------ */

/* The bytes of a matrix file, plain or gzip, as lines of bounded length. */

enum { FR_MATRIX_LINE_BYTES = 4096 };

struct fr_matrix_text;

/* A line without its line end; may contain any bytes. */
struct fr_matrix_line {
    const char *at, *end; /* valid until the next line is read */
    bool is_ended;        /* has a line feed, or gzip's checksum proves that it is complete */
};

/* Starts reading.  NULL with a fault; free with fr_matrix_text_free. */
struct fr_matrix_text *fr_matrix_text_new(fr_read_bytes *read, void *context, int64_t limit_bytes,
                                          struct fr_faults *faults);
void fr_matrix_text_free(struct fr_matrix_text *text);

/* The first 512 bytes, or all of a shorter file. */
const char *fr_matrix_text_begin(struct fr_matrix_text *text, size_t *length);
/* Reads a line; false after the last one, and on a failure: fr_matrix_text_is_broken. */
bool fr_matrix_text_line(struct fr_matrix_text *text, struct fr_matrix_line *line);
/* The number of the last line read, from 1. */
int64_t fr_matrix_text_at(const struct fr_matrix_text *text);
/* Whether reading ended with a fault: a read error, damaged gzip data or a limit. */
bool fr_matrix_text_is_broken(const struct fr_matrix_text *text);

/* ---- reader ---------------------------------------------------------------------------- */

/* Shared by the readers of the formats: the text, the faults, the entries read so far. */

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

/* ---- harwell --------------------------------------------------------------------------- */

/* A Harwell-Boeing file: its header (harwell.c) and its sections (hb_sections.c). */

/* The line counts on the second line of the header. */
enum fr_harwell_lines {
    FR_ALL_LINES,
    FR_POINTER_LINES,
    FR_INDEX_LINES,
    FR_VALUE_LINES,
    FR_RIGHT_SIDE_LINES,
    FR_HARWELL_COUNTS
};

struct fr_harwell;
/* Takes number k of a section, without blanks; false with a fault. */
typedef bool fr_harwell_take(struct fr_harwell *file, int64_t k, const char *at, const char *end);

/* `count` numbers in one format, starting on a new line. */
struct fr_section {
    enum fr_harwell_lines block; /* the line count that includes it */
    const char *what;
    const struct fr_fortran *format;
    int64_t count;
    fr_harwell_take *take;
};

enum { FR_HARWELL_SECTIONS = 3, FR_HARWELL_FORMATS = 3 };

struct fr_harwell {
    struct fr_reader *reader;
    int64_t lines[FR_HARWELL_COUNTS];
    struct fr_fortran format[FR_HARWELL_FORMATS]; /* of pointers, indices, values */
    struct fr_section section[FR_HARWELL_SECTIONS];
    int sections;
    int32_t *pointer; /* n + 1, from 1 */
    int64_t pointers, pointer_room;
    int64_t column; /* of the last index read */
    double real;    /* of a complex value, before its imaginary part */
};

/* Lists the sections that the header announces. */
void fr_harwell_plan(struct fr_harwell *file);
/* Reads the sections into the entries of the reader; frees the pointers. */
void fr_harwell_read_sections(struct fr_harwell *file);

#endif
