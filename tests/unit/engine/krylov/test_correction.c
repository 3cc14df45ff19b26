/* Links corrected by bursts: the measured exchange keeps its time, everything else its ratio to it
 * (docs/models/krylov-links.md#correction-by-bursts). */
#include "engine/krylov/communication/krylov.h"
#include "tests/unit/support/question.h"

#define MACHINE(topology, contention)                                                     \
    "{'schema': 'forerun-calibration-1', 'machine': 'm',"                                 \
    "'node': {'cores_per_node': 4, 'peak_flops_per_s': 4},"                               \
    "'memory': {'node_bandwidth_bytes_per_s': 1, 'index_bytes': 4},"                      \
    "'network': {'protocols': [{'name': 'eager', 'max_message_bytes': 1000,"              \
    "'pipelined': true, 'off_node': {'latency_s': 2, 'inverse_bandwidth_s_per_byte': 1}," \
    "'on_node': {'latency_s': 2, 'inverse_bandwidth_s_per_byte': 1}},"                    \
    "{'name': 'rendezvous', 'max_message_bytes': null,"                                   \
    "'off_node': {'latency_s': 4, 'inverse_bandwidth_s_per_byte': 1},"                    \
    "'on_node': {'latency_s': 4, 'inverse_bandwidth_s_per_byte': 1}}],"                   \
    "'node_bandwidth_bytes_per_s': 1, 'topology': " topology "},"                         \
    "'contention': {" contention "}}"
#define TORUS                                                                               \
    "{'type': 'torus', 'dimensions': [4, 4, 4], 'nodes_per_router': 1, 'hop_latency_s': 1," \
    "'link_bandwidth_bytes_per_s': 0.05}"
#define CLASS "{'best': {}, 'average': {}, 'max': {}}"
#define DRAGONFLY                                                                       \
    "{'type': 'dragonfly', 'nodes_per_router': 1, 'routers_per_chassis': 2,"            \
    "'chassis_per_group': 2, 'hop_latency_s': {'chassis': 1, 'group': 1, 'global': 1}," \
    "'hop_classes': {'chassis': " CLASS ", 'group': " CLASS ", 'global': " CLASS "},"   \
    "'link_bandwidth_bytes_per_s': 0.05}"
#define BURST(processes) "'burst': [{'processes': " processes ", 'message_bytes': 8, 'gap_s': 4}]"

/* Six messages of 8 bytes: one takes 2 + 8, each further one 4 more. */
static const double measured_s = 10 + 5 * 4;

#define NODES "nodes=8&processes_per_node=1"
#define FACES NODES "&periodic=true&"
#define SOLVE FACES "stencil=star&iterations=1&matvec_overlap=false&preconditioner=none&"
#define ONE "local_grid=1x1x1"

static double solve_s(const char *document, const char *query)
{
    struct fr_arena *arena = fr_arena_new(1 << 24);
    const struct fr_prediction prediction =
        predicted("solve", query, calibration_of(document, arena));
    const double halo_s = output_of("solve", "halo.time_s", &prediction);

    fr_arena_free(arena);
    return halo_s;
}

static double exchange_s(const char *document, const char *query)
{
    struct fr_arena *arena = fr_arena_new(1 << 24);
    const double time_s = predicted("halo_exchange", query, calibration_of(document, arena)).time_s;

    fr_arena_free(arena);
    return time_s;
}

static const char torus[] = MACHINE(TORUS, BURST("8"));
static const char another_count[] = MACHINE(TORUS, BURST("9"));
static const char shuffled[] = MACHINE(TORUS, BURST("8") ", 'burst_placement': 'scattered'");
static const char dragonfly[] = MACHINE(DRAGONFLY, BURST("8"));

TEST(the_measured_exchange_keeps_its_time)
{
    assert_close(exchange_s(torus, FACES ONE), measured_s, 1e-12);
    assert_close(solve_s(torus, SOLVE ONE), measured_s, 1e-12);
    assert_close(solve_s(torus, SOLVE ONE "&link_sharing=true"), measured_s, 1e-12);
    assert_close(solve_s(torus, SOLVE ONE "&link_sharing=false"), measured_s, 1e-12);
    assert_true(solve_s(another_count, SOLVE ONE) > 1.1 * measured_s);
}

TEST(everything_else_keeps_its_ratio)
{
    static const char *const queries[] = {
        SOLVE ONE "&placement=scattered",
        SOLVE ONE "&mapping=topology_aware",
        SOLVE "local_grid=1x1x1&process_grid=8x1x1",
        SOLVE "local_grid=1x1x1&eager_limit_bytes=4",
    };
    const double base_s = solve_s(another_count, SOLVE ONE);

    for (size_t i = 0; i < sizeof queries / sizeof *queries; i++) {
        const double alone_s = solve_s(another_count, queries[i]);

        assert_true(alone_s != base_s);
        assert_close(solve_s(torus, queries[i]), measured_s * alone_s / base_s, 1e-12);
    }
}

/* Faces of 32, 32 and 128 bytes: their mean over the bytes is 96, as with 12 values in each face.
 */
TEST(unequal_faces_are_corrected_at_their_mean_size)
{
    const char *const mixed = SOLVE "local_grid=4x4x1", *const mean = SOLVE ONE "&dof=12";
    const double mean_s = (2 + 96) * (1 + 5 * 0.4); /* gaps are 4 / 10 of a message */

    assert_close(solve_s(torus, mean), mean_s, 1e-12);
    assert_close(solve_s(torus, mixed),
                 mean_s * solve_s(another_count, mixed) / solve_s(another_count, mean), 1e-12);
    assert_close(solve_s(torus, mixed), exchange_s(torus, FACES "local_grid=4x4x1"), 1e-12);
}

TEST(bursts_of_scattered_nodes_stand_for_scattered_nodes)
{
    const double block_s = solve_s(another_count, SOLVE ONE "&placement=block");
    const double scattered_s = solve_s(another_count, SOLVE ONE "&placement=scattered");

    assert_close(solve_s(shuffled, SOLVE ONE), measured_s, 1e-12);
    assert_close(solve_s(shuffled, SOLVE ONE "&placement=scattered"), measured_s, 1e-12);
    assert_close(solve_s(shuffled, SOLVE ONE "&placement=block"),
                 measured_s * block_s / scattered_s, 1e-12);
}

TEST(grids_of_two_dimensions_are_not_corrected)
{
    const char *const query = SOLVE "local_grid=1x1";

    assert_close(solve_s(torus, query), solve_s(another_count, query), 1e-12);
}

TEST(older_models_ask_links_of_other_mappings_alone)
{
    const char *const aware = FACES "local_grid=1x1x1&mapping=topology_aware";

    assert_close(exchange_s(torus, aware), solve_s(torus, SOLVE ONE "&mapping=topology_aware"),
                 1e-12);
    assert_close(exchange_s(another_count, aware), measured_s, 1e-12);
    assert_close(exchange_s(torus, FACES "local_grid=1x1x1&mapping=topology_aware&penalties=hops&"
                                         "stalls_per_byte=0"),
                 measured_s, 1e-12);
}

ARENA_TEST(links_are_a_phase_of_the_exchange)
{
    const struct fr_prediction prediction =
        predicted("halo_exchange", FACES "local_grid=4x4x1", calibration_of(torus, arena));
    const struct fr_phase *links = phase_of(&prediction, "links");

    assert_non_null(links);
    assert_true(links->time_s > 0);
    assert_close(phase_of(&prediction, "postal")->time_s + links->time_s, prediction.time_s, 1e-12);
}

/* Its boxes lie on the nodes in the network's order, so here it is the measured exchange, but for
 * the latency of a hop. */
ARENA_TEST(a_dragonfly_is_mapped_in_its_order)
{
    const struct fr_calibration *cal = calibration_of(dragonfly, arena);
    const struct fr_prediction prediction =
        predicted("solve", SOLVE ONE "&mapping=topology_aware&link_sharing=true", cal);

    assert_false(has_warning(&prediction, FR_WARN_LINKS_SKIPPED, NULL));
    assert_close(output_of("solve", "halo.time_s", &prediction), measured_s, 1e-2);
}
