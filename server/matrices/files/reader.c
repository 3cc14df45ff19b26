/* What the readers of all formats share: faults, lines, and checks of the header and of entries. */
#include "server/matrices/files/reader.h"

#include "server/core/utf8.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>

const char *const fr_matrix_formats[] = { "matrix_market", "harwell_boeing", "rutherford_boeing",
                                          NULL };
const char *const fr_matrix_fields[] = { "real", "integer", "complex", "pattern", NULL };
const char *const fr_matrix_symmetries[] = { "general", "symmetric", "skew-symmetric", "hermitian",
                                             NULL };

/* Above this order a matrix needs an entry per row, so that a short file cannot claim much memory.
 */
enum { SPARSEST_ORDER = 1000 * 1000 };

int fr_reader_fault(struct fr_reader *reader, int64_t line, enum fr_code code, const char *format,
                    ...)
{
    char where[40] = "/", message[FR_MESSAGE_BYTES];
    va_list arguments;

    if (line)
        snprintf(where, sizeof where, "/line/%" PRId64, line);
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    return fr_fault(reader->faults, code, where, "%s", message);
}

bool fr_reader_failed(const struct fr_reader *reader)
{
    return reader->faults->count > reader->faults_before;
}

bool fr_reader_is_full(const struct fr_reader *reader)
{
    return fr_reader_failed(reader) && reader->faults->count >= FR_MAX_FAULTS;
}

void fr_reader_cut(struct fr_reader *reader, const char *what)
{
    if (!fr_matrix_text_is_broken(reader->text))
        fr_reader_fault(reader, fr_matrix_text_at(reader->text) + 1, FR_SYNTAX,
                        "the file ends where %s should follow: it is cut, or line %" PRId64
                        " announces too much",
                        what, reader->head.line[FR_MATRIX_LINE_OF_SIZES]);
}

bool fr_reader_line(struct fr_reader *reader, struct fr_matrix_line *line, const char *what)
{
    if (fr_matrix_text_line(reader->text, line))
        return true;
    if (!fr_matrix_text_is_broken(reader->text))
        fr_reader_fault(reader, fr_matrix_text_at(reader->text) + 1, FR_SYNTAX,
                        "the file ends where %s should follow: it is cut; send the whole file",
                        what);
    return false;
}

void fr_reader_end(struct fr_reader *reader)
{
    struct fr_matrix_line line;
    char text[40];

    while (fr_matrix_text_line(reader->text, &line)) {
        line = fr_trim(line);
        if (line.at == line.end)
            continue;
        fr_print_bytes(line.at, line.end, text, sizeof text);
        fr_reader_fault(reader, fr_matrix_text_at(reader->text), FR_SYNTAX,
                        "'%s' after the last of %" PRId64 " entries that line %" PRId64
                        " announces; correct that number, or end the file here",
                        text, reader->head.entries, reader->head.line[FR_MATRIX_LINE_OF_SIZES]);
        return;
    }
}

const char *fr_skip_blanks(const char *at, const char *end)
{
    while (at < end && (*at == ' ' || *at == '\t'))
        at++;
    return at;
}

struct fr_matrix_line fr_trim(struct fr_matrix_line line)
{
    line.at = fr_skip_blanks(line.at, line.end);
    while (line.end > line.at && (line.end[-1] == ' ' || line.end[-1] == '\t'))
        line.end--;
    return line;
}

int fr_scan_counts(struct fr_matrix_line line, int64_t *out, int most)
{
    for (int i = 0; i <= most; i++) {
        const char *at = fr_skip_blanks(line.at, line.end);

        if (at == line.end)
            return i;
        if (i == most || (i && at == line.at))
            break;
        line.at = fr_scan_count(at, line.end, &out[i]);
        if (!line.at)
            break;
    }
    return -1;
}

const char *fr_at_least(int64_t count)
{
    return count < FR_COUNT_MOST ? "" : "at least ";
}

void fr_print_bytes(const char *at, const char *end, char *out, size_t size)
{
    size_t length = (size_t)(end - at);

    if (length >= size)
        length = size - 1;
    for (size_t i = 0; i < length; i++)
        out[i] = (unsigned char)at[i] < 0x20 || at[i] == 0x7f ? '?' : at[i];
    out[length] = '\0';
    fr_utf8_sanitize(out);
}

/* The number of positions that the symmetry allows. */
static double most_entries(const struct fr_matrix *head)
{
    const double n = (double)head->n;

    return head->symmetry == FR_MATRIX_GENERAL ? n * n
           : head->symmetry == FR_MATRIX_SKEW  ? n * (n - 1) / 2
                                               : n * (n + 1) / 2;
}

bool fr_reader_check_head(struct fr_reader *reader, int64_t rows, int64_t columns)
{
    const struct fr_matrix_limits *limits = reader->limits;
    const struct fr_matrix *head = &reader->head;
    const int64_t line = reader->head.line[FR_MATRIX_LINE_OF_SIZES], n = head->n,
                  entries = head->entries;
    const bool is_general = head->symmetry == FR_MATRIX_GENERAL;
    /* Bounds on the entries of the expanded matrix. */
    const int64_t least = is_general || entries < n ? entries : 2 * entries - n;
    const int64_t most = is_general ? entries : 2 * entries;

    if (rows != columns)
        fr_reader_fault(reader, line, FR_RELATION,
                        "%s%" PRId64 " rows and %s%" PRId64
                        " columns; only a square matrix has an LU factorization here",
                        fr_at_least(rows), rows, fr_at_least(columns), columns);
    else if (n < 1)
        fr_reader_fault(reader, line, FR_RANGE, "a matrix has at least one row");
    else if (n > limits->n)
        fr_reader_fault(reader, line, FR_NOMEM, "order %s%" PRId64 "; at most %" PRId64,
                        fr_at_least(n), n, limits->n);
    else if ((double)entries > most_entries(head))
        fr_reader_fault(reader, line, FR_RELATION,
                        "%s%" PRId64 " entries; a %s matrix of order %" PRId64 " has at most %.0f",
                        fr_at_least(entries), entries, fr_matrix_symmetries[head->symmetry], n,
                        most_entries(head));
    else if (least > limits->nnz)
        fr_reader_fault(reader, line, FR_NOMEM, "%" PRId64 " entries; at most %" PRId64, least,
                        limits->nnz);
    else if (n > SPARSEST_ORDER && most < n)
        fr_reader_fault(reader, line, FR_RELATION,
                        "order %" PRId64 " with %" PRId64
                        " entries leaves rows empty: it is singular and has no factorization",
                        n, entries);
    if (head->symmetry == FR_MATRIX_HERMITIAN && head->field != FR_MATRIX_COMPLEX)
        fr_reader_fault(reader, line, FR_RELATION,
                        "hermitian matrices are complex; declare this one %s symmetric",
                        fr_matrix_fields[head->field]);
    /* Only the Boeing formats allow skew-symmetric patterns. */
    if (head->symmetry == FR_MATRIX_SKEW && head->field == FR_MATRIX_PATTERN &&
        head->format == FR_MATRIX_MARKET)
        fr_reader_fault(reader, line, FR_RELATION,
                        "a pattern has no signs to be skew; declare it pattern symmetric");
    return !fr_reader_failed(reader);
}

bool fr_reader_check_entry(struct fr_reader *reader, int64_t row, int64_t column)
{
    const int64_t n = reader->head.n, line = fr_matrix_text_at(reader->text);
    const enum fr_matrix_symmetry symmetry = reader->head.symmetry;
    const char *name = fr_matrix_symmetries[symmetry];

    if (row < 1 || row > n || column < 1 || column > n) {
        const bool is_row = row < 1 || row > n;
        const int64_t given = is_row ? row : column;

        fr_reader_fault(reader, line, FR_RANGE, "%s %s%" PRId64 " is outside 1 to %" PRId64 "%s",
                        is_row ? "row" : "column", fr_at_least(given), given, n,
                        row && column ? "" : "; count from 1");
    } else if (symmetry != FR_MATRIX_GENERAL && row < column) {
        fr_reader_fault(reader, line, FR_RELATION,
                        "(%" PRId64 ", %" PRId64 ") is above the diagonal; a %s file holds the "
                        "lower triangle alone: exchange row and column%s, or leave it out if "
                        "(%" PRId64 ", %" PRId64 ") is there too",
                        row, column, name,
                        symmetry == FR_MATRIX_SKEW        ? " and the sign"
                        : symmetry == FR_MATRIX_HERMITIAN ? " and the sign of the imaginary part"
                                                          : "",
                        column, row);
    } else if (symmetry == FR_MATRIX_SKEW && row == column) {
        fr_reader_fault(reader, line, FR_RELATION,
                        "(%" PRId64 ", %" PRId64
                        ") is on the diagonal, which a %s matrix does not have; leave it out",
                        row, column, name);
    } else {
        return true;
    }
    return false;
}

bool fr_reader_check_complex(struct fr_reader *reader, int64_t row, int64_t column,
                             double imaginary)
{
    if (reader->head.symmetry != FR_MATRIX_HERMITIAN || row != column || imaginary == 0)
        return true;
    fr_reader_fault(reader, fr_matrix_text_at(reader->text), FR_RELATION,
                    "(%" PRId64 ", %" PRId64 ") has imaginary part %g; a hermitian matrix has a "
                    "real diagonal: make it 0, or declare the matrix general",
                    row, column, imaginary);
    return false;
}

double fr_reader_magnitude(double real, double imaginary)
{
    return fmin(hypot(real, imaginary), DBL_MAX);
}
