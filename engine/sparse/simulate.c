/* Runs the parts of a simulation, and adds them. */
#include "engine/sparse/simulate.h"
#include "engine/lookup/lookup.h"

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

int sparse_find_forests(struct sparse_simulation *of, struct fr_evaluation *run)
{
    const int code = sparse_forests_init(&of->forests, of->s, of->layers);

    if (code == FR_NOMEM)
        return sparse_no_memory(run);
    if (code == FR_TOO_LONG)
        return fr_fault(run->faults, FR_TOO_LONG, "process_layers",
                        "the structure has too many small trees to divide them among %d layers; "
                        "ask for fewer",
                        (int)of->layers);
    return sparse_spend(of, of->forests.steps, run);
}

/* The overlaps of the paper look ahead by one step. */
static int find_memory(struct sparse_simulation *of, const struct fr_evaluation *run)
{
    const int32_t lookahead = of->network.overlap == SPARSE_WINDOW ? of->window : 1;
    const int code = sparse_memory_find(of->s, of->grid, sparse_forests_of(of),
                                        of->network.index_bytes, lookahead, &of->memory);

    return code == FR_OK ? FR_OK : sparse_no_memory(run);
}

/* Charges the request for what looks at every block. */
static int begin(const struct sparse_simulation *of, const struct fr_evaluation *run)
{
    if (!of->s)
        return fr_fault(run->faults, FR_NOT_FOUND, "matrix",
                        "its block structure is not available");
    return sparse_spend(of, sparse_find_steps(of->s), run);
}

/* A step waits for the panels of one process column and one process row. */
static void find_slowest(struct sparse_simulation *of, struct fr_evaluation *run)
{
    const double all = (double)sparse_all_processes(of);
    const double meeting = (double)of->grid.rows + (double)of->grid.columns - 1;

    of->slowest = of->by_alone = 1;
    if (!of->is_calibrated)
        return;
    of->by_alone = fr_kernel_slowest(run, 1, 1);
    of->slowest = fr_kernel_slowest(run, all, meeting);
    of->by_alone /= of->slowest;
}

int sparse_simulate(struct sparse_simulation *of, struct fr_evaluation *run)
{
    int code = begin(of, run);

    find_slowest(of, run);
    if (code == FR_OK)
        code = simulate_parts(of, run);
    if (code == FR_OK)
        code = find_memory(of, run);
    sparse_forests_free(&of->forests);
    return code;
}

int sparse_simulate_memory(struct sparse_simulation *of, struct fr_evaluation *run)
{
    int code = begin(of, run);

    if (code == FR_OK && of->layers > 1)
        code = sparse_find_forests(of, run);
    if (code == FR_OK)
        code = find_memory(of, run);
    sparse_forests_free(&of->forests);
    return code;
}
