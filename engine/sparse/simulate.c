/* Runs the parts of a simulation, and adds them. */
#include "engine/sparse/simulate.h"

#include "engine/sparse/simulate_parts.h"

#include <math.h>

static void add(struct sparse_times *sum, const struct sparse_times *part, double times,
                double processes)
{
    sum->time_s += times * part->time_s;
    sum->computation_s += times * part->computation_s;
    sum->communication_s += times * part->communication_s;
    sum->critical_load_s += times * part->critical_load_s;
    sum->load_s += times * part->load_s;
    sum->messages += times * part->messages;
    sum->message_bytes += times * part->message_bytes;
    sum->largest_message_bytes = fmax(sum->largest_message_bytes, part->largest_message_bytes);
    sum->most_load_s += times * part->most_load_s;
    sum->most_sending_s += times * part->most_sending_s;
    sum->critical_path_s += times * part->critical_path_s;
    sum->load_balance = sum->load_s > 0 ? sum->critical_load_s * processes / sum->load_s : 1;
}

static int simulate_parts(struct sparse_simulation *of, struct fr_evaluation *run)
{
    const double processes = (double)sparse_processes(of->grid);
    int code = FR_OK;

    if (of->part != SPARSE_ONLY_SOLVE)
        code = of->network.overlap == SPARSE_WINDOW ? sparse_simulate_window(of, run)
                                                    : sparse_simulate_overlaps(of, run);
    if (code == FR_OK && of->part != SPARSE_ONLY_FACTOR)
        code = sparse_simulate_solve(of, run);
    of->total = of->times;
    if (of->part != SPARSE_ONLY_FACTOR)
        add(&of->total, &of->solve.times, (double)of->solves, processes);
    return code;
}

/* The overlaps of the paper look ahead by one step. */
static int find_memory(struct sparse_simulation *of)
{
    const int32_t lookahead = of->network.overlap == SPARSE_WINDOW ? of->window : 1;

    return sparse_memory_find(of->s, of->grid, sparse_forests_of(of), of->network.index_bytes,
                              lookahead, &of->memory);
}

int sparse_simulate(struct sparse_simulation *of, struct fr_evaluation *run)
{
    int code;

    if (!of->s)
        return fr_fault(run->faults, FR_NOT_FOUND, "matrix",
                        "its block structure is not available");
    code = sparse_spend(of, sparse_find_steps(of->s), run);
    if (code == FR_OK)
        code = simulate_parts(of, run);
    if (code == FR_OK && find_memory(of) != FR_OK)
        code = sparse_no_memory(run);
    sparse_forests_free(&of->forests);
    return code;
}
