/* The sections of a Harwell-Boeing file: numbers in fields of fixed width.
 *
 * Every line of a section except the last is full.  A field that the end of the file cuts is
 * refused, because a truncated number could be read as another number.
 */
#include "server/matrices/files/reader.h"

#include <assert.h>
#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { FIRST_POINTERS = 4096 };

static int64_t line_of(const struct fr_harwell *file)
{
    return fr_matrix_text_at(file->reader->text);
}

static bool refuse_field(struct fr_harwell *file, const char *at, const char *end, const char *form)
{
    char text[40];

    fr_print_bytes(at, end, text, sizeof text);
    fr_reader_fault(file->reader, line_of(file), FR_SYNTAX,
                    "'%s' is not %s; is the format on line 4 right?", text, form);
    return false;
}

static bool scan_whole(struct fr_harwell *file, const char *at, const char *end, int64_t *value)
{
    if (fr_scan_count(at, end, value) == end)
        return true;
    return refuse_field(file, at, end, "a whole number");
}

static bool scan_real(struct fr_harwell *file, const struct fr_fortran *format, const char *at,
                      const char *end, double *value)
{
    const char *digit = at + (*at == '-' || *at == '+');

    if (fr_scan_real(at, end, &format->style, value) != end)
        return refuse_field(file, at, end, "a number");
    while (digit < end && isdigit((unsigned char)*digit))
        digit++;
    if (digit < end && (format->is_integer || file->reader->head.field == FR_MATRIX_INTEGER))
        return refuse_field(file, at, end, "a whole number");
    if (isfinite(*value))
        return true;
    fr_reader_fault(file->reader, line_of(file), FR_RANGE,
                    "the value is larger than a double can be, 1.797e308; scale the matrix");
    return false;
}

static bool keep_pointer(struct fr_harwell *file, int64_t pointer)
{
    if (file->pointers == file->pointer_room) {
        const int64_t room = file->pointer_room ? 2 * file->pointer_room : FIRST_POINTERS;
        int32_t *grown = realloc(file->pointer, (size_t)room * sizeof *grown);

        if (!grown) {
            fr_reader_fault(file->reader, 0, FR_NOMEM, "no memory for %" PRId64 " columns",
                            file->reader->head.n);
            return false;
        }
        file->pointer = grown;
        file->pointer_room = room;
    }
    file->pointer[file->pointers++] = (int32_t)pointer;
    return true;
}

static bool take_pointer(struct fr_harwell *file, int64_t k, const char *at, const char *end)
{
    struct fr_reader *reader = file->reader;
    const int64_t last = reader->head.entries + 1, n = reader->head.n;
    const int64_t before = file->pointers ? file->pointer[file->pointers - 1] : 1;
    int64_t pointer;

    if (!scan_whole(file, at, end, &pointer))
        return false;
    if (!k && pointer != 1)
        fr_reader_fault(reader, line_of(file), FR_RANGE,
                        "the first pointer is %s%" PRId64 "; entries are counted from 1",
                        fr_at_least(pointer), pointer);
    else if (pointer < before || pointer > last)
        fr_reader_fault(reader, line_of(file), FR_RANGE,
                        "pointer %s%" PRId64 " of column %" PRId64 " is outside %" PRId64
                        " (the one before) to %" PRId64 " (all entries, and 1)",
                        fr_at_least(pointer), pointer, k + 1, before, last);
    else if (k == n && pointer != last)
        fr_reader_fault(reader, line_of(file), FR_RELATION,
                        "the pointers end with %" PRId64 ", and line %" PRId64 " announces %" PRId64
                        " entries",
                        pointer, reader->head.line[FR_MATRIX_LINE_OF_SIZES], last - 1);
    else
        return keep_pointer(file, pointer);
    return false;
}

static bool take_index(struct fr_harwell *file, int64_t k, const char *at, const char *end)
{
    struct fr_reader *reader = file->reader;
    int64_t row;

    if (!k) {
        reader->first_line = line_of(file);
        reader->per_line = file->format[1].per_line;
    }
    /* The last pointer is greater than every entry. */
    while (file->pointer[file->column + 1] <= k + 1)
        file->column++;
    return scan_whole(file, at, end, &row) &&
           fr_reader_check_entry(reader, row, file->column + 1) &&
           (fr_reader_failed(reader) || fr_entries_add(reader, row, file->column + 1));
}

static bool take_value(struct fr_harwell *file, int64_t k, const char *at, const char *end)
{
    struct fr_reader *reader = file->reader;
    const struct fr_entries *entries = &reader->entries;
    double value, magnitude;

    if (!scan_real(file, &file->format[2], at, end, &value))
        return false;
    if (reader->head.field != FR_MATRIX_COMPLEX) {
        magnitude = fabs(value);
    } else if (k % 2 == 0) {
        file->real = value;
        return true;
    } else {
        if (!fr_reader_check_complex(reader, entries->row[k / 2] + 1, entries->column[k / 2] + 1,
                                     value))
            return false;
        magnitude = fr_reader_magnitude(file->real, value);
    }
    return fr_reader_failed(reader) || fr_entries_add_value(reader, magnitude);
}

static void add_section(struct fr_harwell *file, const struct fr_section *section)
{
    assert(file->sections < FR_HARWELL_SECTIONS);
    file->section[file->sections++] = *section;
}

void fr_harwell_plan(struct fr_harwell *file)
{
    const struct fr_matrix *head = &file->reader->head;

    add_section(file, &(struct fr_section){ FR_POINTER_LINES, "pointers", &file->format[0],
                                            head->n + 1, take_pointer });
    add_section(file, &(struct fr_section){ FR_INDEX_LINES, "row indices", &file->format[1],
                                            head->entries, take_index });
    if (head->field != FR_MATRIX_PATTERN)
        add_section(file, &(struct fr_section){ FR_VALUE_LINES, "values", &file->format[2],
                                                head->field == FR_MATRIX_COMPLEX ? 2 * head->entries
                                                                                 : head->entries,
                                                take_value });
}

static bool is_blank(const char *at, const char *end)
{
    return fr_skip_blanks(at, end) == end;
}

/* Reads the `count` fields of a line; false if reading cannot continue. */
static bool take_line(struct fr_harwell *file, const struct fr_section *section, int64_t k,
                      int64_t count, struct fr_matrix_line line)
{
    const int width = section->format->width, pitch = section->format->pitch;
    const char *next = line.at; /* what has not been read */
    struct fr_matrix_line field;

    for (int64_t i = 0; i < count; i++) {
        const int gap = i ? pitch - width : k ? section->format->next_skip : section->format->skip;

        field.at = line.end - next > gap ? next + gap : line.end;
        if (!is_blank(next, field.at))
            return refuse_field(file, next, field.at, "blank between the numbers");
        next = line.end - field.at > width ? field.at + width : line.end;
        field.end = next;
        if (!line.is_ended && field.end - field.at < width) {
            fr_reader_fault(file->reader, line_of(file), FR_SYNTAX,
                            "the file ends within a number of the %s: it is cut; send the whole "
                            "file",
                            section->what);
            return false;
        }
        field = fr_trim(field);
        if (field.at == field.end) {
            fr_reader_fault(file->reader, line_of(file), FR_SYNTAX,
                            "%" PRId64 " numbers where the format has %" PRId64
                            " fields of %d columns: something is missing here",
                            i, count, width);
            return false;
        }
        if (!section->take(file, k + i, field.at, field.end) &&
            (section->take == take_pointer || fr_reader_is_full(file->reader)))
            return false;
    }
    field = fr_trim((struct fr_matrix_line){ .at = next, .end = line.end });
    if (field.at == field.end)
        return true;
    return refuse_field(file, field.at, field.end, "blank after the last number");
}

static void read_section(struct fr_harwell *file, const struct fr_section *section)
{
    const int64_t per_line = section->format->per_line;
    struct fr_matrix_line line;
    char what[80];

    for (int64_t k = 0; k < section->count; k += per_line) {
        const int64_t left = section->count - k, count = left < per_line ? left : per_line;

        if (!fr_matrix_text_line(file->reader->text, &line)) {
            snprintf(what, sizeof what, "the other %" PRId64 " of %" PRId64 " %s", left,
                     section->count, section->what);
            fr_reader_cut(file->reader, what);
            return;
        }
        if (!take_line(file, section, k, count, line))
            return;
    }
}

/* Right-hand sides are not used, whatever stands in their lines. */
static void skip_right_sides(struct fr_harwell *file)
{
    struct fr_matrix_line line;

    for (int64_t k = 0; k < file->lines[FR_RIGHT_SIDE_LINES] && !fr_reader_failed(file->reader);
         k++)
        if (!fr_matrix_text_line(file->reader->text, &line) ||
            (!line.is_ended && is_blank(line.at, line.end)))
            fr_reader_cut(file->reader, "the other lines of right-hand sides");
}

void fr_harwell_read_sections(struct fr_harwell *file)
{
    for (int i = 0; i < file->sections && !fr_reader_failed(file->reader); i++)
        read_section(file, &file->section[i]);
    skip_right_sides(file);
    free(file->pointer);
}
