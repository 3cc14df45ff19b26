/* The timer of the Level 3 PBLAS (PBLAS/TIMING/pdblas3tim.f).
 *
 *     Test number  1 started on a    1 x    2 process grid.
 *           M      N      K    SIDE  UPLO  TRANSA  TRANSB  DIAG
 *         300    300    200      L     U       N       N     N
 *          IA     JA     MA     NA   IMBA   INBA    MBA    NBA RSRCA CSRCA
 *           1      1    400    400     32     32     32     32     0     0
 *     |  PDGEMM           0.001      37039.666         -1.000          0.000
 *
 * The models have operands that begin with the first element of the first process and that are
 * divided into the same square blocks; results of other operands are left out.
 */
#include "server/runs/imports/scalapack.h"

#include "engine/block_cyclic/values.h"

#include <string.h>

static bool read_counts(struct fr_slice *rest, int64_t *out, size_t count)
{
    struct fr_slice word;

    for (size_t i = 0; i < count; i++)
        if (!fr_slice_word(rest, &word) || !fr_slice_count(word, &out[i]))
            return false;
    return true;
}

static bool read_letter(struct fr_slice *rest, const char *choices, char *out)
{
    struct fr_slice word;

    if (!fr_slice_word(rest, &word) || word.length != 1 || !strchr(choices, *word.at))
        return false;
    *out = *word.at;
    return true;
}

/* ` 1 started on a    1 x    2 process grid.` */
static void begin_test(struct fr_filter *filter, struct fr_slice rest, struct scalapack_pblas *test)
{
    struct fr_slice word;

    if (!fr_slice_word(&rest, &word)) /* the number, which may be asterisks */
        return;
    rest = fr_slice_trim(rest);
    if (!fr_slice_skip(&rest, "started on a"))
        return; /* `completed.` */
    *test = (struct scalapack_pblas){ .grid_line = filter->line };
    if (!read_counts(&rest, &test->rows, 1) || !fr_slice_word(&rest, &word) ||
        !fr_slice_is(word, "x") || !read_counts(&rest, &test->columns, 1) || !test->rows ||
        !test->columns) {
        test->rows = 0;
        fr_filter_fault(filter, filter->line, FR_SYNTAX, "not a process grid such as 2 x 4");
    }
}

static bool read_sizes(struct fr_slice rest, struct scalapack_pblas *test)
{
    return read_counts(&rest, &test->m, 1) && read_counts(&rest, &test->n, 1) &&
           read_counts(&rest, &test->k, 1) && read_letter(&rest, "LR", &test->side) &&
           read_letter(&rest, "LU", &test->uplo) && read_letter(&rest, "NTC", &test->trans[0]) &&
           read_letter(&rest, "NTC", &test->trans[1]);
}

/* IA JA MA NA IMBA INBA MBA NBA RSRCA CSRCA */
static bool read_operand(struct fr_slice rest, int64_t *block)
{
    int64_t at[10];

    if (!read_counts(&rest, at, 10))
        return false;
    *block = at[0] == 1 && at[1] == 1 && at[4] == at[6] && at[5] == at[6] && at[7] == at[6] &&
                     !at[8] && !at[9]
                 ? at[6]
                 : 0;
    return true;
}

static void read_values(struct fr_filter *filter, struct fr_slice line,
                        struct scalapack_pblas *test)
{
    const bool is_read = test->next == SCALAPACK_SIZES
                             ? read_sizes(line, test)
                             : read_operand(line, &test->block[test->operand]);

    *(test->next == SCALAPACK_SIZES ? &test->sizes_line : &test->block_line) = filter->line;
    if (!is_read && scalapack_is_overfull(filter, line))
        test->is_overfull = true;
    else if (!is_read)
        fr_filter_fault(filter, filter->line, FR_SYNTAX,
                        "not the %s of a test of the Level 3 PBLAS",
                        test->next == SCALAPACK_SIZES ? "sizes" : "operand");
    test->next = SCALAPACK_NOTHING;
}

/* Sets how an operand enters; false if the model has no such choice. */
static bool set_transposed(const struct fr_filter *filter, struct fr_import_run *run,
                           const char *name, char letter)
{
    const char text[] = { letter, '\0' };
    const char *const *choice = fr_param_find(filter->model->params, name)->choices;

    fr_run_set_text(run, name, text);
    while (*choice && strcmp(*choice, text) != 0)
        choice++;
    return *choice != NULL;
}

static bool set_operands(const struct fr_filter *filter, const struct scalapack_pblas *test,
                         struct fr_import_run *run)
{
    if (strcmp(filter->model_name, "pdgemm") == 0) {
        fr_run_set(run, "k", (double)test->k);
        return set_transposed(filter, run, "transa", test->trans[0]) &&
               set_transposed(filter, run, "transb", test->trans[1]);
    }
    fr_run_set_text(run, "side", test->side == 'L' ? "L" : "R");
    fr_run_set_text(run, "uplo", test->uplo == 'L' ? "L" : "U");
    return set_transposed(filter, run, "trans", test->trans[0]);
}

static void write_result(struct fr_filter *filter, const struct scalapack_pblas *test,
                         bool is_product, struct fr_slice time, struct fr_slice rate)
{
    const double m = (double)test->m, n = (double)test->n, k = (double)test->k;
    const double order = test->side == 'L' ? m : n;
    struct fr_import_run run = { .line = test->sizes_line, .time_line = filter->line };

    scalapack_set_model(filter, is_product ? "pdgemm" : "pdtrsm");
    if (!set_operands(filter, test, &run) ||
        !scalapack_time(time, is_product ? 2 * m * n * k : m * n * order, rate, &run.time_s)) {
        filter->imported.left_out++;
        return;
    }
    fr_run_set(&run, "m", m);
    fr_run_set(&run, "n", n);
    fr_run_set(&run, "block_size", (double)test->block[0])->line = test->block_line;
    fr_run_set(&run, "process_rows", (double)test->rows)->line = test->grid_line;
    fr_run_set(&run, "process_columns", (double)test->columns)->line = test->grid_line;
    fr_run_set_text(&run, "mapping", "row")->line = 0;
    run.line = filter->line;
    fr_run_note(&run, "PBLAS timer");
    fr_run_begin(filter, &run);
    fr_run_end(filter);
}

/* `  PDGEMM           0.001      37039.666         -1.000          0.000` */
static void read_result(struct fr_filter *filter, struct fr_slice rest,
                        const struct scalapack_pblas *test)
{
    struct fr_slice routine, time, rate;
    bool is_product, has_operands;

    if (!fr_slice_word(&rest, &routine) || !fr_slice_word(&rest, &time) ||
        !fr_slice_word(&rest, &rate)) {
        fr_filter_fault(filter, filter->line, FR_SYNTAX,
                        "not a result of a test: routine, WALL time, WALL Mflops");
        return;
    }
    is_product = fr_slice_is(routine, "PDGEMM");
    has_operands = !test->is_overfull && !scalapack_is_overfull(filter, time) && test->block[0] &&
                   test->block[1] == test->block[0] &&
                   (!is_product || test->block[2] == test->block[0]);
    if ((is_product || fr_slice_is(routine, "PDTRSM")) && has_operands)
        write_result(filter, test, is_product, time, rate);
    else
        filter->imported.left_out++;
}

/* The timer replaces PILAENV, the logical block size of the PBLAS. */
static void check_logical_block(struct fr_filter *filter, struct fr_slice rest)
{
    int64_t block;

    if (!fr_slice_skip(&rest, ":") || !fr_slice_count(rest, &block) || block != CYCLIC_SLICE)
        fr_filter_fault(filter, filter->line, FR_RELATION,
                        "the models have the logical block size %d of the PBLAS; give it to the "
                        "timer",
                        CYCLIC_SLICE);
}

bool scalapack_read_pblas(struct fr_filter *filter, struct fr_slice line,
                          struct scalapack_pblas *test)
{
    static const char *const operands[] = { "IA ", "IB ", "IC " };
    struct fr_slice rest = line;

    if (fr_slice_skip(&rest, "Logical block size")) {
        check_logical_block(filter, rest);
    } else if (fr_slice_skip(&rest, "Test number")) {
        begin_test(filter, rest, test);
    } else if (test->rows && fr_slice_skip(&rest, "|")) {
        read_result(filter, rest, test);
        return true;
    } else if (test->rows && fr_slice_begins(line, "M ")) {
        test->next = SCALAPACK_SIZES;
    } else if (test->next != SCALAPACK_NOTHING && line.length && !fr_slice_begins(line, "--")) {
        read_values(filter, line, test);
    } else {
        for (size_t i = 0; test->rows && i < 3; i++)
            if (fr_slice_begins(line, operands[i])) {
                test->next = SCALAPACK_OPERAND;
                test->operand = i;
            }
    }
    return false;
}
