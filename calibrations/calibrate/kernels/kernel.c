/* The time of square operations, by order and by threads.  The models predict programs that keep
 * every core of a node busy.  For t threads, the benchmark therefore runs as many copies at once as
 * the cores of a node and the ranks allow.  The result is the median over rounds of the mean over
 * copies.  A round visits all thread counts, and the orders in a new sequence, so that a
 * disturbance of seconds spoils a few samples of many points instead of all samples of a few
 * points. */
#include "calibrations/calibrate/kernels/kernel.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "calibrations/calibrate/core/blas.h"

enum {
    SAMPLES_MAX = 99,
    CALLS_MAX = 100000,
    COPIES_ELEMENTS = 65536,
    ALIGNMENT = 4096,
    TRIALS = 3
};

struct point {
    int n, calls; /* calls of one sample, which is their mean */
    int samples;
    double cost_s;              /* of a sample, preparation included */
    double time_s[SAMPLES_MAX]; /* of one call, mean over the copies */
    double own_s[SAMPLES_MAX];  /* of this process's copy */
};

/* All tables of a routine, for the remaining time. */
struct tables {
    struct table **table;
    int count;
    int rounds;
    struct fr_progress progress;
};

struct table {
    struct point point[FR_LIST_MAX];
    int points;
    int threads, copies;
    struct fr_operands operands; /* allocated in the first round by the processes that work */
};

static double sample_min_s(const struct fr_context *context)
{
    return context->options->is_quick ? 1e-3 : 1e-2;
}

/* The largest order that has samples, or NULL. */
static const struct point *largest_of(const struct table *table)
{
    const struct point *largest = NULL;

    for (int i = 0; i < table->points; i++)
        if (table->point[i].samples && (!largest || table->point[i].n > largest->n))
            largest = &table->point[i];
    return largest;
}

/* Seconds of a sample: as measured or, before the first one, as that of the largest order measured
 * so far, scaled by the operations. */
static double cost_of(const struct fr_context *context, const struct table *table, int i)
{
    const struct point *largest = largest_of(table);

    if (table->point[i].samples)
        return table->point[i].cost_s;
    return largest ? fmax(sample_min_s(context), largest->cost_s / largest->calls *
                                                     pow((double)table->point[i].n / largest->n, 3))
                   : sample_min_s(context);
}

/* Most programs compute in double precision: the others get half as many rounds. */
static int rounds_of(const struct fr_context *context, const struct fr_square_routine *routine)
{
    const int rounds = context->options->repetitions;

    return routine->precision == FR_DOUBLE ? rounds : (rounds + 1) / 2;
}

/* Seconds of all rounds that are left, with the samples that choose the number of calls.  Another
 * thread count is taken to need as long as the first until it is measured. */
static double left_s(const struct fr_context *context, const struct tables *all)
{
    double sum_s = 0;

    for (int k = 0; k < all->count; k++) {
        const struct table *table = all->table[k],
                           *like = largest_of(table) ? table : all->table[0];

        for (int i = 0; i < table->points; i++) {
            const struct point *point = &table->point[i];
            const int rounds = all->rounds - point->samples;

            sum_s += (rounds + (point->samples ? 0 : TRIALS)) * cost_of(context, like, i);
        }
    }
    return sum_s;
}

static void *memory_new(size_t bytes)
{
    void *memory = aligned_alloc(ALIGNMENT, (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT);

    if (!memory)
        fr_world_out_of_memory();
    return memory;
}

double *fr_kernel_matrix(struct fr_random *random, size_t elements)
{
    double *matrix = memory_new(elements * sizeof *matrix);

    for (size_t i = 0; i < elements; i++)
        matrix[i] = fr_random_centred(random);
    return matrix;
}

static void *operand_new(struct fr_operands *operands, size_t elements)
{
    void *operand = memory_new(elements * fr_square_element_bytes(operands->routine));

    fr_square_fill(operands, operand, elements);
    return operand;
}

/* Call after binding: memory is local to the core that first writes it. */
static struct fr_operands operands_new(const struct fr_context *context,
                                       const struct fr_square_routine *routine, int n_max)
{
    const size_t square = (size_t)n_max * (size_t)n_max;
    struct fr_operands operands = { .random = { 1 + (uint64_t)context->world->rank },
                                    .routine = routine };

    operands.a = operand_new(&operands, square);
    operands.b = operand_new(&operands, square);
    operands.c = operand_new(&operands, square > COPIES_ELEMENTS ? square : COPIES_ELEMENTS);
    return operands;
}

static void operands_free(struct fr_operands *operands)
{
    free(operands->a);
    free(operands->b);
    free(operands->c);
}

/* The number of calls that fit between two preparations. */
static int batch_max(const struct fr_square_routine *routine, int n)
{
    if (!routine->uses_up_its_input)
        return CALLS_MAX;
    return n * n > COPIES_ELEMENTS ? 1 : COPIES_ELEMENTS / (n * n);
}

/* Returns the mean time of one call over the team, the same on all members; `own` gets the mean of
 * this copy. */
static double sample(const struct fr_square_routine *routine, struct fr_operands *operands, int n,
                     int calls, MPI_Comm team, double *own)
{
    const int batch = batch_max(routine, n);
    double own_s = 0, mean_s;
    int size;

    MPI_Comm_size(team, &size);
    for (int done = 0; done < calls; done += batch) {
        const int now = calls - done < batch ? calls - done : batch;
        double began_s;

        routine->prepare(operands, n, now);
        if (!done)
            MPI_Barrier(team);
        began_s = MPI_Wtime();
        for (int i = 0; i < now; i++)
            routine->call(operands, n, i);
        own_s += MPI_Wtime() - began_s;
    }
    own_s /= calls;
    *own = own_s;
    MPI_Allreduce(&own_s, &mean_s, 1, MPI_DOUBLE, MPI_SUM, team);
    return mean_s / size;
}

/* The number of calls that makes a sample long enough for the clock and for short disturbances. */
static int choose_calls(const struct fr_context *context, const struct fr_square_routine *routine,
                        struct fr_operands *operands, int n, MPI_Comm team)
{
    const double least_s = sample_min_s(context);
    double own_s;
    int calls = 1;

    for (int trial = 0; trial < TRIALS; trial++) {
        const double call_s = sample(routine, operands, n, calls, team, &own_s);
        const double wanted = call_s > 0 ? ceil(1.1 * least_s / call_s) : 1;

        calls = wanted < 1 ? 1 : wanted > CALLS_MAX ? CALLS_MAX : (int)wanted;
        MPI_Bcast(&calls, 1, MPI_INT, 0, team);
    }
    return calls;
}

/* Takes one sample of every order, on every member of the team. */
static void measure(struct fr_context *context, const struct fr_square_routine *routine,
                    struct table *table, int round, struct tables *all, MPI_Comm team)
{
    /* All members use the same sequence, whichever teams they are in. */
    struct fr_random random = { context->random.state + (uint64_t)round + 1 };
    int order[FR_LIST_MAX], n_max = 1;

    for (int i = 0; i < table->points; i++)
        n_max = table->point[i].n > n_max ? table->point[i].n : n_max;
    if (!table->operands.a)
        table->operands = operands_new(context, routine, n_max);
    fr_random_order(&random, order, table->points);
    for (int i = 0; i < table->points && !fr_bench_is_late(context, team); i++) {
        struct point *point = &table->point[order[i]];
        double began_s;

        if (!point->calls)
            point->calls = choose_calls(context, routine, &table->operands, point->n, team);
        began_s = MPI_Wtime();
        point->time_s[point->samples] = sample(routine, &table->operands, point->n, point->calls,
                                               team, &point->own_s[point->samples]);
        point->cost_s = MPI_Wtime() - began_s;
        point->samples++;
        if (fr_progress_is_due(&all->progress))
            fr_progress_show(&all->progress, left_s(context, all));
    }
}

static bool is_measured(const struct fr_square_routine *routine, int64_t order)
{
    return !routine->most_order || order <= routine->most_order;
}

static struct table *table_new(const struct fr_context *context,
                               const struct fr_square_routine *routine, int threads)
{
    const struct fr_list *sizes = &context->options->sizes;
    struct table *table = calloc(1, sizeof *table);
    const int fit = context->cores_per_node / threads;

    if (!table)
        fr_world_out_of_memory();
    table->threads = threads;
    table->copies = fit < 1 ? 1 : fit;
    if (table->copies > context->world->node_size)
        table->copies = context->world->node_size;
    for (int i = 0; i < sizes->count; i++)
        if (is_measured(routine, sizes->value[i]))
            table->point[table->points++].n = (int)sizes->value[i];
    return table;
}

/* Compares the nodes: the time of their first copy divided by the mean of all copies, at the
 * largest order.  Collective. */
static struct fr_nodes compare_nodes(const struct fr_context *context, struct table *table)
{
    const struct point *largest = largest_of(table);
    double ratio[SAMPLES_MAX];

    for (int k = 0; largest && k < largest->samples; k++)
        ratio[k] = largest->time_s[k] > 0 ? largest->own_s[k] / largest->time_s[k] : 1;
    return fr_nodes_gather(context, largest && largest->time_s[0] > 0
                                        ? fr_sample_median(ratio, largest->samples)
                                        : NAN);
}

static struct fr_kernel *kernel_of(struct fr_calibration *cal,
                                   const struct fr_square_routine *routine)
{
    return routine->precision == FR_DOUBLE
               ? &cal->kernels.routine[routine->which]
               : &cal->kernels.by_precision[routine->precision].routine[routine->which];
}

/* Appends the rows, collects the spreads and returns the number of samples. */
static int write_rows(struct fr_context *context, const struct fr_square_routine *routine,
                      struct table *table, double *spreads, int *rows)
{
    const double peak = routine->peak_ratio * context->core_peak_flops_per_s * table->threads;
    struct fr_kernel *found = kernel_of(&context->document->found, routine);
    int samples = 0, left_out = 0;
    double highest = 0;

    for (int i = 0; i < table->points; i++) {
        struct point *point = &table->point[i];
        const double spread = point->samples ? fr_sample_spread(point->time_s, point->samples) : 0;
        const double time_s = point->samples ? fr_sample_median(point->time_s, point->samples) : 0;

        if (!(time_s > 0)) {
            left_out++;
            continue;
        }
        spreads[(*rows)++] = spread;
        samples += point->samples;
        highest = fmax(highest, routine->flops_per_cube * pow(point->n, 3) / time_s);
        *FR_ADD_ROW(context->document, found->square) = (struct fr_square_rate){
            .threads = table->threads, .n = point->n, .efficiency_fraction = NAN, .time_s = time_s
        };
    }
    if (left_out)
        fr_bench_say(context, "%s, threads %d: %d of %d orders left out, no time for them",
                     routine->name, table->threads, left_out, table->points);
    if (peak > 0 && highest > peak)
        fr_bench_warn(context,
                      "%s on %d threads reached %.4g flop/s, above the peak of %.4g; state the "
                      "peak with --peak-flops-per-s",
                      routine->name, table->threads, highest, peak);
    return samples;
}

/* A round of one thread count; ranks without enough cores wait. */
static void run_threads(struct fr_context *context, const struct fr_square_routine *routine,
                        struct table *table, int round, struct tables *all)
{
    const bool works = context->world->node_rank < table->copies;
    struct fr_team team = fr_team_begin(context->world, works);

    fr_blas_set_threads(table->threads);
    if (works) {
        fr_binding_set(context->cores, context->world->node_rank * table->threads, table->threads);
        measure(context, routine, table, round, all, team.comm);
        fr_binding_restore(context->cores);
    }
    fr_team_end(context->world, &team);
}

/* Whether a thread count can be measured here.  Collective; the same on all. */
static bool can_run(const struct fr_context *context, int threads)
{
    int is_able = fr_blas_set_threads(threads), all_able;

    MPI_Allreduce(&is_able, &all_able, 1, MPI_INT, MPI_LAND, MPI_COMM_WORLD);
    if (!all_able)
        fr_bench_say(context, "this BLAS cannot be set to %d threads; left out", threads);
    if (all_able && threads > context->cores_per_node)
        fr_bench_say(context, "%d threads: left out, the node has %d cores", threads,
                     context->cores_per_node);
    return all_able && threads <= context->cores_per_node;
}

static void write_source(struct fr_context *context, const struct fr_square_routine *routine,
                         const char *copies, const struct fr_nodes *nodes, int samples,
                         double *spreads, int rows)
{
    const double typical = fr_sample_median(spreads, rows);
    char differ[48] = "";

    if (nodes->count > 1)
        snprintf(differ, sizeof differ, ", %d nodes that differ by %.1f %%", nodes->count,
                 100 * fr_nodes_difference(nodes));
    fr_document_source(
        context->document, routine->pointer,
        fr_document_measured(samples, typical, "median of rounds"),
        "mean over simultaneous copies on every node (%s)%s, operands in place; samples of %g ms "
        "or one call; spread of one size at most %.1f %%",
        copies, differ, 1e3 * sample_min_s(context), 100 * spreads[rows - 1]);
}

/* Makes a table for each thread count that can be measured; returns their number. */
static int make_tables(const struct fr_context *context, const struct fr_square_routine *routine,
                       struct table **table)
{
    struct fr_list threads = context->options->threads;
    int count = 0;

    if (!threads.count)
        fr_value_doublings(context->cores_per_node, &threads);
    for (int i = 0; i < threads.count; i++)
        if (can_run(context, (int)threads.value[i]))
            table[count++] = table_new(context, routine, (int)threads.value[i]);
    return count;
}

static void run_rounds(struct fr_context *context, const struct fr_square_routine *routine,
                       struct table **table, int count)
{
    struct tables all = { table, count, rounds_of(context, routine),
                          fr_progress_begin(context, routine->name, 1) };

    for (int round = 0; round < all.rounds; round++)
        for (int k = 0; k < count; k++)
            run_threads(context, routine, table[k], round, &all);
    fr_progress_end(&all.progress);
    fr_blas_set_threads(1);
}

double fr_kernel_expected_s(const struct fr_context *context,
                            const struct fr_square_routine *routine)
{
    const double rate = routine->peak_ratio * fmax(fr_blas_rate(), 1e6);
    const struct fr_list *sizes = &context->options->sizes;
    struct fr_list threads = context->options->threads;
    double sum_s = 0;

    if (!threads.count)
        fr_value_doublings(context->cores_per_node, &threads);
    for (int t = 0; t < threads.count; t++)
        for (int i = 0; i < sizes->count; i++)
            if (is_measured(routine, sizes->value[i]))
                sum_s += fmax(sample_min_s(context), routine->flops_per_cube *
                                                         pow((double)sizes->value[i], 3) /
                                                         (rate * (double)threads.value[t]));
    return (rounds_of(context, routine) + TRIALS) * sum_s;
}

void fr_kernel_run(struct fr_context *context, const struct fr_square_routine *routine)
{
    struct table *table[FR_LIST_MAX];
    const int count = make_tables(context, routine, table);
    double spreads[FR_LIST_MAX * FR_LIST_MAX];
    char copies[120] = "";
    size_t used = 0;
    int rows = 0, samples = 0;
    struct fr_nodes nodes = { 0 };

    run_rounds(context, routine, table, count);
    if (count) {
        nodes = compare_nodes(context, table[0]);
        fr_nodes_check(context, routine->name, &nodes);
    }
    for (int k = 0; k < count; k++) {
        const int before = rows;

        samples += write_rows(context, routine, table[k], spreads, &rows);
        if (rows > before && used < sizeof copies)
            used += (size_t)snprintf(copies + used, sizeof copies - used, "%s%d of %d thread%s",
                                     used ? ", " : "", table[k]->copies, table[k]->threads,
                                     table[k]->threads == 1 ? "" : "s");
        if (rows > before && table[k]->threads > context->most_threads)
            context->most_threads = table[k]->threads;
        operands_free(&table[k]->operands);
        free(table[k]);
    }
    if (rows)
        write_source(context, routine, copies, &nodes, samples, spreads, rows);
    else
        fr_bench_missing(context, routine->name, "no time for it");
}
