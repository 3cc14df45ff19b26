/* allreduce and halo_exchange: worked examples A to D (docs/models/krylov.md#worked-example), and
 * edge cases. */
#include "tests/unit/support/machines.h"

#include <stdio.h>
#include <string.h>

#define CASE(name) TEST_OF(name, const struct machines *m, NULL, NULL)

CASE(example_a_is_met)
{
    static const char query[] =
        "message_bytes=8&nodes=1024&processes_per_node=16&allocation=8x8x8&stalls_per_byte=0";
    char with[200];

    assert_close(time_of("allreduce", query, m->torus), 65.40932e-6, 1e-7);
    snprintf(with, sizeof with, "%s&hop_estimate=best", query);
    assert_close(time_of("allreduce", with, m->torus), (54.06860 + 0.00071 + 4.536) * 1e-6, 3e-7);
    snprintf(with, sizeof with, "%s&hop_estimate=max", query);
    assert_close(time_of("allreduce", with, m->torus), (54.06860 + 0.00071 + 22.68) * 1e-6, 3e-7);
}

CASE(example_b_is_met)
{
    static const char query[] = "message_bytes=2048&nodes=512&processes_per_node=36&"
                                "allocation=128x8x2&stalls_per_byte=0.5&overlap_s=1e-3&blocking=";
    char with[200];

    snprintf(with, sizeof with, "%strue", query);
    assert_close(time_of("allreduce", with, m->dragonfly), 113.79574e-6, 1e-7);
    snprintf(with, sizeof with, "%sfalse", query);
    assert_close(time_of("allreduce", with, m->dragonfly), 96.79100e-6, 1e-7);
}

CASE(example_c_is_met)
{
    static const char query[] = "message_bytes=4096&nodes=1024&processes_per_node=16&"
                                "allocation=8x8x8&stalls_per_byte=0.35&overlap_s=1e-4&blocking=";
    char with[200];

    snprintf(with, sizeof with, "%strue", query);
    assert_close(time_of("halo_exchange", with, m->torus), 88.41828e-6, 1e-7);
    snprintf(with, sizeof with, "%sfalse", query);
    assert_close(time_of("halo_exchange", with, m->torus), 42.26372e-6, 2e-7);
}

/* Section 5.9: messages of short and eager protocols are pipelined in either kernel, whose calls
 * are the same; the computation hides what is left of the penalties. */
CASE(a_wait_that_comes_later_costs_nothing_more)
{
    static const char query[] = "message_bytes=4096&nodes=1024&processes_per_node=16&"
                                "allocation=8x8x8&stalls_per_byte=0.35&blocking=";
    static const struct {
        const char *asked;
        double time_s;
    } cases[] = {
        { "false", 88.41828e-6 },
        { "false&overlap_s=0&progress=penalties_only", 88.41828e-6 },
        { "false&overlap_s=2e-5", 68.41828e-6 },
        { "false&overlap_s=4.5e-5", 43.41828e-6 },
        { "false&overlap_s=4.7e-5", 42.26372e-6 },
    };
    char with[200];

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        snprintf(with, sizeof with, "%s%s", query, cases[i].asked);
        assert_close(time_of("halo_exchange", with, m->torus), cases[i].time_s, 2e-7);
    }
}

CASE(example_d_is_met)
{
    static const char query[] =
        "message_bytes=4096&nodes=512&processes_per_node=36&mapping=node_aware&"
        "allocation=128x8x2&stalls_per_byte=0.2&process=";
    char with[200];

    snprintf(with, sizeof with, "%sslowest", query);
    assert_close(time_of("halo_exchange", with, m->dragonfly), 50.85990e-6, 2e-7);
    snprintf(with, sizeof with, "%saverage", query);
    assert_close(time_of("halo_exchange", with, m->dragonfly), 33.43320e-6, 2e-7);
}

CASE(one_process_communicates_nothing)
{
    assert_close(time_of("allreduce", "message_bytes=8&nodes=1&processes_per_node=1", m->torus), 0,
                 0);
    assert_close(time_of("halo_exchange", "message_bytes=8&nodes=1&processes_per_node=1", m->torus),
                 0, 0);
}

CASE(one_node_pays_no_penalty_and_is_not_warned)
{
    const struct fr_prediction out =
        predicted("halo_exchange", "message_bytes=4096&nodes=1&processes_per_node=16", m->torus);

    assert_int_equal(out.warning_count, 0);
    assert_close(output_of("halo_exchange", "penalty_s", &out), 0, 0);
    assert_close(output_of("halo_exchange", "hops", &out), 0, 0);
    assert_close(output_of("halo_exchange", "on_node_messages", &out), 6, 0);
}

/* c = 1: no message stays on the node, so on-node values are not needed. */
CASE(one_process_per_node_uses_the_network_alone)
{
    struct fr_protocol row[2];
    struct fr_calibration cal = *m->uniform;
    struct fr_prediction out;
    struct fr_faults faults;

    memcpy(row, cal.network.protocols.row + 1, sizeof row);
    row[0].on_node.latency_s = row[1].on_node.latency_s = NAN;
    cal.network.protocols.row = row;
    cal.network.protocols.count = 2;
    out = predicted("allreduce", "message_bytes=8&nodes=8&processes_per_node=1", &cal);
    assert_close(output_of("allreduce", "on_node_messages", &out), 0, 0);
    assert_close(output_of("allreduce", "off_node_messages", &out), 6, 1e-15);
    faults = refused("allreduce", "message_bytes=8&nodes=8&processes_per_node=2", &cal);
    assert_fault(&faults, FR_GROUP_MISSING, "calibration", "on_node");
}

CASE(rounds_are_logarithms_or_whole)
{
    struct fr_prediction out = predicted(
        "allreduce", "message_bytes=8&nodes=3&processes_per_node=5&penalties=none", m->uniform);

    assert_close(output_of("allreduce", "off_node_messages", &out), 2 * log2(3), 1e-15);
    assert_close(output_of("allreduce", "on_node_messages", &out), 2 * log2(5), 1e-15);
    out = predicted("allreduce",
                    "message_bytes=8&nodes=3&processes_per_node=5&penalties=none&rounds=ceil",
                    m->uniform);
    assert_close(output_of("allreduce", "off_node_messages", &out), 4, 0);
    assert_close(output_of("allreduce", "on_node_messages", &out), 6, 0);
}

/* With two periodic processes both messages go to the same neighbour; with one there is none. */
CASE(rings_of_one_and_two_differ)
{
    static const char query[] = "message_bytes=100&nodes=2&processes_per_node=1&dimensions=1";
    struct fr_prediction out = predicted("halo_exchange", query, m->uniform);
    char open[100];

    assert_close(output_of("halo_exchange", "off_node_messages", &out), 2, 0);
    snprintf(open, sizeof open, "%s&periodic=false", query);
    out = predicted("halo_exchange", open, m->uniform);
    assert_close(output_of("halo_exchange", "off_node_messages", &out), 1, 0);
    out = predicted("halo_exchange",
                    "message_bytes=100&nodes=2&processes_per_node=3&dimensions=3&"
                    "process_grid=1x2x3&on_node_grid=1x1x3",
                    m->uniform);
    assert_close(output_of("halo_exchange", "off_node_messages", &out), 2, 0);
    assert_close(output_of("halo_exchange", "on_node_messages", &out), 2, 0);
}

/* An element is a double: a face of 100 x 60 rows has 800 or 480 bytes. */
CASE(faces_follow_from_the_local_grid)
{
    const struct fr_prediction out =
        predicted("halo_exchange",
                  "local_grid=100x60&dimensions=2&nodes=9&processes_per_node=1&stalls_per_byte=0",
                  m->uniform);

    assert_close(output_of("halo_exchange", "off_node_bytes", &out), 2 * 480 + 2 * 800, 0);
}

static double postal_of(const char *limit, double bytes, const struct fr_calibration *cal)
{
    char query[200];
    struct fr_prediction out;

    snprintf(query, sizeof query, "message_bytes=%.17g&nodes=2&processes_per_node=1%s", bytes,
             limit);
    out = predicted("allreduce", query, cal);
    return output_of("allreduce", "postal_s", &out) / 2;
}

CASE(the_eager_limit_can_be_moved)
{
    const struct fr_protocol *p = m->torus->network.protocols.row;
    double bytes = 16384;

#define POSTAL(i) (p[i].off_node.latency_s + p[i].off_node.inverse_bandwidth_s_per_byte * bytes)
    assert_close(postal_of("", bytes, m->torus), POSTAL(2), 1e-14);
    assert_close(postal_of("&eager_limit_bytes=16384", bytes, m->torus), POSTAL(1), 1e-14);
    assert_close(postal_of("&eager_limit_bytes=16383", bytes, m->torus), POSTAL(2), 1e-14);
    bytes = 512;
    assert_close(postal_of("&eager_limit_bytes=256", bytes, m->torus), POSTAL(2), 1e-14);
    bytes = 256;
    assert_close(postal_of("&eager_limit_bytes=256", bytes, m->torus), POSTAL(0), 1e-14);
#undef POSTAL
}

CASE(a_single_protocol_has_no_eager_limit)
{
    struct fr_calibration cal = *m->uniform;
    struct fr_faults faults;

    cal.network.protocols.row += 2;
    cal.network.protocols.count = 1;
    faults = refused("allreduce",
                     "message_bytes=8&nodes=2&processes_per_node=1&eager_limit_bytes=1", &cal);
    assert_fault(&faults, FR_RELATION, "eager_limit_bytes", "one protocol");
}

CASE(routing_matters_on_a_dragonfly_that_has_both)
{
    static const char query[] = "message_bytes=8&nodes=64&processes_per_node=1&allocation=16x4x2&"
                                "stalls_per_byte=0&routing=static";
    struct fr_calibration cal = *m->dragonfly;
    struct fr_faults faults = refused("allreduce",
                                      "message_bytes=8&nodes=64&processes_per_node=1&"
                                      "allocation=4x4x2&routing=static",
                                      m->torus);
    struct fr_prediction out;

    assert_fault(&faults, FR_RELATION, "routing", "only to a dragonfly");
    cal.network.topology.static_class_latency_s = (struct fr_hop_links){ NAN, NAN, NAN };
    faults = refused("allreduce", query, &cal);
    assert_fault(&faults, FR_RELATION, "routing", "static_hop_latency_s");
    cal.network.topology.static_class_latency_s = (struct fr_hop_links){ 1, 1, 1 };
    out = predicted("allreduce", query, &cal); /* 1 s for each hop: 12 messages of h hops */
    assert_close(output_of("allreduce", "hops_s", &out), 12 * output_of("allreduce", "hops", &out),
                 1e-12);
}

TEST(a_whole_allreduce_proceeds_with_progress_all)
{
    const struct fr_calibration *cal = ((const struct machines *)*state)->torus;
    const char *const query = "message_bytes=4096&nodes=64&processes_per_node=4";
    const double whole_s = time_of("allreduce", query, cal);
    struct fr_prediction out;
    char more[200];

    snprintf(more, sizeof more, "%s&blocking=false&progress=all&overlap_s=%.17g", query,
             whole_s / 2);
    assert_close(time_of("allreduce", more, cal), whole_s / 2, 1e-12);
    snprintf(more, sizeof more, "%s&blocking=false&progress=all&overlap_s=1", query);
    assert_close(time_of("allreduce", more, cal), 0, 0);
    snprintf(more, sizeof more, "%s&progress=all&overlap_s=1", query);
    assert_close(time_of("allreduce", more, cal), whole_s, 0); /* a blocking one waits */
    snprintf(more, sizeof more, "%s&blocking=false&progress=eager&overlap_s=1", query);
    out = predicted("allreduce", more, cal);
    assert_true(output_of("allreduce", "penalty_s", &out) > 0);
    assert_close(out.time_s, whole_s - output_of("allreduce", "penalty_s", &out), 1e-12);
}

GROUP(machines_begin, place_end)
