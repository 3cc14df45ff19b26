/* Saved runs: checks of a document, and the grids that become parameters
 * (docs/saved_runs.md#the-document). */
#include "engine/runs/saved_run.h"
#include "engine/core/param.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Grids of the document, which are parameters of the models that have them. */
static const struct {
    const char *name;
    size_t offset;
} grids[] = {
    { "local_grid", offsetof(struct fr_run_document, local_grid) },
    { "process_grid", offsetof(struct fr_run_document, process_grid) },
    { "on_node_grid", offsetof(struct fr_run_document, on_node_grid) },
    { "allocation", offsetof(struct fr_run_document, allocation) },
};
enum { GRIDS = sizeof grids / sizeof *grids };

static const fr_numbers *grid_at(const struct fr_run_document *document, size_t grid)
{
    return (const void *)((const char *)document + grids[grid].offset);
}

static bool is_ragged(const fr_number_lists *lists, size_t rows, size_t columns)
{
    for (size_t i = 0; i < lists->count; i++)
        if (lists->row[i].count != columns)
            return true;
    return lists->count != rows;
}

static void check_lists(const fr_number_lists *lists, size_t rows, size_t columns,
                        const char *pointer, struct fr_faults *faults)
{
    if (!rows || !columns)
        fr_fault(faults, FR_RANGE, pointer, "is empty; a row for each iteration is needed");
    else if (is_ragged(lists, rows, columns))
        fr_fault(faults, FR_RELATION, pointer,
                 "all rows and phases must have one size, here %zu rows of %zu numbers", rows,
                 columns);
}

static void check_computation(const struct fr_run_computation *c, struct fr_faults *faults)
{
    const fr_number_lists *matvec = &c->phases.matvec_s, *total = &c->total_s;
    const bool has_phases = matvec->row, has_total = total->row;
    const bool has_summary = !isnan(c->summary.median_s);

    if (has_phases + has_total + has_summary > 1)
        fr_fault(faults, FR_RELATION, "/computation",
                 "give one of phases, total_s and summary, not several");
    if (has_phases) {
        const size_t rows = matvec->count, columns = rows ? matvec->row[0].count : 0;

        check_lists(matvec, rows, columns, "/computation/phases/matvec_s", faults);
        check_lists(&c->phases.preconditioner_s, rows, columns,
                    "/computation/phases/preconditioner_s", faults);
        check_lists(&c->phases.vector_s, rows, columns, "/computation/phases/vector_s", faults);
    }
    if (has_total)
        check_lists(total, total->count, total->count ? total->row[0].count : 0,
                    "/computation/total_s", faults);
}

static void check_network(const struct fr_network_state *state, struct fr_faults *faults)
{
    const int parts = !isnan(state->stalls) + !isnan(state->traffic_units) +
                      !isnan(state->bytes_per_traffic_unit);

    if (parts && !isnan(state->stalls_per_byte))
        fr_fault(faults, FR_RELATION, "/network_state",
                 "give stalls_per_byte, or stalls with traffic_units and bytes_per_traffic_unit");
    else if (parts && parts < 3)
        fr_fault(faults, FR_MISSING, "/network_state",
                 "stalls, traffic_units and bytes_per_traffic_unit belong together");
}

static void check_breakdown(const struct fr_run_document *document, struct fr_faults *faults)
{
    for (size_t i = 0; i < document->breakdown.count; i++) {
        for (size_t k = 0; k < i; k++) {
            char pointer[60];

            if (!document->breakdown.row[i].phase || !document->breakdown.row[k].phase ||
                strcmp(document->breakdown.row[i].phase, document->breakdown.row[k].phase))
                continue;
            snprintf(pointer, sizeof pointer, "/breakdown/%zu/phase", i);
            fr_fault(faults, FR_REPEATED, pointer, "'%.40s' is given twice",
                     document->breakdown.row[i].phase);
        }
    }
}

int fr_run_check(const struct fr_model *model, const struct fr_run_document *document,
                 struct fr_faults *faults)
{
    const size_t before = faults->count;

    for (size_t i = 0; i < GRIDS; i++) {
        char pointer[40];

        snprintf(pointer, sizeof pointer, "/%s", grids[i].name);
        if (grid_at(document, i)->row && !fr_param_find(model->params, grids[i].name))
            fr_fault(faults, FR_UNKNOWN_KEY, pointer, "%s has no %s", model->name, grids[i].name);
    }
    check_computation(&document->computation, faults);
    check_network(&document->network_state, faults);
    check_breakdown(document, faults);
    return faults->count > before ? FR_RELATION : FR_OK;
}

/* Copies a grid of the document to its parameter.  If the parameters contain it too, both must be
 * equal. */
static void take_grid(struct fr_saved_run *run, size_t grid, void *values, struct fr_faults *faults)
{
    const struct fr_param *param = fr_param_find(run->model->params, grids[grid].name);
    const fr_numbers *extents = grid_at(run->document, grid);
    struct fr_vector vector = { .count = extents->count };
    char pointer[40];

    if (!extents->row || !param)
        return;
    snprintf(pointer, sizeof pointer, "/%s", grids[grid].name);
    if (vector.count < 1 || vector.count > FR_MAX_EXTENTS) {
        fr_fault(faults, FR_TYPE, pointer, "must be one to three whole numbers");
        return;
    }
    for (size_t i = 0; i < vector.count; i++) {
        vector.at[i] = (int64_t)fmin(extents->row[i], 9e15);
        if ((double)vector.at[i] != extents->row[i]) {
            fr_fault(faults, FR_TYPE, pointer, "every extent must be a whole number");
            return;
        }
    }
    if (fr_param_check_vector(param, &vector, faults) != FR_OK)
        return;
    if (!fr_param_is_open(param, values) &&
        !fr_vector_equal(&vector, fr_param_vector(param, values)))
        fr_fault(faults, FR_RELATION, pointer, "differs from %s among the parameters",
                 grids[grid].name);
    fr_param_set_vector(param, values, &vector);
    run->given |= fr_param_bit(run->model->params, param);
}

int fr_saved_run_finish(struct fr_saved_run *run, void *values, struct fr_arena *arena,
                        struct fr_faults *faults)
{
    const struct fr_network_state *state = &run->document->network_state;
    const size_t before = faults->count;

    for (size_t i = 0; i < GRIDS; i++)
        take_grid(run, i, values, faults);
    run->values = values;
    run->stalls_per_byte = state->stalls_per_byte;
    if (!isnan(state->stalls))
        run->stalls_per_byte =
            state->stalls / (state->traffic_units * state->bytes_per_traffic_unit);
    if (!faults->count)
        fr_run_summarize(&run->document->computation, arena, &run->computation, faults);
    return faults->count > before ? FR_RELATION : FR_OK;
}
