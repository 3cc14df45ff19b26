/* Precision: messages, operations and rates of single, double and complex arithmetic, on the round
 * machine (question.h). */
#include "engine/calibration/precision.h"
#include "tests/unit/support/question.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

struct machines {
    struct fr_arena *arena;
    const struct fr_calibration *round; /* double precision only */
    const struct fr_calibration *own;   /* sgemm at 2 flop/s, zgemm at 0.5 flop/s */
};

static const char own_rates[] =
    "'by_precision': {"
    "  'single': {'gemm': {'square': [{'threads': 1, 'n': 1, 'time_s': 1}]}},"
    "  'double_complex': {'gemm': {'square': [{'threads': 1, 'n': 1, 'time_s': 16}]}}}, ";

static int begin(void **state)
{
    static struct machines machines;
    const char *kernels = strstr(round_machine, "'kernels': {") + strlen("'kernels': {");
    char document[8192];

    snprintf(document, sizeof document, "%.*s%s%s", (int)(kernels - round_machine), round_machine,
             own_rates, kernels);
    machines.arena = fr_arena_new(1 << 22);
    machines.round = calibration_of(round_machine, machines.arena);
    machines.own = calibration_of(document, machines.arena);
    *state = &machines;
    return 0;
}

/* q = 2, blocks of 2 by 2; the product takes 32 s in double precision. */
static struct fr_prediction cannon(const struct fr_calibration *cal, const char *more)
{
    char query[160];

    snprintf(query, sizeof query,
             "contention_model=paper&algorithm=cannon&variant=2d&n=4&processes=4%s", more);
    return predicted("matmul", query, cal);
}

static bool warns(const struct fr_prediction *out)
{
    for (size_t i = 0; i < out->warning_count; i++)
        if (out->warning[i].code == FR_WARN_PRECISION)
            return true;
    return false;
}

#define CASE(name) TEST_OF(name, const struct machines *m, NULL, NULL)

CASE(double_is_the_default_and_calibrated)
{
    const struct fr_prediction usual = cannon(m->round, ""),
                               same = cannon(m->round, "&precision=double"),
                               bytes = cannon(m->round, "&word_bytes=8");

    assert_false(warns(&usual));
    assert_close(same.time_s, usual.time_s, 0);
    assert_close(bytes.time_s, usual.time_s, 0);
}

/* Shifts of 2 (1 + 2) instead of 2 (1 + 4) seconds. */
CASE(a_single_precision_message_is_half_as_long)
{
    const struct fr_prediction usual = cannon(m->round, ""),
                               single = cannon(m->round, "&precision=single");

    assert_close(single.communication_bytes_per_process, usual.communication_bytes_per_process / 2,
                 0);
    assert_close(single.memory_bytes_per_process, usual.memory_bytes_per_process / 2, 0);
    assert_close(single.communication_s, 4 * 2 * (1 + 2), 1e-15);
    assert_close(single.flops, usual.flops, 0);
}

CASE(a_precision_without_rates_is_charged_as_double_with_a_warning)
{
    const struct fr_prediction single = cannon(m->round, "&precision=single"),
                               complex = cannon(m->round, "&precision=complex"),
                               bytes = cannon(m->round, "&word_bytes=4");

    assert_true(has_warning(&single, FR_WARN_PRECISION, "kernels.by_precision.single.gemm"));
    assert_true(has_warning(&complex, FR_WARN_PRECISION, "kernels.by_precision.complex.gemm"));
    assert_close(single.computation_s, 32, 1e-15);
    assert_close(complex.computation_s, 4 * 32, 1e-15);
    assert_close(complex.flops, 4 * 128, 0);
    assert_close(complex.percent_of_peak, 100 * complex.flops / (complex.time_s * 4), 1e-13);
    assert_close(bytes.time_s, single.time_s, 0);
}

/* sgemm of order 2 on one core: 16 operations at 2 a second; zgemm: 64 at 0.5 a second. */
CASE(rates_of_the_precision_are_used_where_the_calibration_has_them)
{
    const struct fr_prediction single = cannon(m->own, "&precision=single"),
                               complex = cannon(m->own, "&precision=double_complex");

    assert_false(warns(&single));
    assert_close(single.computation_s, 2 * 8, 1e-15);
    assert_true(isnan(single.percent_of_peak)); /* no peak of single precision */
    assert_false(warns(&complex));
    assert_close(complex.computation_s, 2 * 128, 1e-15);
    assert_close(complex.percent_of_peak, 100 * 512 / (complex.time_s * 4), 1e-13);
}

CASE(each_kernel_without_rates_is_named)
{
    const struct fr_prediction out = predicted(
        "trsm", "variant=2d&n=8&processes=4&blocks_per_process=2&precision=single", m->own);

    assert_true(has_warning(&out, FR_WARN_PRECISION, "kernels.by_precision.single.trsm"));
    assert_false(has_warning(&out, FR_WARN_PRECISION, "kernels.by_precision.single.gemm"));
}

CASE(precision_wins_where_8_bytes_mean_two_things)
{
    const struct fr_prediction out = cannon(m->round, "&word_bytes=8&precision=complex");

    assert_close(out.flops, 4 * 128, 0);
}

CASE(contradictions_name_both)
{
    const char query[] =
        "algorithm=cannon&variant=2d&n=4&processes=4&precision=single&word_bytes=8&threads=5";
    struct fr_faults faults = refused("matmul", query, m->round);

    assert_fault(&faults, FR_RELATION, "precision", "word_bytes is 8");
    assert_non_null(fault_at(&faults, "threads"));
    faults =
        refused("cholesky", "variant=2d&n=4&processes=4&precision=double&word_bytes=16", m->round);
    assert_fault(&faults, FR_RELATION, "precision", "double has elements of 8 bytes");
}

CASE(a_size_of_no_precision_keeps_its_messages_and_warns)
{
    const struct fr_prediction out = cannon(m->round, "&word_bytes=64");

    assert_close(out.communication_bytes_per_process, 64 * 4 * 4, 0);
    assert_close(out.computation_s, 32, 1e-15);
    assert_true(warns(&out));
}

static const char cnc_machine[] =
    "{'schema': 'forerun-calibration-1', 'machine': 'round', 'node': {'cores_per_node': 4},"
    " 'cnc': {'intra_node_bandwidth_bytes_per_s': 1, 'inter_node_bandwidth_bytes_per_s': 1,"
    "  'step_kernel': [{'block_size': 2, 'rate_flops_per_s': 8},"
    "                  {'block_size': 2, 'precision': 'double_complex', 'time_s': 16}]}}";

static struct fr_prediction cnc(const struct fr_calibration *cal, const char *more)
{
    char query[160];

    snprintf(query, sizeof query, "algorithm=johnson&n=2&block_size=2&processes=1%s", more);
    return predicted("cnc_matmul", query, cal);
}

/* One product of 16 operations; of complex numbers 64. */
CASE(a_block_product_has_a_precision)
{
    const struct fr_calibration *cal = calibration_of(cnc_machine, m->arena);
    const struct fr_prediction usual = cnc(cal, ""), twice = cnc(cal, "&word_bytes=8"),
                               own = cnc(cal, "&precision=double_complex");

    assert_close(usual.time_s, 2, 1e-15);
    assert_false(warns(&usual));
    assert_close(twice.time_s, 2, 1e-15);
    assert_true(has_warning(&twice, FR_WARN_PRECISION, "cnc.step_kernel"));
    assert_close(own.time_s, 16, 1e-15);
    assert_close(own.flops, 64, 0);
    assert_false(warns(&own));
}

TEST(one_block_size_may_stand_once_in_each_precision)
{
    const struct fr_faults faults = document_refused(
        "{'schema': 'forerun-calibration-1', 'machine': 'round', 'cnc': {'step_kernel': ["
        " {'block_size': 2, 'rate_flops_per_s': 8},"
        " {'block_size': 2, 'precision': 'single', 'rate_flops_per_s': 8}]},"
        " 'kernels': {'by_precision': {'complex': {'syrk': {'square': ["
        "  {'threads': 1, 'n': 4, 'time_s': 1, 'efficiency_fraction': 1}]}}}}}");

    assert_fault(&faults, FR_REPEATED, "/cnc/step_kernel/1", "row 0");
    assert_fault(&faults, FR_RELATION, "/kernels/by_precision/complex/syrk/square/0",
                 "exactly one");
}

GROUP(begin, place_end)
