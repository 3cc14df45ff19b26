/* A Harwell-Boeing file: its header (harwell.c) and its sections (hb_sections.c). */
#ifndef FR_MATRIX_HARWELL_H
#define FR_MATRIX_HARWELL_H

#include "server/matrices/files/fortran.h"
#include "server/matrices/files/reader.h"

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

enum { FR_HARWELL_SECTIONS = 8 };

struct fr_harwell {
    struct fr_reader *reader;
    int64_t lines[FR_HARWELL_COUNTS];
    struct fr_fortran format[4]; /* of pointers, indices, values, right-hand sides */
    char right_side[3];
    int64_t right_sides, right_side_entries;
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
