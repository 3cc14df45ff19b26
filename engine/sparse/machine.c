/* From a calibration to the inputs of a simulation. */
#include "engine/sparse/simulate.h"

#include <math.h>

static bool has_index_bytes(const struct fr_calibration *cal)
{
    return cal->memory.index_bytes == floor(cal->memory.index_bytes) &&
           cal->memory.index_bytes <= 16;
}

static int64_t index_bytes_of(const struct fr_calibration *cal)
{
    return has_index_bytes(cal) ? (int64_t)cal->memory.index_bytes : 0;
}

static void need(bool is_there, const char *name, struct fr_faults *faults)
{
    if (!is_there)
        fr_fault(faults, FR_GROUP_MISSING, "calibration", "%s is missing", name);
}

static void need_index_bytes(const struct fr_calibration *cal, struct fr_faults *faults)
{
    need(!isnan(cal->memory.index_bytes), "memory.index_bytes", faults);
    if (!isnan(cal->memory.index_bytes) && !has_index_bytes(cal))
        fr_fault(faults, FR_GROUP_MISSING, "calibration",
                 "memory.index_bytes is %g; a whole number from 1 to 16 is needed",
                 cal->memory.index_bytes);
}

/* Reports faults of calibrated values as faults of `calibration`. */
static void move_faults(const struct fr_faults *from, struct fr_faults *to)
{
    for (size_t i = 0; i < fr_faults_kept(from); i++)
        fr_fault(to, FR_GROUP_MISSING, "calibration", "%s: %s", from->fault[i].where,
                 from->fault[i].message);
}

/* ---- the paper's machine -------------------------------------------------------------------- */

struct sparse_machine sparse_machine_of(const struct fr_calibration *cal)
{
    struct sparse_machine machine = {
        .flop_s = cal->sparse.flop_time_s,
        .memory_latency_s = cal->memory.memory_latency_s,
        .levels = cal->memory.caches.count,
        .index_bytes = index_bytes_of(cal),
        .dgemm_block = { cal->sparse.dgemm_block.m, cal->sparse.dgemm_block.n,
                         cal->sparse.dgemm_block.k },
        .dgemm_unroll = { cal->sparse.dgemm_unroll.m, cal->sparse.dgemm_unroll.n },
        .dger_unroll = cal->sparse.dger_unroll,
        .dtrsv_unroll = cal->sparse.dtrsv_unroll,
        .dtrsv_loads_linear = 2,
    };

    for (size_t q = 0; q < machine.levels && q < SPARSE_MAX_LEVELS; q++)
        machine.level[q] = (struct sparse_level){
            .capacity_bytes = cal->memory.caches.row[q].capacity_bytes,
            .line_bytes = cal->memory.caches.row[q].line_bytes,
            .policy = cal->memory.caches.row[q].policy ? SPARSE_FIFO : SPARSE_LRU,
            .latency_s = cal->memory.caches.row[q].latency_s,
        };
    return machine;
}

int sparse_machine_need(const struct fr_calibration *cal, struct fr_faults *faults)
{
    const size_t before = faults->count;
    struct sparse_machine machine;
    struct fr_faults inside;

    need(cal->memory.caches.count > 0, "memory.caches", faults);
    need(!isnan(cal->memory.memory_latency_s), "memory.memory_latency_s", faults);
    need_index_bytes(cal, faults);
    need(!isnan(cal->sparse.flop_time_s), "sparse.flop_time_s", faults);
    need(cal->sparse.dgemm_block.m > 0, "sparse.dgemm_block", faults);
    need(cal->sparse.dgemm_unroll.m > 0, "sparse.dgemm_unroll", faults);
    need(cal->sparse.dger_unroll > 0, "sparse.dger_unroll", faults);
    need(cal->sparse.dtrsv_unroll > 0, "sparse.dtrsv_unroll", faults);
    if (faults->count > before)
        return FR_GROUP_MISSING;
    inside.count = 0;
    machine = sparse_machine_of(cal);
    sparse_machine_check(&machine, &inside);
    move_faults(&inside, faults);
    return faults->count > before ? FR_GROUP_MISSING : FR_OK;
}

/* ---- the network ---------------------------------------------------------------------------- */

struct sparse_network sparse_network_of(const struct fr_calibration *cal)
{
    struct sparse_network network = {
        .latency_s = cal->network.message_bandwidth.latency_s,
        .bandwidth = cal->network.message_bandwidth.kind ? SPARSE_EFFECTIVE : SPARSE_ASYMPTOTIC,
        .points = cal->network.message_bandwidth.points.count,
        .index_bytes = index_bytes_of(cal),
        .messages_per_panel = 1,
    };

    for (size_t i = 0; i < network.points && i < SPARSE_MAX_POINTS; i++) {
        network.point[i].bytes = cal->network.message_bandwidth.points.row[i].message_bytes;
        network.point[i].bytes_per_s =
            cal->network.message_bandwidth.points.row[i].bandwidth_bytes_per_s;
    }
    return network;
}

int sparse_network_need(const struct fr_calibration *cal, struct fr_faults *faults)
{
    const size_t before = faults->count;
    struct sparse_network network = sparse_network_of(cal);
    struct fr_faults inside;

    need(network.points > 0, "network.message_bandwidth, the time of a message,", faults);
    need(network.points == 0 || network.bandwidth == SPARSE_EFFECTIVE || !isnan(network.latency_s),
         "network.message_bandwidth.latency_s, which asymptotic points need,", faults);
    if (faults->count > before || network.index_bytes == 0)
        return faults->count > before ? FR_GROUP_MISSING : FR_OK;
    if (isnan(network.latency_s))
        network.latency_s = 0;
    inside.count = 0;
    sparse_network_check(&network, &inside);
    move_faults(&inside, faults);
    return faults->count > before ? FR_GROUP_MISSING : FR_OK;
}

/* ---- measured kernels ----------------------------------------------------------------------- */

bool sparse_has_fit(const struct fr_calibration *cal, bool is_window)
{
    return !isnan(sparse_fit_of(cal, is_window, 1).gemm);
}

#define CONSTANTS(of, by)                                                                \
    (struct sparse_fit)                                                                  \
    {                                                                                    \
        (by) * (of).gemm, (by) * (of).panel, (by) * (of).scatter_s, (by) * (of).block_s, \
            (by) * (of).column_s, (by) * (of).supernode_s                                \
    }

struct sparse_fit sparse_fit_of(const struct fr_calibration *cal, bool is_window, double slowest)
{
    return is_window ? CONSTANTS(cal->sparse.window_fit, slowest)
                     : CONSTANTS(cal->sparse.fit, slowest);
}

int sparse_fit_need(const struct fr_calibration *cal, bool is_window, struct fr_faults *faults)
{
    const size_t before = faults->count;
    struct sparse_tables tables;

    need(sparse_has_fit(cal, is_window), is_window ? "sparse.window_fit" : "sparse.fit", faults);
    need_index_bytes(cal, faults);
    if (sparse_tables_init(&tables, cal->kernels.routine, faults) == FR_OK)
        sparse_tables_free(&tables);
    return faults->count > before ? FR_GROUP_MISSING : FR_OK;
}

bool sparse_has_solve_fit(const struct fr_calibration *cal)
{
    return !isnan(cal->sparse.solve_fit.entry_s);
}

#define SOLVE_CONSTANTS(of, by)                                                               \
    (struct sparse_solve_fit)                                                                 \
    {                                                                                         \
        (by) * (of).entry_s, (by) * (of).flop_s, (by) * (of).block_s, (by) * (of).supernode_s \
    }

struct sparse_solve_fit sparse_solve_fit_of(const struct fr_calibration *cal, double slowest)
{
    return sparse_has_solve_fit(cal) ? SOLVE_CONSTANTS(cal->sparse.solve_fit, slowest)
                                     : SOLVE_CONSTANTS(sparse_solve_default, slowest);
}
