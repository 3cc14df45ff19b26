/* Matrix Market's coordinate files (R. Boisvert, R. Pozo, K. Remington, NISTIR 5935, 1996).
 *
 *     %%MatrixMarket matrix coordinate real general
 *     % comments
 *     3 3 4
 *     1 1 2.5
 *
 * Numbers have no fixed width, so that a plain file cut within its last number is not detected.
 */
#include "server/matrices/files/reader.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

enum { WORD_BYTES = 40 };

static const struct fr_real_style plain;

/* Copies the next word, truncated to WORD_BYTES; empty at the end of the line. */
static const char *take_word(const char *at, const char *end, char word[WORD_BYTES])
{
    const char *begin = fr_skip_blanks(at, end);

    for (at = begin; at < end && *at != ' ' && *at != '\t'; at++)
        ;
    fr_print_bytes(begin, at, word, WORD_BYTES);
    return at;
}

static int find_name(const char *const *names, const char *word)
{
    for (int i = 0; names[i]; i++)
        if (strcasecmp(names[i], word) == 0)
            return i;
    return -1;
}

/* The index of a word of the banner among its names; 0 with a fault if it is none of them. */
static int choose(struct fr_reader *reader, const char *word, const char *const *names,
                  const char *what)
{
    const int found = find_name(names, word);
    char list[120] = "";

    for (int i = 0; names[i]; i++) {
        const size_t used = strlen(list);

        snprintf(list + used, sizeof list - used, "%s%s", i ? ", " : "", names[i]);
    }
    if (found < 0)
        fr_reader_fault(reader, 1, FR_CHOICE, "%s '%s' is not one of %s", what, word, list);
    return found < 0 ? 0 : found;
}

/* The field by the name that the format has for it; SciPy writes a further one. */
static const char *field_name(const char *word)
{
    return strcasecmp(word, "unsigned-integer") == 0 ? "integer" : word;
}

static bool read_banner(struct fr_reader *reader)
{
    static const char *const objects[] = { "matrix", NULL };
    static const char *const layouts[] = { "coordinate", NULL };
    char word[6][WORD_BYTES];
    struct fr_matrix_line line;

    do
        if (!fr_reader_line(reader, &line, "the banner"))
            return false;
    while (fr_skip_blanks(line.at, line.end) == line.end);
    for (int i = 0; i < 6; i++)
        line.at = take_word(line.at, line.end, word[i]);
    /* What stands behind is a comment, unless it contradicts. */
    if (strcasecmp(word[0], "%%MatrixMarket") || find_name(fr_matrix_fields, word[5]) >= 0 ||
        find_name(fr_matrix_symmetries, word[5]) >= 0) {
        fr_reader_fault(reader, 1, FR_SYNTAX,
                        "not a banner: '%%%%MatrixMarket matrix coordinate FIELD SYMMETRY'");
        return false;
    }
    choose(reader, word[1], objects, "object");
    if (strcasecmp(word[2], "array") == 0)
        fr_reader_fault(reader, 1, FR_CHOICE,
                        "array files hold dense matrices; write the entries "
                        "that are not zero as coordinate");
    else
        choose(reader, word[2], layouts, "format");
    reader->head.format = FR_MATRIX_MARKET;
    reader->head.line[FR_MATRIX_LINE_OF_FORMAT] = reader->head.line[FR_MATRIX_LINE_OF_TYPE] =
        fr_matrix_text_at(reader->text);
    reader->head.field =
        (enum fr_matrix_field)choose(reader, field_name(word[3]), fr_matrix_fields, "field");
    reader->head.symmetry =
        (enum fr_matrix_symmetry)choose(reader, word[4], fr_matrix_symmetries, "symmetry");
    return !fr_reader_failed(reader);
}

/* The first comment with a letter or digit is the title. */
static void take_title(struct fr_reader *reader, struct fr_matrix_line line)
{
    bool has_word = false;

    while (line.at < line.end && *line.at == '%')
        line.at++;
    line = fr_trim(line);
    for (const char *at = line.at; at < line.end; at++)
        has_word |= isalnum((unsigned char)*at) || (unsigned char)*at >= 0x80;
    if (!has_word || *reader->head.title)
        return;
    fr_print_bytes(line.at, line.end, reader->head.title, sizeof reader->head.title);
    reader->head.line[FR_MATRIX_LINE_OF_TITLE] = fr_matrix_text_at(reader->text);
}

static bool read_sizes(struct fr_reader *reader)
{
    struct fr_matrix_line line;
    int64_t size[3];
    char text[WORD_BYTES];

    do {
        if (!fr_reader_line(reader, &line, "the sizes"))
            return false;
        line.at = fr_skip_blanks(line.at, line.end);
        if (line.at < line.end && *line.at == '%')
            take_title(reader, line);
    } while (line.at == line.end || *line.at == '%');
    reader->head.line[FR_MATRIX_LINE_OF_SIZES] = fr_matrix_text_at(reader->text);
    if (fr_scan_counts(line, size, 3) != 3) {
        fr_print_bytes(line.at, line.end, text, sizeof text);
        fr_reader_fault(reader, reader->head.line[FR_MATRIX_LINE_OF_SIZES], FR_SYNTAX,
                        "'%s' is not ROWS COLUMNS ENTRIES, three whole numbers", text);
        return false;
    }
    reader->head.n = size[0];
    reader->head.entries = size[2];
    return fr_reader_check_head(reader, size[0], size[1]);
}

struct entry {
    int64_t row, column;
    double value[2];
};

static const char *const forms[] = {
    [FR_MATRIX_REAL] = "ROW COLUMN VALUE",
    [FR_MATRIX_INTEGER] = "ROW COLUMN VALUE, whole numbers",
    [FR_MATRIX_COMPLEX] = "ROW COLUMN REAL IMAGINARY",
    [FR_MATRIX_PATTERN] = "ROW COLUMN",
};

/* Reads blanks and a number of the field; NULL if there is none. */
static const char *scan_value(const char *at, const char *end, enum fr_matrix_field field,
                              double *value)
{
    const char *begin = fr_skip_blanks(at, end);

    if (begin == at)
        return NULL;
    at = fr_scan_real(begin, end, &plain, value);
    if (at && field == FR_MATRIX_INTEGER)
        for (const char *digit = begin + (*begin == '-' || *begin == '+'); digit < at; digit++)
            if (!isdigit((unsigned char)*digit))
                return NULL;
    return at;
}

static bool scan_entry(const struct fr_matrix_line *line, enum fr_matrix_field field,
                       struct entry *entry)
{
    const int values = field == FR_MATRIX_PATTERN ? 0 : field == FR_MATRIX_COMPLEX ? 2 : 1;
    const char *at = fr_scan_count(fr_skip_blanks(line->at, line->end), line->end, &entry->row);
    const char *second = at ? fr_skip_blanks(at, line->end) : NULL;

    if (!at || second == at)
        return false;
    at = fr_scan_count(second, line->end, &entry->column);
    entry->value[1] = 0;
    for (int i = 0; at && i < values; i++)
        at = scan_value(at, line->end, field, &entry->value[i]);
    return at && fr_skip_blanks(at, line->end) == line->end;
}

static void refuse_entry(struct fr_reader *reader, struct fr_matrix_line line)
{
    char text[WORD_BYTES];

    line = fr_trim(line);
    fr_print_bytes(line.at, line.end, text, sizeof text);
    fr_reader_fault(reader, fr_matrix_text_at(reader->text), FR_SYNTAX, "'%s' is not %s%s", text,
                    forms[reader->head.field],
                    *text == '%' ? "; comments stand before the sizes" : "");
}

/* Checks the position and the value of an entry; false with a fault. */
static bool check_entry(struct fr_reader *reader, const struct entry *entry)
{
    const enum fr_matrix_field field = reader->head.field;

    if (!fr_reader_check_entry(reader, entry->row, entry->column))
        return false;
    if (field == FR_MATRIX_PATTERN)
        return true;
    if (!isfinite(entry->value[0]) || !isfinite(entry->value[1])) {
        fr_reader_fault(reader, fr_matrix_text_at(reader->text), FR_RANGE,
                        "the value is larger than a double can be, 1.797e308; scale the matrix");
        return false;
    }
    return field != FR_MATRIX_COMPLEX ||
           fr_reader_check_complex(reader, entry->row, entry->column, entry->value[1]);
}

/* Stores an entry; false with a fault if memory is short. */
static bool keep_entry(struct fr_reader *reader, const struct entry *entry)
{
    const enum fr_matrix_field field = reader->head.field;

    if (!fr_entries_add(reader, entry->row, entry->column))
        return false;
    return field == FR_MATRIX_PATTERN ||
           fr_entries_add_value(reader, field == FR_MATRIX_COMPLEX
                                            ? fr_reader_magnitude(entry->value[0], entry->value[1])
                                            : fabs(entry->value[0]));
}

static void read_entries(struct fr_reader *reader)
{
    const int64_t announced = reader->head.entries;
    struct fr_matrix_line line;
    struct entry entry;
    char what[80];

    for (int64_t i = 0; i < announced && !fr_reader_is_full(reader);) {
        if (!fr_matrix_text_line(reader->text, &line)) {
            snprintf(what, sizeof what, "entry %" PRId64 " of %" PRId64, i + 1, announced);
            fr_reader_cut(reader, what);
            return;
        }
        if (fr_skip_blanks(line.at, line.end) == line.end) {
            if (i)
                reader->first_line = 0;
            continue;
        }
        if (!i++)
            reader->first_line = fr_matrix_text_at(reader->text);
        if (!scan_entry(&line, reader->head.field, &entry))
            refuse_entry(reader, line);
        else if (check_entry(reader, &entry) && !fr_reader_failed(reader) &&
                 !keep_entry(reader, &entry))
            return;
    }
}

void fr_read_market(struct fr_reader *reader)
{
    if (read_banner(reader) && read_sizes(reader))
        read_entries(reader);
}
