/* matmul: C = A B on square grids of processes, by Cannon's shifts or SUMMA's broadcasts
 * (docs/models/dense.md#cannon, docs/models/dense.md#summa).
 *
 * Cannon has q steps; each multiplies two blocks and shifts both.  SUMMA has m steps; each
 * broadcasts a panel of A along the rows and one of B along the columns.  With c layers each layer
 * does 1/c of the steps on copies, and the products are summed over the layers.
 */
#include "engine/dense/refined.h"

#include <math.h>

struct matmul {
    struct dense_values common;
    int algorithm;
};

enum { CANNON, SUMMA };
static const char *const algorithms[] = { [CANNON] = "cannon", [SUMMA] = "summa", NULL };

static const struct fr_param params[] = {
    FR_CHOICE_OF(struct matmul, algorithm, .choices = algorithms, .unit = "", .flags = FR_TUNABLE,
                 .doc = "Cannon's shifts along rows and columns, or SUMMA's broadcasts."),
    DENSE_PARAMS,
    DENSE_BLOCKS(0, ),
    FR_PARAMS_END,
};

static const enum fr_routine routines[] = { FR_DGEMM };

static int resolve(void *values, const struct fr_calibration *cal, struct fr_faults *faults)
{
    struct matmul *v = values;
    const struct dense_rules rules = {
        .has_single_blocks = v->algorithm == CANNON,
        .may_have_barriers = v->algorithm == CANNON,
        .routines = routines,
        .routine_count = 1,
    };

    return dense_resolve(&v->common, cal, &rules, faults);
}

static void warn_uneven_layers(const struct dense *d, double steps)
{
    if (fmod(steps, d->c) != 0)
        fr_warn(d->run->out, FR_WARN_UNEVEN_LAYERS, NULL, steps, d->c, steps);
}

/* The transfers of Cannon's algorithm: blocks of A and B in each step, `both` for the two together;
 * the distribution before, the sums after. */
struct shifts {
    struct cost row, column, both, first, reduce;
};

static struct shifts shifts_of(const struct dense *d, double loops)
{
    struct shifts shifts = { .reduce = dense_reduce(d, d->c, d->w, d->p / d->c) };

    if (d->p > 1 && (d->c == 1 || loops > 0)) {
        shifts.row = dense_shift(d, d->w, 1);
        shifts.column = dense_shift(d, d->w, d->q);
    }
    shifts.both = cost_plus(shifts.row, shifts.column);
    shifts.first =
        d->c == 1 ? shifts.both : cost_times(2, dense_shift(d, d->w, (d->c - 1) * d->p / d->c));
    return shifts;
}

/* The statistics follow docs/models/dense.md#decision-waits-travel-round-the-ring.  Two
 * simultaneous shifts share links; their time is divided in proportion to their separate times. */
static struct shifts refined_shifts(const struct dense *d, double loops)
{
    const enum refined_statistic each = d->has_barriers ? REFINED_MAXIMUM : REFINED_AVERAGE;
    const enum refined_statistic pair = d->c == 1 ? REFINED_MAXIMUM : each;
    struct shifts shifts = {
        .first = refined_pattern(d, FR_DISTRIBUTE, d->w, REFINED_MAXIMUM),
    };
    double share;

    if (d->c > 1)
        shifts.reduce = refined_pattern(d, FR_REDUCE_LAYERS, d->w, REFINED_MAXIMUM);
    if (loops == 0)
        return shifts;
    shifts.row = refined_pattern(d, FR_SHIFT_ROW, d->w, each);
    shifts.column = refined_pattern(d, FR_SHIFT_COLUMN, d->w, each);
    shifts.both = cost_plus(shifts.row, shifts.column);
    if (d->is_overlapped && shifts.both.time_s > 0) {
        share = shifts.row.time_s / shifts.both.time_s;
        shifts.both = refined_pattern(d, FR_SHIFT_PAIR, d->w, pair);
        shifts.row.time_s = share * shifts.both.time_s;
        shifts.column.time_s = (1 - share) * shifts.both.time_s;
    }
    return shifts;
}

/* All messages of a run were measured together: a wait of one transfer passes during the next
 * (docs/models/dense.md#whole-runs-of-cannon-and-summa). */
static void measured_together(const struct dense *d, double loops, struct shifts *shifts)
{
    const enum fr_pattern_kind all = d->is_overlapped ? FR_CANNON_PAIRS : FR_CANNON;
    const double ends_s = refined_pattern(d, FR_CANNON_HIDDEN, d->w, REFINED_MAXIMUM).time_s;
    const double all_s = refined_pattern(d, all, d->w, REFINED_MAXIMUM).time_s;
    const double ends = ends_s / (shifts->first.time_s + shifts->reduce.time_s);

    shifts->first.time_s *= ends;
    shifts->reduce.time_s *= ends;
    if (shifts->both.time_s > 0) {
        const double each = fmax(0, all_s - ends_s) / (loops * shifts->both.time_s);

        shifts->row.time_s *= each;
        shifts->column.time_s *= each;
        shifts->both.time_s *= each;
    }
}

static void cannon(const struct dense *d)
{
    const double steps = ceil(d->q / d->c), loops = steps - 1;
    const double G = dense_kernel_s(d, FR_DGEMM);
    struct shifts shifts = d->is_refined ? refined_shifts(d, loops) : shifts_of(d, loops);
    double both_s, hidden_s = 0;

    warn_uneven_layers(d, d->q);
    if (d->q > 1 && d->is_refined && !d->has_barriers && refined_is_measured(d, FR_CANNON_HIDDEN))
        measured_together(d, loops, &shifts);
    both_s = shifts.both.time_s;
    if (d->is_overlapped && loops > 0 && both_s > 0)
        hidden_s = loops * fmin(both_s, G) / both_s; /* of each second of a shift */

    dense_communicate(d, d->c == 1 ? "initial_shift" : "replicate", shifts.first, 0);
    dense_communicate(d, "shift_row", cost_times(loops, shifts.row), hidden_s * shifts.row.time_s);
    dense_communicate(d, "shift_column", cost_times(loops, shifts.column),
                      hidden_s * shifts.column.time_s);
    dense_compute(d, "dgemm", steps * G);
    if (d->has_barriers)
        dense_communicate(d, "barrier",
                          cost_times(steps, refined_pattern(d, FR_BARRIER, 0, REFINED_MAXIMUM)), 0);
    dense_communicate(d, "reduce", shifts.reduce, 0);
}

/* The transfers of SUMMA: in each step panels of A and B; copies before, sums after. */
struct panels {
    struct cost a, b, replicate, reduce;
    double ahead_s; /* of both panels of a step, sent during the products of the step before */
};

static struct panels panels_of(const struct dense *d)
{
    const double copy = (d->n / d->q) * (d->n / d->q);
    struct panels panels = {
        .a = cost_times(d->r, dense_broadcast(d, d->q, d->w, 1)),
        .b = cost_times(d->r, dense_broadcast_sync(d, d->q, d->w, d->q)),
        .reduce = dense_reduce(d, d->c, copy, d->p / d->c),
    };

    if (d->c > 1)
        panels.replicate = cost_times(2, dense_shift(d, copy, (d->c - 1) * d->p / d->c));
    panels.ahead_s = panels.a.time_s + panels.b.time_s;
    return panels;
}

/* The sum of the parts of SUMMA with one block of that many words per process. */
static double sum_of_parts_s(const struct dense *d, double words)
{
    const double both_s = refined_pattern(d, FR_BROADCAST_BOTH, words, REFINED_MAXIMUM).time_s;
    double ends_s = 0;

    if (d->c > 1)
        ends_s = refined_pattern(d, FR_REPLICATE_LAYERS, words, REFINED_MAXIMUM).time_s +
                 refined_pattern(d, FR_REDUCE_LAYERS, words, REFINED_MAXIMUM).time_s;
    return ends_s + ceil(d->q / d->c) * both_s;
}

/* All messages of a run with one block per process were measured together.  They take less than
 * the sum of their parts; with more blocks the saving is the same
 * (docs/models/dense.md#whole-runs-of-cannon-and-summa). */
static void measured_with_steps(const struct dense *d, struct panels *panels)
{
    const double words = d->c > 1 ? d->r * d->r * d->w : d->r * d->w;
    const double steps = ceil(d->m / d->c);
    const double sum_s = panels->replicate.time_s + panels->reduce.time_s +
                         steps * (panels->a.time_s + panels->b.time_s);
    const double saved_s =
        sum_of_parts_s(d, words) - refined_pattern(d, FR_SUMMA, words, REFINED_MAXIMUM).time_s;
    const double share = fmax(0, 1 - saved_s / sum_s);

    panels->replicate.time_s *= share;
    panels->reduce.time_s *= share;
    panels->a.time_s *= share;
    panels->b.time_s *= share;
}

/* The r blocks of a panel are one message.  The slowest row need not contain the slowest column, so
 * both broadcasts in turn, if measured, are divided in proportion to their separate times.  Copies
 * go to the other layers without Cannon's skew. */
static struct panels refined_panels(const struct dense *d)
{
    const double panel = d->r * d->w, copy = (d->n / d->q) * (d->n / d->q);
    const enum fr_pattern_kind copies =
        refined_is_measured(d, FR_REPLICATE_LAYERS) ? FR_REPLICATE_LAYERS : FR_DISTRIBUTE;
    struct panels panels = {
        .a = refined_pattern(d, FR_BROADCAST_ROW_ROTATING, panel, REFINED_MAXIMUM),
        .b = refined_pattern(d, FR_BROADCAST_COLUMN_ROTATING, panel, REFINED_MAXIMUM),
    };

    if (d->q > 1 && refined_is_measured(d, FR_BROADCAST_BOTH)) {
        const double both_s = refined_pattern(d, FR_BROADCAST_BOTH, panel, REFINED_MAXIMUM).time_s;
        const double share = both_s / (panels.a.time_s + panels.b.time_s);

        panels.a.time_s *= share;
        panels.b.time_s *= share;
    }
    if (d->c > 1) {
        panels.replicate = refined_pattern(d, copies, copy, REFINED_MAXIMUM);
        panels.reduce = refined_pattern(d, FR_REDUCE_LAYERS, copy, REFINED_MAXIMUM);
    }
    if (d->q > 1 && refined_is_measured(d, FR_SUMMA))
        measured_with_steps(d, &panels);
    panels.ahead_s = panels.a.time_s + panels.b.time_s;
    if (d->is_overlapped && d->q > 1 && refined_is_measured(d, FR_BROADCAST_BOTH_AHEAD))
        panels.ahead_s = refined_pattern(d, FR_BROADCAST_BOTH_AHEAD, panel, REFINED_MAXIMUM).time_s;
    return panels;
}

static void summa(const struct dense *d)
{
    const double steps = ceil(d->m / d->c);
    const struct panels panels = d->is_refined ? refined_panels(d) : panels_of(d);
    const double G = d->r * d->r * dense_kernel_s(d, FR_DGEMM);
    const double panels_s = panels.a.time_s + panels.b.time_s;
    struct cost a = cost_times(steps, panels.a), b = cost_times(steps, panels.b);
    double ahead, hidden = 0; /* per second of the first panels: of the others, of hidden ones */

    warn_uneven_layers(d, d->m);
    if (d->is_overlapped && panels_s > 0) {
        ahead = (steps - 1) * panels.ahead_s / panels_s;
        hidden = (steps - 1) * fmin(panels.ahead_s, G) / panels_s;
        a.time_s = (1 + ahead) * panels.a.time_s;
        b.time_s = (1 + ahead) * panels.b.time_s;
    }

    dense_communicate(d, "replicate", panels.replicate, 0);
    dense_communicate(d, "broadcast_a", a, hidden * panels.a.time_s);
    dense_communicate(d, "broadcast_b", b, hidden * panels.b.time_s);
    dense_compute(d, "dgemm", steps * G);
    dense_communicate(d, "reduce", panels.reduce, 0);
}

/* docs/models/dense.md#lower-bounds: a place of the grid needs n/q rows of A and as many columns of
 * B, and holds n/q columns and rows of these. */
static void bound(const struct dense *d)
{
    const double products = ceil(d->r * d->r * d->r * d->q / d->c), part = d->n / d->q;

    fr_bound(d->run->out, "work", products * dense_kernel_s(d, FR_DGEMM));
    dense_bound_network(d, 2 * part * (d->n - part) / d->c);
}

static void predict(const void *values, struct fr_evaluation *run)
{
    const struct matmul *v = values;
    const struct dense d = dense_derive(&v->common, run);
    const double local = (d.n / d.q) * (d.n / d.q), buffers = d.is_overlapped ? 2 : 1;

    if (v->algorithm == CANNON)
        cannon(&d);
    else
        summa(&d);
    bound(&d);
    dense_finish(&d, &v->common, 2 * d.n * d.n * d.n,
                 v->algorithm == CANNON ? 5 * local : 3 * local + 2 * buffers * d.r * d.w);
}

const struct fr_model fr_model_matmul = {
    .name = "matmul",
    .summary = "Matrix product on square grids of processes: Cannon and SUMMA, 2D and 2.5D.",
    .source = "González-Domínguez, Georganas, Zheng, Martín: Constructing Performance Models for "
              "Dense Linear Algebra Algorithms on Cray XE Systems, sections IV and V.A",
    .assumes = FR_TEXTS(
        "Square matrices on a square grid of processes per layer; every process has the same "
        "cores.",
        "All processes start together and send at the same time, as the contention benchmark does.",
        "Overlap is perfect: a step costs the larger of its communication and its computation.",
        "Blocks may have a fractional order: nothing is rounded where the grid does not divide n."),
    .blind_spots = FR_TEXTS(
        "Messages within a node have no price of their own: the contention factors contain them.",
        "Additions in reductions, packing and the first touch of memory are not charged.",
        "Noise, other jobs and process skew beyond what the contention benchmark saw.",
        "The source prints no equations for SUMMA: they are derived by its methodology, with one "
        "synchronization in each step."),
    .error_fraction = 0.04,
    DENSE_MODEL(struct matmul, FR_USE(DGEMM)),
};
