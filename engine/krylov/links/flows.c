/* Flows between the nodes of a grid (docs/models/krylov-links.md#flows-between-nodes). */
#include "engine/krylov/links/links.h"

enum { DIRECTIONS = 27, STAY = 13 };

struct direction {
    int step[FR_MAX_EXTENTS]; /* -1, 0, 1 */
};

static struct direction direction_of(int number)
{
    return (struct direction){ { number / 9 - 1, number / 3 % 3 - 1, number % 3 - 1 } };
}

static struct krylov_load times(struct krylov_load load, double count)
{
    return (struct krylov_load){ load.bytes * count, load.weighted * count };
}

/* ---- nodes that hold boxes ------------------------------------------------------------------ */

/* Pairs of neighbours along one dimension whose nodes differ by `step`: at most one where the
 * nodes differ; else all that lie within the node, around the grid too. */
static double pairs_along(const struct halo_grid *grid, size_t d, bool is_along, int step)
{
    const int64_t q = grid->on_node[d];
    const bool is_closed = grid->is_periodic && grid->process[d] == q && q > 1;

    if (step)
        return is_along ? 1 : 0;
    if (!is_along)
        return (double)q;
    return (double)(is_closed ? q : q - 1);
}

/* The flow from a node to its neighbour: the messages of all kinds that lead there. */
static struct krylov_load flow_between(const struct halo_grid *grid,
                                       const struct krylov_kinds *kinds, struct direction node)
{
    struct krylov_load sum = { 0, 0 };

    for (unsigned kind = 1; kind < KINDS; kind++) {
        double messages = 1;

        for (size_t d = 0; d < FR_MAX_EXTENTS; d++) {
            const bool is_along = kind >> d & 1;

            messages *= pairs_along(grid, d, is_along, node.step[d]);
            if (is_along && !node.step[d])
                messages *= 2; /* both ways along d stay on the node */
        }
        krylov_load_add(&sum, times(kinds->of[kind], messages));
    }
    return sum;
}

/* ---- grids whose cells are numbered row by row ----------------------------------------------- */

/* A grid of nodes, or of ranks of which a node holds `c` consecutive ones. */
struct cells {
    int64_t extent[FR_MAX_EXTENTS], c;
    bool is_periodic;
    struct krylov_network *network;
};

/* Indices of one dimension that have a neighbour at the same distance. */
struct span {
    int64_t begin, end, distance;
};

/* At most two spans: of neighbours within the grid, and of neighbours around it. */
static size_t spans_of(int64_t extent, int step, bool is_periodic, struct span out[2])
{
    const int64_t edge = step > 0 ? extent - 1 : 0;
    size_t count = 0;

    if (!step) {
        out[count++] = (struct span){ 0, extent, 0 };
        return count;
    }
    if (extent > 1)
        out[count++] = (struct span){ step < 0, extent - (step > 0), step };
    if (extent > 1 && is_periodic)
        out[count++] = (struct span){ edge, edge + 1, step * (1 - extent) };
    return count;
}

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* A node holds c > 1 cells: those of a row that share both nodes are one flow. */
static void add_cells(const struct cells *cells, int64_t from, int64_t to, int64_t count,
                      struct krylov_load flow)
{
    const int64_t c = cells->c;

    for (int64_t sent = 0, run; sent < count; sent += run) {
        const int64_t a = from + sent, b = to + sent;
        const struct krylov_flows one = { .from = a / c, .to = b / c, .count = 1, .rows = 1 };

        run = least(count - sent, c - (a % c > b % c ? a % c : b % c));
        if (one.from != one.to)
            krylov_network_add(cells->network, &one, times(flow, (double)run));
    }
}

/* Rows of nodes with short gaps are one row without the flows of the gaps, where a long row costs
 * little. */
static void add_nodes(struct krylov_network *network, const struct krylov_flows *rows,
                      struct krylov_load flow)
{
    const int64_t gap = rows->stride - rows->count;
    struct krylov_flows whole = *rows, gaps = *rows;

    whole.count = (rows->rows - 1) * rows->stride + rows->count;
    if (rows->rows == 1 || gap >= rows->count || !krylov_has_runs(network, whole.count)) {
        krylov_network_add(network, rows, flow);
        return;
    }
    whole.rows = 1;
    krylov_network_add(network, &whole, flow);
    gaps.from += rows->count;
    gaps.to += rows->count;
    gaps.count = gap;
    gaps.rows--;
    krylov_network_add(network, &gaps, times(flow, -1));
}

static void add_rows(const struct cells *cells, const struct krylov_flows *rows,
                     struct krylov_load flow)
{
    if (cells->c == 1) {
        add_nodes(cells->network, rows, flow);
        return;
    }
    for (int64_t r = 0; r < rows->rows; r++)
        add_cells(cells, rows->from + r * rows->stride, rows->to + r * rows->stride, rows->count,
                  flow);
}

/* Rows that follow one another without a gap are one row. */
static void add_spans(const struct cells *cells, const struct span *const at[FR_MAX_EXTENTS],
                      struct krylov_load flow)
{
    const int64_t *extent = cells->extent, plane = extent[1] * extent[2];
    const int64_t distance =
        at[0]->distance * plane + at[1]->distance * extent[2] + at[2]->distance;
    struct krylov_flows rows = {
        .from = at[0]->begin * plane + at[1]->begin * extent[2] + at[2]->begin,
        .count = at[2]->end - at[2]->begin,
        .rows = at[1]->end - at[1]->begin,
        .stride = extent[2],
    };
    int64_t planes = at[0]->end - at[0]->begin;

    if (rows.count == extent[2]) {
        rows.count *= rows.rows;
        rows.rows = 1;
    }
    if (rows.count == plane) {
        rows.count *= planes;
        planes = 1;
    }
    for (int64_t i = 0; i < planes; i++, rows.from += plane) {
        rows.to = rows.from + distance;
        add_rows(cells, &rows, flow);
    }
}

static void add_direction(const struct cells *cells, struct direction way, struct krylov_load flow)
{
    struct span span[FR_MAX_EXTENTS][2];
    size_t count[FR_MAX_EXTENTS];

    if (flow.bytes <= 0)
        return;
    for (size_t d = 0; d < FR_MAX_EXTENTS; d++)
        count[d] = spans_of(cells->extent[d], way.step[d], cells->is_periodic, span[d]);
    for (size_t i = 0; i < count[0]; i++)
        for (size_t j = 0; j < count[1]; j++)
            for (size_t k = 0; k < count[2]; k++) {
                const struct span *const at[] = { &span[0][i], &span[1][j], &span[2][k] };

                add_spans(cells, at, flow);
            }
}

void krylov_add_boxes(const struct halo_grid *grid, const struct krylov_kinds *kinds,
                      struct krylov_network *network)
{
    struct cells cells = { .c = 1, .is_periodic = grid->is_periodic, .network = network };

    for (size_t d = 0; d < FR_MAX_EXTENTS; d++)
        cells.extent[d] = grid->process[d] / grid->on_node[d];
    for (int i = 0; i < DIRECTIONS; i++) {
        const struct direction way = direction_of(i);

        if (i != STAY)
            add_direction(&cells, way, flow_between(grid, kinds, way));
    }
}

void krylov_add_ranks(const struct halo_grid *grid, const struct krylov_kinds *kinds,
                      struct krylov_network *network)
{
    struct cells cells = { .c = grid->c, .is_periodic = grid->is_periodic, .network = network };

    for (size_t d = 0; d < FR_MAX_EXTENTS; d++)
        cells.extent[d] = grid->process[d];
    for (int i = 0; i < DIRECTIONS; i++) {
        const struct direction way = direction_of(i);
        unsigned kind = 0;

        for (size_t d = 0; d < FR_MAX_EXTENTS; d++)
            kind |= way.step[d] ? 1u << d : 0;
        if (i != STAY)
            add_direction(&cells, way, kinds->of[kind]);
    }
}
