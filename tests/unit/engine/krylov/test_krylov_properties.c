/* Properties of every prediction of allreduce and halo_exchange, and their ranking. */
#include "tests/unit/support/draws.h"
#include "tests/unit/support/machines.h"

#include <stdio.h>
#include <string.h>

static const char *const estimates[] = { "best", "average", "max" };

/* A random valid request, without its message size. */
static void draw(char *query, size_t size, bool is_halo, uint64_t *random)
{
    const int64_t c = random_between(random, 1, 16);

    snprintf(query, size,
             "nodes=%d&processes_per_node=%d&stalls_per_byte=%.3f&hop_estimate=%s&blocking=%s&"
             "overlap_s=%.9f",
             (int)random_size(random, 1, 2000), (int)c, random_share(random),
             estimates[random_between(random, 0, 2)],
             random_between(random, 0, 1) ? "true" : "false", 1e-4 * random_share(random));
    if (!is_halo)
        return;
    snprintf(query + strlen(query), size - strlen(query),
             "&dimensions=%d&mapping=%s&process=%s&periodic=%s", (int)random_between(random, 1, 3),
             random_between(random, 0, 1) ? "default" : "node_aware",
             random_between(random, 0, 1) ? "slowest" : "average",
             random_between(random, 0, 1) ? "true" : "false");
}

static const struct fr_calibration *draw_machine(const struct machines *m, uint64_t *random)
{
    const struct fr_calibration *const all[] = { m->torus, m->dragonfly, m->uniform };

    return all[random_between(random, 0, 2)];
}

#define CASE(name) TEST_OF(name, const struct machines *m, NULL, NULL)

CASE(a_breakdown_adds_up_and_times_agree)
{
    uint64_t random = draws_from(11);

    for (int i = 0; i < draws_of(2000); i++) {
        const bool is_halo = i % 2;
        const char *model = is_halo ? "halo_exchange" : "allreduce";
        const struct fr_calibration *cal = draw_machine(m, &random);
        struct fr_prediction out;
        char query[400];
        double sum = 0, parts;

        draw(query, sizeof query, is_halo, &random);
        snprintf(query + strlen(query), sizeof query - strlen(query), "&message_bytes=%.0f",
                 random_size(&random, 1, 1e6));
        out = predicted(model, query, cal);
        assert_int_equal(out.phase_count, is_halo ? 4 : 5);
        for (size_t k = 0; k < out.phase_count; k++) {
            assert_true(out.phase[k].hidden_s >= 0 && out.phase[k].hidden_s <= out.phase[k].time_s);
            sum += out.phase[k].time_s - out.phase[k].hidden_s;
        }
        assert_close(sum, out.time_s, 1e-12);
        parts = output_of(model, "postal_s", &out) + output_of(model, "penalty_s", &out) -
                out.hidden_s + (is_halo ? 0 : output_of(model, "flop_s", &out));
        assert_close(out.time_s, parts, 1e-12);
        assert_close(output_of(model, "penalty_s", &out),
                     output_of(model, "max_rate_s", &out) + output_of(model, "hops_s", &out) +
                         output_of(model, "congestion_s", &out),
                     1e-12);
        if (is_halo)
            assert_true(output_of(model, "time_slowest_s", &out) == out.time_s ||
                        output_of(model, "time_average_s", &out) == out.time_s ||
                        fabs(output_of(model, "time_slowest_s", &out) / out.time_s - 1) < 1e-12 ||
                        fabs(output_of(model, "time_average_s", &out) / out.time_s - 1) < 1e-12);
    }
}

/* Within one protocol: the next one may be cheaper, as on Blue Waters at 8 KiB. */
CASE(more_bytes_never_take_less_time)
{
    uint64_t random = draws_from(12);

    for (int i = 0; i < draws_of(2000); i++) {
        const char *model = i % 2 ? "halo_exchange" : "allreduce";
        const struct fr_calibration *cal = draw_machine(m, &random);
        const size_t row = (size_t)random_between(&random, 0, 2);
        const struct fr_protocol *protocol = cal->network.protocols.row;
        const double low = row ? protocol[row - 1].max_message_bytes + 1 : 0;
        const double high = fmin(protocol[row].max_message_bytes, 1e7);
        const double few = low + random_share(&random) * (high - low);
        const double more = few + random_share(&random) * (high - few);
        char query[400], with[440];
        double before, after;

        draw(query, sizeof query, i % 2, &random);
        snprintf(with, sizeof with, "%s&message_bytes=%.6f", query, few);
        before = time_of(model, with, cal);
        snprintf(with, sizeof with, "%s&message_bytes=%.6f", query, more);
        after = time_of(model, with, cal);
        if (after < before * (1 - 1e-9))
            fail_msg("%s?%s: %g s, with %g bytes %g s", model, with, after, few, before);
    }
}

CASE(a_penalty_left_out_never_raises_the_time)
{
    static const char *const subsets[] = { "hops:congestion_hops", "max_rate:congestion_hops",
                                           "max_rate:hops", "max_rate:hops:congestion", "none" };
    uint64_t random = draws_from(13);

    for (int i = 0; i < draws_of(2000); i++) {
        const char *model = i % 2 ? "halo_exchange" : "allreduce";
        const struct fr_calibration *cal = draw_machine(m, &random);
        char query[400], with[480];
        double all, fewer;

        draw(query, sizeof query, i % 2, &random);
        snprintf(query + strlen(query), sizeof query - strlen(query), "&message_bytes=%.0f",
                 random_size(&random, 1, 1e6));
        all = time_of(model, query, cal);
        snprintf(with, sizeof with, "%s&penalties=%s", query, subsets[i % 5]);
        fewer = time_of(model, with, cal);
        if (fewer > all * (1 + 1e-9))
            fail_msg("%s?%s: %g s, with all %g s", model, with, fewer, all);
    }
}

CASE(estimates_of_the_distance_are_in_order)
{
    uint64_t random = draws_from(14);

    for (int i = 0; i < draws_of(1000); i++) {
        const char *model = i % 2 ? "halo_exchange" : "allreduce";
        const struct fr_calibration *cal = draw_machine(m, &random);
        const int nodes = (int)random_size(&random, 1, i % 4 ? 12 : 5000);
        double hops[3];

        for (int k = 0; k < 3; k++) {
            struct fr_prediction out;
            char query[200];

            snprintf(query, sizeof query,
                     "message_bytes=8&nodes=%d&processes_per_node=2&hop_estimate=%s", nodes,
                     estimates[k]);
            out = predicted(model, query, cal);
            hops[k] = output_of(model, "hops", &out);
        }
        assert_true(hops[0] <= hops[1] && hops[1] <= hops[2]);
    }
}

CASE(ranking_tries_both_ways_to_wait_and_every_mapping)
{
    struct fr_arena *arena = fr_arena_new(1 << 24);
    struct fr_faults faults = { 0 };
    struct fr_ranking ranking;
    void *values;
    const struct fr_model *model =
        ask("halo_exchange",
            "message_bytes=4096&nodes=432&processes_per_node=16&allocation=6x6x6&overlap_s=1e-3&"
            "stalls_per_byte=0.3",
            arena, &values, &faults);

    fr_param_open(fr_param_find(model->params, "blocking"), values);
    fr_param_open(fr_param_find(model->params, "mapping"), values);
    assert_int_equal(
        fr_rank(model, values, NULL, NULL, m->torus, FR_MEMORY_LIMIT, 10, arena, &ranking, &faults),
        FR_OK);
    assert_int_equal(ranking.count, 6);
    assert_close(fr_param_get(fr_param_find(model->params, "blocking"), ranking.row[0].values), 0,
                 0);
    fr_arena_free(arena);
}

CASE(node_counts_offer_full_blocks_where_the_mapping_needs_them)
{
    struct fr_arena *arena = fr_arena_new(1 << 24);
    struct fr_faults faults = { 0 };
    int64_t counts[64];
    void *values;
    const struct fr_model *model =
        ask("halo_exchange", "message_bytes=8&processes_per_node=16&mapping=topology_aware", arena,
            &values, &faults);
    const size_t count = model->node_counts(values, m->torus, 60, counts, 64);
    bool has_cube = false;

    for (size_t i = 0; i < count; i++) {
        has_cube = has_cube || counts[i] == 54; /* 3^3 routers of 2 nodes */
        assert_true(counts[i] != 22);           /* 11 routers are not a block */
    }
    assert_true(has_cube);
    fr_arena_free(arena);
}

GROUP(machines_begin, place_end)
