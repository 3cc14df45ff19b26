/* scalapack: the tables of ScaLAPACK's testers (xdlu, xdllt, xdqr) and of the PBLAS timer.
 *
 *     TIME     M     N  NB NRHS NBRHS    P    Q  LU Time Sol Time  MFLOPS  CHECK
 *     WALL   500   500  32     1    1    2    1     0.14     0.11   333.34 PASSED
 *
 * The model of a row follows from its table.  Times have two decimals (the PBLAS timer: three); for
 * a routine that is timed alone the rate beside them gives a more accurate time.
 */
#include "server/runs/imports/scalapack.h"

#include <string.h>

/* Columns between TIME and the times: u UPLO, r NRHS, s NBRHS, B MB, b NB; the others as they are
 * named.  The solve is timed with the factorization, so that their rate tells nothing of it. */
static const struct scalapack_table {
    const char *title, *model, *columns;
    bool has_solve;
} tables[] = {
    { "LU Time", "pdgetrf", "mnbrsPQ", true },
    { "LLt Time", "pdpotrf", "unbrsPQ", true },
    { "Fact Time", "pdgeqrf", "mnBbPQ", false },
};

/* A row of a table: its counts by the letter of their column. */
struct row {
    int64_t at[128];
    char uplo;
    struct fr_slice time, rate, check;
};

struct log {
    const struct scalapack_table *table; /* NULL: none has begun */
    bool is_other;                       /* the table is of a factorization that is no QR */
    bool is_told;                        /* the precision, or that it is not */
    struct row last;                     /* to recognize one factorization with many solves */
    struct scalapack_pblas pblas;
    size_t results;
};

void scalapack_set_model(struct fr_filter *filter, const char *name)
{
    filter->model_name = name;
    filter->model = fr_model_find(name);
}

bool scalapack_is_overfull(struct fr_filter *filter, struct fr_slice line)
{
    if (!fr_slice_has(line, "*"))
        return false;
    fr_filter_warn(filter, filter->line, FR_RANGE,
                   "asterisks: a number did not fit its column; the row is left out");
    return true;
}

bool scalapack_time(struct fr_slice time, double operations, struct fr_slice rate, double *time_s)
{
    static const struct fr_slice none = { "0", 1 };

    if (operations > 0 && !fr_slice_begins(rate, "*"))
        return fr_time_beside_rate(time, operations, rate, 1e6, time_s);
    return fr_slice_digits(time) > 1 && fr_time_beside_rate(time, 0, none, 1e6, time_s);
}

/* What the tester counts for a routine that it times alone; else 0. */
static double operations_of(const struct scalapack_table *table, const struct row *row)
{
    const double m = (double)row->at['m'], n = (double)row->at['n'];
    const double least = m < n ? m : n, most = m < n ? n : m;

    if (!table->has_solve)
        return 2 * least * least * (most - least / 3) + (most + least) * least;
    return m != n && row->at['m'] ? least * least * (most - least / 3 - 0.5) : 0;
}

static bool read_row(struct fr_slice rest, const struct scalapack_table *table, struct row *row)
{
    struct fr_slice word;

    for (const char *column = table->columns; *column; column++) {
        if (!fr_slice_word(&rest, &word))
            return false;
        if (*column == 'u') {
            if (word.length != 1 || !strchr("UL", *word.at))
                return false;
            row->uplo = *word.at;
        } else if (!fr_slice_count(word, &row->at[(unsigned char)*column])) {
            return false;
        }
    }
    return fr_slice_word(&rest, &row->time) && (!table->has_solve || fr_slice_word(&rest, &word)) &&
           fr_slice_word(&rest, &row->rate) && fr_slice_word(&rest, &row->check);
}

/* Whether a row repeats the factorization of the row before it, with other right-hand sides. */
static bool is_repeated(const struct row *row, const struct row *before)
{
    bool is_same = row->uplo == before->uplo && fr_slice_equal(row->time, before->time);

    for (const char *letter = "mnbPQ"; *letter; letter++)
        is_same = is_same && row->at[(unsigned char)*letter] == before->at[(unsigned char)*letter];
    return is_same && (row->at['r'] != before->at['r'] || row->at['s'] != before->at['s']);
}

static void write_row(struct fr_filter *filter, const struct scalapack_table *table,
                      const struct row *row)
{
    static const struct {
        char letter;
        const char *name;
    } names[] = { { 'm', "m" },
                  { 'n', "n" },
                  { 'b', "block_size" },
                  { 'P', "process_rows" },
                  { 'Q', "process_columns" } };
    struct fr_import_run run = { .line = filter->line };

    if (!fr_slice_is(row->check, "PASSED") && !fr_slice_is(row->check, "BYPASS")) {
        filter->imported.left_out++;
        return;
    }
    if ((row->at['B'] && row->at['B'] != row->at['b']) ||
        !scalapack_time(row->time, operations_of(table, row), row->rate, &run.time_s)) {
        filter->imported.left_out++;
        return;
    }
    scalapack_set_model(filter, table->model);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (row->at[(unsigned char)names[i].letter])
            fr_run_set(&run, names[i].name, (double)row->at[(unsigned char)names[i].letter]);
    if (row->uplo)
        fr_run_set_text(&run, "uplo", row->uplo == 'U' ? "U" : "L");
    fr_run_set_text(&run, "mapping", "row")->line = 0;
    fr_run_note(&run, "ScaLAPACK tester%s",
                fr_slice_is(row->check, "BYPASS") ? ", residual not checked" : "");
    fr_run_begin(filter, &run);
    fr_run_end(filter);
}

static void read_result(struct fr_filter *filter, struct fr_slice rest, struct log *log)
{
    struct row row = { .uplo = '\0' };
    const bool is_read = read_row(rest, log->table, &row);

    /* The rate may be too large for its column. */
    if (scalapack_is_overfull(filter, is_read ? row.time : rest)) {
        log->results++;
        filter->imported.left_out++;
        return;
    }
    if (!is_read) {
        fr_filter_fault(filter, filter->line, FR_SYNTAX,
                        "not a row of the table with %s: sizes, P, Q, times, MFLOPS, CHECK",
                        log->table->title);
        return;
    }
    log->results++;
    if (!log->is_told)
        fr_filter_warn(filter, filter->line, FR_MISSING,
                       "the table's head does not stand before it (`Tests of the parallel real "
                       "double precision ...`): the results are taken as of double precision");
    log->is_told = true;
    if (log->is_other)
        filter->imported.left_out++;
    else if (!is_repeated(&row, &log->last))
        write_row(filter, log->table, &row);
    log->last = row;
}

/* `TIME     M     N  NB NRHS …`, also of a table that is not read; `TIME : Indicates whether …`
 * explains it. */
static void begin_table(struct fr_slice line, struct log *log)
{
    if (fr_slice_has(line, ":"))
        return;
    log->table = NULL;
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
        if (fr_slice_has(line, tables[i].title))
            log->table = &tables[i];
    log->last = (struct row){ .uplo = '\0' };
}

/* `Tests of the parallel real double precision LU factorization and solve.` */
static void begin_program(struct fr_filter *filter, struct fr_slice line, struct log *log)
{
    *log = (struct log){ .results = log->results, .is_told = true };
    if (!fr_slice_has(line, "real double precision"))
        fr_filter_fault(filter, filter->line, FR_RELATION,
                        "the models are of real double precision; send the output of xdlu, xdllt, "
                        "xdqr or dpb3tim");
}

static void read_line(struct fr_filter *filter, struct fr_slice line, struct log *log)
{
    struct fr_slice rest = line;

    if (fr_slice_begins(line, "Tests of the ")) {
        begin_program(filter, line, log);
    } else if (fr_slice_has(line, "factorization") && fr_slice_has(line, "tests.")) {
        log->is_other = !fr_slice_is(line, "QR factorization tests.");
    } else if (fr_slice_begins(line, "TIME ")) {
        begin_table(line, log);
    } else if (log->table && fr_slice_skip(&rest, "WALL") && rest.length) {
        read_result(filter, rest, log);
    } else if (scalapack_read_pblas(filter, line, &log->pblas)) {
        log->results++;
    }
}

static void read_tables(struct fr_filter *filter)
{
    struct log log = { .results = 0 };
    struct fr_slice line;

    while (fr_filter_line(filter, &line))
        read_line(filter, line, &log);
    if (!log.results)
        fr_fault(filter->faults, FR_SYNTAX, "",
                 "no result of ScaLAPACK in %zu lines: neither a table of its testers nor one of "
                 "the PBLAS timer",
                 filter->line);
    else if (!filter->imported.runs && !filter->faults->count)
        fr_fault(filter->faults, FR_RELATION, "",
                 "none of %zu results is a run of a model: failed checks, times of less than two "
                 "digits, blocks that are not square, transposed or shifted operands, or other "
                 "routines; nothing is stored",
                 log.results);
}

const struct fr_import fr_import_scalapack = {
    .name = "scalapack",
    .summary =
        "Tables of ScaLAPACK's testers xdlu, xdllt and xdqr, and of the PBLAS timer dpb3tim.",
    .names_models = true,
    .read = read_tables,
};
