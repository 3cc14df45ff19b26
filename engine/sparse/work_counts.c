/* Keeping charges; counting them is count.c's. */
#include "engine/sparse/work_counts.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct sparse_work_counts *sparse_work_counts_new(const struct sparse_structure *s,
                                                  struct sparse_grid grid, size_t panel_words,
                                                  size_t update_words, struct fr_faults *faults)
{
    struct sparse_work_counts *charges;

    if (grid.rows < 1 || grid.columns < 1 || sparse_processes(grid) > SPARSE_MAX_PROCESSES) {
        fr_fault(faults, FR_RANGE, "grid",
                 "%" PRId32 "x%" PRId32 " processes; from 1 to %d are simulated", grid.rows,
                 grid.columns, SPARSE_MAX_PROCESSES);
        return NULL;
    }
    charges = calloc(1, sizeof *charges);
    if (charges)
        charges->process = calloc((size_t)sparse_processes(grid), sizeof *charges->process);
    if (!charges || !charges->process) {
        free(charges);
        fr_fault(faults, FR_NOMEM, "grid", "the processes do not fit into memory");
        return NULL;
    }
    charges->has = calloc((size_t)sparse_processes(grid), (size_t)s->supernodes);
    if (!charges->has) {
        free(charges->process);
        free(charges);
        fr_fault(faults, FR_NOMEM, "grid", "the processes do not fit into memory");
        return NULL;
    }
    for (int64_t p = 0; p < sparse_processes(grid); p++)
        charges->process[p].has = charges->has + p * s->supernodes;
    charges->s = s;
    charges->grid = grid;
    charges->panel_words = panel_words;
    charges->update_words = update_words;
    return charges;
}

void sparse_work_counts_free(struct sparse_work_counts *charges)
{
    if (!charges)
        return;
    for (int64_t p = 0; p < sparse_processes(charges->grid); p++)
        free(charges->process[p].word);
    free(charges->has);
    free(charges->process);
    free(charges);
}

void sparse_process_begin(struct sparse_process *process)
{
    process->low = 0;
    process->high = INFINITY;
}

int sparse_process_add(struct sparse_process *process, int32_t k, enum sparse_charge charge,
                       const double *word, size_t words)
{
    if (process->words + words > process->room) {
        const size_t room = process->room + process->room / 2 + 64;
        double *more = realloc(process->word, room * sizeof *more);

        if (!more)
            return FR_NOMEM;
        process->word = more;
        process->room = room;
    }
    memcpy(process->word + process->words, word, words * sizeof *word);
    process->words += words;
    process->has[k] |= (uint8_t)charge;
    return FR_OK;
}

void sparse_process_end(struct sparse_process *process)
{
    double *word = process->words ? realloc(process->word, process->words * sizeof *word) : NULL;

    if (!word)
        return;
    process->word = word;
    process->room = process->words;
}

struct sparse_work_counts *sparse_work_counts_paper(const struct sparse_structure *s,
                                                    struct sparse_grid grid,
                                                    const struct sparse_machine *machine,
                                                    struct fr_faults *faults)
{
    struct sparse_work_counts *charges =
        sparse_work_counts_new(s, grid, 1 + machine->levels, 2 + machine->levels, faults);

    if (charges)
        charges->machine = *machine;
    return charges;
}

int sparse_work_counts_count_all(struct sparse_work_counts *charges, struct fr_faults *faults)
{
    struct sparse_counter *counter = sparse_counter_new(charges);
    int code = counter ? FR_OK : FR_NOMEM;

    for (int64_t p = 0; p < sparse_processes(charges->grid) && code == FR_OK; p++)
        code = sparse_work_counts_count(charges, counter, p);
    sparse_counter_free(counter);
    if (code != FR_OK)
        fr_fault(faults, FR_NOMEM, "grid", "the simulation does not fit into memory");
    return code;
}

int sparse_work_counts_bound(struct sparse_work_counts *charges, struct fr_faults *faults)
{
    if (sparse_miss_bounds(charges->s, &charges->machine, &charges->bounds) == FR_OK)
        return FR_OK;
    return fr_fault(faults, FR_NOMEM, "grid", "the simulation does not fit into memory");
}

bool sparse_work_counts_hold(const struct sparse_work_counts *charges,
                             const struct sparse_machine *other)
{
    const struct sparse_machine *machine = &charges->machine;
    const double ratio = other->level[0].latency_s / other->flop_s;

    if (!sparse_machine_is_alike(machine, other))
        return false;
    if (ratio == machine->level[0].latency_s / machine->flop_s)
        return true;
    for (int64_t p = 0; p < sparse_processes(charges->grid); p++)
        if (!(ratio >= charges->process[p].low && ratio * (1 + 1e-12) < charges->process[p].high))
            return false;
    return true;
}

struct sparse_costs sparse_costs_paper(const struct sparse_machine *machine)
{
    struct sparse_costs costs = { .panel_words = 1 + machine->levels,
                                  .update_words = 2 + machine->levels };

    costs.update[0] = machine->flop_s;
    costs.panel[0] = costs.update[1] = machine->level[0].latency_s;
    for (size_t q = 0; q < machine->levels; q++) {
        const double next_s =
            q + 1 < machine->levels ? machine->level[q + 1].latency_s : machine->memory_latency_s;

        costs.panel[1 + q] = costs.update[2 + q] = next_s - machine->level[q].latency_s;
    }
    return costs;
}

struct sparse_totals sparse_work_counts_totals(const struct sparse_work_counts *charges)
{
    struct sparse_totals sum = { 0 };

    for (int64_t p = 0; p < sparse_processes(charges->grid); p++) {
        const struct sparse_totals *one = &charges->process[p].totals;

        sum.flops_dgemm += one->flops_dgemm;
        sum.loads += one->loads;
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
