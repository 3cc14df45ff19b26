/* HPL's panel: left-looking recursion, in which a column is searched, swapped and broadcast at once
 * (HPL_pdrpanll*.c, HPL_pdpanll*.c, HPL_pdmxswp.c; docs/models/block_cyclic.md#panel-of-hpl). */
#include "engine/block_cyclic/hpl.h"

#include <math.h>

int64_t hpl_panel_width(const struct hpl *hpl, int64_t panel)
{
    return cyclic_least(hpl->walk.block, hpl->v->common.n - panel * hpl->walk.block);
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

static double leaf(const struct panel *p, int64_t s, int64_t x)
{
    double sum = cyclic_idamax_s(p->kernels, rows_below(p, (double)x));

    for (int64_t a = 0; a < s; a++) {
        const double rows = rows_below(p, (double)(x + a + 1)), before = (double)(a + 1);

        sum += p->column_s + cyclic_dscal_s(p->kernels, rows);
        if (a + 1 < s)
            sum += cyclic_dtrsv_s(p->kernels, before) + cyclic_dgemv_s(p->kernels, rows, before) +
                   cyclic_idamax_s(p->kernels, rows);
    }
    return sum;
}

static double recursion(const struct panel *p, int64_t s, int64_t x)
{
    const int64_t part = cyclic_blocks(cyclic_blocks(s, p->nbmin), p->ndiv) * p->nbmin;
    double sum = 0;

    if (s <= p->nbmin)
        return leaf(p, s, x);
    for (int64_t y = 0; y < s; y += part) {
        const int64_t width = cyclic_least(part, s - y);

        sum += cyclic_trsm_s(p->kernels, (double)y, (double)width) +
               cyclic_gemm_s(p->kernels, rows_below(p, (double)(x + y)), (double)width, (double)y) +
               recursion(p, width, x + y);
    }
    return sum;
}

/* Z: a row of the panel and the pivot row travel along a binary exchange. */
static double exchange_s(const struct cyclic_network *net, double width)
{
    double sum = 0;
    int64_t power = 1;

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

double hpl_panel_s(struct hpl *hpl, int64_t panel)
{
    struct cyclic_walk *walk = &hpl->walk;
    const int64_t n = hpl->v->common.n, first = panel * walk->block;
    const int64_t width = hpl_panel_width(hpl, panel);
    const double jb = (double)width, element_bytes = 8 + walk->kernels.line_bytes;
    const struct panel p = {
        .kernels = &walk->kernels,
        .owner_rows = cyclic_most_rows(walk, n, first),
        .other_rows = (double)rows_of_others(walk, n, first),
        .column_s = exchange_s(&walk->net, jb) +
                    2 * cyclic_stream_s(&walk->kernels, element_bytes * jb, 8 * jb) +
                    cyclic_stream_s(&walk->kernels, 2 * element_bytes * jb, 8 * jb),
        .nbmin = hpl->v->nbmin,
        .ndiv = hpl->v->ndiv,
    };

    return recursion(&p, width, 0);
}
