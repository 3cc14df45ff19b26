/* Process grids and the boxes of processes on a node
 * (docs/models/krylov.md#process-grid-and-mapping). */
#include "engine/krylov/communication/krylov.h"

#include <math.h>
#include <stdlib.h>

/* The most that a number up to KRYLOV_MOST_PROCESSES has. */
enum { MOST_DIVISORS = 1344 };

/* In ascending order. */
static size_t divisors_of(int64_t count, int64_t out[MOST_DIVISORS])
{
    size_t small = 0, all;

    for (int64_t d = 1; d * d <= count; d++)
        if (count % d == 0)
            out[small++] = d;
    all = small;
    for (size_t i = small; i-- > 0;)
        if (out[i] * out[i] != count)
            out[all++] = count / out[i];
    return all;
}

double krylov_power(int64_t base, size_t exponent)
{
    double product = 1;

    while (exponent--)
        product *= (double)base;
    return product;
}

/* Writes non-increasing factors of `rest`, at most `most` each, the first as small as possible,
 * then the second.  False if there are none. */
static bool find_factors(int64_t rest, size_t factors, int64_t most, const int64_t *divisor,
                         size_t divisors, int64_t *out)
{
    if (factors == 1) {
        *out = rest;
        return rest <= most;
    }
    for (size_t i = 0; i < divisors && divisor[i] <= most; i++) {
        if (rest % divisor[i] || krylov_power(divisor[i], factors) < (double)rest)
            continue;
        *out = divisor[i];
        if (find_factors(rest / divisor[i], factors - 1, divisor[i], divisor, divisors, out + 1))
            return true;
    }
    return false;
}

struct fr_vector krylov_dims_create(int64_t count, size_t dimensions)
{
    struct fr_vector grid = { .count = dimensions };
    int64_t divisor[MOST_DIVISORS];
    const size_t divisors = divisors_of(count, divisor);

    find_factors(count, dimensions, count, divisor, divisors, grid.at);
    return grid;
}

struct fr_vector krylov_default_grid(const struct fr_vector *process_grid, int64_t c)
{
    struct fr_vector box = { .count = process_grid->count };
    int64_t rest = c;

    for (size_t d = box.count; d-- > 0;) {
        const int64_t p = process_grid->at[d];

        if (d > 0 && rest % p == 0)
            box.at[d] = p;
        else if (p % rest == 0)
            box.at[d] = rest;
        else
            return (struct fr_vector){ 0 };
        rest /= box.at[d];
    }
    return box;
}

double krylov_message_bytes(const struct krylov_stencil *stencil, unsigned directions)
{
    double bytes = 8 * stencil->values_per_point;

    if (!isnan(stencil->message_bytes))
        return stencil->message_bytes;
    for (size_t d = 0; d < stencil->dimensions; d++)
        if (!(directions & 1u << d))
            bytes *= (double)stencil->local_grid.at[d];
    return bytes;
}

/* Messages that leave an interior node. */
struct traffic {
    double bytes, messages;
};

static void add_direction(struct traffic *traffic, const struct fr_vector *box,
                          const struct fr_vector *grid, const struct krylov_stencil *stencil,
                          unsigned directions, bool is_periodic)
{
    double all = 1, on = 1;

    for (size_t d = 0; d < grid->count; d++) {
        const double q = (double)box->at[d];
        const bool is_whole = box->at[d] == grid->at[d];

        if (!(directions & 1u << d)) {
            all *= q;
            on *= q;
            continue;
        }
        all *= is_whole && !(is_periodic && q > 1) ? q - 1 : q;
        on *= is_whole && is_periodic && q > 1 ? q : q - 1;
        all *= 2; /* both directions */
        on *= 2;
    }
    traffic->messages += all - on;
    traffic->bytes += (all - on) * krylov_message_bytes(stencil, directions);
}

static struct traffic traffic_of(const struct fr_vector *box, const struct fr_vector *grid,
                                 const struct krylov_stencil *stencil, bool is_periodic)
{
    struct traffic traffic = { 0, 0 };

    for (unsigned directions = 1; directions < 1u << grid->count; directions++)
        if (stencil->is_full || !(directions & (directions - 1)))
            add_direction(&traffic, box, grid, stencil, directions, is_periodic);
    return traffic;
}

static bool is_less(const struct traffic *a, const struct traffic *b)
{
    if (fabs(a->bytes - b->bytes) > 1e-12 * b->bytes)
        return a->bytes < b->bytes;
    return a->messages < b->messages;
}

/* Search over all factorizations of c. */
struct search {
    const struct fr_vector *grid;
    const struct krylov_stencil *stencil;
    bool is_periodic, has_best;
    struct traffic least;
    struct fr_vector box, best;
};

/* Larger extents first: of equal boxes the lexicographically largest is kept. */
static void try_extents(struct search *search, size_t d, int64_t rest)
{
    struct traffic traffic;

    if (d + 1 < search->grid->count) {
        for (int64_t q = rest; q > 0; q--) {
            if (rest % q || search->grid->at[d] % q)
                continue;
            search->box.at[d] = q;
            try_extents(search, d + 1, rest / q);
        }
        return;
    }
    if (search->grid->at[d] % rest)
        return;
    search->box.at[d] = rest;
    traffic = traffic_of(&search->box, search->grid, search->stencil, search->is_periodic);
    if (search->has_best && !is_less(&traffic, &search->least))
        return;
    search->has_best = true;
    search->least = traffic;
    search->best = search->box;
}

struct fr_vector krylov_node_aware_grid(const struct fr_vector *process_grid, int64_t c,
                                        const struct krylov_stencil *stencil, bool is_periodic)
{
    struct search search = {
        .grid = process_grid,
        .stencil = stencil,
        .is_periodic = is_periodic,
        .box = { .count = process_grid->count },
    };

    try_extents(&search, 0, c);
    return search.best;
}

double krylov_sent_bytes(const struct krylov_stencil *stencil, const struct fr_vector *process_grid)
{
    double bytes = 0;

    for (unsigned kind = 1; kind < 1u << process_grid->count; kind++) {
        double messages = 1;

        for (size_t d = 0; d < process_grid->count; d++)
            if (kind & 1u << d)
                messages *= process_grid->at[d] == 1 ? 0 : stencil->is_one_sided ? 1 : 2;
        if (stencil->is_full || !(kind & (kind - 1)))
            bytes += messages * krylov_message_bytes(stencil, kind);
    }
    return bytes;
}

/* Search over the factorizations of a process count. */
struct fitting {
    const struct fr_vector *points;
    const int64_t *divisor;
    size_t divisors;
    struct krylov_stencil stencil;
    struct fr_vector grid, best;
    double least_bytes;
};

static bool is_larger(const struct fr_vector *a, const struct fr_vector *b)
{
    for (size_t d = 0; d < a->count; d++)
        if (a->at[d] != b->at[d])
            return a->at[d] > b->at[d];
    return false;
}

/* Of equal grids the lexicographically largest is kept. */
static void consider_grid(struct fitting *fitting)
{
    double bytes;

    fitting->stencil.local_grid = krylov_divided_grid(fitting->points, &fitting->grid);
    bytes = krylov_sent_bytes(&fitting->stencil, &fitting->grid);
    if (fitting->best.count &&
        (bytes > fitting->least_bytes ||
         (bytes == fitting->least_bytes && !is_larger(&fitting->grid, &fitting->best))))
        return;
    fitting->best = fitting->grid;
    fitting->least_bytes = bytes;
}

/* The extents from `d` on. */
static void fit_extents(struct fitting *fitting, size_t d, int64_t rest)
{
    if (d + 1 == fitting->grid.count) {
        fitting->grid.at[d] = rest;
        if (rest <= fitting->points->at[d])
            consider_grid(fitting);
        return;
    }
    for (size_t i = 0; i < fitting->divisors && fitting->divisor[i] <= fitting->points->at[d]; i++)
        if (rest % fitting->divisor[i] == 0) {
            fitting->grid.at[d] = fitting->divisor[i];
            fit_extents(fitting, d + 1, rest / fitting->divisor[i]);
        }
}

/* A first extent, and what a process sends at least with it. */
struct start {
    double bytes;
    int64_t extent;
};

static int by_bytes(const void *left, const void *right)
{
    const struct start *a = left, *b = right;

    return a->bytes < b->bytes ? -1 : a->bytes > b->bytes;
}

/* The faces alone: those along the first dimension have at least area / rest points, the others
 * are least where the area of a process is a square, or not divided in one dimension. */
static double least_faces(const struct fitting *fitting, int64_t extent, int64_t rest)
{
    const int64_t *points = fitting->points->at;
    const double area = (double)points[1] * (double)points[2] / (double)rest;
    const double length = (double)((points[0] + extent - 1) / extent);
    const double sides =
        fmin(2 * sqrt(area), (double)(points[1] < points[2] ? points[1] : points[2]));
    const double faces = (extent > 1 ? area : 0) + (rest > 1 ? length * sides : 0);

    return 2 * 8 * fitting->stencil.values_per_point * faces;
}

/* In three dimensions the first extents are tried in the order of what they send at least, until
 * none can send less: a number of many divisors has too many factorizations to try all. */
static void fit_first(struct fitting *fitting, int64_t count)
{
    const double rounding = 1e-9;
    struct start start[MOST_DIVISORS];
    size_t starts = 0;

    for (size_t i = 0; i < fitting->divisors && fitting->divisor[i] <= fitting->points->at[0]; i++)
        start[starts++] = (struct start){
            least_faces(fitting, fitting->divisor[i], count / fitting->divisor[i]),
            fitting->divisor[i],
        };
    qsort(start, starts, sizeof *start, by_bytes);
    for (size_t i = 0; i < starts; i++) {
        if (fitting->best.count && start[i].bytes * (1 - rounding) > fitting->least_bytes)
            return;
        fitting->grid.at[0] = start[i].extent;
        fit_extents(fitting, 1, count / start[i].extent);
    }
}

struct fr_vector krylov_fitted_grid(int64_t count, const struct fr_vector *global_grid,
                                    const struct krylov_stencil *stencil)
{
    int64_t divisor[MOST_DIVISORS];
    struct fitting fitting = {
        .points = global_grid,
        .divisor = divisor,
        .divisors = divisors_of(count, divisor),
        .stencil = *stencil,
        .grid = { .count = global_grid->count },
    };

    if (global_grid->count == FR_MAX_EXTENTS)
        fit_first(&fitting, count);
    else
        fit_extents(&fitting, 0, count);
    return fitting.best;
}

struct fr_vector krylov_divided_grid(const struct fr_vector *global_grid,
                                     const struct fr_vector *process_grid)
{
    struct fr_vector local = { .count = global_grid->count };

    for (size_t d = 0; d < local.count; d++)
        local.at[d] = (global_grid->at[d] + process_grid->at[d] - 1) / process_grid->at[d];
    return local;
}

/* The block of routers as a grid of `dimensions`; the last one merges the remaining ones. */
static struct fr_vector node_extents(const struct fr_vector *allocation, size_t dimensions)
{
    struct fr_vector e = { .count = dimensions, .at = { 1, 1, 1 } };

    for (size_t d = 0; d < allocation->count; d++)
        e.at[d < dimensions ? d : dimensions - 1] *= allocation->at[d];
    return e;
}

/* Indices by extent, ties by index. */
static void order_by_extent(const struct fr_vector *e, size_t order[FR_MAX_EXTENTS])
{
    for (size_t d = 0; d < e->count; d++) {
        size_t at = d;

        for (; at > 0 && e->at[order[at - 1]] > e->at[d]; at--)
            order[at] = order[at - 1];
        order[at] = d;
    }
}

struct krylov_layout krylov_torus_layout(const struct fr_vector *allocation,
                                         int64_t nodes_per_router, int64_t c, size_t dimensions)
{
    const struct fr_vector e = node_extents(allocation, dimensions);
    const struct fr_vector factors = krylov_dims_create(c, dimensions);
    struct krylov_layout layout = {
        .dimensions = dimensions,
        .process_grid = { .count = dimensions },
        .on_node_grid = { .count = dimensions },
        .host_grid = { .count = dimensions, .at = { 1, 1, 1 } },
    };
    size_t order[FR_MAX_EXTENTS] = { 0 };

    order_by_extent(&e, order);
    layout.host_grid.at[order[dimensions > 1 ? 1 : 0]] = nodes_per_router;
    for (size_t i = 0; i < dimensions; i++)
        layout.on_node_grid.at[order[i]] = factors.at[i];
    for (size_t d = 0; d < dimensions; d++)
        layout.process_grid.at[d] = e.at[d] * layout.on_node_grid.at[d] * layout.host_grid.at[d];
    return layout;
}
