/* Recognizes the format of a matrix file, and has it read. */
#include "server/matrices/files/reader.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

const struct fr_matrix_limits fr_matrix_usual_limits = {
    .n = 10 * 1000 * 1000,
    .nnz = 100 * 1000 * 1000,
    .bytes = INT64_C(512) << 20,
};

/* Other kinds of files that users upload, by their first bytes (tar: at 257). */
static const struct {
    size_t at, length;
    const char *magic, *what;
} foreign[] = {
    { 257, 5, "ustar", "a tar archive: take the matrix file out of it" },
    { 0, 4, "PK\x03\x04", "a zip archive: take the matrix file out of it" },
    { 0, 3, "BZh", "packed by bzip2: unpack it, or pack it with gzip" },
    { 0, 6, "\xfd\x37zXZ", "packed by xz: unpack it, or pack it with gzip" },
    { 0, 4, "\x28\xb5\x2f\xfd", "packed by zstd: unpack it, or pack it with gzip" },
    { 0, 2, "\x1f\x8b", "packed by gzip twice: unpack it once" },
    { 0, 4, "\x89HDF", "an HDF5 file: write the matrix as Matrix Market" },
    { 0, 6, "MATLAB", "a MATLAB file: write the matrix as Matrix Market" },
    { 0, 3, "\xef\xbb\xbf", "a text with a byte order mark: save it without" },
};

static bool is_foreign(struct fr_reader *reader, const char *begin, size_t length)
{
    for (size_t i = 0; i < sizeof foreign / sizeof foreign[0]; i++) {
        if (length < foreign[i].at + foreign[i].length ||
            memcmp(begin + foreign[i].at, foreign[i].magic, foreign[i].length))
            continue;
        fr_reader_fault(reader, 0, FR_SYNTAX, "this is %s", foreign[i].what);
        return true;
    }
    if (!length)
        fr_reader_fault(reader, 0, FR_MISSING, "the file is empty");
    return !length;
}

/* A file of comments without the banner, or with one that is not written as it should be. */
static void refuse_banner(struct fr_reader *reader, const char *begin, size_t length)
{
    static const char name[] = "MatrixMarket";
    size_t marks = 0, at;

    while (marks < length && begin[marks] == '%')
        marks++;
    for (at = marks; at < length && (begin[at] == ' ' || begin[at] == '\t'); at++)
        ;
    if (length - at < sizeof name - 1 || strncasecmp(begin + at, name, sizeof name - 1))
        fr_reader_fault(reader, 1, FR_SYNTAX,
                        "a Matrix Market file begins with a line as '%%%%MatrixMarket matrix "
                        "coordinate FIELD SYMMETRY'; put the one of this matrix in front");
    else if (marks == 1)
        fr_reader_fault(reader, 1, FR_SYNTAX,
                        "the line has one %% too few: a Matrix Market file begins with "
                        "'%%%%MatrixMarket'");
    else
        fr_reader_fault(reader, 1, FR_SYNTAX,
                        "a Matrix Market file begins with '%%%%MatrixMarket': two %%, and no blank "
                        "behind them");
}

static void read_entries(struct fr_reader *reader)
{
    static const char banner[] = "%%MatrixMarket";
    size_t length;
    const char *begin = fr_matrix_text_begin(reader->text, &length);

    if (is_foreign(reader, begin, length))
        return;
    for (; length && isspace((unsigned char)*begin); begin++, length--)
        ;
    if (length >= sizeof banner - 1 && strncasecmp(begin, banner, sizeof banner - 1) == 0)
        fr_read_market(reader);
    else if (length && *begin == '%')
        refuse_banner(reader, begin, length);
    else
        fr_read_harwell(reader);
}

struct fr_matrix *fr_matrix_read(fr_read_bytes *read, void *context,
                                 const struct fr_matrix_limits *limits, struct fr_faults *faults)
{
    /* Positions of entries are 32-bit. */
    const struct fr_matrix_limits narrowed = {
        .n = limits->n < INT32_MAX ? limits->n : INT32_MAX - 1,
        .nnz = limits->nnz < INT32_MAX ? limits->nnz : INT32_MAX - 1,
        .bytes = limits->bytes,
    };
    struct fr_reader reader = {
        .limits = &narrowed,
        .faults = faults,
        .faults_before = faults->count,
        .per_line = 1,
    };
    struct fr_matrix *matrix = NULL;

    reader.text = fr_matrix_text_new(read, context, limits->bytes, faults);
    if (!reader.text)
        return NULL;
    read_entries(&reader);
    if (!fr_reader_failed(&reader))
        fr_reader_end(&reader);
    fr_matrix_text_free(reader.text);
    if (!fr_reader_failed(&reader))
        matrix = fr_reader_assemble(&reader);
    free(reader.entries.row);
    free(reader.entries.column);
    free(reader.entries.value);
    return matrix;
}
