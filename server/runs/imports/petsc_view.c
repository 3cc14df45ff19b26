/* What PETSc prints before a log: with -ksp_view the method, restart, initial guess, preconditioner
 * and size of the matrix; with -ksp_converged_reason the iterations. */
#include "server/runs/imports/petsc.h"

#include <string.h>

/* The count behind a name, as `10` in `restart=10, using ...`; 0 without one. */
static int64_t count_after(struct fr_slice line, const char *name)
{
    struct fr_slice digits = line;
    int64_t count = 0;

    if (!fr_slice_skip(&digits, name))
        return 0;
    for (size_t i = 0; i < digits.length; i++)
        if (digits.at[i] < '0' || digits.at[i] > '9')
            digits.length = i;
    return fr_slice_count(digits, &count) ? count : 0;
}

static void take_type(struct petsc_view *view, struct fr_slice type, size_t line)
{
    if (view->is_pc && (!view->is_nested || view->is_block)) {
        view->is_block = !view->is_nested && fr_slice_is(type, "bjacobi");
        view->preconditioner = type;
        view->preconditioner_line = line;
    } else if (!view->is_pc && !view->is_nested) {
        view->type = type;
        view->type_line = line;
    } else if (!view->is_pc && view->is_block && !fr_slice_is(type, "preonly")) {
        view->other = type; /* a solver within each block */
    }
    view->is_nested = true; /* types of matrices follow */
}

bool fr_petsc_views_differ(const struct petsc_view *view)
{
    const struct petsc_solve_name *before = &view->before;

    return view->differ ||
           (view->has_before &&
            !(fr_slice_equal(view->prefix, before->prefix) &&
              fr_slice_equal(view->type, before->type) && view->restart == before->restart &&
              (!view->rows || !before->rows || view->rows == before->rows)));
}

static void begin_view(struct petsc_view *view, struct fr_slice prefix, size_t indent)
{
    const struct petsc_view before = *view;

    *view = (struct petsc_view){ .has_begun = true, .indent = indent };
    if (fr_slice_begins(prefix, "("))
        fr_slice_word(&prefix, &view->prefix);
    view->has_before = before.has_begun;
    view->differ = fr_petsc_views_differ(&before);
    view->before =
        (struct petsc_solve_name){ before.prefix, before.type, before.restart, before.rows };
}

static void take_object(struct petsc_view *view, bool is_pc, struct fr_slice rest, size_t indent)
{
    if (!is_pc && (!view->has_begun || indent <= view->indent))
        begin_view(view, rest, indent);
    view->is_pc = is_pc;
    view->is_system = false;
    view->is_inner = view->is_nested = indent > view->indent;
}

/* Up to 3.7 such a line begins with the method: `GMRES: restart=30, using ...`. */
static void skip_method(struct fr_slice *line)
{
    struct fr_slice rest = *line, word;

    if (fr_slice_word(&rest, &word) && word.length > 1 && word.at[word.length - 1] == ':' &&
        word.at[0] >= 'A' && word.at[0] <= 'Z')
        *line = fr_slice_trim(rest);
}

/* What the model's preconditioners do not have: fill, blocks that are not those of the processes,
 * the factors of another library. */
static void take_preconditioner(struct petsc_view *view, struct fr_slice line)
{
    static const char blocks[] = "number of blocks = ";
    struct fr_slice rest = line;
    const char *count = memmem(line.at, line.length, blocks, sizeof blocks - 1);

    skip_method(&line);
    if (count && view->is_block) {
        rest = (struct fr_slice){ count, (size_t)(line.at + line.length - count) };
        view->blocks = count_after(rest, blocks);
    } else if ((fr_slice_has(line, "level of fill") || fr_slice_has(line, "levels of fill")) &&
               count_after(line, "") > 0) {
        view->other = line;
    } else if (fr_slice_skip(&rest, "package used to perform factorization:") &&
               !fr_slice_is(rest, "petsc")) {
        view->other = line;
    }
}

/* A line of the solver itself, not of one within its preconditioner. */
static void take_method(struct petsc_view *view, struct fr_slice line, size_t number)
{
    skip_method(&line);
    if (fr_slice_begins(line, "using single-reduction variant"))
        view->is_single_reduction = true;
    else if (fr_slice_begins(line, "maximum iterations="))
        view->guess = fr_slice_has(line, "initial guess is zero")   ? PETSC_GUESS_ZERO
                      : fr_slice_has(line, "nonzero initial guess") ? PETSC_GUESS_NONZERO
                                                                    : view->guess;
    else if (fr_slice_begins(line, "using NONE norm"))
        view->unmodelled[PETSC_OTHER_NORM] = line;
    if (!fr_slice_begins(line, "restart="))
        return;
    view->restart = count_after(line, "restart=");
    view->restart_line = number;
    if (fr_slice_has(line, "Orthogonalization") &&
        !(fr_slice_has(line, "Classical") && fr_slice_has(line, "no iterative refinement")))
        view->unmodelled[PETSC_OTHER_ORTHOGONALIZATION] = line;
}

/* The type of the system's matrix: the models have rows of entries, or of dense blocks. */
static void take_matrix(struct petsc_view *view, struct fr_slice line, struct fr_slice type)
{
    static const char *const known[] = { "seqaij", "mpiaij", "seqbaij", "mpibaij" };
    size_t i = 0;

    while (i < sizeof known / sizeof *known && !fr_slice_is(type, known[i]))
        i++;
    view->unmodelled[PETSC_OTHER_MATRIX] =
        i < sizeof known / sizeof *known ? (struct fr_slice){ NULL, 0 } : line;
    view->is_system = false;
}

void fr_petsc_view(struct petsc_view *view, struct fr_slice line, size_t number, size_t indent)
{
    struct fr_slice rest = line;

    if (fr_slice_skip(&rest, "KSP Object:"))
        take_object(view, false, rest, indent);
    else if (fr_slice_skip(&rest, "PC Object:"))
        take_object(view, true, rest, indent);
    else if (fr_slice_skip(&rest, "type:") && view->is_system)
        take_matrix(view, line, rest);
    else if (fr_slice_begins(line, "type:"))
        take_type(view, rest, number);
    else if (fr_slice_begins(line, "linear system matrix")) {
        view->rows = view->nonzeros = 0; /* its own follow; the last is the system's */
        view->is_system = true;
    } else if (fr_slice_begins(line, "rows=") && !view->rows) {
        view->rows = count_after(line, "rows=");
        view->rows_line = number;
    } else if (fr_slice_begins(line, "total: nonzeros=") && !view->nonzeros)
        view->nonzeros = count_after(line, "total: nonzeros=");
    else if (view->is_pc)
        take_preconditioner(view, line);
    else if (!view->is_inner)
        take_method(view, line, number);
}

static bool has_any(struct fr_slice line, const char *const *texts)
{
    while (*texts && !fr_slice_has(line, *texts))
        texts++;
    return *texts != NULL;
}

/* What ends in `iterations 25`: `Linear solve converged due to CONVERGED_RTOL iterations 25`, and
 * what PETSc's examples print.  Other iterations than those of a linear solve do not count, nor
 * those of a solve with a prefix, which is within another one. */
bool fr_petsc_iterations(struct fr_slice line, int64_t *iterations)
{
    static const char *const others[] = { "onlinear", "SNES", "Newton", "Tao",
                                          "TS ",      "EPS",  "max",    NULL };
    static const char word[] = "terations";
    const char *last = NULL, *next = line.at, *end = line.at + line.length;
    struct fr_slice count;

    while ((next = memmem(next, (size_t)(end - next), word, sizeof word - 1)))
        last = next++;
    if (!last || last == line.at || (last[-1] != 'i' && last[-1] != 'I') || has_any(line, others) ||
        (fr_slice_begins(line, "Linear ") && !fr_slice_begins(line, "Linear solve ")))
        return false;
    last += sizeof word - 1;
    count = fr_slice_trim((struct fr_slice){ last, (size_t)(end - last) });
    if (!fr_slice_skip(&count, "="))
        fr_slice_skip(&count, ":");
    return fr_slice_count(count, iterations) && *iterations > 0;
}
