/* Checks of the inputs of a simulation. */
#include "engine/calibration/field.h"
#include "engine/sparse/counts/work_counts.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

static void check_number(const char *where, double value, double least, double most,
                         struct fr_faults *faults)
{
    if (!(value >= least && value <= most))
        fr_fault(faults, FR_RANGE, where, "%g; it must lie between %g and %g", value, least, most);
}

static void check_count(const char *where, int64_t value, int64_t most, struct fr_faults *faults)
{
    if (value < 1 || value > most)
        fr_fault(faults, FR_RANGE, where, "%" PRId64 "; it must lie between 1 and %" PRId64, value,
                 most);
}

static void check_level(const struct sparse_machine *machine, size_t q, struct fr_faults *faults)
{
    const struct sparse_level *level = &machine->level[q];
    char where[80];

    snprintf(where, sizeof where, "/memory/caches/%zu/line_bytes", q);
    if (!(level->line_bytes >= 8 && level->line_bytes <= 65536) || fmod(level->line_bytes, 8) != 0)
        fr_fault(faults, FR_RANGE, where, "%g; a line has a multiple of 8 bytes, at most 65536",
                 level->line_bytes);
    else if (level->line_bytes != machine->level[0].line_bytes)
        fr_fault(faults, FR_RELATION, where,
                 "%g; all levels must have the line size of the first level, %g", level->line_bytes,
                 machine->level[0].line_bytes);
    snprintf(where, sizeof where, "/memory/caches/%zu/capacity_bytes", q);
    if (!(level->capacity_bytes >= level->line_bytes && level->capacity_bytes <= 1e12))
        fr_fault(faults, FR_RANGE, where, "%g; it must lie between one line and 1e12 bytes",
                 level->capacity_bytes);
    else if (q > 0 && level->capacity_bytes < machine->level[q - 1].capacity_bytes)
        fr_fault(faults, FR_RELATION, where,
                 "%g is less than the capacity of the inner level, %g; list inner levels first",
                 level->capacity_bytes, machine->level[q - 1].capacity_bytes);
    snprintf(where, sizeof where, "/memory/caches/%zu/latency_s", q);
    check_number(where, level->latency_s, 1e-15, 1, faults);
}

int sparse_machine_check(const struct sparse_machine *machine, struct fr_faults *faults)
{
    const size_t count = faults->count;
    const int64_t most = 1000000;

    if (machine->levels < 1 || machine->levels > SPARSE_MAX_LEVELS)
        fr_fault(faults, FR_RANGE, "/memory/caches", "%zu levels; from 1 to %d are simulated",
                 machine->levels, SPARSE_MAX_LEVELS);
    for (size_t q = 0; q < machine->levels && q < SPARSE_MAX_LEVELS; q++)
        check_level(machine, q, faults);
    check_number("/memory/memory_latency_s", machine->memory_latency_s, 1e-15, 1, faults);
    check_number("/sparse/flop_time_s", machine->flop_s, 1e-18, 1, faults);
    check_count("/memory/index_bytes", machine->index_bytes, 16, faults);
    check_count("/sparse/dgemm_block/m", machine->dgemm_block.m, most, faults);
    check_count("/sparse/dgemm_block/n", machine->dgemm_block.n, most, faults);
    check_count("/sparse/dgemm_block/k", machine->dgemm_block.k, most, faults);
    check_count("/sparse/dgemm_unroll/m", machine->dgemm_unroll.m, most, faults);
    check_count("/sparse/dgemm_unroll/n", machine->dgemm_unroll.n, most, faults);
    check_count("/sparse/dger_unroll", machine->dger_unroll, most, faults);
    check_count("/sparse/dtrsv_unroll", machine->dtrsv_unroll, most, faults);
    check_number("dtrsv_loads_linear", machine->dtrsv_loads_linear, 0, 100, faults);
    return faults->count == count ? FR_OK : FR_RANGE;
}

int sparse_network_check(const struct sparse_network *network, struct fr_faults *faults)
{
    const size_t count = faults->count;

    if (network->points < 1 || network->points > SPARSE_MAX_POINTS)
        fr_fault(faults, FR_RANGE, "/network/message_bandwidth/points",
                 "%zu points; from 1 to %d are used", network->points, SPARSE_MAX_POINTS);
    for (size_t i = 0; i < network->points && i < SPARSE_MAX_POINTS; i++) {
        const double bytes = network->point[i].bytes;
        char where[80];

        snprintf(where, sizeof where, "/network/message_bandwidth/points/%zu", i);
        if (!(bytes > (i ? network->point[i - 1].bytes : 0) && bytes <= FR_GREATEST))
            fr_fault(faults, FR_RELATION, where,
                     "%g bytes; message sizes must be positive and ascending", bytes);
        check_number(where, network->point[i].bytes_per_s, FR_LEAST, FR_GREATEST, faults);
    }
    check_number("/network/message_bandwidth/latency_s", network->latency_s, 0, 1e6, faults);
    check_count("/memory/index_bytes", network->index_bytes, 16, faults);
    check_count("messages_per_panel", network->messages_per_panel, 2, faults);
    return faults->count == count ? FR_OK : FR_RANGE;
}

bool sparse_machine_is_alike(const struct sparse_machine *a, const struct sparse_machine *b)
{
    for (size_t q = 0; q < a->levels && q < b->levels; q++)
        if (a->level[q].capacity_bytes != b->level[q].capacity_bytes ||
            a->level[q].line_bytes != b->level[q].line_bytes ||
            a->level[q].policy != b->level[q].policy)
            return false;
    return a->levels == b->levels && a->index_bytes == b->index_bytes &&
           a->dgemm_block.m == b->dgemm_block.m && a->dgemm_block.n == b->dgemm_block.n &&
           a->dgemm_block.k == b->dgemm_block.k && a->dgemm_unroll.m == b->dgemm_unroll.m &&
           a->dgemm_unroll.n == b->dgemm_unroll.n && a->dger_unroll == b->dger_unroll &&
           a->dtrsv_unroll == b->dtrsv_unroll && a->dgemm_counts == b->dgemm_counts &&
           a->dtrsv_loads_linear == b->dtrsv_loads_linear &&
           a->counts_scatter == b->counts_scatter && a->destination == b->destination;
}
