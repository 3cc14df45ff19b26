/* The dense models on a machine of round numbers: every time can be computed by hand.
 *
 * On the round machine (question.h) a message of w words takes 1 + w seconds, and twice that if it
 * is synchronized; dgemm and dtrsm of order n take 2 n^3 s on one core, dsyrk and dpotrf n^3 s.
 */
#include "engine/dense/dense.h"
#include "tests/unit/support/draws.h"
#include "tests/unit/support/question.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double time_of(void **state, const char *model, const char *query)
{
    return predicted(model, query, ((struct round_place *)*state)->cal).time_s;
}

#define assert_takes(model, query, seconds) \
    assert_close(time_of(state, model, query), seconds, 1e-14)

#define CASE(name) TEST_OF(name, struct round_place *r, NULL, NULL)

/* q = 2, blocks of 2 by 2: a shift 2 (1 + 4) = 10 s, a product 16 s. */
CASE(cannon_shifts_multiplies_shifts_and_multiplies)
{
    const struct fr_prediction out = predicted(
        "matmul", "contention_model=paper&algorithm=cannon&variant=2d&n=4&processes=4", r->cal);

    assert_close(out.time_s, 20 + (20 + 16) + 16, 1e-15);
    assert_close(phase_of(&out, "initial_shift")->time_s, 20, 1e-15);
    assert_close(phase_of(&out, "shift_row")->time_s, 10, 1e-15);
    assert_close(phase_of(&out, "shift_column")->time_s, 10, 1e-15);
    assert_close(phase_of(&out, "dgemm")->time_s, 32, 1e-15);
    assert_int_equal(out.phase_count, 4);
    assert_close(out.flops, 128, 0);
    assert_close(out.gflops, 128 / 72e9, 1e-15);
    assert_close(out.percent_of_peak, 100 * 128 / (72 * 4.0), 1e-15);
    assert_close(out.communication_bytes_per_process, 8 * 4 * 4, 0);
    assert_close(output_of("matmul", "messages_per_process", &out), 4, 0);
    assert_close(output_of("matmul", "block_size", &out), 2, 0);
    assert_close(output_of("matmul", "communication_lower_bound_bytes_per_process", &out),
                 8 * 16 / 2, 0);
    assert_close(out.memory_bytes_per_process, 8 * 5 * 4, 0);
    assert_close(out.memory_limit_bytes_per_process, 1e6, 0);
    assert_close(out.nodes, 1, 0);
    assert_int_equal(out.warning_count, 0);
}

CASE(cannon_hides_the_smaller_of_shift_and_product)
{
    const struct fr_prediction out = predicted(
        "matmul", "contention_model=paper&algorithm=cannon&variant=2d_ovlp&n=4&processes=4",
        r->cal);

    assert_close(out.time_s, 20 + 20 + 16, 1e-15);
    assert_close(out.hidden_s, 16, 1e-15);
    assert_close(phase_of(&out, "shift_row")->hidden_s, 8, 1e-15);
    assert_close(phase_of(&out, "dgemm")->hidden_s, 0, 0);
    /* Twice the order: 128 s of product hide 2 * 17 * 2 = 68 s of shifts. */
    assert_takes("matmul",
                 "contention_model=paper&algorithm=cannon&variant=2d_ovlp&n=8&processes=4",
                 68 + 128 + 128);
}

/* Two layers of 2 by 2 do one step each.  Layer 0 sends 2 messages of 4 words; the reduction takes
 * (2 + 1) 3 s. */
TEST(cannon_on_two_layers_replicates_and_reduces)
{
    assert_takes(
        "matmul",
        "contention_model=paper&algorithm=cannon&variant=25d&n=4&processes=8&replication=2",
        20 + 16 + 9);
    assert_takes(
        "matmul",
        "contention_model=paper&algorithm=cannon&variant=25d_ovlp&n=4&processes=8&replication=2",
        20 + 16 + 9);
}

/* A broadcast of 4 words among 2 members sends 2 words twice: 2 * 3 + 3 s, or 2 * 3 + 2 * 3 s if it
 * is synchronized. */
TEST(summa_broadcasts_a_panel_of_each_in_every_step)
{
    assert_takes("matmul", "contention_model=paper&algorithm=summa&variant=2d&n=4&processes=4",
                 2 * (9 + 12 + 16));
    assert_takes("matmul", "contention_model=paper&algorithm=summa&variant=2d_ovlp&n=4&processes=4",
                 21 + 21 + 16);
    /* Blocks of one element: 2 broadcasts of 4.5 s and 2 of 6 s, 4 products of 2 s, 4 steps. */
    assert_takes(
        "matmul",
        "contention_model=paper&algorithm=summa&variant=2d&n=4&processes=4&blocks_per_process=2",
        4 * (9 + 12 + 8));
}

TEST(trsm_broadcasts_solves_broadcasts_and_updates)
{
    assert_takes("trsm", "contention_model=paper&variant=2d&n=4&processes=4",
                 (12 + 16 + 9 + 8) + 12 + 16);
    assert_takes("trsm", "contention_model=paper&variant=2d_ovlp&n=4&processes=4&threads=2",
                 12 + (16 + 9 + 8) + 16);
}

CASE(cholesky_factors_solves_and_updates)
{
    const struct fr_prediction out =
        predicted("cholesky", "contention_model=paper&variant=2d&n=4&processes=4", r->cal);

    assert_close(out.time_s, (8 + 12 + 8) + 10.5 + 2 + 8, 1e-15);
    assert_close(phase_of(&out, "broadcast_panel_row")->time_s, 6, 1e-15);
    assert_close(phase_of(&out, "broadcast_panel_column")->time_s, 4.5, 1e-15);
    assert_close(phase_of(&out, "dsyrk")->time_s, 2, 1e-15);
    assert_null(phase_of(&out, "dgemm")); /* two block columns have no block off the diagonal */
}

TEST(one_process_computes_and_sends_nothing)
{
    static const struct {
        const char *model, *query;
        double seconds;
    } cases[] = {
        { "matmul", "contention_model=paper&algorithm=cannon&variant=2d&n=10&processes=1", 2000 },
        { "matmul", "contention_model=paper&algorithm=cannon&variant=2d_ovlp&n=10&processes=1",
          2000 },
        { "matmul", "contention_model=paper&algorithm=summa&variant=2d&n=10&processes=1", 2000 },
        { "matmul", "contention_model=paper&algorithm=summa&variant=2d_ovlp&n=10&processes=1",
          2000 },
        { "trsm", "contention_model=paper&variant=2d&n=10&processes=1", 2000 },
        { "trsm",
          "contention_model=paper&variant=25d_ovlp&replication=1&n=10&processes=1&threads=2",
          2000 },
        { "cholesky", "contention_model=paper&variant=2d&n=10&processes=1", 1000 },
        { "cholesky", "contention_model=paper&variant=25d_ovlp&replication=1&n=10&processes=1",
          1000 },
        { "matmul", "contention_model=paper&algorithm=cannon&variant=2d&n=1&processes=1", 2 },
        { "trsm", "contention_model=paper&variant=2d&n=1&processes=1", 2 },
        { "cholesky", "contention_model=paper&variant=2d&n=1&processes=1", 1 },
        /* Blocks of 5: two solves and one update; two factorizations, a solve and a dsyrk. */
        { "trsm", "contention_model=paper&variant=2d&n=10&processes=1&blocks_per_process=2",
          2 * 2 * 250 + 2 * 250 },
        { "cholesky", "contention_model=paper&variant=2d&n=10&processes=1&blocks_per_process=2",
          250 + 250 + 125 },
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct round_place *r = *state;
        const struct fr_prediction out = predicted(cases[i].model, cases[i].query, r->cal);

        assert_close(out.time_s, cases[i].seconds, 1e-14);
        assert_close(out.communication_s, 0, 0);
        assert_close(out.communication_bytes_per_process, 0, 0);
        assert_close(output_of(cases[i].model, "messages_per_process", &out), 0, 0);
        assert_close(output_of(cases[i].model, "communication_lower_bound_bytes_per_process", &out),
                     0, 0);
    }
}

CASE(an_element_of_16_bytes_is_complex_and_a_message_twice_as_long)
{
    const struct fr_prediction out = predicted(
        "matmul",
        "contention_model=paper&algorithm=cannon&variant=2d&n=4&processes=4&word_bytes=16", r->cal);

    /* A shift: 2 (1 + 8) = 18 s; a complex operation is 4 real ones. */
    assert_close(out.time_s, 36 + 36 + 4 * 32, 1e-15);
    assert_close(out.communication_bytes_per_process, 16 * 4 * 4, 0);
    assert_close(out.memory_bytes_per_process, 16 * 5 * 4, 0);
    assert_close(out.flops, 4 * 128, 0);
}

CASE(without_contention_all_factors_are_1)
{
    struct fr_calibration bare = *r->cal;

    assert_takes(
        "matmul",
        "contention_model=paper&algorithm=cannon&variant=2d&n=4&processes=4&contention=false",
        10 + (10 + 16) + 16);
    bare.groups &= ~(unsigned)FR_CAL_CONTENTION;
    bare.average.count = 0;
    bare.maximum.count = 0;
    assert_close(predicted("trsm",
                           "contention_model=paper&variant=2d&n=4&processes=4&contention=false",
                           &bare)
                     .time_s,
                 (6 + 16 + 6 + 8) + 6 + 16, 1e-15);
}

CASE(the_largest_sizes_are_finite_and_take_no_time_to_predict)
{
    static const char *const queries[][2] = {
        { "matmul",
          "contention_model=paper&algorithm=cannon&variant=2d&n=1e9&processes=999950884" },
        { "matmul",
          "contention_model=paper&algorithm=summa&variant=2d_ovlp&n=1e9&processes=1&threads=2" },
        { "matmul", "contention_model=paper&algorithm=summa&variant=2d&n=1e9&processes=999950884&"
                    "blocks_per_process=31622" },
        { "trsm", "contention_model=paper&variant=2d_ovlp&n=1e9&processes=1e8&threads=2&blocks_per_"
                  "process=1e5" },
        { "trsm", "contention_model=paper&variant=25d&n=1e9&processes=1e9&replication=1000&word_"
                  "bytes=1024" },
        { "cholesky", "contention_model=paper&variant=2d_ovlp&n=1e9&processes=1e8&threads=2&blocks_"
                      "per_process=1e5" },
        { "cholesky", "contention_model=paper&variant=25d_ovlp&n=1e9&processes=1e9&threads=4&"
                      "replication=1000" },
        { "cholesky", "contention_model=paper&variant=2d_ovlp&n=1e9&processes=1&threads=2&blocks_"
                      "per_process=1e6" },
    };
    const clock_t before = clock();

    for (size_t i = 0; i < sizeof queries / sizeof queries[0]; i++) {
        const struct fr_prediction out = predicted(queries[i][0], queries[i][1], r->cal);

        assert_true(isfinite(out.time_s) && out.time_s > 0);
        assert_true(out.hidden_s >= 0 && out.hidden_s <= out.communication_s);
    }
    assert_true(clock() - before < CLOCKS_PER_SEC);
}

static void assert_same(const struct fr_prediction *a, const struct fr_prediction *b)
{
    assert_true(a->time_s == b->time_s);
    assert_true(a->hidden_s == b->hidden_s);
    assert_true(a->communication_bytes_per_process == b->communication_bytes_per_process);
    assert_true(a->memory_bytes_per_process == b->memory_bytes_per_process);
    assert_int_equal(a->phase_count, b->phase_count);
    for (size_t i = 0; i < a->phase_count; i++) {
        assert_string_equal(a->phase[i].name, b->phase[i].name);
        assert_true(a->phase[i].time_s == b->phase[i].time_s);
        assert_true(a->phase[i].hidden_s == b->phase[i].hidden_s);
    }
}

/* docs/models/dense.md#decision-one-layer-equals-the-2d-algorithm */
CASE(one_layer_is_the_2d_algorithm)
{
    static const char *const algorithms[][2] = { { "matmul", "&algorithm=cannon" },
                                                 { "matmul", "&algorithm=summa" },
                                                 { "trsm", "" },
                                                 { "cholesky", "" } };
    static const char *const endings[] = { "", "_ovlp" };
    uint64_t random = draws_from(12);

    for (int i = 0; i < draws_of(400); i++) {
        const char *const *algorithm = algorithms[i % 4];
        const int64_t q = random_between(&random, 1, 40);
        const int64_t blocks = i % 4 ? random_between(&random, 1, 8) : 1;
        const int64_t n = q * blocks * random_between(&random, 1, 500);
        struct fr_prediction a, b;
        char query[2][200];

        for (int flat = 0; flat < 2; flat++)
            snprintf(query[flat], sizeof query[flat],
                     "contention_model=paper&variant=%s%s&replication=1&n=%lld&processes=%lld&"
                     "threads=2&blocks_"
                     "per_process=%lld%s",
                     flat ? "2d" : "25d", endings[i / 4 % 2], (long long)n, (long long)(q * q),
                     (long long)blocks, algorithm[1]);
        a = predicted(algorithm[0], query[0], r->cal);
        b = predicted(algorithm[0], query[1], r->cal);
        assert_same(&a, &b);
    }
}

/* Overlap in Cannon's algorithm costs no thread. */
CASE(cannon_is_never_slower_with_overlap)
{
    uint64_t random = draws_from(7);

    for (int i = 0; i < draws_of(300); i++) {
        const int64_t c = random_between(&random, 1, 4), q = c * random_between(&random, 1, 10);
        char query[2][200];

        for (int plain = 0; plain < 2; plain++)
            snprintf(query[plain], sizeof query[plain],
                     "contention_model=paper&algorithm=cannon&variant=25d%s&replication=%lld&n=%"
                     "lld&processes=%lld",
                     plain ? "" : "_ovlp", (long long)c, (long long)(q * (i + 1)),
                     (long long)(c * q * q));
        assert_true(predicted("matmul", query[0], r->cal).time_s <=
                    predicted("matmul", query[1], r->cal).time_s);
    }
}

CASE(overlap_never_moves_fewer_words)
{
    const struct fr_prediction plain = predicted(
        "cholesky", "contention_model=paper&variant=2d&n=64&processes=16&threads=2", r->cal);
    const struct fr_prediction hidden =
        predicted("cholesky",
                  "contention_model=paper&variant=2d_ovlp&n=64&processes=16&threads=2&"
                  "communication_threads=1",
                  r->cal);

    assert_true(plain.communication_bytes_per_process == hidden.communication_bytes_per_process);
    assert_true(plain.communication_s == hidden.communication_s);
    assert_true(hidden.computation_s > plain.computation_s); /* one thread of two is lost */
}

CASE(every_process_does_its_share_of_the_operations)
{
    const struct fr_prediction cannon = predicted(
        "matmul", "contention_model=paper&algorithm=cannon&variant=2d&n=64&processes=16", r->cal);
    const struct fr_prediction summa =
        predicted("matmul",
                  "contention_model=paper&algorithm=summa&variant=25d&n=64&processes=32&"
                  "replication=2&blocks_per_process=2",
                  r->cal);
    const struct fr_prediction trsm = predicted(
        "trsm", "contention_model=paper&variant=2d&n=64&processes=16&blocks_per_process=2", r->cal);

    assert_close(phase_of(&cannon, "dgemm")->time_s, 2 * 64.0 * 64 * 64 / 16, 1e-14);
    assert_close(phase_of(&summa, "dgemm")->time_s, 2 * 64.0 * 64 * 64 / 32, 1e-14);
    /* n^3/p (1 - 1/m) operations of dgemm, n^3/(p r) of dtrsm, which runs at half the rate. */
    assert_close(phase_of(&trsm, "dgemm")->time_s, 64.0 * 64 * 64 / 16 * (1 - 1.0 / 8), 1e-14);
    assert_close(phase_of(&trsm, "dtrsm")->time_s, 2 * 64.0 * 64 * 64 / 16 / 2, 1e-14);
}

CASE(the_words_of_summa_are_twice_those_of_cannon)
{
    const struct fr_prediction cannon = predicted(
        "matmul", "contention_model=paper&algorithm=cannon&variant=2d&n=4096&processes=4096",
        r->cal);
    const struct fr_prediction summa = predicted(
        "matmul", "contention_model=paper&algorithm=summa&variant=2d&n=4096&processes=4096",
        r->cal);
    const double unit = 8 * 4096.0 * 4096 / 64;

    assert_close(cannon.communication_bytes_per_process / unit, 2, 1e-14);
    assert_close(summa.communication_bytes_per_process / unit, 4 * (1 - 1.0 / 64), 1e-14);
}

static const char two_protocols[] =
    "{'schema': 'forerun-calibration-1', 'machine': 'two',"
    " 'node': {'cores_per_node': 4, 'peak_flops_per_s': 4},"
    " 'network': {'protocols': ["
    "   {'name': 'eager', 'max_message_bytes': 32,"
    "    'off_node': {'latency_s': 1, 'inverse_bandwidth_s_per_byte': 1}},"
    "   {'name': 'rendezvous', 'max_message_bytes': null,"
    "    'off_node': {'latency_s': 1000, 'inverse_bandwidth_s_per_byte': 0.5}}]},"
    " 'kernels': {'dgemm': {'square': [{'threads': 1, 'n': 1, 'time_s': 2}]}}}";

CASE(a_message_of_exactly_the_limit_uses_that_protocol)
{
    const struct fr_calibration *cal = calibration_of(two_protocols, r->arena);
    struct fr_prediction out;
    struct fr_evaluation run = { .cal = cal, .arena = r->arena, .out = &out };

    fr_prediction_clear(&out);
    assert_close(fr_message_s(&run, 0), 1, 0);
    assert_close(fr_message_s(&run, 32), 33, 0);
    assert_close(fr_message_s(&run, 32.000001), 1016, 1e-6);
    assert_close(fr_message_s(&run, 1e12), 1000 + 5e11, 0);
    /* A block of 2 by 2 doubles is 32 bytes: 4 shifts of 33 s around two products of 16 s. */
    assert_close(
        predicted(
            "matmul",
            "contention_model=paper&algorithm=cannon&variant=2d&n=4&processes=4&contention=false",
            cal)
            .time_s,
        4 * 33 + 32, 1e-15);
}

CASE(on_node_values_predict_one_node_only)
{
    static const char document[] =
        "{'schema': 'forerun-calibration-1', 'machine': 'one', 'node': {'cores_per_node': 4},"
        " 'network': {'protocols': [{'name': 'all', 'max_message_bytes': null,"
        "   'on_node': {'latency_s': 1, 'inverse_bandwidth_s_per_byte': 0.125}}]},"
        " 'kernels': {'dgemm': {'square': [{'threads': 1, 'n': 1, 'time_s': 2}]}}}";
    const struct fr_calibration *cal = calibration_of(document, r->arena);
    const char *fits =
        "contention_model=paper&algorithm=cannon&variant=2d&n=4&processes=4&contention=false";
    const struct fr_prediction out = predicted("matmul", fits, cal);
    struct fr_faults faults;

    assert_close(out.time_s, 10 + (10 + 16) + 16, 1e-15);
    assert_true(isnan(out.percent_of_peak)); /* no peak is known */
    assert_true(isnan(out.memory_limit_bytes_per_process));
    faults = refused(
        "matmul",
        "contention_model=paper&algorithm=cannon&variant=2d&n=9&processes=9&contention=false", cal);
    assert_fault(&faults, FR_GROUP_MISSING, "calibration", "off_node");
}

CASE(cores_and_nodes_may_stand_for_processes)
{
    static const char *const ways[] = { "processes=16", "cores=32", "nodes=8" };

    for (size_t i = 0; i < 3; i++) {
        char query[100];

        snprintf(query, sizeof query,
                 "contention_model=paper&algorithm=cannon&variant=2d&n=64&threads=2&%s", ways[i]);
        assert_close(predicted("matmul", query, r->cal).processes, 16, 0);
        assert_close(predicted("matmul", query, r->cal).nodes, 8, 0);
    }
}

/* Three threads on four cores: one process a node, one core idle. */
CASE(cores_that_hold_no_whole_process_stay_idle)
{
    const struct fr_prediction out = predicted(
        "matmul", "contention_model=paper&algorithm=cannon&variant=2d&n=64&threads=3&nodes=16",
        r->cal);

    assert_close(out.processes, 16, 0);
    assert_close(out.nodes, 16, 0);
    assert_close(out.memory_limit_bytes_per_process, 4e6, 0);
}

CASE(contradictory_parameters_are_refused_by_name)
{
    static const struct {
        const char *model, *query, *where, *words;
    } cases[] = {
        { "trsm", "contention_model=paper&variant=2d&n=9&processes=12", "processes",
          "nearest is 9" },
        { "trsm", "contention_model=paper&variant=2d&n=9&processes=9&replication=2", "replication",
          "25d" },
        { "trsm", "contention_model=paper&variant=25d&n=9&processes=9&replication=2", "replication",
          "divide" },
        { "trsm", "contention_model=paper&variant=25d&n=9&processes=16&replication=4",
          "replication", "at most 2" },
        { "trsm", "contention_model=paper&variant=25d&n=9&processes=20&replication=2", "processes",
          "nearest is 18" },
        { "trsm", "contention_model=paper&variant=2d&n=8&processes=9&blocks_per_process=3", "n",
          "9 block columns" },
        { "trsm", "contention_model=paper&variant=2d&n=9&processes=9&threads=5", "threads",
          "4 cores" },
        { "trsm", "contention_model=paper&variant=2d_ovlp&n=9&processes=9", "threads",
          "at least 2" },
        { "trsm",
          "contention_model=paper&variant=2d&n=9&processes=9&threads=2&communication_threads=1",
          "communication_threads", "0 without overlap" },
        { "trsm",
          "contention_model=paper&variant=2d_ovlp&n=9&processes=9&threads=2&communication_threads=-"
          "1",
          "communication_threads", "negative" },
        { "trsm",
          "contention_model=paper&variant=2d_ovlp&n=9&processes=9&threads=2&communication_threads="
          "2",
          "threads", "at least 3" },
        { "trsm", "contention_model=paper&variant=2d&n=9&cores=9&threads=2", "cores",
          "next is 10" },
        { "matmul",
          "contention_model=paper&algorithm=cannon&variant=2d&n=9&processes=9&blocks_per_process=2",
          "blocks_per_process", "Cannon" },
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct fr_faults faults = refused(cases[i].model, cases[i].query, r->cal);

        assert_int_equal(faults.count, 1);
        assert_fault(&faults, FR_RELATION, cases[i].where, cases[i].words);
    }
}

/* The process count computed from `nodes` must be a legal value of `processes`. */
CASE(nodes_that_hold_too_many_processes_are_refused)
{
    const struct fr_faults faults =
        refused("trsm", "contention_model=paper&variant=2d&n=1e9&nodes=1e9", r->cal);

    assert_int_equal(faults.count, 1);
    assert_fault(&faults, FR_RANGE, "nodes", "at most 250000000");
    assert_close(
        predicted("trsm", "contention_model=paper&variant=2d&n=1e9&nodes=225000000", r->cal)
            .processes,
        9e8, 0);
}

CASE(faults_of_one_stage_are_reported_together)
{
    const struct fr_faults faults = refused("matmul",
                                            "contention_model=paper&algorithm=cannon&variant=2d&n="
                                            "9&processes=12&threads=5&blocks_per_process=2",
                                            r->cal);

    assert_int_equal(faults.count, 3);
    assert_non_null(fault_at(&faults, "threads"));
    assert_non_null(fault_at(&faults, "processes"));
    assert_non_null(fault_at(&faults, "blocks_per_process"));
}

CASE(uneven_sizes_are_predicted_with_a_warning)
{
    struct fr_prediction out = predicted(
        "matmul", "contention_model=paper&algorithm=cannon&variant=2d&n=5&processes=4", r->cal);

    assert_true(has_warning(&out, FR_WARN_UNEVEN_BLOCKS, NULL));
    assert_close(output_of("matmul", "block_size", &out), 2.5, 0);
    assert_close(output_of("matmul", "whole_block_size", &out), 3, 0);
    assert_close(phase_of(&out, "dgemm")->time_s, 2 * 2 * 2.5 * 2.5 * 2.5, 1e-15);
    out = predicted(
        "matmul",
        "contention_model=paper&algorithm=cannon&variant=25d&n=6&processes=18&replication=2",
        r->cal);
    assert_true(has_warning(&out, FR_WARN_UNEVEN_LAYERS, NULL)); /* 3 steps on 2 layers */
    assert_close(phase_of(&out, "dgemm")->time_s, 2 * 16, 1e-15);
    out = predicted("matmul", "contention_model=paper&algorithm=summa&variant=2d&n=6&processes=9",
                    r->cal);
    assert_true(has_warning(&out, FR_WARN_ROUNDED, NULL)); /* 3 members as 4 */
    out = predicted(
        "matmul", "contention_model=paper&algorithm=cannon&variant=2d&n=1000&processes=4", r->cal);
    assert_true(has_warning(&out, FR_WARN_MEMORY, NULL)); /* 10 MB of 1 MB */
}

/* resolve() then says what is missing; no count is computed with. */
CASE(an_open_process_count_has_one_layer_to_try)
{
    const struct dense_values open = { .variant = DENSE_25D,
                                       .threads = 1,
                                       .processes = FR_OPEN_INT,
                                       .cores = FR_OPEN_INT,
                                       .nodes = FR_OPEN_INT };
    int64_t layers[4];

    assert_int_equal(dense_replication_candidates(&open, r->cal, layers, 4), 1);
    assert_int_equal(layers[0], 1);
}

GROUP(round_begin, place_end)
