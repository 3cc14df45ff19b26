/* cholesky with panel_pricing=chain: small cases computed by hand, and refusals. */
#include "tests/unit/support/question.h"

#include <stdio.h>

static struct fr_arena *arena;

static int begin(void **state)
{
    *state = arena = fr_arena_new(1 << 24);
    return 0;
}

/* Blocks of order 10 on one core: a message of a block 101 s, dgemm and dtrsm 2000, dsyrk and
 * dpotrf 1000 s.  q = 2, so each broadcast is one message; m = 8.
 *
 *   K    u     v     C    u + v + C    L
 *   7   7000  7101  606     14707    16000
 *   6   5000  7101  606     12707    12000   below the diagonal: 6 dgemm
 *   5   5000  5101  404     10505     9000
 *   4   3000  5101  404      8505     6000   3 dgemm
 *   3   3000  3101  202      6303     4000
 *   2   1000  3101  202      4303     2000   1 dgemm
 *   1   1000  1000    0      2000     1000
 *
 * P_0 = 1000 + 101 + 4 * 2000, C_0 = 4 * 202.  L - u is 0 for K = 1 and at least 1000 otherwise, so
 * every other C is hidden. */
TEST(one_layer_by_hand)
{
    const struct fr_calibration *cal = calibration_of(round_machine, arena);
    const struct fr_prediction out =
        predicted("cholesky",
                  "variant=2d_ovlp&n=80&processes=4&blocks_per_process=4&"
                  "contention_model=refined&contention=false&panel_pricing=chain",
                  cal);
    const double T = 9101 + 808 + 16000 + 12707 + 10505 + 8505 + 6303 + 4303 + 2000;

    assert_close(T, 70232, 0);
    assert_close(out.time_s, T, 1e-13);
    assert_close(phase_of(&out, "broadcast_panel_row")->hidden_s,
                 (606 + 606 + 404 + 404 + 404) / 2.0, 1e-13);
    assert_close(phase_of(&out, "dgemm")->time_s, 2000 * (6 + 2 * 3 + 2 * 1), 1e-13);
}

/* The same blocks on two layers of 2 x 2, m = 4: RS, AG, AG1, R' and V' 51 s each; y = 1152.
 *
 *   J = 0   a = b = 102, s = 102 + 1152 + 2000 = 3254, a = 3254 + 204 + 1500 = 4958, b = 4458
 *           s = 4958 + 1152 + 1000 = 7110, a = b = 7212
 *           B = 202, A = 1000, below 2000: a = 8414, b = 9414
 *   J = 1   a = 8465, b = 9465, s = 9617 + 1000 = 10617, a = 10617 + 153 + 500 = 11270
 *           s = 11270 + 1051 = 12321, a = 12372 */
TEST(two_layers_by_hand)
{
    const struct fr_calibration *cal = calibration_of(round_machine, arena);
    const struct fr_prediction out =
        predicted("cholesky",
                  "variant=25d&n=40&processes=8&replication=2&blocks_per_process=2&"
                  "contention_model=refined&contention=false&panel_pricing=chain",
                  cal);

    assert_close(out.time_s, 12372, 1e-13);
    assert_close(phase_of(&out, "reduce_layers")->time_s, 3 * 102, 1e-13);
    assert_close(phase_of(&out, "broadcast_diagonal_layers")->time_s, 6 * 51, 1e-13);
    assert_null(phase_of(&out, "update_imbalance"));
}

/* At factor 2 an allgather of a block takes 101 s if all send; 202 s were measured, a ratio of 2.
 * If half of the columns send, the factor is 1: 2 * 51 s.  AG1 is 51 s.  The first scatter sends
 * one piece of half a block from each process of layer 0, in 101 s like RS. */
TEST(some_columns_have_their_share_of_the_measured_contention)
{
    static const char measured[] = "'patterns': [{'pattern': 'allgather_layers', 'processes': 8, "
                                   "'layers': 2, 'message_bytes': 800, 'average_s': 202, "
                                   "'maximum_s': 202}], ";
    const char *rest = strstr(round_machine, "'maximum'");
    char document[4000];
    struct fr_prediction out;

    snprintf(document, sizeof document, "%.*s%s%s", (int)(rest - round_machine), round_machine,
             measured, rest);
    out = predicted("cholesky",
                    "variant=25d&n=40&processes=8&replication=2&blocks_per_process=2&"
                    "contention_model=refined&panel_pricing=chain",
                    calibration_of(document, arena));
    assert_close(phase_of(&out, "broadcast_diagonal_layers")->time_s, 4 * 51 + 2 * 102, 1e-13);
    assert_close(phase_of(&out, "reduce_layers")->time_s, 3 * 101 + 3 * 102, 1e-13);
    assert_false(has_warning(&out, FR_WARN_PATTERN, "allgather_layers"));
    assert_true(has_warning(&out, FR_WARN_PATTERN, "reduce_scatter_layers"));
}

TEST(the_chain_needs_the_refined_model_and_another_variant_than_2d)
{
    const struct fr_calibration *cal = calibration_of(round_machine, arena);
    struct fr_faults faults = refused(
        "cholesky",
        "contention_model=paper&variant=2d_ovlp&n=4000&processes=16&threads=2&panel_pricing=chain",
        cal);

    assert_int_equal(faults.count, 1);
    assert_fault(&faults, FR_RELATION, "panel_pricing", "contention_model=refined");
    faults =
        refused("cholesky",
                "variant=2d&n=4000&processes=16&contention_model=refined&panel_pricing=chain", cal);
    assert_int_equal(faults.count, 1);
    assert_fault(&faults, FR_RELATION, "panel_pricing", "iterations");
}

GROUP(begin, arena_end)
