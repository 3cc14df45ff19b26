/* HPL's panel: left-looking recursion, in which a column is searched, swapped and broadcast at once
 * (HPL_pdrpanll*.c, HPL_pdpanll*.c, HPL_pdmxswp.c; docs/models/block_cyclic.md#panel-of-hpl). */
#include "engine/block_cyclic/hpl.h"

#include <math.h>

int64_t hpl_joined_panels(const struct hpl_values *v)
{
    return v->lookahead_depth > v->common.process_columns ? v->lookahead_depth : 0;
}

struct cyclic_sequence hpl_panels(const struct hpl_values *v)
{
    struct cyclic_sequence panels = cyclic_panels(&v->common, v->common.n);

    panels.ahead = cyclic_least(hpl_joined_panels(v), panels.count);
    return panels;
}

struct cyclic_range hpl_columns_from(const struct hpl *hpl, int64_t first)
{
    return cyclic_columns_from(&hpl->walk, hpl->v->common.n + 1, first);
}

struct panel {
    struct cyclic_kernels *kernels;
    double owner_rows, other_rows; /* nu_r, o */
    double column_s;               /* Z + Lambda: search, swap and broadcast of a column */
    int64_t nbmin, ndiv;
};

/* m(x): the most rows of a process below row x of the panel. */
static double rows_below(const struct panel *p, double x)
{
    return fmax(p->owner_rows - x, p->other_rows);
}

/* Calls below the rows first, first + step, ... of the panel: while the owner has the most rows
 * these get fewer, then they are those of another process. */
struct rows_below {
    int64_t falling, level; /* calls */
    struct cyclic_steps falling_rows, level_rows;
};
static struct rows_below all_below(const struct panel *p, int64_t first, int64_t step,
                                   int64_t count)
{
    const int64_t more = (int64_t)(p->owner_rows - p->other_rows) - first;
    const int64_t falling = more > 0 ? cyclic_least(count, cyclic_blocks(more, step)) : 0;

    return (struct rows_below){
        .falling = falling,
        .level = p->other_rows > 0 ? count - falling : 0,
        .falling_rows = { p->owner_rows - (double)first, (double)-step },
        .level_rows = { p->other_rows, 0 },
    };
}

/* The vector operations of all leaves, which have nbmin columns each, the last one what is left:
 * every column is searched for and scaled, and but for the last of its leaf updated by those before
 * it. */
static double leaves_s(const struct panel *p, int64_t width)
{
    const struct cyclic_kernels *kernels = p->kernels;
    const int64_t whole = width / p->nbmin, rest = width % p->nbmin;
    const struct rows_below from = all_below(p, 0, 1, width), below = all_below(p, 1, 1, width);
    double sum = (double)width * p->column_s +
                 cyclic_idamaxes_s(kernels, from.falling, from.falling_rows) +
                 cyclic_idamaxes_s(kernels, from.level, from.level_rows) +
                 cyclic_dscals_s(kernels, below.falling, below.falling_rows) +
                 cyclic_dscals_s(kernels, below.level, below.level_rows);

    for (int64_t before = 1; before < p->nbmin && before < width; before++) {
        const int64_t leaves = whole + (before < rest);
        const struct rows_below rows = all_below(p, before, p->nbmin, leaves);
        const struct cyclic_steps columns = { (double)before, 0 };

        sum += (double)leaves * cyclic_dtrsv_s(kernels, (double)before) +
               cyclic_dgemvs_s(kernels, rows.falling, rows.falling_rows, columns) +
               cyclic_dgemvs_s(kernels, rows.level, rows.level_rows, columns);
    }
    return sum;
}

/* The triangular solves and products of the recursion. */
static double recursion(const struct panel *p, int64_t s, int64_t x)
{
    const int64_t part = cyclic_blocks(cyclic_blocks(s, p->nbmin), p->ndiv) * p->nbmin;
    double sum = 0;

    for (int64_t y = 0; y < s && s > p->nbmin; y += part) {
        const int64_t width = cyclic_least(part, s - y);

        sum += cyclic_trsm_s(p->kernels, (double)y, (double)width) +
               cyclic_gemm_s(p->kernels, rows_below(p, (double)(x + y)), (double)width, (double)y) +
               recursion(p, width, x + y);
    }
    return sum;
}

/* Z: a row of the panel and the pivot row travel along a binary exchange. */
static double exchange_s(struct cyclic_network *net, double width)
{
    double sum = 0;
    int64_t power = 1;

    if (net->latencies && net->rows > 1)
        return cyclic_exchange_s(net, width);
    for (; 2 * power <= net->rows; power *= 2)
        sum += cyclic_column_s(net, 0, power, 8 * (2 * width + 4));
    if (power < net->rows)
        sum += 2 * cyclic_column_s(net, 0, net->rows - 1, 8 * (width + 4));
    return sum;
}

/* The most rows from `first` on of a process other than the owner of that block. */
static int64_t rows_of_others(const struct cyclic_walk *walk, int64_t n, int64_t first)
{
    const int64_t next = (first / walk->block + 1) % walk->rows;

    return walk->rows == 1 ? 0 : cyclic_rows_from(n, walk->block, next, walk->rows, first);
}

/* The work of a panel beside its look-ups. */
static const double factor_steps = 500;

static double factor_s(struct hpl *hpl, struct cyclic_kernels *kernels,
                       const struct hpl_known_panel *of)
{
    const double jb = (double)of->width, element_bytes = 8 + kernels->line_bytes;
    const struct panel p = {
        .kernels = kernels,
        .owner_rows = of->owner_rows,
        .other_rows = of->other_rows,
        .column_s = exchange_s(&hpl->walk.net, jb) +
                    2 * cyclic_stream_s(kernels, element_bytes * jb, 8 * jb) +
                    cyclic_stream_s(kernels, 2 * element_bytes * jb, 8 * jb),
        .nbmin = hpl->v->nbmin,
        .ndiv = hpl->v->ndiv,
    };

    return leaves_s(&p, of->width) + recursion(&p, of->width, 0);
}

double hpl_panel_s(struct hpl *hpl, int64_t panel)
{
    const struct cyclic_walk *walk = &hpl->walk;
    const int64_t n = hpl->v->common.n, first = panel * walk->block;
    struct hpl_known_panel asked = {
        .width = hpl_panel_width(hpl, panel),
        .owner_rows = cyclic_most_rows(walk, n, first),
        .other_rows = (double)rows_of_others(walk, n, first),
    };

    for (size_t i = 0; i < HPL_PANELS; i++) {
        const struct hpl_known_panel *known = &hpl->known[i];

        if (known->width == asked.width && known->owner_rows == asked.owner_rows &&
            known->other_rows == asked.other_rows)
            return known->time_s;
    }
    asked.time_s = factor_s(hpl, &hpl->walk.kernels, &asked);
    hpl->walk.kernels.steps += factor_steps;
    hpl->known[hpl->next_known++ % HPL_PANELS] = asked;
    return asked.time_s;
}
