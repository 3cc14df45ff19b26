/* cholesky on two layers with panel_pricing=chain: prices of broadcasts from measured steps, by
 * hand (docs/models/dense.md#measured-steps-of-trsm-and-cholesky). */
#include "tests/unit/support/question.h"

#include <stdio.h>

static struct fr_arena *arena;

static int begin(void **state)
{
    *state = arena = fr_arena_new(1 << 24);
    return 0;
}

/* Blocks of order 100 have 80,000 bytes, their shares of two layers 40,000.  No pattern takes as
 * long as a kernel. */
static const struct {
    const char *pattern;
    int bytes;
    double time_s;
} broadcasts[] = {
    { "broadcast_column_alone", 80000, 4 },
    { "broadcast_row", 80000, 10 },
    { "broadcast_row", 40000, 5 },
    { "broadcast_column_diagonal", 80000, 14 },
    { "broadcast_column_diagonal", 40000, 8 },
};
enum { BROADCASTS = sizeof broadcasts / sizeof *broadcasts };

/* Measured steps of 80,000 bytes; 0: not measured. */
struct steps {
    double plain_s, plain_four_s, ahead_s, ahead_four_s;
};

static char *add(char *at, const char *pattern, int bytes, double time_s)
{
    if (time_s == 0)
        return at;
    return at + sprintf(at,
                        "%s{'pattern': '%s', 'processes': 32, 'layers': 2, 'message_bytes': %d,"
                        " 'average_s': %g, 'maximum_s': %g}",
                        at[-1] == '[' ? "" : ",", pattern, bytes, time_s, time_s);
}

static struct fr_prediction answer(const char *variant, const struct steps *steps)
{
    static const char kernel[] = "{'square': [{'threads': 1, 'n': 100, 'time_s': 1000}]}";
    char document[4000], query[200], *at = document;

    at += sprintf(at,
                  "{'schema': 'forerun-calibration-1', 'machine': 'm',"
                  " 'node': {'cores_per_node': 1, 'peak_flops_per_s': 1e9},"
                  " 'kernels': {'dgemm': %s, 'dtrsm': %s, 'dsyrk': %s, 'dpotrf': %s},"
                  " 'network': {'protocols': [{'name': 'all', 'max_message_bytes': null,"
                  " 'off_node': {'latency_s': 1e-6, 'inverse_bandwidth_s_per_byte': 1e-9}}]},"
                  " 'contention': {'message_bytes': 80000,"
                  " 'average': [{'distance': 1, 'factor': 1}],"
                  " 'maximum': [{'processes': 32, 'distance': 1, 'factor': 1}], 'patterns': [",
                  kernel, kernel, kernel, kernel);
    for (int i = 0; i < BROADCASTS; i++)
        at = add(at, broadcasts[i].pattern, broadcasts[i].bytes, broadcasts[i].time_s);
    at = add(at, "factor_steps", 80000, steps->plain_s);
    at = add(at, "factor_steps_four", 80000, steps->plain_four_s);
    at = add(at, "factor_steps_ahead", 80000, steps->ahead_s);
    at = add(at, "factor_steps_ahead_four", 80000, steps->ahead_four_s);
    sprintf(at, "]}}");
    snprintf(query, sizeof query,
             "n=800&processes=32&blocks_per_process=2&replication=2&variant=%s&"
             "communication_threads=0&contention_model=refined&panel_pricing=chain",
             variant);
    return predicted("cholesky", query, calibration_of(document, arena));
}

static double time_of_s(const struct fr_prediction *out, const char *phase)
{
    const struct fr_phase *found = phase_of(out, phase);

    assert_non_null(found);
    return found->time_s;
}

/* q = 4 and r = 2: m = 8, the big block columns have F = 2 and 1, x = 1 and 0.  The first one is
 * followed by q/c = 2 broadcasts of a whole block along rows and columns, which keep their time. */
static void check(const struct fr_prediction *out, double first, double pace)
{
    assert_close(time_of_s(out, "broadcast_diagonal"), 7 * first * 4, 1e-12);
    assert_close(time_of_s(out, "broadcast_panel_row"), 3 * (2 * first + pace) * 5 + 2 * 10, 1e-12);
    assert_close(time_of_s(out, "broadcast_panel_column"), 3 * 2 * first * 8 + 2 * 14, 1e-12);
}

TEST(broadcasts_in_a_row_without_measured_steps)
{
    const struct steps none = { 0 };
    const struct fr_prediction plain = answer("25d", &none), ahead = answer("25d_ovlp", &none);

    check(&plain, 1, 1);
    check(&ahead, 1, 1);
    /* One of the two broadcasts runs during the update of the other. */
    assert_close(phase_of(&ahead, "broadcast_panel_row")->hidden_s, 10, 1e-12);
    assert_close(phase_of(&ahead, "broadcast_panel_column")->hidden_s, 14, 1e-12);
    assert_close(plain.time_s - ahead.time_s, 24, 1e-9);
}

/* Three of four steps have a panel, so that a step is 3/4 of 4 + 5 + 8 s; each of three further
 * blocks is 3/4 of 5 + 8 s. */
TEST(measured_steps_price_the_variant_that_they_are_of)
{
    const struct steps plain = { 25.5, 54.75, 0, 0 }, both = { 25.5, 54.75, 15.3, 35.775 };
    const struct steps ahead = { 0, 0, 15.3, 35.775 };
    struct fr_prediction out;

    out = answer("25d", &plain);
    check(&out, 2, 1);
    out = answer("25d", &both);
    check(&out, 2, 1);
    out = answer("25d_ovlp", &both);
    check(&out, 1.2, 0.7);
    out = answer("25d_ovlp", &ahead);
    check(&out, 1.2, 0.7);
    out = answer("25d_ovlp", &plain);
    check(&out, 1, 1);
    out = answer("25d", &ahead);
    check(&out, 1, 1);
}

TEST(blocks_after_the_first_without_four_blocks_keep_their_time)
{
    const struct steps one = { 25.5, 0, 15.3, 0 };
    const struct fr_prediction plain = answer("25d", &one), ahead = answer("25d_ovlp", &one);

    check(&plain, 2, 1);
    check(&ahead, 1.2, 1);
}

GROUP(begin, arena_end)
