/* pdtrsm: triangular solve by the PBLAS (docs/models/block_cyclic.md#pdtrsm).
 *
 * The variant with the lesser estimated volume moves A and B, or B alone.
 */
#include "engine/block_cyclic/walk.h"

#include <math.h>

static const struct fr_param params[] = {
    CYCLIC_SIZE(m, "Rows of B."),
    CYCLIC_SIZE(n, "Columns of B."),
    CYCLIC_SIDE,
    CYCLIC_PARAMS,
    CYCLIC_UPLO("Triangle of A; it changes directions, not the time."),
    CYCLIC_TRANSPOSE(trans, "A"),
    FR_PARAMS_END,
};

static int64_t order_of(const struct cyclic_values *v)
{
    return v->side == CYCLIC_LEFT ? v->m : v->n;
}

static const char *work_of(const void *values)
{
    const struct cyclic_values *v = values;

    return v->side == CYCLIC_LEFT ? "m" : "n";
}

enum moves { BOTH_MOVE, BOTH_MOVE_COMBINED, B_MOVES };

static double share(int64_t n, int64_t nb, int64_t processes)
{
    return (double)(cyclic_blocks(cyclic_blocks(n, nb), processes) * nb);
}

/* What moves is chosen by estimated volumes (pdtrsm_.c).  The volume of B alone counts process
 * rows, whatever the side. */
static enum moves moves_of(const struct cyclic_values *v)
{
    const struct cyclic_values left = v->side == CYCLIC_LEFT ? *v : cyclic_mirrored(v);
    const int64_t nb = left.block_size, P = left.process_rows, Q = left.process_columns;
    const double reduction = 1.3, order = (double)left.m, sides = (double)left.n;
    const double blocks = (double)(cyclic_blocks(left.m, nb) * nb);
    const double turned = fmax(share(left.m, nb, P), share(left.m, nb, Q));
    const double a = Q > 1 ? share(left.m, nb, P) / 2 : 0, b = P > 1 ? share(left.n, nb, Q) : 0;
    const double combined = order * (a + reduction * b), both = order * (a + b + turned / 2);

    if (!cyclic_is_transposed(v->trans))
        return order * (a + b) <=
                       2 * sides * ((v->process_rows > 1 ? blocks : 0) + (v->process_columns > 1))
                   ? BOTH_MOVE
                   : B_MOVES;
    if (fmin(combined, both) > 2 * sides * (blocks * ((P > 1) + (Q > 1)) + turned))
        return B_MOVES;
    /* Without rings the variant stays what it is set to first. */
    return combined <= both && cyclic_least(v->m, v->n) > CYCLIC_SLICE ? BOTH_MOVE_COMBINED
                                                                       : BOTH_MOVE;
}

static double work(const void *values)
{
    const struct cyclic_values *v = values;
    const struct cyclic_sequence slices = cyclic_slices(v, order_of(v));

    return moves_of(v) == B_MOVES ? cyclic_solve_moving_b_work(v, order_of(v))
                                  : cyclic_work(v, &slices, 0);
}

/* A transposed A that is turned is solved as what it then is; B alone is turned instead of A. */
static const char *dtrsm(const void *values)
{
    static const char *const flags[2][2][2] = { { { "LLN", "LLT" }, { "LUN", "LUT" } },
                                                { { "RLN", "RLT" }, { "RUN", "RUT" } } };
    const struct cyclic_values *v = values;
    const enum moves moves = moves_of(v);
    const bool is_transposed = cyclic_is_transposed(v->trans);
    const bool is_right = v->side == CYCLIC_RIGHT, is_upper = v->uplo == CYCLIC_UPPER;

    return flags[moves == B_MOVES ? is_right != is_transposed : is_right]
                [moves == BOTH_MOVE ? is_upper != is_transposed : is_upper]
                [moves == BOTH_MOVE_COMBINED];
}

static double memory_words(const struct cyclic_values *v)
{
    const int64_t nb = v->block_size, P = v->process_rows, Q = v->process_columns;
    const int64_t order = order_of(v);
    const double am = (double)cyclic_rows(v->m, nb, 0, P), bn = (double)cyclic_rows(v->n, nb, 0, Q);

    return (double)cyclic_rows(order, nb, 0, P) * (double)cyclic_rows(order, nb, 0, Q) + am * bn +
           CYCLIC_SLICE * (am + bn);
}

/* Described is A and B moving for side R, and B alone for side L, or R with a transposed A. */
static bool is_mirrored(const struct cyclic_values *v, enum moves moves)
{
    const bool is_left = v->side == CYCLIC_LEFT;

    return moves == B_MOVES ? is_left == cyclic_is_transposed(v->trans) : is_left;
}

static bool move_both(struct cyclic_walk *walk)
{
    return cyclic_solve_moving_both(walk, cyclic_is_transposed(walk->v->trans));
}

static bool combine(struct cyclic_walk *walk)
{
    return cyclic_solve_combining(walk, is_mirrored(walk->v, BOTH_MOVE_COMBINED));
}

static bool move_b(struct cyclic_walk *walk)
{
    const bool is_seen_mirrored = is_mirrored(walk->v, B_MOVES);
    const bool is_order_m = (walk->v->side == CYCLIC_LEFT) != is_seen_mirrored;
    const int64_t m = walk->v->m, n = walk->v->n;

    return cyclic_solve_moving_b(walk, is_order_m ? m : n, is_order_m ? n : m,
                                 cyclic_is_transposed(walk->v->trans), is_seen_mirrored);
}

static struct cyclic_course course(const struct cyclic_values *v)
{
    static bool (*const walks[])(struct cyclic_walk * walk) = {
        [BOTH_MOVE] = move_both, [BOTH_MOVE_COMBINED] = combine, [B_MOVES] = move_b
    };
    const enum moves moves = moves_of(v);

    return (struct cyclic_course){ is_mirrored(v, moves) ? cyclic_mirrored(v) : *v, walks[moves],
                                   (double)v->m * (double)v->n * (double)order_of(v),
                                   memory_words(v) };
}

/* How wrong nine of ten solves with a transposed A are was not recorded. */
static void remark(const struct cyclic_values *v, struct fr_prediction *out)
{
    const bool is_left = v->side == CYCLIC_LEFT;
    const double order = (double)order_of(v);

    if (cyclic_is_transposed(v->trans))
        out->error_fraction = 0;
    if (moves_of(v) != B_MOVES)
        return;
    fr_warn(out, FR_WARN_SLOW_VARIANT,
            is_left || v->process_rows == 1 ? "process_rows" : "process_columns",
            (double)(is_left ? v->n : v->m), order, order);
}

static int resolve(void *values, const struct fr_calibration *cal, struct fr_faults *faults)
{
    static const struct cyclic_rules rules = { .needs_trsm = true,
                                               .work = work,
                                               .course = course,
                                               .remark = remark,
                                               .work_of = work_of,
                                               .dtrsm = dtrsm };

    return cyclic_resolve(values, cal, &rules, faults);
}

const struct fr_model fr_model_pdtrsm = {
    .name = "pdtrsm",
    .summary = "Triangular solve with many right-hand sides of ScaLAPACK (PBLAS) on a P x Q grid.",
    .source = "ScaLAPACK: pdtrsm_.c, PB_CptrsmAB.c, PB_CptrsmB.c",
    .assumes = FR_TEXTS(
        "The PBLAS of ScaLAPACK, which move A and B in slices of 32, or B alone.",
        "Process rows wait for each other, so that one clock for each process column suffices."),
    .blind_spots = FR_TEXTS("Other jobs, and noise beyond what the calibration saw."),
    CYCLIC_COURSE,
    .error_fraction = 0.10,
    CYCLIC_MODEL(struct cyclic_values, FR_USE(DGEMM) | FR_USE(DTRSM), CYCLIC_BLACS),
};
