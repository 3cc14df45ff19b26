/* Harwell-Boeing files (I. Duff, R. Grimes, J. Lewis, TR/PA/92/86, CERFACS, 1992) and
 * Rutherford-Boeing files (the same, RAL-TR-97-031, 1997), assembled.
 *
 *     title (72), key (8)
 *     total lines, lines of pointers, of indices, of values [, of right-hand sides]
 *     type (3), rows, columns, entries, 0
 *     formats of pointers, indices, values [, right-hand sides]
 *     [ kind of right-hand sides (3), their number, their entries ]
 *
 * then column pointers, row indices and values, each starting on a new line in its Fortran format.
 * Fields have a fixed width, often without blanks between them.  The header gives their numbers
 * twice, and both must agree.  Right-hand sides are not used: their lines are skipped.
 * Rutherford-Boeing omits the parts in brackets.
 */
#include "server/matrices/files/reader.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

enum { TITLE_LINE = 1, COUNTS_LINE, TYPE_LINE, FORMATS_LINE };
enum { TITLE_COLUMNS = 72 };

static void read_title(struct fr_reader *reader)
{
    struct fr_matrix_line line;

    if (!fr_reader_line(reader, &line, "the title"))
        return;
    if (line.end - line.at >= TITLE_COLUMNS) /* some programs end it with a bar */
        line.end = line.at + TITLE_COLUMNS - (line.at[TITLE_COLUMNS - 1] == '|');
    line = fr_trim(line);
    fr_print_bytes(line.at, line.end, reader->head.title, sizeof reader->head.title);
    reader->head.line[FR_MATRIX_LINE_OF_TITLE] = TITLE_LINE;
}

static bool read_counts(struct fr_reader *reader, struct fr_harwell *file)
{
    struct fr_matrix_line line;
    int counts;

    if (!fr_reader_line(reader, &line, "the line counts"))
        return false;
    counts = fr_scan_counts(line, file->lines, FR_HARWELL_COUNTS);
    if (counts < FR_HARWELL_COUNTS - 1) {
        fr_reader_fault(reader, COUNTS_LINE, FR_SYNTAX,
                        "neither a Matrix Market file, which begins with %%%%MatrixMarket, nor a "
                        "Harwell-Boeing or Rutherford-Boeing file, which has four or five line "
                        "counts here");
        return false;
    }
    reader->head.format = counts == FR_HARWELL_COUNTS ? FR_HARWELL_BOEING : FR_RUTHERFORD_BOEING;
    reader->head.line[FR_MATRIX_LINE_OF_FORMAT] = COUNTS_LINE;
    return true;
}

/* The index of a letter among those that are supported; 0 with a fault if it is none of them. */
static int choose(struct fr_reader *reader, char letter, const char *letters, const char *what)
{
    const char upper = (char)toupper((unsigned char)letter);
    const char *found = upper ? strchr(letters, upper) : NULL;
    char text[4];

    if (found)
        return (int)(found - letters);
    fr_print_bytes(&letter, &letter + 1, text, sizeof text);
    if (upper == 'E' && *letters == 'A')
        fr_reader_fault(reader, TYPE_LINE, FR_CHOICE,
                        "an unassembled finite-element matrix; assemble it and write type A");
    else if (upper == 'R' && *letters == 'U')
        fr_reader_fault(reader, TYPE_LINE, FR_CHOICE,
                        "a rectangular matrix; only a square one has an LU factorization here");
    else if ((upper == 'Q' || upper == 'X') && *letters == 'R')
        fr_reader_fault(reader, TYPE_LINE, FR_CHOICE,
                        "the values are in another file (type %s); write them into this file, or "
                        "declare a pattern, P",
                        text);
    else
        fr_reader_fault(reader, TYPE_LINE, FR_CHOICE, "type '%s' is not %s", text, what);
    return 0;
}

static bool read_type(struct fr_reader *reader)
{
    static const enum fr_matrix_field fields[] = { FR_MATRIX_REAL, FR_MATRIX_COMPLEX,
                                                   FR_MATRIX_PATTERN, FR_MATRIX_INTEGER };
    static const enum fr_matrix_symmetry symmetries[] = { FR_MATRIX_GENERAL, FR_MATRIX_SYMMETRIC,
                                                          FR_MATRIX_HERMITIAN, FR_MATRIX_SKEW };
    struct fr_matrix_line line;
    int64_t size[4];

    if (!fr_reader_line(reader, &line, "the type and the sizes"))
        return false;
    if (line.end - line.at < 3) {
        fr_reader_fault(reader, TYPE_LINE, FR_SYNTAX,
                        "a type such as RUA and the sizes should be here");
        return false;
    }
    reader->head.field =
        fields[choose(reader, line.at[0], "RCPI", "R, C, P or I: real, complex, pattern, integer")];
    reader->head.symmetry =
        symmetries[choose(reader, line.at[1], "USHZ",
                          "U, S, H or Z: unsymmetric, symmetric, hermitian, skew-symmetric")];
    choose(reader, line.at[2], "A", "A, assembled");
    line.at += 3;
    if (fr_scan_counts(line, size, 4) < 3) {
        fr_reader_fault(reader, TYPE_LINE, FR_SYNTAX,
                        "the type is not followed by the numbers of rows, columns and entries");
        return false;
    }
    if (fr_reader_failed(reader))
        return false;
    reader->head.line[FR_MATRIX_LINE_OF_TYPE] = reader->head.line[FR_MATRIX_LINE_OF_SIZES] =
        TYPE_LINE;
    reader->head.n = size[0];
    reader->head.entries = size[2];
    return fr_reader_check_head(reader, size[0], size[1]);
}

static bool read_formats(struct fr_reader *reader, struct fr_harwell *file)
{
    static const char *const what[FR_HARWELL_FORMATS] = { "pointers", "indices", "values" };
    const bool is_pattern = reader->head.field == FR_MATRIX_PATTERN;
    struct fr_matrix_line line;

    if (!fr_reader_line(reader, &line, "the formats"))
        return false;
    for (int i = 0; i < FR_HARWELL_FORMATS; i++) {
        const bool is_needed = i < 2 || !is_pattern;
        const char *begin = fr_skip_blanks(line.at, line.end);
        const char *behind = fr_fortran_parse(begin, line.end, &file->format[i]);
        const bool is_legal = behind && (i >= 2 || file->format[i].is_integer);
        char text[40];

        if (is_needed && !is_legal) {
            fr_print_bytes(begin, line.end, text, sizeof text);
            fr_reader_fault(reader, FORMATS_LINE, FR_SYNTAX,
                            "the format of the %s should be like %s; here is '%s'", what[i],
                            i < 2 ? "(16I5)" : "(5E16.8) or (1P,4D20.12)", text);
            return false;
        }
        if (behind)
            line.at = behind;
    }
    return !file->lines[FR_RIGHT_SIDE_LINES] ||
           fr_reader_line(reader, &line, "the kind of the right-hand sides");
}

static bool check_lines(struct fr_reader *reader, const char *what, int64_t announced,
                        int64_t lines)
{
    if (announced != lines)
        fr_reader_fault(reader, COUNTS_LINE, FR_RELATION,
                        "the header announces %s%" PRId64 " lines of %s, but their format needs "
                        "%" PRId64 "; the header is wrong, or belongs to another file",
                        fr_at_least(announced), announced, what, lines);
    return announced == lines;
}

/* Checks the line counts against the counts of numbers.  The count of all lines is wrong in some
 * collections, and no reader needs it. */
static bool check_counts(struct fr_reader *reader, const struct fr_harwell *file)
{
    const int64_t *lines = file->lines;
    int64_t taken[FR_HARWELL_COUNTS] = { 0 };
    bool is_right;

    for (int i = 0; i < file->sections; i++)
        taken[file->section[i].block] +=
            fr_fortran_lines(file->section[i].format, file->section[i].count);
    is_right = check_lines(reader, "pointers", lines[FR_POINTER_LINES], taken[FR_POINTER_LINES]);
    is_right &= check_lines(reader, "indices", lines[FR_INDEX_LINES], taken[FR_INDEX_LINES]);
    is_right &= check_lines(reader, "values", lines[FR_VALUE_LINES], taken[FR_VALUE_LINES]);
    return is_right;
}

void fr_read_harwell(struct fr_reader *reader)
{
    struct fr_harwell file = { .reader = reader };

    read_title(reader);
    if (!read_counts(reader, &file) || !read_type(reader) || !read_formats(reader, &file))
        return;
    fr_harwell_plan(&file);
    if (check_counts(reader, &file))
        fr_harwell_read_sections(&file);
}
