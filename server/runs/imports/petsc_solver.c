/* The method of a PETSc log, by PETSc's name or forerun's. */
#include "engine/krylov/solvers/solvers.h"
#include "server/runs/imports/petsc.h"

#include <stdio.h>
#include <string.h>

/* The solver by forerun's name or PETSc's; KRYLOV_SOLVERS: none of them. */
static int solver_named(struct fr_slice name)
{
    const struct fr_param *solvers = fr_param_find(fr_model_find("solve")->params, "solver");
    char text[FR_IMPORT_TEXT_BYTES];
    int solver;

    fr_slice_print(name, text, sizeof text);
    solver = fr_param_choice(solvers, text);
    return solver == FR_OPEN_CHOICE ? KRYLOV_SOLVERS : solver;
}

/* PETSc's name where it differs, or NULL. */
static const char *alias_of(int solver)
{
    for (const struct fr_choice_alias *alias = krylov_solver_aliases; alias->name; alias++)
        if (alias->choice == solver)
            return alias->name;
    return NULL;
}

static struct fr_slice slice_of(const char *text)
{
    return (struct fr_slice){ text, strlen(text) };
}

bool fr_petsc_is_beyond_cg(const struct fr_import_given *given)
{
    for (size_t i = 0; i < given->count; i++)
        if (strcmp(given->pair[i].name, "solver") == 0) {
            const int solver = solver_named(slice_of(given->pair[i].value));

            return solver >= KRYLOV_CG_SOLVERS && solver < KRYLOV_SOLVERS;
        }
    return false;
}

/* The names, PETSc's in brackets. */
static void list_solvers(int count, char *out, size_t size)
{
    size_t used = 0;

    for (int i = 0; i < count && used < size; i++) {
        const char *alias = alias_of(i);

        used += (size_t)snprintf(out + used, size - used, "%s%s%s%s%s", i ? ", " : "",
                                 krylov_solver_names[i], alias ? " (" : "", alias ? alias : "",
                                 alias ? ")" : "");
    }
}

int fr_petsc_solver(struct fr_filter *filter, const struct petsc_log *log)
{
    const bool is_cg = strcmp(filter->model_name, "cg") == 0;
    const int known = is_cg ? KRYLOV_CG_SOLVERS : KRYLOV_SOLVERS;
    const char *given = fr_filter_given(filter, "solver");
    const bool has_view = log->view.type.length;
    int solver = solver_named(has_view ? log->view.type : slice_of(given ? given : ""));
    char name[FR_IMPORT_TEXT_BYTES], names[300];

    list_solvers(known, names, sizeof names);
    fr_slice_print(has_view ? log->view.type : slice_of(given ? given : ""), name, sizeof name);
    if (solver == SOLVER_PCG && log->view.is_single_reduction)
        solver = SOLVER_SAPCG;
    if (!given && !has_view)
        fr_fault(filter->faults, FR_MISSING, "solver",
                 "required: the log does not name the method, and no output of -ksp_view is before "
                 "it; one of %s",
                 names);
    else if (solver >= known)
        fr_fault(filter->faults, FR_CHOICE, "solver", "'%.40s' is not one of %s", name, names);
    else if (has_view && given && solver_named(slice_of(given)) != solver)
        fr_filter_fault(filter, log->line, FR_RELATION,
                        "solver is %s here, but %.40s in the request", krylov_solver_names[solver],
                        given);
    else
        return solver;
    return KRYLOV_SOLVERS;
}
