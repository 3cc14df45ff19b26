/* Costs of dgemm, dsyrk and dtrsm as block-cyclic programs call them, on all cores of a node at
 * once (docs/models/block_cyclic.md#costs-of-calls).  What a call updates is a part of a matrix in
 * memory, with its leading dimension, and the next call takes the next part; of deep products, and
 * of narrow ones with a matrix in memory, that is the longer operand, of other narrow ones nothing.
 * The others stay where the calls leave them. Sizes are multiples of 8, as blocks are, but for
 * extra columns.  A round takes all shapes in a new sequence, so that a disturbance of seconds
 * spoils a few samples of many shapes. */
#include <math.h>
#include <stdlib.h>

#include "calibrations/calibrate/core/bench.h"
#include "calibrations/calibrate/core/blas.h"
#include "calibrations/calibrate/kernels/kernel.h"
#include "engine/lookup/lookup.h"

enum { SHAPES = 40, SAMPLES_MAX = 99, LEADING = 4000, QUICK_LEADING = 512, SMALLEST_LEADING = 256 };
enum { NARROW = FR_NARROW_COLUMNS, DRAWS = 1000 };
/* Extra columns: products of every width between two multiples of REMAINDERS, and depths that are
 * multiples of 64, each between two that are not. */
enum { REMAINDERS = 8, LEAST_WIDTH = 16, WIDTHS = 49, TALL = 1000, DEPTH = 80, WIDTH = 32 };
static const int multiples[] = { 64, 128, 192, 256 };
enum { MULTIPLES = 4, DEEPEST = 256 + 8, EXTRAS = WIDTHS + 3 * MULTIPLES };
static const double longest_call_s = 0.06;

/* The rows that are measured: depths from `least` to `most`; of dgemm products of a narrow operand,
 * and others. */
static const struct kind {
    enum fr_blas_call call;
    bool is_narrow, is_deepest;
    int least, most;
} kinds[] = {
    { FR_CALL_DGEMM, true, false, 4, 16 },         { FR_CALL_DGEMM, false, false, 4, 16 },
    { FR_CALL_DGEMM, true, false, 16, 64 },        { FR_CALL_DGEMM, false, false, 16, 64 },
    { FR_CALL_DGEMM, true, false, 64, 256 },       { FR_CALL_DGEMM, false, false, 64, 256 },
    { FR_CALL_DGEMM, true, true, 256, LEADING },   { FR_CALL_DGEMM, false, true, 256, LEADING },
    { FR_CALL_DGEMM_MEMORY, true, true, 16, 256 }, { FR_CALL_DSYRK, false, false, 4, 32 },
    { FR_CALL_DSYRK, false, true, 32, 512 },       { FR_CALL_DTRSM_LLN, false, true, 4, 512 },
    { FR_CALL_DTRSM_LLT, false, true, 4, 512 },    { FR_CALL_DTRSM_LUN, false, true, 4, 512 },
    { FR_CALL_DTRSM_LUT, false, true, 4, 512 },    { FR_CALL_DTRSM_RLN, false, true, 4, 512 },
    { FR_CALL_DTRSM_RLT, false, true, 4, 512 },    { FR_CALL_DTRSM_RUN, false, true, 4, 512 },
    { FR_CALL_DTRSM_RUT, false, true, 4, 512 },
};
enum { KINDS = sizeof kinds / sizeof *kinds, DRAWN = KINDS * SHAPES, ALL = DRAWN + EXTRAS };

struct shape {
    const struct kind *kind;
    int m, n, k; /* as fr_call_amounts has them */
    const char *transa, *transb;
    double time_s[SAMPLES_MAX];
};

/* The part of the matrix that the next call takes. */
struct place {
    int row, column;
};

struct calls {
    double *matrix, *a, *b, *c; /* leading x leading; a quarter as many elements each, or more */
    int leading;
    struct place place;
    struct shape shape[ALL]; /* those of the kinds, then those for the extra columns */
};

static double sample_min_s(const struct fr_context *context)
{
    return context->options->is_quick ? 1e-4 : 1e-3;
}

/* ---- shapes ---------------------------------------------------------------------------------- */

static int leading_of(const struct fr_context *context)
{
    const double free_bytes = fr_system_free_bytes();
    const double elements =
        free_bytes / sizeof(double) / (8.0 * fmax(1, context->world->node_size));
    const int most = context->options->is_quick ? QUICK_LEADING : LEADING;

    return (int)fmax(SMALLEST_LEADING, fmin(most, floor(sqrt(elements) / 8) * 8));
}

/* Uniform in the logarithm; a multiple of 4, from 16 on of 8. */
static int draw(struct fr_random *random, double least, double most)
{
    const double share = fr_random_centred(random) + 0.5;
    const int size = (int)(least * pow(most / least, share));

    return size < 16 ? (size + 2) / 4 * 4 : (size + 4) / 8 * 8;
}

static double flops_of(const struct shape *shape)
{
    return 2 * fr_call_amounts(shape->kind->call, NULL, shape->m, shape->n, shape->k).multiply_adds;
}

/* Whether the operands fit that are no part of the matrix; of a triangle there is a square. */
static bool fits(const struct shape *shape, int leading)
{
    const struct kind *kind = shape->kind;
    const double m = shape->m, n = shape->n, k = shape->k, most = leading / 2.0 * (leading / 2.0);
    const double a = m * k, b = fr_call_is_dgemm(kind->call) ? k * n : 0;

    if (!fr_call_is_dgemm(kind->call))
        return a <= most;
    if (kind->is_deepest)
        return fmax(m * n, fmin(a, b)) <= most;
    return fmax(a, b) <= most && (!kind->is_narrow || m * n <= most);
}

static void set_sizes(struct shape *shape, int m, int n, int k)
{
    shape->m = fr_call_is_dgemm(shape->kind->call) ? m : shape->kind->call == FR_CALL_DSYRK ? n : k;
    shape->n = n;
    shape->k = k;
}

static void draw_shape(const struct kind *kind, struct fr_random *random, int leading,
                       double most_flops, struct shape *out)
{
    const double most_depth = fmin(kind->most, leading);
    const double least_depth = fmin(kind->least, most_depth / 2);
    const int least = fr_call_is_dgemm(kind->call) && !kind->is_narrow ? NARROW : 8;

    *out = (struct shape){ .kind = kind, .transa = "N", .transb = "N" };
    set_sizes(out, least, least, (int)least_depth);
    for (int i = 0; i < DRAWS; i++) {
        struct shape drawn = *out;
        int m = draw(random, least, leading), n = draw(random, least, leading);

        if (kind->is_narrow)
            *(fr_random_next(random) % 2 ? &m : &n) = draw(random, 4, NARROW);
        set_sizes(&drawn, m, n, draw(random, least_depth, most_depth));
        if (flops_of(&drawn) > most_flops || !fits(&drawn, leading))
            continue;
        *out = drawn;
        break;
    }
    if (fr_call_is_dgemm(kind->call) && fr_random_next(random) % 2)
        *(kind->is_deepest ? &out->transa : &out->transb) = "T";
}

static void set_extra(struct calls *calls, int i, int n, int k)
{
    calls->shape[DRAWN + i] = (struct shape){
        .kind = &kinds[0], /* where its operands lie, whatever its depth */
        .m = TALL,
        .n = n,
        .k = k,
        .transa = "N",
        .transb = "N",
    };
}

static void choose_extras(struct calls *calls)
{
    for (int i = 0; i < WIDTHS; i++)
        set_extra(calls, i, LEAST_WIDTH + i, DEPTH);
    for (int i = 0; i < 3 * MULTIPLES; i++)
        set_extra(calls, WIDTHS + i, WIDTH, multiples[i / 3] + 8 * (i % 3 - 1));
}

static void choose_shapes(struct fr_context *context, struct calls *calls)
{
    double most_flops = longest_call_s * fmax(fr_blas_rate(), 1e6);
    struct fr_random random = { 1 };

    /* All ranks take the same shapes. */
    MPI_Bcast(&most_flops, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Allreduce(MPI_IN_PLACE, &calls->leading, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    for (int i = 0; i < DRAWN; i++)
        draw_shape(&kinds[i / SHAPES], &random, calls->leading,
                   context->options->is_quick ? most_flops / 100 : most_flops, &calls->shape[i]);
    choose_extras(calls);
}

/* ---- calls ----------------------------------------------------------------------------------- */

/* The next rows x columns of the matrix. */
static double *next_part(struct calls *calls, int rows, int columns)
{
    struct place *place = &calls->place;

    place->column += columns;
    if (place->column + columns > calls->leading) {
        place->column = 0;
        place->row += (rows + 7) / 8 * 8;
    }
    if (place->row + rows > calls->leading)
        place->row = 0;
    return calls->matrix + place->row + (size_t)place->column * (size_t)calls->leading;
}

/* Keeps the numbers small. */
static const double tiny = 1e-12;

/* C += A B, or with A or B transposed. */
static void call_dgemm(struct calls *calls, const struct shape *shape)
{
    static const double one = 1;
    const struct fr_call_amounts of =
        fr_call_amounts(FR_CALL_DGEMM, NULL, shape->m, shape->n, shape->k);
    const bool is_a_turned = *shape->transa == 'T', is_b_turned = *shape->transb == 'T';
    const int a_rows = is_a_turned ? shape->k : shape->m,
              a_columns = is_a_turned ? shape->m : shape->k;
    const int b_rows = is_b_turned ? shape->n : shape->k,
              b_columns = is_b_turned ? shape->k : shape->n;
    double *a = calls->a, *b = calls->b, *c = calls->c;
    int lda = a_rows, ldb = b_rows, ldc = shape->m;

    if (!shape->kind->is_deepest && !shape->kind->is_narrow) {
        c = next_part(calls, shape->m, shape->n);
        ldc = calls->leading;
    } else if (shape->kind->is_deepest && of.a_elements >= of.b_elements) {
        a = next_part(calls, a_rows, a_columns);
        lda = calls->leading;
    } else if (shape->kind->is_deepest) {
        b = next_part(calls, b_rows, b_columns);
        ldb = calls->leading;
    }
    dgemm_(shape->transa, shape->transb, &shape->m, &shape->n, &shape->k, &tiny, a, &lda, b, &ldb,
           &one, c, &ldc, 1, 1);
}

static void call_dsyrk(struct calls *calls, const struct shape *shape)
{
    static const double one = 1;

    dsyrk_("L", "N", &shape->n, &shape->k, &tiny, calls->a, &shape->n, &one,
           next_part(calls, shape->n, shape->n), &calls->leading, 1, 1);
}

static void call_dtrsm(struct calls *calls, const struct shape *shape)
{
    static const double one = 1;
    const char *const flags = fr_blas_call_names[shape->kind->call] + sizeof "dtrsm_" - 1;
    const int rows = *flags == 'L' ? shape->m : shape->n;
    const int columns = *flags == 'L' ? shape->n : shape->m;

    dtrsm_(&flags[0], &flags[1], &flags[2], "N", &rows, &columns, &one, calls->a, &shape->m,
           next_part(calls, rows, columns), &calls->leading, 1, 1, 1, 1);
}

static void make_call(struct calls *calls, const struct shape *shape)
{
    if (fr_call_is_dgemm(shape->kind->call))
        call_dgemm(calls, shape);
    else if (shape->kind->call == FR_CALL_DSYRK)
        call_dsyrk(calls, shape);
    else
        call_dtrsm(calls, shape);
}

/* Ones on the diagonal and little beside it: solves neither grow nor vanish. */
static void make_triangle(double *a, int order)
{
    for (int j = 0; j < order; j++)
        for (int i = 0; i < order; i++)
            a[i + (size_t)j * (size_t)order] = i == j ? 1 : 1e-6 * (i - j) / order;
}

/* Mean seconds of a call, after one that is not timed. */
static double sample(const struct fr_context *context, struct calls *calls,
                     const struct shape *shape)
{
    double began_s, took_s;
    int count = 0;

    if (!fr_call_is_dgemm(shape->kind->call) && shape->kind->call != FR_CALL_DSYRK)
        make_triangle(calls->a, shape->m);
    make_call(calls, shape);
    began_s = MPI_Wtime();
    do {
        make_call(calls, shape);
        count++;
        took_s = MPI_Wtime() - began_s;
    } while (took_s < sample_min_s(context));
    return took_s / count;
}

/* ---- rounds ---------------------------------------------------------------------------------- */

/* With numbers on the ranks that work. */
static struct calls *calls_new(struct fr_context *context, bool works)
{
    struct fr_random random = { 1 + (uint64_t)context->world->rank };
    struct calls *calls = calloc(1, sizeof *calls);
    size_t elements, operand;

    if (!calls)
        fr_world_out_of_memory();
    calls->leading = leading_of(context);
    choose_shapes(context, calls);
    if (!works)
        return calls;
    elements = (size_t)calls->leading * (size_t)calls->leading;
    operand = elements / 4 > TALL * DEEPEST ? elements / 4 : TALL * DEEPEST;
    calls->matrix = fr_kernel_matrix(&random, elements);
    calls->a = fr_kernel_matrix(&random, operand);
    calls->b = fr_kernel_matrix(&random, operand);
    calls->c = fr_kernel_matrix(&random, operand);
    return calls;
}

static void calls_free(struct calls *calls)
{
    free(calls->matrix);
    free(calls->a);
    free(calls->b);
    free(calls->c);
    free(calls);
}

/* A sample of every shape, the mean over the team, at the same time on all its members. */
static void measure_round(const struct fr_context *context, struct calls *calls, int round,
                          MPI_Comm team)
{
    struct fr_random random = { context->random.state + (uint64_t)round + 1 };
    int order[ALL], size;

    MPI_Comm_size(team, &size);
    fr_random_order(&random, order, ALL);
    for (int i = 0; i < ALL; i++) {
        struct shape *shape = &calls->shape[order[i]];
        double own_s, sum_s;

        MPI_Barrier(team);
        own_s = sample(context, calls, shape);
        MPI_Allreduce(&own_s, &sum_s, 1, MPI_DOUBLE, MPI_SUM, team);
        shape->time_s[round] = sum_s / size;
    }
}

/* ---- costs ----------------------------------------------------------------------------------- */

/* The least seconds of a shape for the extra columns, which are differences of a few per cent. */
static double extra_s(const struct calls *calls, int i, int rounds)
{
    const double *time_s = calls->shape[DRAWN + i].time_s;
    double least_s = time_s[0];

    for (int round = 1; round < rounds; round++)
        least_s = fmin(least_s, time_s[round]);
    return least_s;
}

/* How much longer, in proportion to the depth, a multiple takes than its neighbours in the mean. */
static double multiple_s(const struct calls *calls, int i, int rounds)
{
    const int first = WIDTHS + 3 * i;
    const double depth = multiples[i];
    const double below_s = extra_s(calls, first, rounds) / (depth - 8);
    const double above_s = extra_s(calls, first + 2, rounds) / (depth + 8);

    return extra_s(calls, first + 1, rounds) / depth - (below_s + above_s) / 2;
}

/* How much longer the widths of a remainder take than the line between the multiples beside them.
 */
static double remainder_s(const struct calls *calls, int remainder, int rounds)
{
    double longer_s[WIDTHS / REMAINDERS];

    for (int i = 0; i < WIDTHS / REMAINDERS; i++) {
        const double below_s = extra_s(calls, i * REMAINDERS, rounds);
        const double above_s = extra_s(calls, (i + 1) * REMAINDERS, rounds);

        longer_s[i] = extra_s(calls, i * REMAINDERS + remainder, rounds) - below_s -
                      (above_s - below_s) * remainder / REMAINDERS;
    }
    return fr_sample_median(longer_s, WIDTHS / REMAINDERS);
}

/* Nothing where the machine is so disturbed that more columns take no longer. */
static void find_extra_columns(struct fr_document *document, struct calls *calls, int rounds,
                               int copies)
{
    struct fr_extra_columns *extra = &document->found.kernels.extra_columns;
    double *columns = fr_document_memory(document, REMAINDERS, sizeof *columns);
    const double column_s =
        (extra_s(calls, WIDTHS - 1, rounds) - extra_s(calls, 0, rounds)) / (WIDTHS - 1);
    double depth_columns[MULTIPLES], spread[EXTRAS];

    if (column_s <= 0)
        return;
    for (int i = 0; i < REMAINDERS; i++)
        columns[i] = fmax(0, remainder_s(calls, i, rounds) / column_s);
    for (int i = 0; i < MULTIPLES; i++)
        depth_columns[i] = multiple_s(calls, i, rounds) / (column_s / DEPTH);
    extra->by_remainder = (fr_numbers){ columns, REMAINDERS };
    extra->depth_64 = fmax(0, (depth_columns[0] + depth_columns[2]) / 2);
    extra->depth_128 = fmax(0, (depth_columns[1] + depth_columns[3]) / 2);
    for (int i = 0; i < EXTRAS; i++)
        spread[i] = fr_sample_spread(calls->shape[DRAWN + i].time_s, rounds);
    fr_document_source(document, "/kernels/extra_columns",
                       fr_document_measured((int64_t)rounds * EXTRAS,
                                            fr_sample_median(spread, EXTRAS), "least of rounds"),
                       "mean over %d simultaneous copies; products of %d rows, widths at depth %d, "
                       "depths at width %d",
                       copies, TALL, DEPTH, WIDTH);
}

static struct fr_equation equation_of(const struct fr_extra_columns *extra, struct shape *shape,
                                      int rounds)
{
    const struct fr_call_amounts of =
        fr_call_amounts(shape->kind->call, extra, shape->m, shape->n, shape->k);

    return (struct fr_equation){
        .amount = { 1, of.multiply_adds, of.a_elements, of.b_elements, of.c_elements },
        .time_s = fr_sample_median(shape->time_s, rounds),
    };
}

/* Adds the row of a kind; returns the root mean square of its relative errors. */
static double add_row(struct fr_context *context, struct calls *calls, int kind, int rounds)
{
    struct fr_equation equation[SHAPES];
    double constant[FR_CONSTANTS], error;

    for (int i = 0; i < SHAPES; i++)
        equation[i] = equation_of(&context->document->found.kernels.extra_columns,
                                  &calls->shape[kind * SHAPES + i], rounds);
    fr_nonnegative_fit(equation, SHAPES, constant, &error);
    *FR_ADD_ROW(context->document, context->document->found.kernels.calls) = (struct fr_call_cost){
        .call = (int)kinds[kind].call,
        .threads = 1,
        .max_width = kinds[kind].is_narrow && kinds[kind].call == FR_CALL_DGEMM ? NARROW : HUGE_VAL,
        .max_depth = kinds[kind].is_deepest ? HUGE_VAL : kinds[kind].most,
        .max_size = calls->leading,
        .call_s = constant[0],
        .multiply_add_s = constant[1],
        .a_element_s = constant[2],
        .b_element_s = constant[3],
        .c_element_s = constant[4],
    };
    return error;
}

static void record(struct fr_context *context, struct calls *calls, int rounds, int copies)
{
    double error[KINDS], spread[DRAWN];

    for (int i = 0; i < DRAWN; i++)
        spread[i] = fr_sample_spread(calls->shape[i].time_s, rounds);
    find_extra_columns(context->document, calls, rounds, copies);
    for (int kind = 0; kind < KINDS; kind++)
        error[kind] = add_row(context, calls, kind, rounds);
    fr_document_source(
        context->document, "/kernels/calls",
        fr_document_measured((int64_t)rounds * DRAWN, fr_sample_median(spread, DRAWN),
                             "median of rounds"),
        "mean over %d simultaneous copies; what a call updates is part of a matrix of order %d, of "
        "deep products and dgemm_memory the longer operand, of narrow ones nothing; the root mean "
        "square error of "
        "the %d shapes of a row is %.1f %% in the median of the rows",
        copies, calls->leading, SHAPES, 100 * fr_sample_median(error, KINDS));
}

static void run_rounds(struct fr_context *context, struct calls *calls, bool works)
{
    struct fr_progress progress =
        fr_progress_begin(context, "calls", context->options->repetitions);
    int rounds = 0, copies = 0;

    for (; rounds < context->options->repetitions && !fr_bench_is_late(context, MPI_COMM_WORLD);
         rounds++) {
        struct fr_team team = fr_team_begin(context->world, works);

        if (works) {
            MPI_Comm_size(team.comm, &copies);
            measure_round(context, calls, rounds, team.comm);
        }
        fr_team_end(context->world, &team);
        fr_progress_add(&progress, 1);
    }
    fr_progress_end(&progress);
    if (context->world->rank == 0 && rounds)
        record(context, calls, rounds, copies);
}

static void run(struct fr_context *context)
{
    const int core = context->world->node_rank;
    const bool works = core < context->cores_per_node;
    struct calls *calls;

    if (!fr_blas_set_threads(1)) {
        fr_bench_missing(context, "calls", "this BLAS cannot be set to one thread");
        return;
    }
    if (works)
        fr_binding_set(context->cores, core, 1);
    calls = calls_new(context, works);
    run_rounds(context, calls, works);
    calls_free(calls);
    fr_binding_restore(context->cores);
}

/* Twice the operations of the shapes, since small calls are slow. */
static double expected_s(const struct fr_context *context)
{
    const double quick = context->options->is_quick ? 0.01 : 1;

    return context->options->repetitions *
           (2 * ALL * sample_min_s(context) + DRAWN * quick * longest_call_s / 24);
}

const struct fr_bench fr_bench_calls = {
    .name = "calls",
    .group = "kernels",
    .summary = "dgemm, dsyrk and dtrsm as block-cyclic programs call them",
    .needs_ranks = 1,
    .is_timing_cores = true,
    .expected_s = expected_s,
    .run = run,
};
