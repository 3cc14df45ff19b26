/* pdgemm: C += A B on a grid of processes by the PBLAS, in slices of 32 of the inner dimension or
 * in one (docs/models/block_cyclic.md#pdgemm).
 *
 * The variant with the least estimated volume leaves C, B or A in its place (AB, AC, BC).
 */
#include "engine/block_cyclic/walk.h"

#include <math.h>

static const struct fr_param params[] = {
    CYCLIC_SIZE(m, "Rows of C and A."),
    CYCLIC_SIZE(n, "Columns of C and B."),
    CYCLIC_SIZE(k, "Columns of A and rows of B."),
    CYCLIC_PARAMS,
    CYCLIC_TRANSPOSE(transa, "A"),
    CYCLIC_TRANSPOSE(transb, "B"),
    FR_PARAMS_END,
};

static double work(const void *values)
{
    const struct cyclic_values *v = values;
    const struct cyclic_sequence slices =
        cyclic_slices(v, cyclic_most(cyclic_most(v->m, v->n), v->k));

    return cyclic_work(v, &slices, 0);
}

static const char *work_of(const void *values)
{
    (void)values;
    return "k";
}

enum stays { C_STAYS, B_STAYS, A_STAYS };

static double share(int64_t n, int64_t nb, int64_t processes)
{
    return (double)(cyclic_blocks(cyclic_blocks(n, nb), processes) * nb);
}

/* What the PBLAS charge for combining instead of broadcasting, and as a tolerance (pdgemm_.c). */
static const double reduction = 1.3;

/* The estimated volumes of the variants that leave C and B in their places (pdgemm_.c).  A slice
 * that lies along the wrong line of processes is turned, which counts too. */
static double volume_c_stays(const struct cyclic_values *v)
{
    const int64_t nb = v->block_size, P = v->process_rows, Q = v->process_columns;
    const double m = share(v->m, nb, P), n = share(v->n, nb, Q);

    return (double)v->k * ((Q > 1 ? m : 0) + (v->transa ? fmax(m, share(v->m, nb, Q)) : 0) +
                           (P > 1 ? n : 0) + (v->transb ? fmax(n, share(v->n, nb, P)) : 0));
}

static double volume_b_stays(const struct cyclic_values *v)
{
    const int64_t nb = v->block_size, P = v->process_rows, Q = v->process_columns;
    const double kp = share(v->k, nb, P), kq = share(v->k, nb, Q);
    const double np = share(v->n, nb, P), nq = share(v->n, nb, Q);
    const double moved = v->transb ? (P > 1 ? kq : 0) : (Q > 1 ? kp : 0);
    const double combined = v->transb ? (Q > 1 ? np : 0) : (P > 1 ? nq : 0);

    return (double)v->m * (moved + (v->transa == v->transb ? fmax(kp, kq) : 0) +
                           reduction * combined + (v->transb ? fmax(np, nq) : 0));
}

static enum stays variant_of(const struct cyclic_values *v)
{
    const struct cyclic_values mirror = cyclic_mirrored(v);
    const double AB = volume_c_stays(v), AC = volume_b_stays(v), BC = volume_b_stays(&mirror);

    if (AB <= reduction * BC && AB <= reduction * AC)
        return C_STAYS;
    return BC <= AC && reduction * BC <= AB ? A_STAYS : B_STAYS;
}

static double memory_words(const struct cyclic_values *v, const struct cyclic_course *course)
{
    const int64_t nb = v->block_size, P = v->process_rows, Q = v->process_columns;
    const bool is_one =
        course->walk == cyclic_multiply_c_stays && cyclic_is_one_slice(&course->seen);
    const double pm = (double)cyclic_rows(v->m, nb, 0, P), qm = (double)cyclic_rows(v->m, nb, 0, Q);
    const double pn = (double)cyclic_rows(v->n, nb, 0, P), qn = (double)cyclic_rows(v->n, nb, 0, Q);
    const double pk = (double)cyclic_rows(v->k, nb, 0, P), qk = (double)cyclic_rows(v->k, nb, 0, Q);
    const double a = cyclic_is_transposed(v->transa) ? pk * qm : pm * qk;
    const double b = cyclic_is_transposed(v->transb) ? pn * qk : pk * qn;
    /* A whole operand that lies where it is needed has no buffer. */
    const double buffers = is_one ? (double)v->k * ((course->seen.transa || Q > 1 ? pm : 0) +
                                                    (course->seen.transb || P > 1 ? qn : 0))
                                  : CYCLIC_SLICE * (pm + qn);

    return a + b + pm * qn + buffers;
}

static struct cyclic_course course(const struct cyclic_values *v)
{
    struct cyclic_course course = { .seen = *v,
                                    .walk = cyclic_multiply_c_stays,
                                    .flops = 2 * (double)v->m * (double)v->n * (double)v->k };
    struct cyclic_values *seen = &course.seen;
    enum stays stays;

    seen->transa = cyclic_is_transposed(v->transa);
    seen->transb = cyclic_is_transposed(v->transb);
    stays = variant_of(seen);
    if (stays != C_STAYS) {
        const bool is_transposed = stays == A_STAYS ? seen->transa : seen->transb;

        course.walk = is_transposed ? cyclic_multiply_transposed_a_stays : cyclic_multiply_b_stays;
        /* Two of the four ways to leave an operand in its place are mirror images. */
        if ((stays == A_STAYS) != is_transposed)
            *seen = cyclic_mirrored(seen);
    }
    course.memory_words = memory_words(v, &course);
    return course;
}

/* In nine of ten products with a transposed operand
 * (docs/models/variability.md#how-wrong-the-models-were). */
static const double transposed_error_fraction = 0.31;

static void remark(const struct cyclic_values *v, struct fr_prediction *out)
{
    if (cyclic_is_transposed(v->transa) || cyclic_is_transposed(v->transb))
        out->error_fraction = transposed_error_fraction;
}

static int resolve(void *values, const struct fr_calibration *cal, struct fr_faults *faults)
{
    static const struct cyclic_rules rules = {
        .work = work, .course = course, .remark = remark, .work_of = work_of
    };

    return cyclic_resolve(values, cal, &rules, faults);
}

const struct fr_model fr_model_pdgemm = {
    .name = "pdgemm",
    .summary = "Matrix product of ScaLAPACK (PBLAS) on a P x Q grid.",
    .source = "ScaLAPACK: pdgemm_.c, PB_CpgemmAB.c, PB_CpgemmAC.c; van de Geijn, Watts: SUMMA "
              "(1997)",
    .assumes = FR_TEXTS(
        "The PBLAS of ScaLAPACK, which multiply in slices of 32 whatever the block size, or in one "
        "where no operand spans several processes with its k, and choose what stays in its place "
        "by estimated volumes: where the choice changes, a larger product may take less time.",
        "Columns that share a link are kept apart by slices of A: where computation is short, more "
        "rows of A may take less time.",
        "Process rows wait for each other, so that one clock for each process column suffices."),
    .blind_spots = FR_TEXTS("Other jobs, and noise beyond what the calibration saw."),
    CYCLIC_COURSE,
    .error_fraction = 0.10,
    CYCLIC_MODEL(struct cyclic_values, FR_USE(DGEMM), CYCLIC_BLACS),
};
