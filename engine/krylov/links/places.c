/* Where the nodes of a job lie in the network (docs/models/krylov-links.md#places). */
#include "engine/krylov/links/links.h"

/* splitmix64 (Steele, Lea, Flood, OOPSLA 2014). */
static uint64_t next_number(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9E3779B97F4A7C15);

    z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
    return z ^ z >> 31;
}

void krylov_shuffle(int64_t count, int32_t *out)
{
    uint64_t state = UINT64_C(0x9E3779B97F4A7C15) + 1;

    for (int64_t i = 0; i < count; i++)
        out[i] = (int32_t)i;
    for (int64_t i = count - 1; i > 0; i--) {
        const int64_t j = (int64_t)(next_number(&state) % (uint64_t)(i + 1));
        const int32_t swapped = out[i];

        out[i] = out[j];
        out[j] = swapped;
    }
}

double krylov_slots(const struct fr_topology *topology, const struct fr_vector *allocation,
                    int64_t nodes)
{
    const int64_t leaf = topology->nodes_per_leaf;

    if (topology->type == FR_TORUS)
        return fr_vector_product(allocation) * (double)topology->nodes_per_router;
    if (topology->type == FR_DRAGONFLY)
        return (double)nodes;
    return (double)((nodes + leaf - 1) / leaf * leaf);
}

static struct krylov_place torus_place(const struct fr_vector *allocation, uint32_t router)
{
    struct krylov_place place = { { 0 }, 0 };

    for (size_t d = 0; d < allocation->count; d++) { /* 32 bits divide faster than 64 */
        const uint32_t extent = (uint32_t)allocation->at[d];

        place.at[d] = (int32_t)(router % extent);
        router /= extent;
    }
    return place;
}

/* The share of `parts` that holds `item` when `items` are dealt evenly, and the first of it. */
static int64_t share_of(int64_t item, int64_t items, int64_t parts)
{
    return item * parts / items;
}

static int64_t first_of(int64_t part, int64_t items, int64_t parts)
{
    return (part * items + parts - 1) / parts;
}

static struct krylov_place dragonfly_place(const struct fr_vector *allocation, int64_t nodes,
                                           int64_t slot)
{
    const int64_t routers = allocation->at[0], many = allocation->at[1];
    const int64_t groups = allocation->at[2], router = share_of(slot, nodes, routers);
    const int64_t chassis = share_of(router, routers, many),
                  group = share_of(chassis, many, groups);

    return (struct krylov_place){ { (int32_t)group,
                                    (int32_t)(chassis - first_of(group, many, groups)),
                                    (int32_t)(router - first_of(chassis, routers, many)) },
                                  0 };
}

struct krylov_place krylov_place_of(const struct fr_topology *topology,
                                    const struct fr_vector *allocation, int64_t nodes, int64_t slot)
{
    if (topology->type == FR_TORUS)
        return torus_place(allocation, (uint32_t)(slot / topology->nodes_per_router));
    if (topology->type == FR_DRAGONFLY)
        return dragonfly_place(allocation, nodes, slot);
    return (struct krylov_place){ { (int32_t)(slot / topology->nodes_per_leaf), 0, 0 },
                                  (int32_t)slot };
}
