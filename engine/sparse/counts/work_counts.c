/* Stores the counted work of all processes and turns it into times. */
#include "engine/sparse/counts/work_counts.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct sparse_work_counts *sparse_work_counts_new(const struct sparse_structure *s,
                                                  struct sparse_grid grid, size_t panel_terms,
                                                  size_t update_terms, struct fr_faults *faults)
{
    struct sparse_work_counts *counts;

    if (grid.rows < 1 || grid.columns < 1 || sparse_processes(grid) > SPARSE_MAX_PROCESSES) {
        fr_fault(faults, FR_RANGE, "grid",
                 "%" PRId32 "x%" PRId32 " processes; from 1 to %d are simulated", grid.rows,
                 grid.columns, SPARSE_MAX_PROCESSES);
        return NULL;
    }
    counts = calloc(1, sizeof *counts);
    if (counts)
        counts->process = calloc((size_t)sparse_processes(grid), sizeof *counts->process);
    if (!counts || !counts->process) {
        free(counts);
        fr_fault(faults, FR_NOMEM, "grid", "the processes do not fit into memory");
        return NULL;
    }
    counts->has = calloc((size_t)sparse_processes(grid), (size_t)s->supernodes);
    if (!counts->has) {
        free(counts->process);
        free(counts);
        fr_fault(faults, FR_NOMEM, "grid", "the processes do not fit into memory");
        return NULL;
    }
    for (int64_t p = 0; p < sparse_processes(grid); p++)
        counts->process[p].has = counts->has + p * s->supernodes;
    counts->s = s;
    counts->grid = grid;
    counts->panel_terms = panel_terms;
    counts->update_terms = update_terms;
    return counts;
}

void sparse_work_counts_free(struct sparse_work_counts *counts)
{
    if (!counts)
        return;
    for (int64_t p = 0; p < sparse_processes(counts->grid); p++)
        free(counts->process[p].term);
    free(counts->has);
    free(counts->process);
    free(counts);
}

void sparse_process_begin(struct sparse_process *process)
{
    process->low = 0;
    process->high = INFINITY;
}

int sparse_process_add(struct sparse_process *process, int32_t k, enum sparse_operation operation,
                       const double *term, size_t terms)
{
    if (process->terms + terms > process->room) {
        const size_t room = process->room + process->room / 2 + 64;
        double *more = realloc(process->term, room * sizeof *more);

        if (!more)
            return FR_NOMEM;
        process->term = more;
        process->room = room;
    }
    memcpy(process->term + process->terms, term, terms * sizeof *term);
    process->terms += terms;
    process->has[k] |= (uint8_t)operation;
    return FR_OK;
}

void sparse_process_end(struct sparse_process *process)
{
    double *term = process->terms ? realloc(process->term, process->terms * sizeof *term) : NULL;

    if (!term)
        return;
    process->term = term;
    process->room = process->terms;
}

struct sparse_work_counts *sparse_work_counts_paper(const struct sparse_structure *s,
                                                    struct sparse_grid grid,
                                                    const struct sparse_machine *machine,
                                                    struct fr_faults *faults)
{
    struct sparse_work_counts *counts =
        sparse_work_counts_new(s, grid, 1 + machine->levels, 2 + machine->levels, faults);

    if (counts)
        counts->machine = *machine;
    return counts;
}

int sparse_work_counts_bound(struct sparse_work_counts *counts, struct fr_faults *faults)
{
    if (sparse_miss_bounds(counts->s, &counts->machine, &counts->bounds) == FR_OK)
        return FR_OK;
    return fr_fault(faults, FR_NOMEM, "grid", "the simulation does not fit into memory");
}

bool sparse_work_counts_hold(const struct sparse_work_counts *counts,
                             const struct sparse_machine *other)
{
    const struct sparse_machine *machine = &counts->machine;
    const double ratio = other->level[0].latency_s / other->flop_s;

    if (!sparse_machine_is_alike(machine, other))
        return false;
    if (ratio == machine->level[0].latency_s / machine->flop_s)
        return true;
    for (int64_t p = 0; p < sparse_processes(counts->grid); p++)
        if (!(ratio >= counts->process[p].low && ratio * (1 + 1e-12) < counts->process[p].high))
            return false;
    return true;
}

struct sparse_costs sparse_costs_paper(const struct sparse_machine *machine)
{
    struct sparse_costs costs = { .panel_terms = 1 + machine->levels,
                                  .update_terms = 2 + machine->levels };

    costs.update[0] = machine->flop_s;
    costs.panel[0] = costs.update[1] = machine->level[0].latency_s;
    for (size_t q = 0; q < machine->levels; q++) {
        const double next_s =
            q + 1 < machine->levels ? machine->level[q + 1].latency_s : machine->memory_latency_s;

        costs.panel[1 + q] = costs.update[2 + q] = next_s - machine->level[q].latency_s;
    }
    return costs;
}

struct sparse_totals sparse_work_counts_totals(const struct sparse_work_counts *counts)
{
    struct sparse_totals sum = { 0 };

    for (int64_t p = 0; p < sparse_processes(counts->grid); p++) {
        const struct sparse_totals *one = &counts->process[p].totals;

        sum.flops_dgemm += one->flops_dgemm;
        sum.loads += one->loads;
        sum.inner_loads += one->inner_loads;
        sum.stores += one->stores;
        for (size_t q = 0; q < SPARSE_MAX_LEVELS; q++)
            sum.misses[q] += one->misses[q];
        sum.dgemms_flops_bound += one->dgemms_flops_bound;
        sum.dgemms_memory_bound += one->dgemms_memory_bound;
        sum.updates += one->updates;
    }
    return sum;
}

double sparse_totals_s(const struct sparse_totals *totals, const struct sparse_machine *machine)
{
    const struct sparse_costs costs = sparse_costs_paper(machine);
    double time_s =
        totals->flops_dgemm * costs.update[0] + (totals->loads + totals->stores) * costs.update[1];

    for (size_t q = 0; q < machine->levels; q++)
        time_s += totals->misses[q] * costs.update[2 + q];
    return time_s;
}
