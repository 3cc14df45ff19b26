/* The quantities derived from the parameters (docs/models/dense.md#symbols), and the outputs that
 * all dense models compute alike (docs/models/dense.md#outputs). */
#include "engine/dense/dense.h"
#include "engine/calibration/provenance.h"
#include "engine/lookup/lookup.h"

#include <math.h>

struct own {
    double block_size, whole_block_size, messages_per_process,
        communication_lower_bound_bytes_per_process;
};

const struct fr_output dense_outputs[] = {
    FR_OUTPUT(time_s, .unit = "s", .doc = "Time of the run."),
    FR_OUTPUT(computation_s, .unit = "s", .doc = "Time in kernels, hidden or not."),
    FR_OUTPUT(communication_s, .unit = "s", .doc = "Time of all transfers, hidden or not."),
    FR_OUTPUT(hidden_s, .unit = "s", .doc = "Communication that runs behind computation."),
    FR_OUTPUT(flops, .unit = "1", .doc = "Operations of the whole problem."),
    FR_OUTPUT(gflops, .unit = "Gflop/s", .doc = "Operations divided by time."),
    FR_OUTPUT(percent_of_peak, .unit = "%", .doc = "Share of the peak of all cores used."),
    FR_BOUND_OUTPUTS,
    FR_OUTPUT(processes, .unit = "1", .doc = "Processes of all layers together."),
    FR_OUTPUT(nodes, .unit = "1", .doc = "Nodes that hold the processes."),
    FR_OWN(struct own, block_size, .unit = "1",
           .doc = "Order of a block, n divided by the block columns; a real number."),
    FR_OWN(struct own, whole_block_size, .unit = "1",
           .doc = "block_size rounded up: what a program is given, whose last blocks are smaller."),
    FR_OUTPUT(memory_bytes_per_process, .unit = "bytes",
              .doc = "Matrices and buffers of a process."),
    FR_OUTPUT(memory_limit_bytes_per_process, .unit = "bytes",
              .doc = "A process's share of its node's memory."),
    FR_OUTPUT(communication_bytes_per_process, .unit = "bytes",
              .doc = "Bytes that a process sends on the critical path."),
    FR_OWN(struct own, messages_per_process, .unit = "1",
           .doc = "Messages of a process on the critical path; may be fractional."),
    FR_OWN(struct own, communication_lower_bound_bytes_per_process, .unit = "bytes",
           .doc = "n^2/sqrt(c p) elements: the order of the bandwidth bound, with constant 1."),
    FR_OUTPUTS_END,
};

const char *const dense_grows_with[] = { "n", NULL };

unsigned dense_needs(const void *values)
{
    const struct dense_values *v = values;
    const unsigned groups = FR_CAL_NODE | FR_CAL_NETWORK | FR_CAL_KERNELS;

    return v->contention ? groups | FR_CAL_CONTENTION : groups;
}

struct dense dense_derive(const struct dense_values *v, struct fr_evaluation *run)
{
    const double n = (double)v->n, p = (double)v->processes, c = (double)v->replication;
    const double r = (double)v->blocks_per_process, q = sqrt(p / c), m = r * q, bs = n / m;

    run->out->communication_bytes_per_process = 0;
    FR_OWN_OF(struct own, run->out)->messages_per_process = 0;
    if (fmod(n, m) != 0)
        fr_warn(run->out, FR_WARN_UNEVEN_BLOCKS, NULL, n, m, n);
    if (v->replication == 1 && dense_is_replicated(v))
        fr_warn(run->out, FR_WARN_SAME_AS,
                dense_variants[dense_is_overlapped(v) ? DENSE_2D_OVLP : DENSE_2D], 1, 1, 1);
    return (struct dense){
        .run = run,
        .n = n,
        .p = p,
        .c = c,
        .r = r,
        .q = q,
        .m = m,
        .bs = bs,
        .w = bs * bs,
        .threads = (double)(v->threads - v->communication_threads),
        .slowest = fr_kernel_slowest(run, p * (double)v->threads, p),
        .precision = v->precision,
        .word_bytes = (double)v->word_bytes,
        .is_overlapped = dense_is_overlapped(v),
        .has_contention = v->contention != 0,
        .is_refined = v->contention_model == DENSE_REFINED,
        .has_barriers = v->step_barriers != 0,
    };
}

double dense_kernel_s(const struct dense *d, enum fr_routine routine)
{
    return d->slowest * fr_kernel_s(d->run, routine, d->precision, d->bs, d->threads);
}

void dense_communicate(const struct dense *d, const char *phase, struct cost cost, double hidden_s)
{
    struct fr_prediction *out = d->run->out;

    if (cost.time_s > 0)
        fr_phase(out, phase, FR_COMMUNICATION, cost.time_s, hidden_s);
    out->communication_bytes_per_process += d->word_bytes * cost.words;
    FR_OWN_OF(struct own, out)->messages_per_process += cost.messages;
}

void dense_compute(const struct dense *d, const char *phase, double time_s)
{
    if (time_s > 0)
        fr_phase(d->run->out, phase, FR_COMPUTATION, time_s, 0);
}

void dense_bound_network(const struct dense *d, double words)
{
    const struct fr_calibration *cal = d->run->cal;
    double least = INFINITY; /* seconds per byte; a link that was not measured is NaN */

    if (d->run->out->used & FR_USE(PATTERNS))
        return;
    for (size_t i = 0; i < cal->network.protocols.count; i++) {
        const struct fr_protocol *row = &cal->network.protocols.row[i];

        least = fmin(least, fmin(row->on_node.inverse_bandwidth_s_per_byte,
                                 row->off_node.inverse_bandwidth_s_per_byte));
    }
    fr_bound(d->run->out, "network", d->word_bytes * words * least);
}

/* The peak in the precision of the problem, or in double precision where the rates are those too
 * (docs/models/dense.md#precision). */
static double core_peak(const struct dense *d)
{
    const struct fr_calibration *cal = d->run->cal;
    const bool is_double =
        d->precision == FR_OPEN_CHOICE || (!fr_kernel_rates(cal, FR_DGEMM, d->precision)->count &&
                                           isnan(fr_core_peak_flops_per_s(cal, d->precision)));
    const int precision = is_double ? FR_DOUBLE : d->precision;

    d->run->out->used |= precision == FR_SINGLE || precision == FR_COMPLEX
                             ? FR_USE(NODE_PEAK_SINGLE)
                             : FR_USE(NODE_PEAK);
    return fr_core_peak_flops_per_s(cal, precision);
}

/* Of kernels, of the paper's contention, and of the refined one without measured patterns
 * (docs/models/variability.md#how-wrong-the-models-were). */
static const double kernel_error_fraction = 0.25, paper_error_fraction = 1.1,
                    unmeasured_error_fraction = 0.79;

/* The model's own error is that of its messages; that of kernels has other causes. */
static double error_fraction(const struct dense *d)
{
    const struct fr_prediction *out = d->run->out;
    double of_messages = out->error_fraction;

    if (d->p == 1)
        return kernel_error_fraction;
    if (!d->has_contention)
        return 0;
    if (!d->is_refined)
        of_messages = paper_error_fraction;
    else if (!(out->used & FR_USE(PATTERNS)) || fr_has_warned(out, FR_WARN_PATTERN))
        of_messages = unmeasured_error_fraction;
    return expm1(sqrt(pow(log1p(kernel_error_fraction), 2) + pow(log1p(of_messages), 2)));
}

void dense_finish(const struct dense *d, const struct dense_values *v, double real_flops,
                  double memory_words)
{
    const struct fr_calibration *cal = d->run->cal;
    struct fr_prediction *out = d->run->out;
    struct own *own = FR_OWN_OF(struct own, out);
    const double flops = fr_precision_operations(d->precision) * real_flops;
    const double processes_per_node = (double)(cal->node.cores_per_node / v->threads);
    const double cores = d->p * (double)v->threads;

    out->error_fraction = error_fraction(d);
    out->used |= FR_USE(NODE_CORES) | FR_USE(NODE_MEMORY);
    out->flops = flops;
    out->gflops = flops / out->time_s / 1e9;
    out->percent_of_peak = 100 * flops / (out->time_s * cores * core_peak(d));
    out->processes = d->p;
    out->nodes = ceil(d->p / processes_per_node);
    own->block_size = d->bs;
    own->whole_block_size = ceil(d->bs);
    own->communication_lower_bound_bytes_per_process =
        d->p == 1 ? 0 : d->word_bytes * d->n * d->n / sqrt(d->c * d->p);
    out->memory_bytes_per_process = d->word_bytes * memory_words;
    out->memory_limit_bytes_per_process = cal->node.memory_bytes / processes_per_node;
}
