/* Properties of the refined models on any machine
 * (docs/models/dense.md#the-refined-contention-model, docs/models/krylov.md#refined-communication).
 */
#include "tests/unit/support/dense_golden.h"
#include "tests/unit/support/draws.h"
#include "tests/unit/support/question.h"

#include <stdio.h>
#include <string.h>

static json_t *krylov_golden;

static int begin(void **state)
{
    krylov_golden = golden_load("krylov-refined.json");
    return dense_begin(state);
}

static int end(void **state)
{
    json_decref(krylov_golden);
    return dense_end(state);
}

static const struct fr_calibration *krylov_calibration(const char *name)
{
    return golden_calibration(krylov_golden, name, dense_arena);
}

TEST(more_work_takes_longer_and_phases_add_up)
{
    static const char *const machines[] = { "measured", "shifts", "plain", "binomial" };
    static const char *const variants[] = { "2d", "2d_ovlp", "25d", "25d_ovlp" };
    static const struct {
        const char *model, *more;
    } models[] = {
        { "matmul", "algorithm=cannon&" },
        { "matmul", "algorithm=summa&blocks_per_process=2&" },
        { "trsm", "blocks_per_process=3&" },
        { "cholesky", "blocks_per_process=3&" },
    };
    uint64_t random = draws_from(41);

    for (int i = 0; i < draws_of(400); i++) {
        const struct fr_calibration *cal =
            dense_calibration(machines[random_between(&random, 0, 3)]);
        const int64_t variant = random_between(&random, 0, 3), model = i % 4;
        const int64_t q = random_between(&random, 1, 12);
        const int64_t c = variant > 1 && q > 1 ? 2 : 1;
        double before_s = 0;

        for (double n = random_size(&random, 400, 2000); n < 2e5; n *= 2) {
            char query[300];
            struct fr_prediction out;

            snprintf(query, sizeof query,
                     "%svariant=%s&n=%.0f&processes=%d&replication=%d&threads=4&contention_model="
                     "refined",
                     models[model].more, variants[variant], n, (int)(c * q * q), (int)c);
            out = predicted(models[model].model, query, cal);
            dense_check_phases(&out, query);
            if (out.time_s < before_s)
                fail_msg("%s: less than for half of n", query);
            before_s = out.time_s;
        }
    }
}

/* Without patterns: a pattern may have been measured faster than its messages predict. */
TEST(contention_never_speeds_a_run_up)
{
    static const char *const machines[] = { "shifts", "plain", "binomial" };
    static const char *const models[] = { "algorithm=cannon&", "algorithm=summa&", "", "" };
    uint64_t random = draws_from(8);

    for (int i = 0; i < draws_of(400); i++) {
        const struct fr_calibration *cal = dense_calibration(machines[i % 3]);
        const char *model = i % 4 < 2 ? "matmul" : i % 4 == 2 ? "trsm" : "cholesky";
        const int q = (int)random_between(&random, 2, 12), c = (int)random_between(&random, 1, 2);
        char with[300], without[320];

        snprintf(with, sizeof with,
                 "%svariant=%s&n=%.0f&processes=%d&replication=%d&threads=4&contention_model="
                 "refined",
                 models[i % 4], i / 4 % 2 ? "25d" : "25d_ovlp", random_size(&random, 400, 1e5),
                 c * q * q, c);
        snprintf(without, sizeof without, "%s&contention=false", with);
        if (predicted(model, without, cal).time_s > predicted(model, with, cal).time_s)
            fail_msg("%s: slower without contention", with);
    }
}

/* The ratio of a pattern refers to messages as measured; a what-if changes the messages. */
TEST(what_if_changes_patterns_as_it_changes_messages)
{
    static const struct fr_change messages[] = { { "network.bandwidth", "*0.5" },
                                                 { "network.latency", "*2" } };
    static const struct {
        const char *model, *query, *output;
        struct fr_change table;
    } questions[] = {
        { "matmul",
          "algorithm=summa&variant=2d&n=4000&processes=64",
          "communication_s",
          { "contention.patterns", "*2" } },
        { "cholesky",
          "variant=2d_ovlp&n=6000&processes=64&threads=2",
          "communication_s",
          { "contention.patterns", "*2" } },
        { "allreduce",
          "nodes=8&processes_per_node=8&message_bytes=100",
          "postal_s",
          { "contention.exchange", "*2" } },
    };

    for (size_t i = 0; i < sizeof questions / sizeof *questions; i++) {
        const char *model = questions[i].model, *output = questions[i].output;
        const struct fr_calibration *cal = strcmp(model, "allreduce") == 0
                                               ? krylov_calibration("measured")
                                               : dense_calibration("measured");
        struct fr_faults faults = { 0 };
        const struct fr_calibration *changed[] = {
            cal,
            fr_what_if(cal, messages, 2, dense_arena, &faults),
            fr_what_if(cal, &questions[i].table, 1, dense_arena, &faults),
        };
        double value[3];

        assert_int_equal(faults.count, 0);
        for (size_t j = 0; j < 3; j++) {
            char query[200];
            struct fr_prediction out;

            snprintf(query, sizeof query, "%s&contention_model=refined", questions[i].query);
            out = predicted(model, query, changed[j]);
            value[j] = output_of(model, output, &out);
        }
        assert_close(value[1], 2 * value[0], 1e-12);
        assert_close(value[2], 2 * value[0], 1e-12);
    }
}

/* Between measured sizes the ratio may fall faster than the cost of a message rises. */
TEST(larger_messages_take_longer)
{
    static const char *const machines[] = { "measured", "shifts", "plain", "exchange-only" };
    static const char *const models[] = { "allreduce", "halo_exchange" };
    static const double measured[] = { 8, 1024, 8192, 65536, 1048576 };
    uint64_t random = draws_from(3);

    for (int i = 0; i < draws_of(200); i++) {
        const struct fr_calibration *cal = krylov_calibration(machines[i % 4]);
        const char *model = models[i / 4 % 2];
        const int nodes = (int)random_between(&random, 1, 40),
                  c = (int)random_between(&random, 1, 8);
        double before_s = 0;

        for (size_t size = 0; size < sizeof measured / sizeof *measured; size++) {
            char query[200];
            struct fr_prediction out;

            snprintf(query, sizeof query,
                     "nodes=%d&processes_per_node=%d&message_bytes=%.0f&contention_model=refined",
                     nodes, c, measured[size]);
            out = predicted(model, query, cal);
            dense_check_phases(&out, query);
            if (out.time_s < before_s)
                fail_msg("%s %s: less than for fewer bytes", model, query);
            before_s = out.time_s;
        }
    }
}

/* Below one byte the ratio of one byte holds, and the distance from the range is finite. */
TEST(an_empty_message_is_looked_up_as_one_byte)
{
    const struct fr_calibration *cal = krylov_calibration("measured");
    const struct fr_prediction out = predicted(
        "allreduce", "nodes=8&processes_per_node=8&message_bytes=0&contention_model=refined", cal);
    char text[600];

    assert_int_equal(out.warning[0].code, FR_WARN_EXTRAPOLATED);
    fr_warning_print(&out.warning[0], &out, cal, text, sizeof text);
    assert_string_equal(text,
                        "contention.exchange.message_bytes is measured from 8 on, and 1 is 12 % "
                        "of that");
}

/* A message of an allreduce takes 1 us among 3 processes and 3 us among 48. */
static struct fr_calibration with_fold(const struct fr_calibration *cal)
{
    struct fr_fold *fold = fr_arena_zeroed(dense_arena, 2, sizeof *fold);
    struct fr_calibration copy = *cal;
    struct fr_faults faults = { 0 };

    fold[0] = (struct fr_fold){ 3, 8, 1e-6 };
    fold[1] = (struct fr_fold){ 48, 8, 3e-6 };
    copy.contention.fold.row = fold;
    copy.contention.fold.count = 2;
    assert_int_equal(fr_calibration_prepare(&copy, dense_arena, &faults), FR_OK);
    return copy;
}

TEST(a_number_that_is_no_power_of_two_costs_what_was_measured)
{
    const struct fr_calibration *measured = krylov_calibration("measured");
    const struct fr_calibration folded = with_fold(measured);
    const char twelve[] = "nodes=12&processes_per_node=1&message_bytes=8&rounds=library";
    const char eight[] = "nodes=8&processes_per_node=1&message_bytes=8&rounds=library";
    const struct fr_prediction out = predicted("allreduce", twelve, &folded);

    /* three rounds and two messages; 12 lies in the middle of 3 and 48 by its logarithm */
    assert_close(out.phase[0].time_s, 5 * 2e-6, 1e-12);
    assert_true(out.used & FR_USE(FOLD));
    assert_int_equal(predicted("allreduce", twelve, measured).used & FR_USE(FOLD), 0);
    assert_close(predicted("allreduce", eight, &folded).time_s,
                 predicted("allreduce", eight, measured).time_s, 0);
}

TEST(tables_that_were_read_are_named)
{
    const struct fr_calibration *dense = dense_calibration("measured");
    const struct fr_calibration *krylov = krylov_calibration("measured");
    const char summa[] = "contention_model=paper&algorithm=summa&variant=2d&n=4000&processes=64";
    const char refined_summa[] =
        "algorithm=summa&variant=2d&n=4000&processes=64&contention_model=refined";
    const uint64_t tables = FR_USE(PATTERNS) | FR_USE(BROADCAST) | FR_USE(CONTENTION_BYTES);

    assert_int_equal(predicted("matmul", summa, dense).used & tables, 0);
    assert_int_equal(predicted("matmul", refined_summa, dense).used & tables, tables);
    assert_true(predicted("allreduce",
                          "nodes=8&processes_per_node=8&message_bytes=8&contention_model=refined",
                          krylov)
                    .used &
                FR_USE(EXCHANGE));
    assert_true(predicted("halo_exchange",
                          "nodes=8&processes_per_node=8&message_bytes=8&contention_model=refined",
                          krylov)
                    .used &
                FR_USE(BURST));
}

TEST(barriers_need_cannon_and_the_refined_model)
{
    const struct fr_calibration *cal = dense_calibration("measured");
    struct fr_faults faults = refused(
        "matmul",
        "contention_model=paper&algorithm=cannon&variant=2d&n=4000&processes=64&step_barriers=true",
        cal);

    assert_int_equal(faults.count, 1);
    assert_fault(&faults, FR_RELATION, "step_barriers", "contention_model=refined");
    faults = refused("matmul",
                     "algorithm=summa&variant=2d&n=4000&processes=64&step_barriers=true&"
                     "contention_model=refined",
                     cal);
    assert_int_equal(faults.count, 1);
    assert_fault(&faults, FR_RELATION, "step_barriers", "cannon");
}

/* Exchanges and bursts contain bandwidth and topology, so the calibration need not have them. */
TEST(measured_tables_stand_for_bandwidth_and_topology)
{
    const struct fr_calibration *whole = krylov_calibration("measured");
    struct fr_calibration cal = *whole;
    struct fr_faults faults;

    cal.network.node_bandwidth_bytes_per_s = NAN;
    cal.network.topology.type = -1;
    predicted("allreduce", "nodes=8&processes_per_node=8&message_bytes=8&contention_model=refined",
              &cal);
    faults = refused("allreduce",
                     "nodes=8&processes_per_node=8&message_bytes=8&contention_model=paper", &cal);
    assert_int_equal(faults.count, 2);
    cal.burst.count = 0;
    faults = refused("halo_exchange",
                     "nodes=8&processes_per_node=8&message_bytes=8&contention_model=refined", &cal);
    assert_int_equal(faults.count, 2);
}

GROUP(begin, end)
