/* Reading a calibration document: every field of docs/calibration.md. */
#include "tests/unit/support/documents.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "calibrations/calibrate/core/document.h"
#include "server/json/writer.h"

/* ---- what is read ---- */

TEST(every_value_of_node_and_network_is_read)
{
    const struct fr_calibration *cal = accepted(*state, full_json());

    assert_string_equal(cal->machine, "all-1.2_x");
    assert_string_equal(cal->created_at, "2026-11-20T12:00:00Z");
    assert_string_equal(cal->environment.blas.core, "x");
    assert_int_equal(cal->environment.processes, 64);
    assert_close(cal->tool.duration_s, 12.5, 0);
    assert_int_equal(cal->groups, FR_CAL_NODE | FR_CAL_NETWORK | FR_CAL_CONTENTION |
                                      FR_CAL_KERNELS | FR_CAL_MEMORY | FR_CAL_SPARSE | FR_CAL_CNC);
    assert_int_equal(cal->node.cores_per_node, 16);
    assert_close(cal->node.peak_flops_per_s, 1.6e11, 0);
    assert_close(cal->node.memory_bytes, 6.4e10, 0);
    assert_int_equal(cal->node.sockets, 2);
    assert_int_equal(cal->node.numa_domains, 4);
    assert_close(cal->node.clock_hz, 2.5e9, 0);
    assert_close(cal->core_peak_flops_per_s, 1e10, 0);
    assert_int_equal(cal->network.protocols.count, 3);
    assert_string_equal(cal->network.protocols.row[1].name, "eager");
    assert_close(cal->network.protocols.row[1].max_message_bytes, 65536, 0);
    assert_int_equal(cal->network.protocols.row[0].pipelined, 1);
    assert_int_equal(cal->network.protocols.row[1].pipelined, 0);
    assert_int_equal(cal->network.protocols.row[2].pipelined, -1);
    assert_true(isinf(cal->network.protocols.row[2].max_message_bytes));
    assert_close(cal->network.protocols.row[2].on_node.latency_s, 3e-6, 0);
    assert_close(cal->network.protocols.row[2].off_node.inverse_bandwidth_s_per_byte, 1e-10, 0);
    assert_int_equal(cal->network.broadcast.count, 3);
    assert_int_equal(cal->network.broadcast.row[2].algorithm, 2);
    assert_close(cal->network.node_bandwidth_bytes_per_s, 9e9, 0);
    assert_close(cal->network.injection_bandwidth_bytes_per_s, 1.1e10, 0);
    assert_close(cal->network.stall_time_s, 1.2e-10, 0);
    assert_close(cal->network.bytes_per_traffic_unit, 3, 0);
    assert_close(cal->network.message_bandwidth.latency_s, 8e-6, 0);
    assert_int_equal(cal->network.message_bandwidth.kind, 0);
    assert_close(cal->network.message_bandwidth.points.row[1].bandwidth_bytes_per_s, 3e8, 0);
}

TEST(every_value_of_contention_and_kernels_is_read)
{
    const struct fr_calibration *cal = accepted(*state, full_json());
    const struct fr_routine_model *model = &cal->kernels.routine_models.row[0];

    assert_close(cal->contention.message_bytes, 1048576, 0);
    assert_int_equal(cal->contention.average.row[0].processes, 0);
    assert_int_equal(cal->contention.average.row[2].processes, 64);
    assert_close(cal->contention.maximum.row[1].factor, 1.5, 0);
    assert_int_equal(cal->contention.patterns.row[1].pattern, FR_BARRIER);
    assert_close(cal->contention.patterns.row[1].message_bytes, 0, 0);
    assert_close(cal->contention.patterns.row[0].maximum_s, 2e-4, 0);
    assert_close(cal->contention.exchange.row[0].average_s, 1e-5, 0);
    assert_close(cal->contention.fold.row[0].message_s, 2e-6, 0);
    assert_close(cal->contention.burst.row[0].gap_s, 1e-6, 0);
    for (enum fr_routine routine = 0; routine < FR_ROUTINES; routine++) {
        assert_int_equal(cal->kernels.routine[routine].square.count, 2);
        assert_close(cal->kernels.routine[routine].square.row[0].efficiency_fraction, 0.5, 0);
        assert_close(cal->kernels.routine[routine].square.row[1].time_s, 0.064, 0);
        assert_int_equal(cal->kernels.routine[routine].rates.row[0].k, 30);
    }
    assert_close(cal->kernels.stream[FR_SPARSE_MATVEC].bandwidth_fraction, 0.8, 0);
    assert_close(cal->kernels.stream[FR_VECTOR_KERNEL].bandwidth_fraction, 0.9, 0);
    assert_close(cal->kernels.stream[FR_SPARSE_ILU_SOLVE].bandwidth_fraction, 0.5, 0);
    assert_close(cal->kernels.stream[FR_VECTOR_FUSED].bandwidth_fraction, 0.7, 0);
    assert_int_equal(cal->kernels.stream[FR_SPARSE_MATVEC].by_size.count, 3);
    assert_int_equal(cal->kernels.stream[FR_SPARSE_MATVEC].by_size.row[1].processes, 16);
    assert_close(cal->kernels.stream[FR_SPARSE_MATVEC].by_size.row[1].working_set_bytes, 16777216,
                 0);
    assert_close(cal->kernels.out_of_cache_weight, 0.25, 0);
    assert_int_equal(cal->kernels.reuse.count, 2);
    assert_close(cal->kernels.reuse.row[1].distance_bytes, 1048576, 0);
    assert_close(cal->kernels.reuse.row[1].out_of_cache_share, 0.5, 0);
    assert_string_equal(model->routine, "dtrmm");
    assert_string_equal(model->flags.diag, "N");
    assert_string_equal(model->flags.trans, "N");
    assert_int_equal(model->parameters.count, 2);
    assert_int_equal(model->locality, 0);
    assert_int_equal(model->basis.count, 3);
    assert_close(model->basis.row[2].row[1], 1, 0);
    assert_close(model->regions.row[0].coef.min.row[2], -1e-9, 0);
    assert_int_equal(model->build.relative, 1);
    assert_int_equal(model->build.history.count, 2);
    assert_int_equal(model->build.history.row[1].samples, 9);
    assert_int_equal(model->build.history.row[1].regions, 1);
    assert_close(model->build.history.row[0].error, 0.5, 0);
    assert_close(model->build.history.row[1].error, 0, 0);
}

TEST(every_value_of_memory_sparse_and_cnc_is_read)
{
    const struct fr_calibration *cal = accepted(*state, full_json());

    assert_close(cal->memory.core_bandwidth_bytes_per_s, 8e9, 0);
    assert_close(cal->memory.index_bytes, 4, 0);
    assert_string_equal(cal->memory.caches.row[1].name, "L2");
    assert_int_equal(cal->memory.caches.row[1].policy, 1);
    assert_close(cal->memory.caches.row[0].latency_s, 1e-9, 0);
    assert_close(cal->memory.memory_latency_tlb_miss_s, 1.5e-7, 0);
    assert_close(cal->memory.streams.row[0].max_operand_bytes, 1048576, 0);
    assert_true(isinf(cal->memory.streams.row[1].max_operand_bytes));
    assert_close(cal->memory.streams.row[1].bandwidth_bytes_per_s, 7.5e9, 0);
    assert_close(cal->memory.call_s, 1.5e-7, 0);
    assert_close(cal->memory.line_bytes, 64, 0);
    assert_close(cal->memory.row_swaps.row[0].max_matrix_bytes, 33554432, 0);
    assert_true(isinf(cal->memory.row_swaps.row[1].max_matrix_bytes));
    assert_close(cal->memory.row_swaps.row[1].element_s, 9e-9, 0);
    assert_close(cal->memory.row_element_s, 2.5e-8, 0);
    assert_close(cal->sparse.flop_time_s, 1e-10, 0);
    assert_int_equal(cal->sparse.dgemm_block.k, 128);
    assert_int_equal(cal->sparse.dgemm_unroll.n, 4);
    assert_int_equal(cal->sparse.dtrsv_unroll, 2);
    assert_close(cal->sparse.fit.panel, 1.2, 0);
    assert_close(cal->sparse.fit.block_s, 0, 0);
    assert_close(cal->sparse.window_fit.panel, 1.6, 0);
    assert_close(cal->sparse.window_fit.column_s, 6e-9, 0);
    assert_close(cal->sparse.window_fit_quality.left_out_worst, 1.3, 0);
    assert_close(cal->sparse.window_fit_quality.prior_share.column_s, 0.65, 0);
    assert_close(cal->sparse.window_fit_quality.prior_share.supernode_s, 0, 0);
    assert_close(cal->sparse.solve_fit.flop_s, 3e-10, 0);
    assert_int_equal(cal->sparse.supernode_relax, 20);
    assert_close(cal->cnc.peak_flops_per_core_per_s, 2e10, 0);
    assert_int_equal(cal->cnc.step_kernel.row[1].block_size, 256);
    assert_true(isnan(cal->cnc.step_kernel.row[1].rate_flops_per_s));
    assert_close(cal->cnc.volume_overhead.johnson, 1.3, 0);
    assert_int_equal(cal->sources.count, 3);
    assert_string_equal(cal->sources.row[2].statistic, "median over operations");
}

TEST(all_three_topologies_are_read)
{
    const struct fr_topology *topology = &accepted(*state, full_json())->network.topology;
    json_t *document;

    assert_int_equal(topology->type, FR_TORUS);
    assert_int_equal(topology->dimensions.count, 3);
    assert_close(topology->hop_latency_s.row[2], 3e-7, 0);

    document = full_json();
    put(document, "/network/topology/hop_latency_s", "1.08e-7");
    topology = &accepted(*state, document)->network.topology;
    assert_int_equal(topology->hop_latency_s.count, 1);
    assert_close(topology->hop_latency_s.row[0], 1.08e-7, 0);

    document = full_json();
    put(document, "/network/topology", dragonfly_topology);
    topology = &accepted(*state, document)->network.topology;
    assert_int_equal(topology->type, FR_DRAGONFLY);
    assert_int_equal(topology->chassis_per_group, 6);
    assert_close(topology->class_latency_s.global, 4e-7, 0);
    assert_close(topology->static_class_latency_s.group, 5e-7, 0);
    assert_close(topology->hop_classes.group.average.chassis, 0.9375, 0);
    assert_close(topology->hop_classes.global.max.group, 2, 0);

    document = full_json();
    put(document, "/network/topology", uniform_topology);
    topology = &accepted(*state, document)->network.topology;
    assert_int_equal(topology->type, FR_UNIFORM);
    assert_close(topology->hops.max, 2, 0);
    assert_close(topology->hops.best, 0, 0);
    assert_close(topology->hop_latency_s.row[0], 0, 0);
}

TEST(a_link_bandwidth_is_one_number_or_one_for_each_class)
{
    const struct fr_link_bandwidths *links =
        &accepted(*state, full_json())->network.topology.link_bandwidth_bytes_per_s;
    json_t *document;

    assert_close(links->torus, 7e9, 0);
    assert_true(isnan(links->up) && isnan(links->global));

    document = full_json();
    put(document, "/network/topology", dragonfly_topology);
    put(document, "/network/topology/link_bandwidth_bytes_per_s", "9e9");
    links = &accepted(*state, document)->network.topology.link_bandwidth_bytes_per_s;
    assert_true(links->chassis == 9e9 && links->group == 9e9 && links->global == 9e9);
    assert_true(isnan(links->torus));

    document = full_json();
    put(document, "/network/topology", uniform_topology);
    put(document, "/network/topology/nodes_per_leaf", "24");
    put(document, "/network/topology/uplinks_per_leaf", "8");
    put(document, "/network/topology/link_bandwidth_bytes_per_s", "{'down': 5e9}");
    links = &accepted(*state, document)->network.topology.link_bandwidth_bytes_per_s;
    assert_close(links->down, 5e9, 0);
    assert_true(isnan(links->up));
}

TEST(bandwidths_by_size_become_curves_of_time_by_processes)
{
    const struct fr_curves *curves = &accepted(*state, full_json())->byte_s[FR_SPARSE_MATVEC];

    assert_int_equal(curves->count, 2);
    assert_int_equal(curves->key[1], 16);
    assert_int_equal(curves->curve[1].count, 2);
    assert_close(curves->curve[1].x[0], 16, 0);
    assert_close(curves->curve[1].y[0], 1 / 16e9, 1e-15);
    assert_close(curves->curve[1].x[1], 24, 0);
    assert_close(curves->curve[1].y[1], 1e-9, 1e-15);
    assert_int_equal(accepted(*state, full_json())->byte_s[FR_VECTOR_KERNEL].count, 0);
}

TEST(schema_and_machine_are_all_that_must_be_there)
{
    const struct fr_calibration *cal =
        accepted(*state, json_of("{'schema': 'forerun-calibration-1', 'machine': 'm'}"));

    assert_int_equal(cal->groups, 0);
    assert_int_equal(cal->node.cores_per_node, 0);
    assert_true(isnan(cal->node.peak_flops_per_s));
    assert_true(isnan(cal->core_peak_flops_per_s));
    assert_int_equal(cal->network.topology.type, -1);
    assert_false(cal->has_off_node);
}

TEST(null_is_as_good_as_absent)
{
    static const char *const pointers[] = {
        "/description",
        "/tool",
        "/environment/blas",
        "/node/memory_bytes",
        "/node/sockets",
        "/network/protocols/0/pipelined",
        "/network/protocols/0/on_node",
        "/network/topology",
        "/network/hop_ping",
        "/network/message_bandwidth/latency_s",
        "/contention/average/2/processes",
        "/contention/patterns",
        "/kernels/dgemm/square/0/time_s",
        "/kernels/dger",
        "/kernels/dtrsv/rates",
        "/memory",
        "/sparse/fit",
        "/cnc/step_kernel/0/time_s",
        "/sources",
    };

    for (size_t i = 0; i < sizeof pointers / sizeof pointers[0]; i++) {
        json_t *document = full_json();

        put(document, "/sources", "{}");
        if (strstr(pointers[i], "average/2")) /* without it, the row would repeat row 0 */
            put(document, "/contention/average/2/distance", "2");
        put(document, pointers[i], "null");
        accepted(*state, document);
    }
}

TEST(a_group_that_is_null_is_missing)
{
    json_t *document = full_json();

    put(document, "/sources", "{}");
    put(document, "/node", "null");
    put(document, "/cnc", NULL);
    assert_int_equal(accepted(*state, document)->groups, FR_CAL_NETWORK | FR_CAL_CONTENTION |
                                                             FR_CAL_KERNELS | FR_CAL_MEMORY |
                                                             FR_CAL_SPARSE);
}

TEST(the_id_is_that_of_the_content_not_of_the_text)
{
    struct loaded *loaded = *state;
    char id[17];

    accepted(loaded, json_of("{'schema': 'forerun-calibration-1', 'machine': 'm',"
                             " 'node': {'cores_per_node': 10, 'clock_hz': 1e9}}"));
    memcpy(id, loaded->id, sizeof id);
    accepted(loaded, json_of("{ 'machine':'m','node':{'clock_hz':1000000000.0,\n"
                             "'cores_per_node':1e1},'schema':'forerun-calibration-1'}"));
    assert_string_equal(loaded->id, id);
    accepted(loaded, json_of("{'schema': 'forerun-calibration-1', 'machine': 'm',"
                             " 'node': {'cores_per_node': 11, 'clock_hz': 1e9}}"));
    assert_string_not_equal(loaded->id, id);
    assert_int_equal(strlen(loaded->id), 16);
    assert_int_equal(strspn(loaded->id, "0123456789abcdef"), 16);
}

/* ---- the curves made of it ---- */

TEST(rows_in_any_order_make_the_same_curve)
{
    struct loaded *loaded = *state;
    json_t *document = full_json();
    const struct fr_curves *curves;

    put(document, "/kernels/dgemm/square",
        "[{'threads': 2, 'n': 100, 'efficiency_fraction': 0.4},"
        " {'threads': 1, 'n': 400, 'efficiency_fraction': 0.9},"
        " {'threads': 2, 'n': 50, 'efficiency_fraction': 0.3},"
        " {'threads': 1, 'n': 100, 'time_s': 0.0004}]");
    curves = &accepted(loaded, document)->rate[FR_DGEMM];
    assert_int_equal(curves->count, 2);
    assert_int_equal(curves->key[0], 1);
    assert_int_equal(curves->key[1], 2);
    assert_close(curves->curve[0].x[0], log2(100), 0);
    assert_close(curves->curve[0].y[0], 2e6 / 0.0004, 1e-15); /* 5e9 of 1e10 */
    assert_close(curves->curve[0].y[1], 0.9e10, 1e-15);
    assert_close(curves->curve[1].y[0], 0.3e10, 1e-15);
    assert_close(curves->curve[1].y[1], 0.4e10, 1e-15);
}

/* The rows without a process count, else those of the largest count
 * (docs/models/dense.md#messages-and-contention-factors). */
TEST(the_average_without_a_process_count_goes_first)
{
    json_t *document = full_json();
    const struct fr_calibration *cal = accepted(*state, full_json());

    assert_int_equal(cal->average.count, 2);
    assert_close(cal->average.y[1], 1.2, 0);
    put(document, "/contention/average",
        "[{'processes': 256, 'distance': 1, 'factor': 2}, {'processes': 64, 'distance': 1,"
        " 'factor': 1.1}]");
    cal = accepted(*state, document);
    assert_int_equal(cal->average.count, 1);
    assert_close(cal->average.y[0], 2, 0);
}

/* An efficiency means nothing without a peak: the row is left out, not guessed. */
TEST(without_a_peak_only_times_make_a_rate)
{
    json_t *document = full_json();
    const struct fr_calibration *cal;

    put(document, "/sources", "{}");
    put(document, "/node/peak_flops_per_s", NULL);
    cal = accepted(*state, document);
    assert_int_equal(cal->rate[FR_DGEMM].count, 1);
    assert_int_equal(cal->rate[FR_DGEMM].curve[0].count, 1);
    assert_close(cal->rate[FR_DGEMM].curve[0].y[0], 2 * 6.4e7 / 0.064, 1e-15);
}

/* But for the sources, and for what no model reads. */
static void assert_written(struct loaded *loaded, json_t *document)
{
    json_t *expected = json_deep_copy(document), *found;
    struct fr_writer out;

    json_object_del(expected, "sources");
    json_object_del(expected, "environments");
    json_object_del(json_object_get(expected, "network"), "hop_ping");
    fr_writer_init(&out);
    fr_encode(&out, fr_calibration_fields, accepted(loaded, document));
    found =
        json_loadb(out.text, out.length, JSON_REJECT_DUPLICATES | JSON_DECODE_INT_AS_REAL, NULL);
    if (!json_equal(found, expected))
        fail_msg("written as %.*s", (int)out.length, out.text);
    fr_writer_free(&out);
    json_decref(found);
    json_decref(expected);
}

/* The calibrator writes by the same fields. */
TEST(every_value_is_written_as_it_was_read)
{
    static const char *const topologies[] = { dragonfly_topology, uniform_topology };

    assert_written(*state, full_json());
    for (size_t i = 0; i < sizeof topologies / sizeof *topologies; i++) {
        json_t *document = full_json();

        put(document, "/network/topology", topologies[i]);
        assert_written(*state, document);
    }
}

GROUP(documents_begin, documents_end)
