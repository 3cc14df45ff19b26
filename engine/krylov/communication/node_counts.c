/* Node counts to try if a request leaves them open. */
#include "engine/krylov/communication/krylov.h"
#include "engine/prediction/model.h"

/* Larger full blocks of a torus are not searched. */
enum { MOST_ROUTERS = 100000 };

void krylov_set_nodes(void *values, int64_t nodes)
{
    struct krylov_values *v = values;

    v->nodes = nodes;
}

size_t krylov_node_counts(const void *values, const struct fr_calibration *cal, int64_t max_nodes,
                          int64_t *out, size_t capacity)
{
    size_t count = 0;

    (void)values;
    (void)cal;
    for (int64_t nodes = 1; nodes <= max_nodes; nodes *= 2)
        count = fr_insert_count(out, count, capacity, nodes);
    return count;
}

size_t krylov_grid_node_counts(const void *values, const struct fr_calibration *cal,
                               int64_t max_nodes, int64_t *out, size_t capacity)
{
    const struct krylov_grid_values *v = values;
    const struct fr_topology *topology = &cal->network.topology;
    size_t count = krylov_node_counts(values, cal, max_nodes, out, capacity);

    if (topology->type != FR_TORUS || topology->dimensions.count > FR_MAX_EXTENTS ||
        (v->mapping != MAPPING_TOPOLOGY_AWARE && v->mapping != FR_OPEN_CHOICE))
        return count;
    for (int64_t routers = 1;
         routers <= max_nodes / topology->nodes_per_router && routers <= MOST_ROUTERS; routers++) {
        const int64_t nodes = routers * topology->nodes_per_router;
        const struct fr_vector block = krylov_assumed_allocation(topology, nodes);

        if (fr_vector_product(&block) == (double)routers)
            count = fr_insert_count(out, count, capacity, nodes);
    }
    return count;
}
