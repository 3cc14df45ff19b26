/* What PETSc prints with -ksp_view: method, restart, preconditioner, size of the matrix. */
#include "server/runs/imports/petsc.h"

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

static void take_type(struct petsc_view *view, struct fr_slice type)
{
    if (view->is_pc && !view->is_nested) {
        view->preconditioner = type;
        view->is_block = fr_slice_is(type, "bjacobi");
    } else if (view->is_pc && view->is_block) {
        view->preconditioner = type;
        view->is_block = false;
    } else if (!view->is_pc && !view->is_nested) {
        view->type = type;
    }
    view->is_nested = true; /* types of matrices follow */
}

void fr_petsc_view(struct petsc_view *view, struct fr_slice line, bool is_indented)
{
    struct fr_slice rest = line;

    if (fr_slice_begins(line, "KSP Object:")) {
        if (!is_indented)
            *view = (struct petsc_view){ .restart = 0 };
        view->is_pc = false;
        view->is_nested = is_indented;
    } else if (fr_slice_begins(line, "PC Object:")) {
        view->is_pc = true;
        view->is_nested = is_indented;
    } else if (fr_slice_skip(&rest, "type:")) {
        take_type(view, rest);
    } else if (fr_slice_is(line, "using single-reduction variant")) {
        view->is_single_reduction = true;
    } else if (fr_slice_begins(line, "restart=") && !view->restart) {
        view->restart = count_after(line, "restart=");
    } else if (fr_slice_begins(line, "rows=")) {
        view->rows = count_after(line, "rows="); /* the last is the system's */
    } else if (fr_slice_begins(line, "total: nonzeros=")) {
        view->nonzeros = count_after(line, "total: nonzeros=");
    }
}
