/* The beginning and the end of a prediction of a block-cyclic program. */
#include "engine/block_cyclic/walk.h"

#include <math.h>

static const char too_much[] =
    "the request has too many configurations of so many panels and processes";

struct cyclic_values cyclic_mirrored(const struct cyclic_values *v)
{
    struct cyclic_values mirror = *v;

    mirror.m = v->n;
    mirror.n = v->m;
    mirror.process_rows = v->process_columns;
    mirror.process_columns = v->process_rows;
    mirror.transa = v->transb; /* the transpose of a product exchanges its operands */
    mirror.transb = v->transa;
    mirror.mapping = v->mapping == CYCLIC_ROW_MAJOR ? CYCLIC_COLUMN_MAJOR : CYCLIC_ROW_MAJOR;
    return mirror;
}

int cyclic_begin(struct cyclic_walk *walk, const struct cyclic_values *v, bool columns_meet,
                 struct fr_evaluation *run)
{
    const double steps = 2000; /* tables are cleared */
    const int64_t processes = v->process_rows * v->process_columns;
    const int64_t meeting = columns_meet ? processes : v->process_rows;

    if (!fr_arena_spend(run->arena, steps))
        return fr_fault(run->faults, FR_NOMEM, "", "%s", too_much);
    *walk = (struct cyclic_walk){
        .run = run,
        .v = v,
        .rows = v->process_rows,
        .columns = v->process_columns,
        .block = v->block_size,
        .sure = 1,
    };
    if (cyclic_kernels_begin(&walk->kernels, run, v->threads, (double)(processes * v->threads),
                             (double)meeting, v->dtrsm) != FR_OK ||
        cyclic_network_begin(&walk->net, v, run) != FR_OK)
        return FR_NOMEM;
    return cyclic_clocks_begin(&walk->clocks, &walk->net);
}

double cyclic_shrinking_s(struct cyclic_walk *walk,
                          double (*collective)(const struct cyclic_network *net, double bytes),
                          int64_t width)
{
    if (walk->shrunk_width == width)
        return walk->shrunk_s;
    walk->shrunk_width = width;
    walk->shrunk_s = 0;
    for (int64_t e = 1; e < width; e++)
        walk->shrunk_s += collective(&walk->net, 8 * (double)e);
    return walk->shrunk_s;
}

double cyclic_packed_s(const struct cyclic_walk *walk, double m, double n, double calls)
{
    return cyclic_copy_s(&walk->kernels, m, n, 16, calls);
}

double cyclic_turned_s(const struct cyclic_walk *walk, double m, double n, double calls)
{
    return cyclic_copy_s(&walk->kernels, m, n, 8 + walk->kernels.line_bytes, calls);
}

double cyclic_factor_words(const struct cyclic_values *v, int64_t m, int64_t n)
{
    const double rows = (double)cyclic_rows(m, v->block_size, 0, v->process_rows);
    const double columns = (double)cyclic_rows(n, v->block_size, 0, v->process_columns);

    return rows * columns + (double)v->block_size * (rows + columns);
}

/* ---- outputs --------------------------------------------------------------------------------- */

struct own {
    double messages_per_process, load_imbalance;
};

const struct fr_output cyclic_outputs[] = {
    FR_OUTPUT(time_s, .unit = "s", .doc = "Time of the run."),
    FR_OUTPUT(flops, .unit = "1", .doc = "Operations of the whole problem."),
    FR_OUTPUT(gflops, .unit = "Gflop/s", .doc = "Operations divided by time."),
    FR_OUTPUT(percent_of_peak, .unit = "%", .doc = "Share of the peak of all cores used."),
    FR_BOUND_OUTPUTS,
    FR_OUTPUT(processes, .unit = "1", .doc = "Processes of the grid."),
    FR_OUTPUT(nodes, .unit = "1", .doc = "Nodes that hold the processes."),
    FR_OUTPUT(memory_bytes_per_process, .unit = "bytes",
              .doc = "Matrices and buffers of a process."),
    FR_OUTPUT(memory_limit_bytes_per_process, .unit = "bytes",
              .doc = "A process's share of its node's memory."),
    FR_OWN(struct own, messages_per_process, .unit = "1",
           .doc = "Messages that a process sends, an estimate of the mean."),
    { .name = "message_bytes_per_process",
      .offset = offsetof(struct fr_prediction, communication_bytes_per_process),
      .unit = "bytes",
      .doc = "Bytes of these messages." },
    FR_OWN(struct own, load_imbalance, .unit = "1",
           .doc = "Computation of the busiest process column over the mean of all."),
    FR_OUTPUTS_END,
};

static const struct {
    const char *name;
    enum fr_phase_kind kind;
} phases[CYCLIC_PHASES] = {
    [CYCLIC_PANEL] = { "panel", FR_COMPUTATION },
    [CYCLIC_SOLVE_TRIANGLE] = { "trsm", FR_COMPUTATION },
    [CYCLIC_UPDATE] = { "update", FR_COMPUTATION },
    [CYCLIC_COPY] = { "copy", FR_COMPUTATION },
    [CYCLIC_SOLVE] = { "solve", FR_COMPUTATION },
    [CYCLIC_BROADCAST] = { "broadcast", FR_COMMUNICATION },
    [CYCLIC_SWAP] = { "swap", FR_COMMUNICATION },
    [CYCLIC_WAIT] = { "wait", FR_COMMUNICATION },
};

static double computation_s(const struct cyclic_clock *clock)
{
    double sum = 0;

    for (int i = 0; i < CYCLIC_PHASES; i++)
        sum += phases[i].kind == FR_COMPUTATION ? clock->in_s[i] : 0;
    return sum;
}

/* Computation of the busiest column over the mean. */
static double imbalance(const struct cyclic_clocks *clocks)
{
    double most = 0, sum = 0;

    for (int64_t q = 0; q < clocks->columns; q++) {
        const double one = computation_s(&clocks->of[q]);

        most = fmax(most, one);
        sum += one;
    }
    return sum > 0 ? most * (double)clocks->columns / sum : 1;
}

/* The breakdown is that of the first column that ends last.  The largest phase takes what the
 * phases left out and rounding amount to, so that the breakdown sums to the time. */
static void add_phases(const struct cyclic_clocks *clocks, struct fr_prediction *out)
{
    const double time_s = cyclic_clocks_latest(clocks), rounding = 1e-12, least = 1e-9;
    const struct cyclic_clock *last = clocks->of;
    double left_s = time_s;
    int largest = 0;

    while (last->now_s < (1 - rounding) * time_s)
        last++;
    for (int i = 0; i < CYCLIC_PHASES; i++) {
        left_s -= last->in_s[i] >= least * time_s ? last->in_s[i] : 0;
        largest = last->in_s[i] > last->in_s[largest] ? i : largest;
    }
    for (int i = 0; i < CYCLIC_PHASES; i++)
        if (last->in_s[i] >= least * time_s && last->in_s[i] > 0)
            fr_phase(out, phases[i].name, phases[i].kind,
                     last->in_s[i] + (i == largest ? left_s : 0), 0);
    out->time_s = time_s;
}

void cyclic_bound(struct cyclic_walk *walk)
{
    fr_bound(walk->run->out, "critical_path", walk->sure * walk->clocks.path_s);
    fr_bound(walk->run->out, "work", walk->sure * cyclic_clocks_work_s(&walk->clocks));
}

bool cyclic_charge(struct cyclic_walk *walk)
{
    const double steps = walk->clocks.steps + walk->kernels.steps;

    walk->clocks.steps = walk->kernels.steps = 0;
    return fr_arena_spend(walk->run->arena, steps);
}

bool cyclic_goes_on(struct cyclic_walk *walk)
{
    const double often = 1e5;

    if (walk->clocks.steps + walk->kernels.steps < often || cyclic_charge(walk))
        return true;
    fr_fault(walk->run->faults, FR_NOMEM, "", "%s", too_much);
    return false;
}

/* ---- stretches ------------------------------------------------------------------------------- */

static int64_t owner_of(const struct cyclic_walk *walk, const struct cyclic_sequence *sequence,
                        int64_t number)
{
    return number * sequence->width / sequence->block % walk->columns;
}

/* Whether the time is sure to exceed the limit of the question; it becomes infinite then. */
static bool is_late(struct cyclic_walk *walk)
{
    const double limit_s = walk->run->limit_s;

    if (!(limit_s > 0 && walk->clocks.of[walk->clocks.path_at].now_s > limit_s))
        return false;
    walk->run->out->time_s = INFINITY;
    return true;
}

static bool follow_stretch(struct cyclic_walk *walk, const struct cyclic_stretch *stretch,
                           bool (*step)(void *context, int64_t number), void *context)
{
    const struct cyclic_means before = cyclic_clocks_means(&walk->clocks);
    struct cyclic_means settled = before;

    for (int64_t number = stretch->settle; number < stretch->end; number++, walk->followed++) {
        if (number == stretch->first && number > stretch->settle)
            settled = cyclic_clocks_means(&walk->clocks);
        walk->weight = number < stretch->first ? 0 : stretch->weight;
        walk->clocks.steps += CYCLIC_STEP_STEPS;
        if (!step(context, number) || is_late(walk) || !cyclic_goes_on(walk))
            return false;
    }
    if (stretch->weight != 1)
        cyclic_clocks_stretch(&walk->clocks, &before, &settled, stretch->weight);
    return true;
}

bool cyclic_follow_steps(struct cyclic_walk *walk, const struct cyclic_sequence *sequence,
                         bool (*step)(void *context, int64_t number), void *context)
{
    const struct cyclic_stretches stretches =
        cyclic_stretches(walk->v, sequence, walk->run->is_rough);
    int64_t at = 0;

    walk->run->out->is_rough =
        walk->run->is_rough && stretches.steps < cyclic_stretches(walk->v, sequence, false).steps;
    if (stretches.steps < sequence->count)
        walk->sure = CYCLIC_SURE;
    for (int64_t i = 0; i < stretches.count; i++) {
        const struct cyclic_stretch *stretch = &stretches.of[i];

        if (!cyclic_clocks_turn(&walk->clocks, owner_of(walk, sequence, stretch->settle) -
                                                   owner_of(walk, sequence, at)))
            return !fr_fault(walk->run->faults, FR_NOMEM, "", "%s", too_much);
        if (!follow_stretch(walk, stretch, step, context))
            return false;
        at = stretch->end;
    }
    return true;
}

bool cyclic_follow_panels(struct cyclic_walk *walk, bool (*step)(void *context, int64_t number),
                          void *context)
{
    const struct cyclic_sequence panels =
        cyclic_panels(walk->v, cyclic_least(walk->v->m, walk->v->n));

    return cyclic_follow_steps(walk, &panels, step, context);
}

void cyclic_memory(const struct cyclic_values *v, double words, const struct fr_calibration *cal,
                   struct fr_prediction *out)
{
    out->used |= FR_USE(NODE_CORES) | FR_USE(NODE_MEMORY);
    out->memory_bytes_per_process = 8 * words;
    out->memory_limit_bytes_per_process = cal->node.memory_bytes / (double)v->ranks_per_node;
}

void cyclic_finish(struct cyclic_walk *walk, const struct cyclic_values *v, double flops,
                   double memory_words)
{
    const struct fr_calibration *cal = walk->run->cal;
    struct fr_prediction *out = walk->run->out;
    const double processes = (double)v->process_rows * (double)v->process_columns;
    const double cores = processes * (double)v->threads;

    cyclic_charge(walk);
    cyclic_clocks_end(&walk->clocks);
    add_phases(&walk->clocks, out);
    out->used |= FR_USE(NODE_CORES) | FR_USE(NODE_PEAK);
    out->flops = flops;
    out->gflops = flops / out->time_s / 1e9;
    out->percent_of_peak = 100 * flops / (out->time_s * cores * cal->core_peak_flops_per_s);
    out->processes = processes;
    out->nodes = ceil(processes / (double)v->ranks_per_node);
    cyclic_memory(v, memory_words, cal, out);
    out->communication_bytes_per_process = walk->clocks.message_bytes;
    *FR_OWN_OF(struct own, out) = (struct own){
        .messages_per_process = walk->clocks.messages,
        .load_imbalance = imbalance(&walk->clocks),
    };
}

double cyclic_bound_s(const void *values, struct fr_evaluation *run)
{
    const struct cyclic_values *v = values;
    const struct cyclic_course course = v->rules->course(v);
    struct cyclic_walk walk;

    if (cyclic_begin(&walk, &course.seen, true, run) != FR_OK)
        return 0;
    walk.clocks.is_bound = true;
    course.walk(&walk);
    cyclic_bound(&walk);
    cyclic_charge(&walk);
    return run->out->bound_s;
}

void cyclic_predict(const void *values, struct fr_evaluation *run)
{
    const struct cyclic_values *v = values;
    const struct cyclic_course course = v->rules->course(v);
    struct cyclic_walk walk;

    if (cyclic_begin(&walk, &course.seen, true, run) != FR_OK || !course.walk(&walk))
        return;
    if (v->rules->remark)
        v->rules->remark(v, run->out);
    cyclic_bound(&walk);
    cyclic_finish(&walk, v, course.flops, course.memory_words);
}

void cyclic_course_memory(const void *values, struct fr_evaluation *run)
{
    const struct cyclic_values *v = values;

    cyclic_memory(v, v->rules->course(v).memory_words, run->cal, run->out);
}
